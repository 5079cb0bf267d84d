/* Contexts, C11 and C++17: a program inside your own meaning. A context is a struct of yours and the hooks and overrides
 * that go with it, ordinary functions. CF_IN asks for a program inside a context; Cofactor gives the declared function
 * its body.
 *
 *     struct count { long flops; };
 *     CF_PREHOOK(count, "fp")    static void count_flop(struct count *c) { c->flops++; }
 *     CF_OVERDUB(count, sin)     static double count_sin(struct count *c, double x) { return cos(x); }
 *
 *     double f(const double *x, int n);
 *     double f_counted(struct count *c, const double *x, int n);
 *     CF_IN(f_counted, f, count);
 *
 * f_counted(&c, x, n) runs f and all that f calls, as far as it is defined in the same unit, with the hooks around what
 * they match and the overrides in the place of what they match. f itself stays as it is. Everything is decided when the
 * program is compiled: what nothing matches costs nothing.
 *
 * WHAT a hook or an override is for, either the name of a function, or a text:
 *
 *     sin                 calls of sin (C++: of all functions of this name)
 *     "call"              every call; "call mul*,add*" of functions with such names (globs, C++ names in full)
 *     "fmul"              an operation by LLVM's name for it: fadd fsub fmul fdiv frem fneg, add … xor, fcmp icmp, load
 *                         store, alloca, fptosi …, select, br, switch, ret, getelementptr …
 *     "fp"                a class: fp (fadd fsub fmul fdiv frem fneg), int (add … xor), compare (fcmp icmp), cast,
 *                         branch (conditional br, switch, indirectbr), memory (load store and atomics), op (all of
 *                         these and whatever else is no call, apart from br without a condition and phi)
 *     "callback"          a call by the C library of a function that was handed to it: of qsort's comparison, a thread's
 *                         start, a handler
 *     "line"              each source line that is begun (needs -g)
 *   and words after it that narrow it down:
 *     type=double         of an operation: the type of its result (store: of what is stored; compare, branch, cast: of
 *                         its first operand), as LLVM writes it: double, float, i32, ptr, <4 x float>
 *     in=GLOBS            standing in a function of such a name
 *     file=GLOBS          of a call: the called function is defined in such a file (needs -g); else: it stands there
 *     body=yes, body=no   of a call: the called function has a body here or not
 *     site=yes, site=no   of a hook or override: its second parameter is the site or not
 *
 * Intrinsics are calls of the C function of the same meaning, with C's prototype: sin, sqrt, memcpy; constrained ones
 * (strict floating point) are operations, too. A fused a * b + c that the compiler may
 * also round twice is a fmul and a fadd, when something matches either.
 *
 * HOOKS are called with the context, then what their prototype asks for:
 *     void pre(C *)                                   void post(C *)
 *     void pre(C *, const cf_site *)                  void post(C *, const cf_site *)
 *     void pre(C *, [const cf_site *,] OPERANDS)      void post(C *, [const cf_site *,] RESULT [, OPERANDS])
 * A pointer in the second place is the site; where WHAT names one function or operation, and only so, it may be the first
 * of OPERANDS or RESULT instead. OPERANDS are all operands, with their types; RESULT is left out where
 * there is none. A hook with operands is for the events with operands of these types only. A post hook whose return type
 * is that of RESULT gives the value that the program goes on with. Several hooks run in the order of their definitions.
 * The _ANY forms take operands of any number and type:
 *     void pre(C *, const cf_site *, const cf_value *operand)      site->operands of them
 *     void post(C *, const cf_site *, const cf_value *operand, const cf_value *result)     result: NULL when none
 * Of a call through a pointer, operand[site->operands] is that pointer.
 * A post hook does not run when the call does not return (exit, longjmp, an exception).
 *
 * OVERRIDES take the context, the site if they want it, then all operands, and return the result. They hold for calls
 * through pointers, too (hooks for a name do not). One with variable arguments names the parameters that the function it is
 * for names, or, when that has none, any number of its parameters. Inside of them,
 *     cf_recurse(f)(x)           calls f inside the same context
 *     cf_recurse_in(c, f)(x)     calls f inside the context c points to (of the same type)
 *     cf_original(f)(x), f(x)    call f outside of it
 *     cf_next(f)(x), cf_next(double(double))(x)
 *                                call what this override stands in front of, inside the same context: a static function
 *                                of another file, or whichever function it is of those that globs match; f, or the type,
 *                                says its prototype
 *
 * CF_ENTER(C, what) C *enter(C * [, const cf_site *]): the matching calls get what it returns as their context.
 */
#ifndef COFACTOR_CONTEXT_H
#define COFACTOR_CONTEXT_H
#include <cofactor/descriptor.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A place in the program where a hook runs. Constant; lives as long as the program. */
typedef enum cf_event { CF_EVENT_CALL, CF_EVENT_OPERATION, CF_EVENT_LINE, CF_EVENT_CALLBACK } cf_event;
typedef struct cf_site {
    const char *function; /* where it stands; of a callback the library function that it was handed to */
    const char *what;     /* the called function ("" through a pointer), or the operation ("fmul") */
    const char *file;     /* "" without -g */
    const char *type;     /* LLVM's name of the type that `type=` compares; of a call that of its result */
    const char *names; /* "line": the variables whose values are the operands, separated by commas; else "" */
    unsigned line, column; /* 0 without -g */
    unsigned id;           /* counts from 0 within one context of one unit */
    unsigned event;        /* cf_event */
    unsigned operands;
    unsigned lanes;           /* elements, when the type is a vector, else 1 */
    unsigned long long bytes; /* size of the type */
} cf_site;

/* A value for the _ANY hooks. */
typedef enum cf_kind { CF_INTEGER, CF_REAL, CF_POINTER, CF_BYTES } cf_kind;
typedef struct cf_value {
    cf_kind kind;
    unsigned bits; /* of the type */
    union {
        long long integer;   /* sign extended, up to 64 bits */
        double real;         /* float and double */
        const void *pointer; /* CF_POINTER: the value; CF_BYTES (anything else): where a copy of it lies */
    } as;
} cf_value;

/* All sites of a context in this unit, and the functions that pointers may point to, by name. CF_SITES(table, count); then
 * table.site[0 … table.n - 1], table.function[0 … table.functions - 1]. What a hook gets is a record of its own, with what
 * table.site[s->id] has in it. */
typedef struct cf_function {
    const void *address;
    const char *name;
} cf_function;
typedef struct cf_sites {
    const cf_site *site;
    const cf_function *function;
    unsigned n, functions;
} cf_sites;

/* Marks that Cofactor takes away. */
void *__cf_recurse(const void *function);
void *__cf_recurse_in(const void *context, const void *function);
void *__cf_next(void);

#ifdef __cplusplus
}
#endif

#define cf_recurse(f) ((__typeof__(&(f)))__cf_recurse((const void *)&(f)))
#define cf_recurse_in(c, f) ((__typeof__(&(f)))__cf_recurse_in((c), (const void *)&(f)))
#define cf_next(f) ((__typeof__(f) *)__cf_next())
#define cf_original(f) (&(f))

/* Which unit says it: when several are linked into one program, each may have a context of that name. */
#define CF_UNIT_ "\n" __BASE_FILE__
#define CF_MARK_(text) __attribute__((used, annotate("cofactor " text CF_UNIT_)))
#define CF_PREHOOK(context, what) CF_MARK_("pre " #context " " #what)
#define CF_POSTHOOK(context, what) CF_MARK_("post " #context " " #what)
#define CF_PREHOOK_ANY(context, what) CF_MARK_("pre-any " #context " " #what)
#define CF_POSTHOOK_ANY(context, what) CF_MARK_("post-any " #context " " #what)
#define CF_OVERDUB(context, what) CF_MARK_("overdub " #context " " #what)
#define CF_ENTER(context, what) CF_MARK_("enter " #context " " #what)

/* For whole programs (cofactor run, cofactor in, CF_PROGRAM): `C *begin(void)` makes the context before the program
 * starts, `void end(C *)` is called when it ends. Without CF_BEGIN the context is zeroed memory of `size=` bytes. */
#define CF_BEGIN(context) CF_MARK_("begin " #context " -")
#define CF_END(context) CF_MARK_("end " #context " -")

#define CF_SITES(table, context) static cf_sites table CF_MARK_("sites " #context " -")

/* The body of `name` is f inside the context: `R name(C *, parameters of f)`. Words: `entry` (the call of f is an event
 * itself), `nohooks` (overrides only). CF_IN(name, f, context) or CF_IN(name, f, context, "words"). */
#define CF_IN(...) CF_IN_(__VA_ARGS__, "", "")
#define CF_IN_(name, f, context, words, ...) CF_REQUEST_("in", name, f, #context " " words CF_UNIT_)

/* main, and the constructors of global objects, run inside the context. */
#define CF_PROGRAM(context) CF_STATEMENT_("program", CF_CAT(cf_program_, context), #context CF_UNIT_)

/* What holds for a context as a whole. Needed only for a context without hooks and overrides, or for one of these words:
 *     bodyless=error     calling a function that has neither body nor override is an error (native: it is called as it is)
 *     depth=N            calls more than N deep (from the entry, which is 0) leave the context; N is 1 to 190
 *     exclude=GLOBS      these functions, and what they call, are left as they are
 *     exclude-file=GLOBS those that are defined in such files
 *     only=GLOBS         hooks and overrides work in functions of these names only
 *     only-file=GLOBS    … in functions of such files only
 *     from=GLOBS         … in these functions and below them only
 *     strict             what cannot be brought into the context is an error (else: a warning, and it is left as it is)
 *     optional           hooks and overrides may match nothing (else: a warning)
 *     size=N             see CF_BEGIN
 */
#define CF_CONTEXT(context, words)                                                                           \
    CF_STATEMENT_("context", CF_CAT(cf_context_, context), #context " " words CF_UNIT_)

#endif
