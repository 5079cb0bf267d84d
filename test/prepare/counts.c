/* The number of iterations that is computed before a loop is the one that it makes, also where the body may end the
 * program and the counter must not overflow.
 * RUN: %clang -O0 -S -emit-llvm %s -o %t.ll && %unit/prepare checked %t.ll > %t.out.ll
 * RUN: %clang -O1 -x ir %t.out.ll -o %t.exe && %t.exe | %FileCheck %s
 * RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll && %unit/prepare checked %t.ll > %t.out.ll
 * RUN: %clang -O1 -x ir %t.out.ll -o %t.exe && %t.exe | %FileCheck %s
 * CHECK: {{[1-9][0-9]+}} loops counted, 0 wrong
 * CHECK: loops of one kind counted: 9
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static int counted, wrong;
void check_count(long last, long iteration) {
    counted++;
    if (last != iteration) wrong++;
}

/* May end the program, for all that the compiler knows. */
__attribute__((weak)) void body(long i) {
    if (i == 123456789) exit(1);
}

#define LOOPS(T, name)                                                                                       \
    void name##_up(T a, T b) {                                                                               \
        for (T i = a; i <= b; i++) body((long)i);                                                            \
        for (T i = a; i < b; i++) body((long)i);                                                             \
        for (T i = a; b > i; i += 3) body((long)i);                                                          \
        for (T i = a; !(i > b); i += 5) body((long)i);                                                       \
        for (T i = 1; i <= b; i += 7) body((long)i);                                                         \
        T i = a;                                                                                             \
        do body((long)i);                                                                                    \
        while (++i <= b);                                                                                    \
        i = a;                                                                                               \
        do body((long)i), i += 4;                                                                            \
        while (i - 4 < b);                                                                                   \
    }
#define LOOPS_DOWN(T, name)                                                                                  \
    void name##_down(T a, T b) {                                                                             \
        for (T i = a; i >= b; i--) body((long)i);                                                            \
        for (T i = a; i > b; i--) body((long)i);                                                             \
        for (T i = a; b < i; i -= 3) body((long)i);                                                          \
        for (T i = a; i >= b; i -= 5) body((long)i);                                                         \
        for (T i = 17; i >= b; i -= 7) body((long)i);                                                        \
        T i = a;                                                                                             \
        do body((long)i);                                                                                    \
        while (--i >= b);                                                                                    \
    }
LOOPS(int, int)
LOOPS(long, long)
LOOPS(unsigned, unsigned)
LOOPS(unsigned long, unsigned_long)
LOOPS_DOWN(int, int)
LOOPS_DOWN(long, long)

void at_the_ends(int a, int b, int c, int d) {
    for (int i = a; i <= b; i++) body(i);
    for (int i = a; i < b; i++) body(i);
    for (int i = c; i >= d; i--) body(i);
    for (int i = c; i > d; i--) body(i);
}

/* Ways out that end the program do not count. */
double checked(const double *x, int n) {
    double s = 0;
    for (int i = 1; i <= n; i++) {
        if (x[i - 1] < 0) abort();
        s += x[i - 1];
        body(i);
    }
    return s;
}

int main(void) {
    static const int ends[] = {-3, -1, 0, 1, 2, 5, 9, 14, 15};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 9; j++) {
            int a = ends[i], b = ends[j];
            int_up(a, b);
            long_up(a, b);
            int_down(a, b);
            long_down(a, b);
            if (a < 0 || b < 0) continue;
            unsigned_up((unsigned)a, (unsigned)b);
            unsigned_long_up((unsigned long)a, (unsigned long)b);
        }
    at_the_ends(INT_MAX - 14, INT_MAX - 1, INT_MIN + 14, INT_MIN + 1);
    printf("%d loops counted, %d wrong\n", counted, wrong);
    counted = 0;
    double x[9] = {1, 2, 3};
    for (volatile int i = 0; i < 9; i++) checked(x, i + 1);
    printf("loops of one kind counted: %d\n", counted);
    return 0;
}
