/* What is asked of one function: which parameters are differentiated. Engine, domains and reverse mode make one
 * clone per key. */
#ifndef CF_KEY_H
#define CF_KEY_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CF_ARG_CONST = 0,
    CF_ARG_DUP = 1,    /* number: varied; pointer: has a shadow */
    CF_ARG_STABLE = 2, /* reverse: memory behind this pointer is the same when the reverse of the call runs */
    CF_ARG_MIXED =
        4, /* with DUP: what it points to may have no shadow; then its shadow is the pointer itself */
};

typedef struct cf_key {
    LLVMValueRef function;
    unsigned width;     /* directions at once, at least 1 */
    unsigned n;         /* IR parameters */
    const uint8_t *arg; /* n sets of CF_ARG_ flags */
    bool result;  /* the result (number or pointer) is differentiated: has a tangent, adjoint or shadow */
    bool undo;    /* reverse: its reverse leaves memory as it was before the function ran */
    bool steady;  /* reverse: no memory that it can reach is different when its reverse runs */
    bool frozen;  /* reverse: nothing in it carries a derivative; what it writes loses its adjoint */
    bool marked;  /* reverse: adjoints of memory are kept in marks (reverse/marks.h) */
    bool consume; /* reverse: memory that the caller sees need not hold the primal's results afterwards */
} cf_key;

#endif
