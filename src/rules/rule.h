/* How a rule is written. T is the type of the precision at hand, S the suffix of its functions in libm.
 *
 * D(k, f)(arguments, T r)   the partial derivative of f by argument k; r = f(arguments)
 * BODY(f)(arguments)        f itself, to be differentiated instead of it
 *
 * An argument without a D is an integer, or one that the result does not follow: its derivative is 0.
 *
 * Where no function of C corresponds to an intrinsic of LLVM, the rule's name begins with llvm_: no function of the
 * user's gets it by accident.
 *
 * A rule takes all parameters and uses what it needs: what it does not use is not kept for the reverse sweep. A rule
 * prefers the result to the arguments where that is cheaper. docs/kinks.md lists what rules say at kinks and singular
 * points. */
#ifndef CF_RULE_H
#define CF_RULE_H
#include <math.h>

#pragma GCC diagnostic ignored "-Wunused-parameter"

#define CF_JOIN_(a, b) a##b
#define CF_JOIN(a, b) CF_JOIN_(a, b)
#define F(f) CF_JOIN(f, S)
#define D(k, f) T CF_JOIN(__cf_d##k##_##f, S)
#define BODY(f) CF_JOIN(__cf_body_##f, S)

/* A function that rules share, and a large one: a call, not inlined. */
#define SHARED static inline
#define LARGE __attribute__((visibility("hidden")))

#define NOT_A_NUMBER ((T)NAN)
#define INFINITE ((T)INFINITY)

#endif
