// What flags add to a program is no part of its derivative: checks of sanitizers, profiles, strict floating point.
// RUN: for f in -fsanitize=undefined -fsanitize=float-divide-by-zero,float-cast-overflow -fsanitize=address -ftrapv -fwrapv \
// RUN:     "-fsanitize=undefined -fsanitize-trap=all" -fstack-protector-all -fprofile-instr-generate -frounding-math -ffp-model=strict \
// RUN:     -ffp-exception-behavior=strict "-ffp-model=precise -ffp-contract=off" -fexceptions -finstrument-functions; do \
// RUN:     for l in -O0 -O2; do %ad $l $f %s -DHOOKS -lm -o %t && %t || { echo "$l $f"; exit 1; }; done; done
// RUN: %ad -O1 -DPRAGMA %s -lm -o %t && %t
#include "../contents/agree.h"

#ifdef PRAGMA
#pragma STDC FENV_ACCESS ON
#endif
#ifdef HOOKS /* of -finstrument-functions */
__attribute__((no_instrument_function)) void __cyg_profile_func_enter(void *f, void *site) { (void)f, (void)site; }
__attribute__((no_instrument_function)) void __cyg_profile_func_exit(void *f, void *site) { (void)f, (void)site; }
#endif

struct point { int id; double v[3]; float w; };
__attribute__((noinline)) static double weigh(const struct point *p, int k, int n) {
    return p->v[k % 3] * (double)p->w / (p->id + n) + sqrt(p->v[(k + 1) % 3]) + fmin(p->v[0], 3);
}
static double f(const double *x, int n) {
    struct point *p = malloc((size_t)n * sizeof *p);
    double s = 0;
    for (int i = 0; i < n; i++) {
        p[i] = (struct point){i + 1, {x[i] * x[i], sin(x[i]), exp(x[n - 1 - i])}, (float)x[i]};
        p[i].v[1] += x[i] > 1 ? floor(x[i]) * x[i] : 1 + (int)(x[i] * 0.2);
    }
    for (int i = 0; i < n; i++) s += weigh(&p[i], i, n) * x[(i * 2) % n] - x[i] / x[n - 1 - i];
    free(p);
    return s;
}
PROGRAM(f)

/* Elements of a global array, whose addresses are checked. */
static double table[MOST];
static double in_table(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) table[i] = x[i] * (i + 1);
    for (int i = 0; i < n; i++) s += table[i] * table[n - 1 - i];
    return s;
}
PROGRAM(in_table)

/* Counters that are checked for overflow, beside numbers that may be pointers. */
union cell { double number; long integer; void *pointer; };
struct machine { union cell stack[MOST]; int top; };
typedef void step(struct machine *m);
static void copy_top(struct machine *m) { m->stack[m->top] = m->stack[m->top - 1]; m->top++; }
static void multiply(struct machine *m) { m->top--; m->stack[m->top - 1].number *= m->stack[m->top].number; }
static step *const steps[] = {copy_top, multiply};
static double stacked(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        struct machine m;
        m.top = 1;
        m.stack[0].number = x[i];
        for (int k = 0; k < 4; k++) steps[k % 2](&m);
        s += m.stack[0].number;
    }
    return s;
}
PROGRAM(stacked)
int main(void) { return AGREE_FLOAT(f, 5) + AGREE(in_table, 5) + AGREE(stacked, 4); }
