/* C prototypes of functions, read from debug information (from IR types where there is none), and C text of them. */
#ifndef CF_PROTOTYPE_H
#define CF_PROTOTYPE_H
#include "ir/ctype.h"
#include "request/request.h"
#include "support/arena.h"
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct cf_prototype {
    const char *name;  /* in the IR */
    const char *shown; /* in the source */
    const char *file;  /* of the definition; NULL where it is not known */
    unsigned line;
    bool typed; /* from debug information */
    const cf_ctype *result;
    unsigned n;                   /* parameters of the source, or of the IR function when that is not known */
    const cf_cmember *parameters; /* offset is not used */
} cf_prototype;

/* The name that a function has in the source, from debug information; NULL without. */
const char *cf_source_name(cf_arena *a, LLVMValueRef function);
const cf_prototype *cf_prototype_of(cf_arena *a, LLVMValueRef function);
/* Of the derivative that `ask` declares as the function f: from the primal's prototype where that can be told. */
struct cf_ask;
const cf_prototype *cf_derivative_prototype(cf_arena *a, const struct cf_ask *ask, LLVMValueRef f);
/* As the source has it: its parameters need not be those of the IR. */
const cf_prototype *cf_source_prototype(cf_arena *a, LLVMValueRef function);

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
