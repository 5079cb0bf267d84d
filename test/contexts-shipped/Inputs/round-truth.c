/* What the context `round` gives for numbers.c: the same program with each operation in double and its result converted to
 * the type T; without one, to 8 bits, of which there is no type that every compiler's library converts to. */
#include <math.h>
#include <stdio.h>

#ifdef T
static double t(double x) { return (double)(T)x; }
#else
static double t(double x) {
    int e;
    double m = frexp(x, &e);
    return ldexp(nearbyint(ldexp(m, 8)), e - 8);
}
#endif
static double series(int n) {
    double sum = 0;
    for (int i = 1; i <= n; i++) sum = t(sum + t(1.0 / t(i)));
    return sum;
}

int main(void) {
    double s = series(100), third = t(1 / 3.0);
    printf("series %.17g %.17g %.17g %.17g\n", s, s, s, s);
    printf("third %.17g large %.17g tiny %.17g root %.17g sine %.17g\n", third, t(90000.0), t(0x1p-20 / 3), t(sqrt(10.0)),
           t(sin(10.0)));
    printf("fused %.17g\n", t(9 + third));
}
