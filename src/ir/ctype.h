/* C types, read from debug information. */
#ifndef CF_CTYPE_H
#define CF_CTYPE_H
#include "support/arena.h"
#include "support/map.h"
#include "support/vec.h"
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum cf_ctype_kind {
    CF_C_VOID,
    CF_C_FLOAT, /* any real floating type */
    CF_C_COMPLEX,
    CF_C_INTEGER, /* enumerations and bool too */
    CF_C_POINTER, /* references of C++ too */
    CF_C_ARRAY,
    CF_C_STRUCT, /* classes too */
    CF_C_UNION,
    CF_C_FUNCTION,
    CF_C_UNKNOWN /* nothing is known of it */
} cf_ctype_kind;

typedef struct cf_ctype cf_ctype;

typedef struct cf_cmember {
    const char *name; /* NULL where it has none */
    uint64_t offset;  /* bytes from the start of the struct */
    const cf_ctype *type;
} cf_cmember;

struct cf_ctype {
    cf_ctype_kind kind;
    bool is_const;
    bool reference;            /* of a pointer: a reference in the source */
    bool tagged;               /* name begins with struct or union; else an anonymous type behind a typedef */
    const char *name;          /* how it is spelled, for kinds without parts */
    uint64_t size;             /* bytes */
    const cf_ctype *of;        /* pointee, element or result */
    uint64_t n;                /* elements, members or parameters */
    const cf_cmember *members; /* of a function: its parameters */
};

/* What was read so far: types of one context. Begin with {arena, context}. */
typedef struct cf_ctypes {
    cf_arena *arena;
    LLVMContextRef context;
    cf_map types; /* metadata node -> cf_ctype */
    struct cf_ctype_copies *copies;
} cf_ctypes;

/* The type of a type node; NULL is void. */
const cf_ctype *cf_ctype_of(cf_ctypes *r, LLVMMetadataRef node);
/* The type of the variable (global or local) of a node for variables; NULL: it has none. */
const cf_ctype *cf_ctype_of_variable(cf_ctypes *r, LLVMMetadataRef variable);
/* The type of a global variable of the source; NULL: it has no debug information. */
const cf_ctype *cf_ctype_of_global(cf_ctypes *r, LLVMValueRef global);

/* The function that a member of a struct points to; NULL: there is none. t may be NULL. */
const cf_ctype *cf_ctype_member_function(const cf_ctype *t, const char *name);

/* The name of a variable of the source; NULL: it has none. */
const char *cf_ctype_name(cf_ctypes *r, LLVMMetadataRef variable);
/* Names of the first n parameters of a function in the source; those that are not known stay as they are. */
void cf_ctype_name_parameters(cf_ctypes *r, LLVMValueRef f, const char **names, unsigned n);

/* Nodes of metadata: how many operands, operand i (NULL where there is none), the node as LLVM prints it. */
unsigned cf_node_count(const cf_ctypes *r, LLVMMetadataRef node);
LLVMMetadataRef cf_node_operand(const cf_ctypes *r, LLVMMetadataRef node, unsigned i);
const char *cf_node_text(const cf_ctypes *r, LLVMMetadataRef node);

#endif
