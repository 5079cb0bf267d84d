"""Prints a C program of some 150 groups of functions with every form of call, data and control flow that C has,
written by chance from a fixed seed. It prints check sums."""
import random
import sys

r = random.Random(int(sys.argv[1]) if len(sys.argv) > 1 else 1)
groups = int(sys.argv[2]) if len(sys.argv) > 2 else 150

print(r"""
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef uint64_t u64;
typedef struct { double x, y; } pair;
typedef struct { float a; int b; } small;
typedef struct { long v[7]; double w; } big;
typedef struct { unsigned lo : 5, mid : 9; int hi : 11; } bits;
typedef union { double d; u64 u; unsigned char c[8]; } pun;
typedef struct node { struct node *next; long key; double weight; } node;
typedef long (*op)(long, long);
typedef struct { const char *name; op f; double scale; } entry;
typedef float v4 __attribute__((vector_size(16)));
static u64 state = 88172645463325252u;
static u64 next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static u64 mix(u64 h, u64 x) { return (h ^ x) * 0x100000001b3u; }
static u64 bits_of(double d) { pun p; p.d = d; return p.u; }
static jmp_buf out;
""")


def expression(depth, names):
    if depth == 0: return r.choice(names + [str(r.randint(1, 99)) + "l"])
    a, b = expression(depth - 1, names), expression(depth - 1, names)
    kind = r.randrange(9)
    if kind < 3: return f"({a} {r.choice('+-*')} {b})"
    if kind == 3: return f"({a} / (({b} & 15) + 1))"
    if kind == 4: return f"({a} {r.choice('&|^')} {b})"
    if kind == 5: return f"({a} >> ({b} & 7))"
    if kind == 6: return f"({a} {r.choice(['<', '==', '>='])} {b} ? {a} : {b} + 1)"
    if kind == 7: return f"(long)(int)({a})"
    return f"(~{a} + {b})"


for g in range(groups):
    w = lambda depth=3: expression(depth, ["a", "b", "c"]).replace("c", "(a ^ b)")
    m = r.choice([3, 5, 7, 11])
    print(f"""
static long leaf{g}(long a, long b) {{ return {w()}; }}
static long other{g}(long a, long b) {{ for (int i = 0; i < {m}; i++) a += (b & i) + {w(2)} % 97; return a; }}
__attribute__((noinline)) static pair byval{g}(pair p, double k) {{ pair q = {{p.x * k - p.y, p.x + p.y / (k * k + 1)}}; return q; }}
__attribute__((noinline)) static small coerced{g}(small s, float f) {{ s.a += f; s.b ^= {r.randint(1, 999)}; return s; }}
__attribute__((noinline)) static big memory{g}(big s, int k) {{ for (int i = 0; i < 7; i++) s.v[i] += k * i; s.w *= 1.25; return s; }}
__attribute__((noinline)) static double complex cplx{g}(double complex z, int n) {{ while (n-- > 0) z = z * z + {r.random():.4f}; return z / 3; }}
static long double ext{g}(long double x) {{ return x < {r.randint(2, 9)} ? x * x : x / 3 + (float)x; }}
__attribute__((noinline)) static long sum{g}(int n, ...) {{
    va_list v; va_start(v, n); long s = 0;
    for (int i = 0; i < n; i++) s += i % 2 ? (long)va_arg(v, double) : va_arg(v, long);
    va_end(v); return s;
}}
static long odd{g}(long n, long a); 
__attribute__((noinline)) static long even{g}(long n, long a) {{ return n <= 0 ? a : odd{g}(n - 1, a + {r.randint(1, 9)}); }}
__attribute__((noinline)) static long odd{g}(long n, long a) {{ return n <= 0 ? -a : even{g}(n - 1, a ^ {r.randint(1, 9)}); }}
static const entry table{g}[] = {{{{"leaf", leaf{g}, {r.random():.3f}}}, {{"other", other{g}, 2}}, {{"odd", odd{g}, .5}}}};
static long scratch{g}[{m + 8}]; static double total{g} = {r.random():.3f}; static _Atomic long hits{g};
static long apply{g}(op f, long a, long b) {{ hits{g}++; return f(a & 31, b); }}
__attribute__((noinline)) static long machine{g}(const char *program, long a) {{
    static const void *const go[] = {{&&add, &&mul, &&neg, &&end}};
    goto *go[*program & 3];
add: a += {r.randint(1, 50)}; program++; goto *go[*program & 3];
mul: a *= 3; program++; goto *go[*program & 3];
neg: a = -a; program++; goto *go[*program & 3];
end: return a;
}}
__attribute__((noinline)) static long flat{g}(long a, int k) {{
    int i = 5;
    switch (k % 12) {{
    case 0: a += 3; case 1: a ^= {r.randint(1, 99)}; break;
    case 2: return a * 5;
    case 3: case 4: a = leaf{g}(a, k); break;
    case 5: if (a & 1) goto deep; a--; break;
    case 7: for (i = 0; i < k; i++) {{ if (i == 3) continue; a += i; deep: if (a > 1000000) break; a += {r.randint(1, 9)}; }} break;
    case 9: a = apply{g}(table{g}[a & 1].f, a, k); break;
    default: a = ~a;
    }}
    return a;
}}
__attribute__((noinline)) static long lists{g}(int n) {{
    node *head = NULL; long s = 0;
    for (int i = 0; i < n; i++) {{ node *x = malloc(sizeof *x); x->next = head; x->key = leaf{g}(i, n) & 255; x->weight = i * .5; head = x; }}
    for (node *x = head; x; x = x->next) s += x->key + (long)x->weight;
    while (head) {{ node *x = head->next; free(head); head = x; }}
    return s;
}}
__attribute__((noinline)) static double arrays{g}(int n) {{
    double vla[n + 1], *h = calloc((size_t)n + 1, sizeof *h); v4 acc = {{0, 0, 0, 0}};
    for (int i = 0; i <= n; i++) {{ vla[i] = i * total{g}; acc += (v4){{i, 1, 2, 3}}; }}
    memcpy(h, vla, sizeof vla); memmove(h + 1, h, (size_t)n * sizeof *h); memset(vla, 0, 8);
    double s = acc[0] + acc[2]; for (int i = 0; i <= n; i++) s += h[i] - vla[i] / 2; free(h); return s;
}}
static int compare{g}(const void *a, const void *b) {{ long x = *(const long *)a, y = *(const long *)b; return (x > y) - (x < y); }}
__attribute__((noinline)) static u64 group{g}(u64 h) {{
    long a = (long)(next() & 1023), b = (long)(next() & 63);
    bits f = {{.lo = (unsigned)a, .mid = (unsigned)b, .hi = (int)(a & 1023) - 512}};
    h = mix(h, (u64)leaf{g}(a, b)); h = mix(h, (u64)other{g}(b, a)); f.mid += f.lo; h = mix(h, f.mid + (u64)f.hi);
    pair p = byval{g}((pair){{a, b}}, {r.random():.3f}); h = mix(h, bits_of(p.x) + bits_of(p.y));
    small s = coerced{g}((small){{a, (int)b}}, .5f); h = mix(h, bits_of(s.a) ^ (u64)s.b);
    big q = {{{{a, b, 3}}, 1.5}}; q = memory{g}(q, (int)b); h = mix(h, (u64)q.v[6] + bits_of(q.w));
    double complex z = cplx{g}(.1 + .2 * I, {r.randint(1, 4)}); h = mix(h, bits_of(creal(z)) ^ bits_of(cimag(z)));
    h = mix(h, bits_of((double)ext{g}((long double)a))); h = mix(h, (u64)sum{g}(4, a, 2.5, b, 7.0));
    h = mix(h, (u64)even{g}(a & 63, b)); h = mix(h, (u64)flat{g}(a, (int)b)); h = mix(h, (u64)machine{g}("@AB@BAC", a));
    for (int i = 0; i < {m + 8}; i++) scratch{g}[i] = (long)(next() & 4095);
    qsort(scratch{g}, {m + 8}, sizeof *scratch{g}, compare{g}); h = mix(h, (u64)scratch{g}[{m}]);
    for (int i = 0; i < 3; i++) h = mix(h, (u64)apply{g}(table{g}[i].f, a, b) + (u64)table{g}[i].name[0]);
    h = mix(h, (u64)lists{g}({m})); h = mix(h, bits_of(arrays{g}({m})));
    if (setjmp(out) == 0) {{ if (a & 1) longjmp(out, 1); h = mix(h, 1); }} else h = mix(h, 2);
    __asm__("" : "+r"(h)); atomic_fetch_add(&hits{g}, 2); h = mix(h, (u64)hits{g});
    char text[64]; snprintf(text, sizeof text, "%ld %.3f %s", a, total{g}, table{g}[b % 3].name); h = mix(h, strlen(text) + (u64)text[1]);
    return h;
}}""")
print("int main(void) {\n    u64 h = 14695981039346656037u;")
for g in range(groups):
    print(f"    h = group{g}(h);" + (f' printf("%016llx\\n", (unsigned long long)h);' if g % 10 == 9 else ""))
print('    printf("%016llx\\n", (unsigned long long)h); return 0;\n}')
