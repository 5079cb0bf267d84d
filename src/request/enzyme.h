/* One call of Enzyme's names: what its reader finds (enzyme_words.c), what is made of it (enzyme.c, enzyme_result.c). */
#ifndef CF_ENZYME_H
#define CF_ENZYME_H
#include "request/request.h"

typedef struct cf_enzyme {
    cf_arena *arena;
    cf_sink *sink;
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b; /* in front of the call */
    LLVMValueRef call;
    cf_place place;
    cf_request request;
    LLVMValueRef returned; /* memory that the caller gives for the result, or NULL */
    LLVMValueRef *value;   /* per parameter of the primal's IR: its argument */
    LLVMValueRef **shadow; /* the same: its shadows, `width` of them; NULL: it has none, or is `out` */
    bool primal_return;    /* the primal's value is returned, in front */
    bool const_return;     /* its derivative is not: no tangent is returned, the adjoint is 0 */
} cf_enzyme;

/* Reports at the call. */
#define CF_ENZYME_FAIL(s, ...)                                                                               \
    (cf_report((s)->sink, CF_ERROR, (s)->place, l_name(l_function_of((s)->call)), __VA_ARGS__), false)

/* How an identifier of Enzyme's in a name goes on: "autodiff" of __enzyme_autodiff and _Z17__enzyme_autodiffv. NULL: the
 * name has none. */
const char *cf_enzyme_name(const char *name);
/* What a variable that is written once holds, or the value itself. */
LLVMValueRef cf_enzyme_resolved(LLVMValueRef v);

/* Reads function, words and arguments of the call into *s, beginning at argument `first`. */
bool cf_read_enzyme_words(cf_enzyme *s, unsigned first);
/* Replaces the call's result by these values, in order. */
bool cf_deliver_enzyme(cf_enzyme *s, LLVMValueRef *result, unsigned n);

/* What a program says about its functions by globals and annotations: CF_INACTIVE, or an error for each. If the
 * program waits for its link, what is inactive is not inlined until then. */
bool cf_read_enzyme_globals(cf_arena *a, LLVMModuleRef m, cf_sink *sink, bool waits, cf_requests *out);

#endif
