/* Runs one of the programs of bench/ and prints the flops that its formula gives. Nothing here is a flop. */
#include "det.c"
#include "heat.c"
#include "llsq.c"
#include "ode.c"
#include <stdio.h>
#include <string.h>

static double *numbers(int n) {
    double *x = malloc((size_t)n * sizeof *x);
    for (int i = 0; i < n; i++) x[i] = i % 5;
    return x;
}

/* A minor of k columns: for each column two products, one sum, and a minor of k - 1 columns; the sign that turns is no
 * flop. */
static long det_flops(long k) { return k == 1 ? 0 : k * (3 + det_flops(k - 1)); }

int main(int argc, char **argv) {
    const char *which = argc > 1 ? argv[1] : "";
    long flops = 0;
    if (!strcmp(which, "llsq")) {
        /* Each point: 3 for t, 3 for each coefficient, 1 for the difference, 2 to add its square; at the end a half. */
        int m = 5, n = 40;
        llsq(m, n, numbers(m));
        flops = n * (3 + 3 * m + 1 + 2) + 1;
    } else if (!strcmp(which, "det")) {
        int l = 6;
        det(l, numbers(l * l));
        flops = det_flops(l);
    } else if (!strcmp(which, "heat")) {
        /* Each inner point and step: four fluxes of 8 and four sums; each point at the end 4; a half. */
        int n = 12, steps = 9;
        heat(n, steps, numbers(n * n), 1, 0, numbers(n * n));
        flops = (long)steps * (n - 2) * (n - 2) * (4 * 8 + 4) + 4 * n * n + 1;
    } else if (!strcmp(which, "ode")) {
        /* h; each step: four slopes of n - 1 products, three times y + h k, n sums of 8, h / 2 twice. */
        int n = 11, steps = 6;
        ode(n, steps, numbers(n), numbers(n));
        flops = 1 + (long)steps * (4 * (n - 1) + 3 * 2 * n + 8 * n + 2);
    }
    printf("%ld flops\n", flops);
    return flops == 0;
}
