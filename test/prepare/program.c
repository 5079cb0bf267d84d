/* The program means the same after preparation, from any level of optimisation, with and without debug information,
 * and what is prepared is not changed by preparing again.
 * RUN: %clang -O0 %s -o %t.exe -lm && %t.exe > %t.expected
 * RUN: %clang -O0 -S -emit-llvm %s -o %t.ll && %unit/prepare twice %t.ll > %t.out.ll
 * RUN: %clang -O1 -x ir %t.out.ll -o %t.exe -lm && %t.exe | diff %t.expected -
 * RUN: %clang -O0 -g -S -emit-llvm %s -o %t.ll && %unit/prepare twice %t.ll > %t.out.ll
 * RUN: %clang -O0 -g -x ir %t.out.ll -o %t.exe -lm && %t.exe | diff %t.expected -
 * RUN: %clang -O2 -g -S -emit-llvm %s -o %t.ll && %unit/prepare twice %t.ll > %t.out.ll
 * RUN: %clang -O2 -x ir %t.out.ll -o %t.exe -lm && %t.exe | diff %t.expected -
 * RUN: %FileCheck --input-file %t.expected %s
 */
#include <math.h>
#include <stdarg.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vector { double x, y, z; } vector;
typedef struct node { struct node *next; double value; } node;

static vector cross(vector a, vector b) {
    return (vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static double dot(const vector *a, const vector *b) { return a->x * b->x + a->y * b->y + a->z * b->z; }

static double pointers(const float *p, int n) {
    double s = 0;
    for (const float *q = p, *e = p + n; q < e; q += 2) s += *q;
    for (const float *q = p + n; q-- > p;) s = s * 0.5 + *q;
    return s;
}
static unsigned char small_counter(int start) {
    unsigned char c = (unsigned char)start;
    for (int i = 0; i < 1000; i++) c += 7;
    return c;
}
static double nested(int n, double x) {
    double s = 0;
    for (int i = 0; i < n; i++)
        for (int j = i; j >= 0; j -= 3) {
            if (j == 4) continue;
            if (s > 1e6) goto out;
            s += x * i - j;
            for (unsigned k = 1; k < (unsigned)j; k *= 2) s += k;
        }
out:
    return s;
}
static double recursive(double x, int n) { return n <= 1 ? x : recursive(x, n - 1) + recursive(x * 0.5, n - 2); }
static double odd(double x, int n);
static double even(double x, int n) { return n == 0 ? x : odd(x + 1, n - 1); }
static double odd(double x, int n) { return n == 0 ? -x : even(x * 2, n - 1); }

static double machine(const char *program, double x) {
    for (;; program++) {
        switch (*program) {
        case 's': x = sin(x); continue;
        case 'q': x = x * x; break;
        case 'd': x = x != 0 ? 1 / x : 0; /* falls through */
        case 'h': x = x * 0.5; break;
        case 'j': if (x > 1) program += 2; break;
        case 0: return x;
        default: x -= 1;
        }
        x += 0.125;
    }
}
static double list(int n) {
    node *head = NULL;
    for (int i = 0; i < n; i++) {
        node *k = malloc(sizeof *k);
        k->next = head;
        k->value = i * 0.25;
        head = k;
    }
    double s = 0;
    while (head) {
        node *k = head;
        s = s * 0.75 + k->value;
        head = k->next;
        free(k);
    }
    return s;
}
static double sum_of(int n, ...) {
    va_list l;
    va_start(l, n);
    double s = 0;
    while (n--) s += va_arg(l, double);
    va_end(l);
    return s;
}
static jmp_buf back;
static double thrower(double x) { if (x > 2) longjmp(back, 3); return x; }
static double catcher(double x) {
    int k = setjmp(back);
    return k ? k : thrower(x) + 1;
}
static double variable_array(int n) {
    double a[n];
    for (int i = 0; i < n; i++) a[i] = i ? a[i - 1] * 1.5 + i : 1;
    return a[n - 1];
}
static double computed(int *p, double x) {
    static void *const to[] = {&&add, &&mul, &&end};
    goto *to[*p];
add: x += 1; goto *to[*++p];
mul: x *= 3; goto *to[*++p];
end: return x;
}
/* Jumps into the middle of a loop. */
static double crossed(double x, int k) {
    int i = 0;
    if (k & 1) goto second;
first:
    x = x * 1.25 + i;
second:
    x -= 0.5;
    if (++i < k) goto first;
    return x;
}
static double downwards(const double *p, unsigned long n) {
    double s = 0;
    for (unsigned long i = n; i-- > 0;) s = s * 0.5 + p[i];
    do s += p[--n]; while (n && s < 20);
    return s;
}
static double apply(double (*f)(double), double x) { return f(x); }

/* Keeps the compiler from computing everything. */
static volatile int one = 1;

int main(void) {
    float f[11];
    double d[13];
    for (int i = 0; i < 11; i++) f[i] = (float)(i * i % 7);
    for (int i = 0; i < 13; i++) d[i] = i * 1.5 - 3 * one;
    vector a = {1, 2, 3}, b = {-1, 0.5, 4}, c = cross(a, b), e;
    memcpy(&e, &c, sizeof e);
    int steps[] = {0, 1, 1, 0, 2};
    printf("dot %g\n", dot(&e, &b) + e.x);
    printf("pointers %.10g\n", pointers(f, 11 * one));
    printf("counter %d\n", small_counter(250 * one));
    printf("nested %g %g\n", nested(9 * one, 1.5), nested(9 * one, 1e6));
    printf("recursive %.10g %g\n", recursive(1.5, 7 * one), even(one, 5));
    printf("machine %.10g %.10g\n", machine("sqdxjsqqh", 1.75 * one), machine("djjhh", 0));
    printf("list %.10g\n", list(20 * one));
    printf("sum %g\n", sum_of(3, 1.5, 2.5, 3.0));
    printf("catch %g %g\n", catcher(one), catcher(5 * one));
    printf("array %.10g\n", variable_array(9 * one));
    printf("computed %g\n", computed(steps, 2 * one));
    printf("crossed %.10g %.10g\n", crossed(2, 5 * one), crossed(2, 6 * one));
    printf("down %.10g\n", downwards(d, 13 * (unsigned)one));
    printf("apply %.10g\n", apply(cos, 0.5));
    return 0;
}
/* CHECK: counter 82
 * CHECK: sum 7
 * CHECK: catch 2 3
 * CHECK: computed 28
 */
