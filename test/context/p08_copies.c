// RUN: %ad -O2 -S -emit-llvm -I%S %s -o %t.ll && python3 %S/Inputs/same_code.py %t.ll f f_copied:1
// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do %ad $l -DCONDITIONS -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Replacing post hooks that give back what they get, on every operation and call of these types: the program is the same.
#include "events.h"
#include <math.h>

struct copy { long unused; };
CF_POSTHOOK(copy, "op") static double copy_double(struct copy *c, double r) { return (void)c, r; }
CF_POSTHOOK(copy, "op") static int copy_int(struct copy *c, int r) { return (void)c, r; }
CF_POSTHOOK(copy, "op") static void *copy_pointer(struct copy *c, const cf_site *s, void *r) { return (void)c, (void)s, r; }
#ifdef CONDITIONS
/* Conditions too: the optimiser writes some of them the other way round then. */
CF_POSTHOOK(copy, "op") static _Bool copy_bool(struct copy *c, _Bool r) { return (void)c, r; }
#endif
CF_POSTHOOK(copy, "call") static double copy_result(struct copy *c, double r) { return (void)c, r; }
CF_PREHOOK(copy, "op") static void nothing(struct copy *c, const cf_site *s) { (void)c, (void)s; }

static double twist(double x) { return x < 0 ? -x : x * 0.5f; }
double f(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] > 3 && i % 2) s += twist(x[i]);
        else s -= sin(x[i]) / (i + 1);
    }
    return s;
}
double f_copied(struct copy *c, const double *x, int n);
CF_IN(f_copied, f, copy);

int main(void) {
    struct copy c = {0};
    double x[50];
    for (int i = 0; i < 50; i++) x[i] = i * 0.3 - 4;
    WANT(f_copied(&c, x, 50), f(x, 50));
    WANT(c.unused, 0);
    return wrong;
}
