// RUN: %clangxx -O1 -fno-inline-functions -w -I%include -S -emit-llvm %s -o %t.ll
// RUN: sed 's/(ptr, i32, \.\.\.) %[0-9]*(ptr[^%]*%/(ptr, i32, ...) @_ZThn16_N4Both6secondEiz(ptr %/' %t.ll > %t.direct.ll
// RUN: grep 'call.*@_ZThn16_N4Both6secondEiz' %t.direct.ll
// RUN: %opt -load-pass-plugin=%plugin -passes='default<O1>' %t.direct.ll -o %t.bc
// RUN: %clangxx %t.bc -lm -o %t && %t
// A function that passes its variable arguments on, whatever they are: what C++ puts before a virtual function of a second
// base. It is called by its name here, as an optimiser that knows the object's type does.
#include <cmath>
#include <cofactor/ad.h>
#include <cstdarg>
#include <cstdio>

struct First {
    double a = 1;
    virtual double first(int n, ...) = 0;
};
struct Second {
    double b = 2;
    virtual double second(int n, ...) = 0;
};
struct Both : First, Second {
    double c = 3;
    double first(int, ...) override { return a; }
    double second(int n, ...) override {
        va_list l;
        va_start(l, n);
        double s = 0;
        for (int i = 0; i < n; i++) s += va_arg(l, double) * c;
        va_end(l);
        return s;
    }
};
__attribute__((noinline)) static double through(Second *s, double x) { return s->second(2, x, x * x); }
static double f(double x) {
    Both both;
    both.c = x;
    return through(&both, x);
}
double f_tan(double x, double d);
CF_FORWARD(f_tan, f, "dup");

int main() {
    double t = f_tan(3, 1); /* x^2 + x^3 */
    if (std::fabs(t - 33) < 1e-12) return 0;
    std::printf("%.17g, want 33\n", t);
    return 1;
}
