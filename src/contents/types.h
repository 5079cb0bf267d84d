/* What bytes of memory hold: numbers, pointers or something else. Needed where bits move without a type (memcpy,
 * integer loads and stores) and to tell the adjoints in a shadow from its pointers. */
#ifndef CF_TYPES_H
#define CF_TYPES_H
#include "ir/job.h"
#include <llvm-c/Target.h>
#include <stdint.h>

typedef enum cf_field_kind {
    CF_FIELD_FLOAT,
    CF_FIELD_POINTER,
    CF_FIELD_OTHER,
    CF_FIELD_UNTOLD, /* of facts alone: a part of a number, or a number at one time and a pointer at another */
} cf_field_kind;

typedef struct cf_field {
    uint64_t offset; /* in bytes from the pointer */
    cf_field_kind kind;
    LLVMTypeRef
        type; /* FLOAT: the floating scalar; POINTER: the pointer; OTHER: i8, and the field ends where the next
                         one begins */
} cf_field;

typedef struct cf_layout {
    bool known;      /* every byte is told */
    uint64_t stride; /* the fields come again after so many bytes, from the first byte on; 0: they do not */
    size_t n;
    cf_field *field; /* by offset */
} cf_layout;

/* What the bytes at `pointer` hold that `instruction` (of `function`) moves or sets; bytes 0: an unknown number of them.
 * Arrays of one scalar have one field. Returns out->known. */
bool cf_layout_of(cf_job *job, LLVMValueRef function, LLVMValueRef instruction, LLVMValueRef pointer,
                  uint64_t bytes, cf_layout *out);

/* What is known of pointers is kept while the functions that are asked about do not change: to be called when one may. */
void cf_forget_evidence(cf_job *job);

/* The same for a block of a type, once (stride 0) unless it is an array of one scalar. */
void cf_layout_of_type(cf_arena *a, LLVMTargetDataRef data, LLVMTypeRef type, cf_layout *out);

/* The memory that a load or store of the program accesses holds integers, never the bits of a number or a pointer: as far as
 * everything shows that is stored there and loaded from there. False: it may hold more. */
bool cf_holds_integers(cf_job *job, LLVMValueRef access);

/* A pointer to a type with a union in it, as far as address arithmetic and variables show. */
bool cf_points_to_union(LLVMValueRef p);

#endif
