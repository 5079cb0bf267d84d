/* nan: stops the program at the operation that makes the first NaN or infinity out of finite numbers.
 *
 *     cofactor run --context nan prog.c                          prints the operation, its place and the calls that led
 *                                                                there, ends with status 1 (NAN_ABORT=1: by abort, for a
 *                                                                debugger)
 *
 * In a program: `struct nan n = {0};` and a CF_IN function with &n. With n.found set, that function is called instead of
 * ending the program, for each such operation.
 *
 * Hooks: "fp", "cast" and "call body=no" (log, sqrt, …) after the event; "call" and "callback" for the chain. Threads: each one that the
 * program starts gets its own chain. */
#include "calls.h"

#ifndef NAN_WORDS
#define NAN_WORDS ""
#endif
CF_CONTEXT(nan, "optional " NAN_WORDS);

struct nan {
    void (*found)(struct nan *n, const cf_site *s, const cf_value *operand, const cf_value *result);
    struct calls calls;
};

/* Whether all numbers in a value are finite, by their bits: an exponent of ones is infinity or NaN. */
static inline int nan_bits_finite(const unsigned char *p, unsigned size, int exponent) {
    unsigned top = (unsigned)p[size - 1] << 8 | p[size - 2], mask = ((1u << exponent) - 1) << (15 - exponent);
    return (top & mask) != mask;
}

/* The layout of the numbers that `type` names: bits of the exponent, bytes. */
static inline int nan_layout(const char *type, unsigned *size, unsigned *step) {
    static const struct {
        const char *name;
        int exponent;
        unsigned size, step;
    } all[] = {{"double", 11, 8, 8}, {"bfloat", 8, 2, 2},      {"float", 8, 4, 4},
               {"half", 5, 2, 2},    {"x86_fp80", 15, 10, 16}, {"fp128", 15, 16, 16}};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (strstr(type, all[i].name)) {
            *size = all[i].size;
            *step = all[i].step;
            return all[i].exponent;
        }
    return 0;
}

/* Vectors, and formats other than float and double. */
CALLS_APART int nan_bytes_finite(const cf_site *s, const cf_value *v) {
    unsigned size = 8, step = 8;
    int exponent = nan_layout(s->type, &size, &step);
    if (!exponent) return 1;
    for (unsigned at = 0; at + size <= v->bits / 8; at += step)
        if (!nan_bits_finite((const unsigned char *)v->as.pointer + at, size, exponent)) return 0;
    return 1;
}

static inline int nan_finite(const cf_site *s, const cf_value *v) {
    if (v->kind == CF_REAL) return nan_bits_finite((const unsigned char *)&v->as.real, 8, 11);
    return v->kind != CF_BYTES || nan_bytes_finite(s, v);
}

static inline void nan_value(const cf_value *v) {
    if (v->kind == CF_REAL) fprintf(stderr, " %.17g", v->as.real);
    if (v->kind == CF_INTEGER) fprintf(stderr, " %lld", v->as.integer);
    if (v->kind == CF_POINTER) fprintf(stderr, " %p", v->as.pointer);
    if (v->kind == CF_BYTES) fprintf(stderr, " {%u bits}", v->bits);
}

static inline void nan_place(const cf_site *s) {
    if (s->line) fprintf(stderr, "%s:%u:%u: ", s->file, s->line, s->column);
}

CALLS_APART void nan_found(struct nan *n, const cf_site *s, const cf_value *operand, const cf_value *result) {
    if (n->found) {
        n->found(n, s, operand, result);
        return;
    }
    fflush(stdout);
    nan_place(s);
    fprintf(stderr, "%s in %s makes", *s->what ? s->what : "a call", s->function);
    nan_value(result);
    fputs(" of", stderr);
    for (unsigned i = 0; i < s->operands; i++) nan_value(&operand[i]);
    fputc('\n', stderr);
    for (long i = n->calls.depth; i-- > 0;) {
        const cf_site *call = n->calls.call[i].site;
        if (call == s) continue;
        fputs("  ", stderr);
        nan_place(call);
        fprintf(stderr, "called by %s\n", call->function);
    }
    if (getenv("NAN_ABORT")) abort();
    exit(1);
}

static inline void nan_check(struct nan *n, const cf_site *s, const cf_value *operand,
                             const cf_value *result) {
    if (!result || nan_finite(s, result)) return;
    for (unsigned i = 0; i < s->operands; i++)
        if (!nan_finite(s, &operand[i])) return;
    nan_found(n, s, operand, result);
}

CF_POSTHOOK_ANY(nan, "fp")
static void nan_operation(struct nan *n, const cf_site *s, const cf_value *operand, const cf_value *result) {
    nan_check(n, s, operand, result);
}

/* The type of a cast is that of its operand: only a single number's result can be told. */
CF_POSTHOOK_ANY(nan, "cast")
static void nan_cast(struct nan *n, const cf_site *s, const cf_value *operand, const cf_value *result) {
    if (result->kind == CF_REAL) nan_check(n, s, operand, result);
}

CF_PREHOOK(nan, "call")
CF_PREHOOK(nan, "callback")
static void nan_call(struct nan *n, const cf_site *s) {
    n->calls.depth = calls_enter_to(&n->calls, s);
    calls_enter(&n->calls, s, s->what);
}

CF_POSTHOOK_ANY(nan, "call body=no")
static void nan_library(struct nan *n, const cf_site *s, const cf_value *operand, const cf_value *result) {
    nan_check(n, s, operand, result);
}

CF_POSTHOOK(nan, "call")
CF_POSTHOOK(nan, "callback")
static void nan_return(struct nan *n, const cf_site *s) { n->calls.depth = calls_leave_to(&n->calls, s); }

CF_ENTER(nan, "call pthread_create,thrd_create,std::thread::_M_start_thread*")
static struct nan *nan_thread(struct nan *n) {
    struct nan *mine = (struct nan *)calls_zeroed(1, sizeof *mine);
    mine->found = n->found;
    return mine;
}

CF_BEGIN(nan) static struct nan *nan_begin(void) { return (struct nan *)calls_zeroed(1, sizeof(struct nan)); }
