// The arithmetic of the context `round` against MPFR: every precision, three ranges, one rounding only, also where the
// operation's own rounding leads to a tie; and against the compiler's own conversions to smaller formats.
// RUN: %clang -std=gnu11 -O1 -I%include -I%S/../../context %s -lmpfr -lm -o %t && %t
#include "round.c"
#include <mpfr.h>

static uint64_t state = 88172645463325252u;
static uint64_t any(void) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

static double of_bits(uint64_t u) {
    double d;
    memcpy(&d, &u, 8);
    return d;
}

/* Numbers with few bits, with runs of ones, and arbitrary ones. */
static double number(void) {
    uint64_t e = 1023 - 30 + any() % 60, m = any() & (UINT64_MAX >> 12), part = UINT64_C(1) << any() % 52;
    if (any() % 7 == 0) return of_bits(any());
    if (any() % 4 == 0) m &= -part;
    if (any() % 4 == 0) m |= part - 1;
    return of_bits((any() & 1) << 63 | e << 52 | m);
}

enum { ADD, SUB, MUL, DIV, SQRT, OPERATIONS };

static int apply(int op, mpfr_t r, mpfr_t x, mpfr_t y, mpfr_rnd_t mode) {
    switch (op) {
    case ADD: return mpfr_add(r, x, y, mode);
    case SUB: return mpfr_sub(r, x, y, mode);
    case MUL: return mpfr_mul(r, x, y, mode);
    case DIV: return mpfr_div(r, x, y, mode);
    default: return mpfr_sqrt(r, x, mode);
    }
}

/* The exact result, rounded once to as many bits as the format has at its size. */
static double rounded(const struct round *c, int op, mpfr_t r, mpfr_t x, mpfr_t y) {
    int inexact = apply(op, r, x, y, MPFR_RNDZ);
    if (!mpfr_regular_p(r)) return mpfr_get_d(r, MPFR_RNDN);
    long e = mpfr_get_exp(r) - 1, bits = c->precision - (e < c->least ? c->least - e : 0);
    double sign = mpfr_sgn(r);
    if (bits < 0) return copysign(0, sign);
    if (bits == 0) { /* between 0 and the least number: at most its half goes to 0 */
        int half = !inexact && (!mpfr_cmp_ui_2exp(r, 1, e) || !mpfr_cmp_si_2exp(r, -1, e));
        return copysign(half ? 0 : ldexp(1, (int)e + 1), sign);
    }
    mpfr_set_prec(r, bits);
    apply(op, r, x, y, MPFR_RNDN);
    return mpfr_get_exp(r) - 1 > c->most ? copysign(INFINITY, sign) : mpfr_get_d(r, MPFR_RNDN);
}

static double truth(const struct round *c, int op, double a, double b) {
    mpfr_t x, y, r;
    mpfr_inits2(53, x, y, (mpfr_ptr)0);
    mpfr_init2(r, 60);
    mpfr_set_d(x, a, MPFR_RNDN);
    mpfr_set_d(y, b, MPFR_RNDN);
    double d = rounded(c, op, r, x, y);
    mpfr_clears(x, y, r, (mpfr_ptr)0);
    return d;
}

static double in_double(int op, double a, double b) {
    double r[] = {a + b, a - b, a * b, a / b, sqrt(a)};
    return r[op];
}
static double in_float(int op, float a, float b) {
    float r[] = {a + b, a - b, a * b, a / b, sqrtf(a)};
    return r[op];
}

static long wrong, checked;
static void compare(const char *what, const struct round *c, int op, double a, double b, double got, double want) {
    checked++;
    if (!memcmp(&got, &want, sizeof got)) return;
    if (wrong++ < 10)
        printf("%s, precision %d, largest exponent %d, operation %d of %a %a: %a, not %a\n", what, c->precision, c->most, op, a,
               b, got, want);
}

static void check_operations(const struct round *c, double a, double b, int is_float) {
    for (int op = 0; op < OPERATIONS; op++) {
        double r = is_float ? in_float(op, (float)a, (float)b) : in_double(op, a, b);
        double got[] = {round_add(c, r, a, b), round_add(c, r, a, -b), round_mul(c, r, a, b), round_div(c, r, a, b),
                        round_root(c, r, a)};
        /* Where the error of an operation is below the least number, it cannot be looked at. */
        double least = is_float ? 0x1p-126 : 0x1p-900;
        if (isfinite(r) && fabs(r) >= least && fabs(a) >= least)
            compare(is_float ? "float" : "double", c, op, a, b, got[op], truth(c, op, a, b));
    }
}

static void check_format(const struct round *c) {
    for (int i = 0; i < 2000; i++) {
        double a = number(), b = number();
        if (any() % 3 == 0) b = a * (1 + (double)(any() % 9) * 0x1p-52);
        if (any() % 5 == 0) { /* a sum just beside a tie */
            a = (double)(any() % 4096);
            b = of_bits((1023 - any() % 60) << 52 | (any() & 1));
        }
        if (!isfinite(a) || !isfinite(b)) continue;
        check_operations(c, a, b, 0);
        a = (float)a, b = (float)b;
        if (c->precision <= 24 && isfinite(a) && isfinite(b)) check_operations(c, a, b, 1);
    }
}

static void check_conversions(void) {
    struct round half = round_format("float16"), brain = round_format("bfloat16"), single = round_format("float32");
    for (int i = 0; i < 300000; i++) {
        double d = i & 1 ? of_bits(any()) : number();
        if (d != d) continue;
        compare("conversion", &half, -1, d, 0, round_to(&half, d, 0), (double)(_Float16)d);
        compare("conversion", &single, -1, d, 0, round_to(&single, d, 0), (double)(float)d);
        /* bfloat16 is the upper half of a float. */
        float f = (float)d, upper;
        uint32_t u;
        memcpy(&u, &f, 4);
        u = (u + 0x7fff + (u >> 16 & 1)) & 0xffff0000u;
        memcpy(&upper, &u, 4);
        compare("conversion", &brain, -1, f, 0, round_to(&brain, f, 0), upper);
    }
}

int main(void) {
    static const int range[] = {11, 8, 5};
    for (int p = 1; p <= 53; p++)
        for (int k = 0; k < 3; k++) {
            struct round c = round_of(p, range[k]);
            check_format(&c);
        }
    check_conversions();
    printf("%ld of %ld wrong\n", wrong, checked);
    return wrong != 0 || checked < 1000000;
}
