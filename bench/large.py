#!/usr/bin/env python3
"""Writes large C programs, to measure and test how long their derivatives take to compile.

    bench/large.py KIND SIZE > program.c

SIZE is about the number of LLVM instructions (at -O1) of what is differentiated. `-DREVERSE` and `-DFORWARD` ask for the
gradient and for a tangent; with both, `main` compares them and prints `ok`.
"""
import random
import sys

N = 64  # inputs
R = random.Random()


def pick(low, high):
    return R.randint(low, high)


def number(low=0.1, high=0.9):
    return f"{R.uniform(low, high):.3f}"


def chain(size):
    """One block of dependent statements on three variables: every value hangs on the one before."""
    yield "    double a = x[0], b = x[1], c = x[2] * 0.01;"
    for i in range(size * 10 // 14):
        if i % 20 == 19:
            yield "    a = a + 0.001 * sin(b * 0.01);"
        elif i % 3 == 2:
            yield "    b = b + a * 0.001;"
        else:
            yield "    a = a * b + c;"
    yield "    return a + b;"


def block(size):
    """One block of arithmetic over many values, as generators of code write it."""
    yield "    double v0 = x[0], v1 = x[1];"
    for k in range(2, size // 3 + 2):
        u, v, w = (pick(max(0, k - 20), k - 1) for _ in range(3))
        yield f"    double v{k} = v{u} * {number()} + {number(0.01, 0.1)} * v{v} * v{w} + x[{pick(0, N - 1)}] * 0.1;"
    yield f"    return v{size // 3 + 1};"


def functions(size):
    """One block of calls of the mathematical library, divisions and sums."""
    yield "    double v0 = x[0], v1 = x[1], s = 0;"
    for k in range(2, size // 6 + 2):
        u, v = f"v{pick(max(0, k - 20), k - 1)}", f"v{pick(max(0, k - 20), k - 1)}"
        yield f"    double v{k} = " + R.choice([
            f"{u} / (1.5 + {v} * {v}) + x[{pick(0, N - 1)}] * 0.1;",
            f"sin({u}) * 0.5 + cos({v}) * 0.4;",
            f"exp(-{u} * {u}) + 0.1 * {v};",
            f"sqrt(1 + {u} * {u}) - 1 + x[{pick(0, N - 1)}] * 0.1;",
            f"pow(1.5 + 0.1 * {u} / (1 + {u} * {u}), 0.2 * {v} / (1 + {v} * {v})) - 0.5;",
            f"log(1 + {u} * {u}) * 0.3 + tanh({v});"])
        yield f"    s += v{k};"
    yield "    return s;"


def branches(size):
    """Conditions and switches."""
    yield "    double a = x[0], b = x[1];"
    for i in range(size // 17):
        if i % 4 == 3:
            yield f"    switch ((n + {i}) % 5) {{"
            for case in range(4):
                yield f"    case {case}: a = a * {number()} + 0.1 * b; break;"
            yield "    default: b = b * 0.9 + 0.1 * sin(a);"
            yield "    }"
        else:
            yield (f"    if (a > {number(-0.5, 0.5)}) a = a * {number()} - 0.3 * x[{pick(0, N - 1)}];"
                   f" else b = b * {number()} + 0.1 * a * x[{pick(0, N - 1)}];")
    yield "    return a + b;"


def loops(size):
    """Loops one after the other, over the same memory."""
    yield "    double s = 0;"
    for i in range(size // 28):
        yield (f"    for (int i = 0; i < n; i++) {{ x[i] = 0.5 * x[i] + 0.4 * x[(i + {i}) & 63] * x[i];"
               f" s += sin(x[i]) * 0.01; }}")
    yield "    return s;"


def mixed(size):
    """Long blocks with a loop between each and the next."""
    yield "    double v0 = x[0], v1 = x[1], s = 0;"
    k = 2
    for i in range(size // 116 + 1):
        for _ in range(18):
            u, v = pick(max(0, k - 20), k - 1), pick(max(0, k - 20), k - 1)
            yield f"    double v{k} = v{k - 1} * 0.1 * v{u} + 0.5 * sin(v{v}) * x[{pick(0, N - 1)}];"
            k += 1
        yield f"    for (int i = 0; i < n; i++) {{"
        yield f"        x[i] = x[i] * 0.5 + 0.1 * v{k - 1} * x[(i + {i}) % {N}];"
        yield f"        v{k - 1} += 0.01 * x[i];"
        yield "    }"
        yield f"    s += v{k - 1};"
    yield f"    return s;"


def nests(size):
    """Nests of five loops."""
    yield "    double s = 0;"
    for i in range(size // 66 + 1):
        yield "    for (int a = 0; a < 2; a++)"
        yield "        for (int b = 0; b < n / 32; b++)"
        yield "            for (int c = 0; c < 2; c++)"
        yield "                for (int d = 0; d <= c; d++) {"
        yield f"                    double t = x[(a + b + {i}) & 63];"
        yield "                    for (int e = 0; e < 3; e++) {"
        yield f"                        t = t * 0.5 + 0.3 * x[(e + d + {pick(0, N)}) & 63] * t;"
        yield f"                        x[(c * 3 + e + {i}) & 63] = 0.7 * x[(c * 3 + e + {i}) & 63] + 0.1 * t;"
        yield "                    }"
        yield "                    s += 0.1 * sin(t);"
        yield "                }"
    yield "    return s;"


def memory(size):
    """One loop whose body stores and loads at many places."""
    yield "    double y[260], s = 0;"
    yield "    for (int i = 0; i < 260; i++) y[i] = x[i % 64];"
    yield "    for (int i = 0; i < n / 16; i++) {"
    for i in range(size // 8):
        u, v, w = (pick(0, 255) for _ in range(3))
        yield f"        y[{u} + (i & 3)] = 0.6 * y[{v}] + 0.4 * y[{w}] * y[{v}];"
    yield "        s += y[i];"
    yield "    }"
    yield "    return s;"


def calls(size):
    """Calls of small functions, some with memory."""
    yield "    double a = x[0], b = x[1], s = 0;"
    for i in range(size // 3):
        yield R.choice(["    a = scaled(a, b); s += a;", f"    b = mixed(x, {pick(0, N - 2)}, b) * 0.5;",
                        f"    update(x + {pick(0, N - 2)}, 0.1 * a);"])
    yield "    return s + b;"


CALLED = """
__attribute__((noinline)) static double scaled(double a, double b) { return 0.5 * a + 0.3 * sin(a * b); }
__attribute__((noinline)) static double mixed(const double *x, int k, double b) { return x[k] * 0.5 + x[k + 1] * b; }
__attribute__((noinline)) static void update(double *x, double a) { x[0] = 0.5 * x[0] + a; x[1] = x[0] * x[1] * 0.3; }
"""


def module(size):
    """Many functions, each of which calls two of those before it."""
    count = size // 26
    for i in range(count):
        yield f"__attribute__((noinline)) static double g{i}(double *x, double a) {{"
        yield f"    double t = a * {number()} + 0.1 * x[{pick(0, N - 1)}];"
        if i >= 4:
            yield f"    if (a > {number(50, 90)}) return g{i // 3}(x, t * 0.5) + 0.1 * g{i // 2}(x, t);"
        yield f"    for (int k = 0; k < 3; k++) t = 0.5 * t + 0.2 * sin(t) * x[k + {pick(0, N - 4)}];"
        yield f"    x[{pick(0, N - 1)}] = t * 0.3;"
        yield "    return t;"
        yield "}"
    yield "double f(double *x, int n) {"
    yield "    double s = 0.1 * n, sum = 0;"
    for i in range(count):
        yield f"    s = s * 0.1 + g{i}(x, s); sum += s;"
    yield "    return sum;"


def structs(size):
    """Large structures on the stack, copied and changed in part."""
    yield "    big p = {{0}, {{0}}, x[2], n}, q = p;"
    yield "    for (int i = 0; i < 40; i++) p.v[i] = x[i], p.in[i & 7].re = x[i], p.in[i & 7].im = 0.1 * x[63 - i];"
    yield "    double s = 0;"
    for i in range(size // 16):
        yield R.choice([
            f"    q = p; q.v[{pick(0, 39)}] *= 0.5 * p.w; p = q;",
            f"    p.in[{pick(0, 7)}] = times(p.in[{pick(0, 7)}], q.in[{pick(0, 7)}]);",
            f"    p.v[(n + {i}) % 40] = 0.5 * p.v[{pick(0, 39)}] + 0.1 * p.in[{pick(0, 7)}].re; q = p;",
            f"    q.w = 0.9 * q.w + 0.05 * p.v[{pick(0, 39)}]; p.w = q.w;",
            f"    s += q.v[{pick(0, 39)}] * 0.01 + p.in[{pick(0, 7)}].im;"])
    yield "    return s + p.w;"


def copies(size):
    """Copies of bytes through `char *`, of a length that is known when the program runs."""
    yield "    char *p = (char *)x; size_t bytes = (size_t)n / 8;"
    for i in range(size // 3):
        yield f"    memcpy(p + {8 * pick(0, 31)}, p + {8 * pick(32, 63)}, bytes);"
        if i % 8 == 7:
            yield f"    x[{pick(32, 63)}] += 0.1 * x[{pick(0, 31)}];"
    yield "    double s = 0;"
    yield "    for (int i = 0; i < n; i++) s += x[i] * x[i];"
    yield "    return s;"


def guarded(size):
    """Conditions that store into memory."""
    yield "    double s = 0.1;"
    for i in range(size // 9):
        yield (f"    if (x[{pick(0, N - 1)}] > {number(-0.5, 0.5)}) {{ s = 0.9 * s + 0.1 * x[{pick(0, N - 1)}];"
               f" x[{pick(0, N - 1)}] = s; }}")
    yield "    return s;"


def line(size):
    """Many functions, each of which calls the next."""
    count = size // 12
    yield f"static double h{count}(double x) {{ return sin(x); }}"
    for i in range(count - 1, -1, -1):
        yield f"__attribute__((noinline)) static double h{i}(double x) {{"
        yield f"    double y = x * {number(0.5, 0.9)};"
        yield f"    y += 0.1 * sin(y) * x; y -= 0.1 * cos(y) / (2 + x * x);"
        yield f"    return y + 0.1 * h{i + 1}(y * 0.5);"
        yield "}"
    yield "double f(double *x, int n) {"
    yield "    return h0(x[0]) + x[1] * n;"


STRUCTS = """
typedef struct { double re, im; } pair;
typedef struct { double v[40]; pair in[8]; double w; int count; } big;
static pair times(pair a, pair b) { return (pair){0.7 * (a.re * b.re - a.im * b.im), 0.7 * (a.re * b.im + a.im * b.re)}; }
"""

KINDS = {f.__name__: f for f in
         [chain, block, functions, branches, loops, mixed, nests, memory, calls, module, structs, copies, guarded, line]}
BEFORE = {"calls": CALLED, "structs": STRUCTS}
MAIN = """
#ifdef FORWARD
double f_dot(double *x, double *x_dot, int n);
CF_FORWARD(f_dot, f, "dup const");
#endif
#ifdef REVERSE
double f_grad(double *x, double *x_bar, int n);
CF_REVERSE(f_grad, f, "dup const");
#endif
#if defined FORWARD && defined REVERSE
int main(void) {
    double x[N], x_dot[N], y[N], y_bar[N] = {0}, sum = 0;
    for (int i = 0; i < N; i++) x[i] = y[i] = 0.5 + 0.3 * cos(i), x_dot[i] = sin(i + 1);
    f_grad(y, y_bar, N);
    for (int i = 0; i < N; i++) sum += x_dot[i] * y_bar[i];
    double dot = f_dot(x, x_dot, N);
    int ok = fabs(sum - dot) <= 1e-9 * fabs(dot) && fabs(dot) > 1e-6 && fabs(dot) < 1e6;
    printf("%s %.17g %.17g\\n", ok ? "ok" : "wrong", sum, dot);
    return !ok;
}
#endif
"""


def program(kind, size):
    R.seed(3)  # the same program, whatever was made before
    yield f"/* large.py {kind} {size}: {KINDS[kind].__doc__} */"
    yield "#include <cofactor/ad.h>\n#include <math.h>\n#include <stdio.h>\n#include <string.h>"
    yield f"enum {{ N = {N} }};"
    yield BEFORE.get(kind, "")
    if kind not in ("module", "line"):
        yield "double f(double *x, int n) {"
    yield from KINDS[kind](size)
    yield "}"
    yield MAIN


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in KINDS:
        sys.exit(__doc__ + "\nKinds: " + " ".join(KINDS))
    print("\n".join(program(sys.argv[1], int(sys.argv[2]))))
