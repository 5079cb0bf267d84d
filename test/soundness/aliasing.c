// RUN: %S/../hazards/run.sh "%ad -fno-strict-aliasing -DPUNNED" %s %t
// RUN: %S/../hazards/run.sh "%ad" %s %t
// What types may decide. Two accesses of different types are taken for different memory where the compiler is told so
// (-fstrict-aliasing, from -O1 on), as in C: a program that reads numbers by pointers to integers is compiled with
// -fno-strict-aliasing. Characters, memcpy and unions may always be the same memory.
#include "hazard.h"
#include <stdint.h>

#ifdef PUNNED
/* Swapped through pointers to integers, of the size of the number and of half of it. */
APART void swap(void *a, void *b, int n) {
    if (n > 1) swap((char *)a + 8, (char *)b + 8, n - 1);
    long t = *(long *)a;
    *(long *)a = *(long *)b;
    *(long *)b = t;
}
APART void copy(void *to, const void *from, int n) {
    if (n > 1) copy((char *)to + 8, (const char *)from + 8, n - 1);
    ((int *)to)[0] = ((const int *)from)[0];
    ((int *)to)[1] = ((const int *)from)[1];
}
#else
APART void swap(void *a, void *b, int n) {
    if (n > 1) swap((char *)a + 8, (char *)b + 8, n - 1);
    char t[8];
    memcpy(t, a, 8);
    for (int i = 0; i < 8; i++) ((char *)a)[i] = ((char *)b)[i];
    memcpy(b, t, 8);
}
union slot {
    double number;
    int64_t word;
    int32_t half[2];
};
APART void copy(void *to, const void *from, int n) {
    if (n > 1) copy((char *)to + 8, (const char *)from + 8, n - 1);
    union slot s, t;
    s.number = *(const double *)from;
    t.half[0] = s.half[0];
    t.half[1] = s.half[1];
    *(double *)to = t.number;
}
#endif
static double f(double *x, int n) {
    double y[4], z[4];
    for (int i = 0; i < n; i++) y[i] = x[i] * x[i], z[i] = i;
    swap(y, z, n);
    copy(y, z, n);
    swap(y, y + 1, 1);
    return y[0] + 2 * y[1] + z[0];
}
GRADIENT(f);

/* Arguments that the primal may take for different objects, by `restrict`, have shadows for which that need not hold. */
static double apart(double *restrict a, const double *restrict b, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        s += a[i] * b[i];
        a[i] = s;
    }
    return s;
}
double apart_r(double *a, double *a_bar, const double *b, double *b_bar, int n);
CF_REVERSE(apart_r, apart, "dup dup const");

int main(void) {
    CHECK_SAME(f, 2, LIST(3, 5), 2 * 9 + 25 + 9, LIST(18, 10)); /* y = {25, 9}, z = {9, 25} */
    double a[2] = {2, 3}, b[2] = {5, 7}, bar[2] = {0};
    apart_r(a, bar, b, bar, 2); /* one shadow for both: the sum of their adjoints */
    WANT(bar[0], 5 + 2);
    WANT(bar[1], 7 + 3);
    return wrong;
}
