/* C prototypes of functions, read from debug information (from IR types where there is none), and C text of them. */
#ifndef CF_PROTOTYPE_H
#define CF_PROTOTYPE_H
#include "request/request.h"
#include "support/arena.h"
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
    CF_C_UNKNOWN /* a pointee that nothing is known of */
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

typedef struct cf_prototype {
    const char *name;  /* in the IR */
    const char *shown; /* in the source */
    const char *file;  /* of the definition; NULL where it is not known */
    unsigned line;
    bool typed; /* from debug information */
    const cf_ctype *result;
    unsigned n;                   /* parameters, one for each of the IR function's */
    const cf_cmember *parameters; /* offset is not used */
} cf_prototype;

/* The name that a function has in the source, from debug information; NULL without. */
const char *cf_source_name(cf_arena *a, LLVMValueRef function);
const cf_prototype *cf_prototype_of(cf_arena *a, LLVMValueRef function);

/* Floating numbers are in the type itself, in its members or behind its pointers. */
bool cf_ctype_has_floats(const cf_ctype *t);
/* The parameter is differentiated when nobody says otherwise. */
bool cf_parameter_is_dup(const cf_cmember *parameter);
/* The words for a request in which nobody says otherwise, for instance "dup dup const". */
const char *cf_default_words(cf_arena *a, const cf_prototype *p);

/* `double (*name)[3]`: the C declaration of `name` with this type; name may be "". */
const char *cf_c_declaration(cf_arena *a, const cf_ctype *t, const char *name);

/* The words of a request, taken apart as far as its prototype depends on them. */
typedef struct cf_words {
    unsigned n, width;
    bool *dup; /* n of them */
    bool seed, value;
} cf_words;
/* NULL when they are not words of a request (then the request itself was refused). */
const cf_words *cf_split_words(cf_arena *a, const char *words);

/* The C prototype of a request as text, ended by `;`, with a comment over it. */
const char *cf_request_prototype(cf_arena *a, const cf_prototype *primal, cf_mode mode, const cf_words *words,
                                 const char *name);

#endif
