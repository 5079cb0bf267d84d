/* Requests for derivatives, C11 and C++17. A request is a declaration of a function that Cofactor defines.
 *
 *     double f(const double *x, int n);
 *     double f_grad(const double *x, double *x_bar, int n);
 *     CF_REVERSE(f_grad, f, "dup const");
 *
 * Words, separated by spaces: one for each parameter of the primal, in order, then options.
 *
 *   const      the parameter is not differentiated; it stands once in the request
 *   dup        the parameter is differentiated; in the request it is followed by its shadow:
 *                forward   pointer T *p     T *p_dot     tangents of what p points to, laid out like it
 *                          number  T x      T x_dot      tangent of x
 *                reverse   pointer T *p     T *p_bar     adjoints of what p points to, laid out like it
 *                          number  T x      T *x_bar     adjoint of x, added to
 *
 *              a complex number or a small struct by value counts as one parameter: forward T x_dot, reverse T *x_bar
 *
 *   seed       reverse: a last parameter `T seed` is the adjoint of the result (without the word it is 1)
 *   value      forward: a last parameter `T *value` receives the primal's result
 *   width=N    N directions (or adjoints) at once: the shadow of a pointer is `T *const p_dot[N]`, of a number
 *              `const T x_dot[N]` (reverse `T x_bar[N]`), the seed is `const T seed[N]`; the forward request
 *              returns the primal's result and a last parameter `T tangent[N]` receives its tangents
 *   consume    reverse: memory that the primal changed need not hold its results afterwards
 *
 * Result: a reverse request returns what the primal returns, or void. A forward request returns the tangent of
 * the primal's result (void where that is void or not a floating number).
 *
 * Adjoints accumulate: the request adds to them. On entry the shadow of an output holds the adjoint (seed) of that
 * output; on return it holds the adjoint of what stood there before the call, which is 0 where the primal
 * overwrites. The caller zeroes shadows of inputs first. A shadow may not overlap its primal. Two arguments may be
 * the same object if their shadows are the same object too.
 */
#ifndef COFACTOR_AD_H
#define COFACTOR_AD_H

#include <cofactor/descriptor.h>

#define CF_FORWARD(name, f, words) CF_REQUEST_("forward", name, f, words)
#define CF_REVERSE(name, f, words) CF_REQUEST_("reverse", name, f, words)

/* Rules of the user's own. They replace the differentiation of f everywhere, at every optimisation level.
 *
 * CF_RULE_FORWARD(f, rule): rule takes each parameter of f followed by its tangent (number) or shadow (pointer);
 *     integers stand alone; it returns the tangent of f's result. It is called after f itself, which gives the value.
 * CF_RULE_REVERSE(f, rule): void rule takes each parameter followed by `T *bar` (number, to be added to) or its
 *     shadow (pointer), integers alone, and at last the adjoint of f's result. It is called in the reverse sweep; f
 *     is called in the forward sweep.
 * A rule gets NULL for the shadow of a pointer that has none: behind a `const` argument, or constant data.
 * CF_INACTIVE(f): the result of f and what it writes never carry a derivative. Without a body in this unit, f may only
 *     read where there are derivatives: behind pointers to const (known with -g), or as a pure function.
 * CF_ALLOCATOR(make, release): make returns new memory, as malloc does, release gives it back, and nothing else does. The
 *     size in bytes is what __attribute__((alloc_size(…))) says, else make's only integer parameter; the block is release's
 *     last pointer parameter. */
#define CF_RULE_FORWARD(f, rule) CF_REQUEST_("rule-forward", rule, f, "")
#define CF_RULE_REVERSE(f, rule) CF_REQUEST_("rule-reverse", rule, f, "")
#define CF_INACTIVE(f)                                                                                       \
    static const struct {                                                                                    \
        int version, line;                                                                                   \
        const char *kind, *words, *file;                                                                     \
        __typeof__(&(f)) primal, request;                                                                    \
    } CF_CAT(cf_inactive_, f)                                                                                \
        __attribute__((used, section(CF_SECTION_))) = {1, __LINE__, "inactive", "", __FILE__, &(f), &(f)}
#define CF_ALLOCATOR(make, release)                                                                          \
    static const struct {                                                                                    \
        int version, line;                                                                                   \
        const char *kind, *words, *file;                                                                     \
        __typeof__(&(make)) primal;                                                                          \
        __typeof__(&(release)) request;                                                                      \
    } CF_CAT(cf_allocator_, make) __attribute__((used, section(CF_SECTION_))) = {                            \
        1, __LINE__, "allocator", "", __FILE__, &(make), &(release)}

/* CF_CHECK(name): calls of the requested function `name` are checked while the program runs, on its own data: the derivative
 * is compared with the other mode and with differences, and the first disagreement ends the program with a message
 * (docs/checking.md). It stands once, where the request does. */
#define CF_CHECK(name)                                                                                       \
    static const struct {                                                                                    \
        int version, line;                                                                                   \
        const char *kind, *words, *file;                                                                     \
        __typeof__(&(name)) primal, request;                                                                 \
    } CF_CAT(cf_check_, name)                                                                                \
        __attribute__((used, section(CF_SECTION_))) = {1, __LINE__, "check", "", __FILE__, &(name), &(name)}

/* CF_KEPT(g): numbers that the mutable global g keeps from one request to the next are constants of the next, and that is
 * meant: no warning. */
#define CF_KEPT(g)                                                                                           \
    static const struct {                                                                                    \
        int version, line;                                                                                   \
        const char *kind, *words, *file;                                                                     \
        __typeof__(&(g)) primal, request;                                                                    \
    } CF_CAT(cf_kept_, g)                                                                                    \
        __attribute__((used, section(CF_SECTION_))) = {1, __LINE__, "kept", "", __FILE__, &(g), &(g)}

#endif
