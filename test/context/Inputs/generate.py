"""usage: generate.py SEED GROUPS

Prints a C program with every form of call that C has, written by chance from a seed. Each call that the program makes adds
one to a counter of its own (`counted`), each product and sum of doubles in functions num_* to another. `native`, `empty`,
`count` as an argument: runs it outside, in an empty context, or in one that counts. It prints check sums and the program's own
counts, and says where the context counts otherwise."""
import random
import sys

r = random.Random(int(sys.argv[1]))
groups = int(sys.argv[2])

print(r"""
#define _GNU_SOURCE
#ifndef __NO_INLINE__
#define __NO_INLINE__ 1 /* bodies in the C library's headers would make calls of their own */
#endif
#include <cofactor/context.h>
#include <pthread.h>
#include <search.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define APART __attribute__((noinline)) static
typedef uint64_t u64;
typedef struct { double x, y; } pair;
typedef struct { float a; int b; } small;
typedef struct { long v[7]; double w; } big;
typedef long (*op)(long, long);
typedef struct { const char *name; op f; double scale; } entry;
static long counted, products, sums;
/* A call, a product, a sum, that counts itself. */
#define CALL(f, ...) (counted++, f(__VA_ARGS__))
#define MUL(a, b) (products++, (a) * (b))
#define ADD(a, b) (sums++, (a) + (b))
static u64 state = 88172645463325252u;
static u64 next(void) { state ^= state << 13; state ^= state >> 7; state ^= state << 17; return state; }
static u64 mix(u64 h, u64 x) { return (h ^ x) * 0x100000001b3u; }
static u64 bits_of(double d) { u64 u; memcpy(&u, &d, 8); return u; }
static jmp_buf out;

struct none { int unused; };
CF_CONTEXT(none, "");
struct count { long calls, returns, fmul, fadd, depth; };
/* Copies of structs and setjmp are calls too; the program does not count them. */
static int is_counted(const cf_site *s) { return strncmp(s->what, "mem", 3) != 0 && !strstr(s->what, "setjmp"); }
CF_PREHOOK(count, "call") static void on_call(struct count *c, const cf_site *s) { c->calls += is_counted(s); }
CF_POSTHOOK(count, "call") static void after_call(struct count *c, const cf_site *s) { c->returns += is_counted(s); }
CF_PREHOOK(count, "fmul in=num_*") static void on_mul(struct count *c) { c->fmul++; }
CF_PREHOOK(count, "fadd in=num_*") static void on_add(struct count *c) { c->fadd++; }
""")


def expression(depth, names):
    if depth == 0: return r.choice(names + [str(r.randint(1, 99)) + "l"])
    a, b = expression(depth - 1, names), expression(depth - 1, names)
    kind = r.randrange(8)
    if kind < 3: return f"({a} {r.choice('+-*')} {b})"
    if kind == 3: return f"({a} / (({b} & 15) + 1))"
    if kind == 4: return f"({a} {r.choice('&|^')} {b})"
    if kind == 5: return f"({a} >> ({b} & 7))"
    if kind == 6: return f"({a} {r.choice(['<', '==', '>='])} {b} ? {a} : {b} + 1)"
    return f"(~{a} + {b})"


def number(depth, left=True):
    # clang folds what has constants only
    if depth == 0: return r.choice(["x", "y"] if left else ["x", "y", f"{r.random():.3f}"])
    return f"{r.choice(['MUL', 'ADD'])}({number(depth - 1)}, {number(depth - 1, False)})"


for g in range(groups):
    e = lambda depth=3: expression(depth, ["a", "b", "(a ^ b)"])
    m = r.choice([3, 5, 7, 11])
    print(f"""
APART long leaf{g}(long a, long b) {{ return {e()}; }}
APART long other{g}(long a, long b) {{ for (int i = 0; i < {m}; i++) a += (b & i) + {e(2)} % 97 + CALL(leaf{g}, i, a & 7); return a; }}
APART double num_{g}(double x, double y) {{ return {number(3)}; }}
static long alias{g}(long, long) __attribute__((alias("leaf{g}")));
__attribute__((weak, noinline)) long weak{g}(long a, long b) {{ return CALL(leaf{g}, b, a) + {r.randint(1, 9)}; }}
static long (*resolve{g}(void))(long, long) {{ return leaf{g}; }}
long chosen{g}(long, long) __attribute__((ifunc("resolve{g}")));
APART pair byval{g}(pair p, double k) {{ pair q = {{p.x * k - p.y, CALL(num_{g}, p.x, k)}}; return q; }}
APART small coerced{g}(small s, float f) {{ s.a += f; s.b ^= {r.randint(1, 999)}; return s; }}
APART big whole{g}(big s, int k) {{ for (int i = 0; i < 7; i++) s.v[i] += k * CALL(leaf{g}, i, 1); s.w *= 1.25; return s; }}
APART long list{g}(int n, va_list v) {{ long s = 0; for (int i = 0; i < n; i++) s += i % 2 ? (long)va_arg(v, double) : va_arg(v, long); return s; }}
APART long sum{g}(int n, ...) {{
    va_list v, w; va_start(v, n); va_copy(w, v);
    long s = CALL(list{g}, n, v) * 3 + CALL(list{g}, n, w);
    va_end(w); va_end(v); return s;
}}
APART long odd{g}(long n, long a);
APART long even{g}(long n, long a) {{ if (n <= 0) return a; counted++; __attribute__((musttail)) return odd{g}(n - 1, a + {r.randint(1, 9)}); }}
APART long odd{g}(long n, long a) {{ return n <= 0 ? -a : CALL(even{g}, n - 1, a ^ {r.randint(1, 9)}); }}
static const entry table{g}[] = {{{{"leaf", leaf{g}, {r.random():.3f}}}, {{"other", other{g}, 2}}, {{"odd", odd{g}, .5}}, {{"weak", weak{g}, 3}}}};
static op variable{g} = other{g};
APART op choose{g}(int i) {{ return table{g}[i & 3].f; }}
APART long apply{g}(op f, long a, long b) {{ return CALL(f, a & 31, b); }}
APART long machine{g}(const char *program, long a) {{
    static const void *const go[] = {{&&add, &&mul, &&call, &&end}};
    goto *go[*program & 3];
add: a += {r.randint(1, 50)}; program++; goto *go[*program & 3];
mul: a *= 3; program++; goto *go[*program & 3];
call: a = CALL(leaf{g}, a, 3); program++; goto *go[*program & 3];
end: return a;
}}
APART long flat{g}(long a, int k) {{
    int i = 5;
    switch (k % 12) {{
    case 0: a += 3; case 1: a ^= {r.randint(1, 99)}; break;
    case 2: return a * 5;
    case 3: case 4: a = CALL(leaf{g}, a, k); break;
    case 5: if (a & 1) goto deep; a--; break;
    case 7: for (i = 0; i < k; i++) {{ if (i == 3) continue; a += i; deep: if (a > 1000000) break; a += {r.randint(1, 9)}; }} break;
    case 9: a = CALL(apply{g}, table{g}[a & 3].f, a, k); break;
    default: a = ~a;
    }}
    return a;
}}
static void jump{g}(long a) {{ if (a & 1) CALL(longjmp, out, (int)(a & 7) + 1); }}
APART long jumps{g}(long a) {{
    volatile long kept = a;
    int k = setjmp(out);
    if (k == 0) {{ kept += 5; CALL(jump{g}, a); return kept; }}
    return kept * 2 + CALL(leaf{g}, k, a);
}}
APART int compare{g}(const void *a, const void *b) {{ long x = CALL(leaf{g}, *(const long *)a, 1), y = CALL(leaf{g}, *(const long *)b, 1); return (x > y) - (x < y); }}
APART void *thread{g}(void *p) {{ *(long *)p += CALL(other{g}, *(long *)p & 15, 4); return p; }}
APART void walk{g}(const void *p, VISIT which, int depth) {{ if (which == leaf || which == postorder) state += CALL(other{g}, **(long *const *)p & 7, depth); }}
APART u64 group{g}(u64 h) {{
    long a = (long)(CALL(next) & 1023), b = (long)(CALL(next) & 63), v[{m + 8}];
    h = CALL(mix, h, (u64)CALL(leaf{g}, a, b)); h = CALL(mix, h, (u64)CALL(other{g}, b, a));
    h = CALL(mix, h, (u64)CALL(alias{g}, a, b) + (u64)CALL(weak{g}, a, b) + (u64)CALL(chosen{g}, a, b));
    pair p = CALL(byval{g}, ((pair){{a, b}}), {r.random():.3f}); h = CALL(mix, h, CALL(bits_of, p.x) + CALL(bits_of, p.y));
    small s = CALL(coerced{g}, ((small){{a, (int)b}}), .5f); h = CALL(mix, h, CALL(bits_of, s.a) ^ (u64)s.b);
    big q = {{{{a, b, 3}}, 1.5}}; q = CALL(whole{g}, q, (int)b); h = CALL(mix, h, (u64)q.v[6] + CALL(bits_of, q.w));
    h = CALL(mix, h, (u64)CALL(sum{g}, 4, a, 2.5, b, 7.0)); h = CALL(mix, h, (u64)CALL(even{g}, a & 63, b));
    h = CALL(mix, h, (u64)CALL(flat{g}, a, (int)b)); h = CALL(mix, h, (u64)CALL(machine{g}, "@AB@BAC", a));
    for (int i = 0; i < {m + 8}; i++) v[i] = (long)(CALL(next) & 4095);
    CALL(qsort, v, {m + 8}, sizeof *v, compare{g}); h = CALL(mix, h, (u64)v[{m}]);
    long *found = CALL(bsearch, &v[2], v, {m + 8}, sizeof *v, compare{g}); h = CALL(mix, h, (u64)(found != NULL));
    for (int i = 0; i < 4; i++) h = CALL(mix, h, (u64)CALL(apply{g}, table{g}[i].f, a, b) + (u64)table{g}[i].name[0]);
    h = CALL(mix, h, (u64)CALL(variable{g}, a & 15, b) + (u64)CALL(CALL(choose{g}, (int)b), a & 15, 3)); variable{g} = leaf{g};
    h = CALL(mix, h, (u64)CALL(jumps{g}, a));
    if ({int(g % 8 == 0)}) {{ pthread_t t; CALL(pthread_create, &t, NULL, thread{g}, &v[0]); CALL(pthread_join, t, NULL); h = CALL(mix, h, (u64)v[0]); }}
    if ({int(g % 8 == 1)}) {{
        void *root = NULL;
        for (int i = 0; i < 5; i++) CALL(tsearch, &v[i], &root, compare{g});
        CALL(twalk, root, walk{g});
        for (int i = 0; i < 5; i++) CALL(tdelete, &v[i], &root, compare{g});
    }}
    __asm__("" : "+r"(h));
    char text[64]; CALL(snprintf, text, sizeof text, "%ld %.3f %s", a, table{g}[b & 3].scale, table{g}[b & 3].name); h = CALL(mix, h, CALL(strlen, text) + (u64)text[1]);
    return h;
}}""")
print("static u64 program(u64 h) {")
for g in range(groups):
    print(f"    h = CALL(group{g}, h);" + (' CALL(printf, "%016llx\\n", (unsigned long long)h);' if g % 10 == 9 else ""))
print(r"""    return h;
}
u64 program_empty(struct none *c, u64 h);
CF_IN(program_empty, program, none);
u64 program_count(struct count *c, u64 h);
CF_IN(program_count, program, count);
int main(int argc, char **argv) {
    struct none none = {0};
    struct count c = {0, 0, 0, 0, 0};
    const char *how = argc > 1 ? argv[1] : "native";
    u64 h = 14695981039346656037u;
    h = !strcmp(how, "empty") ? program_empty(&none, h) : !strcmp(how, "count") ? program_count(&c, h) : program(h);
    printf("%016llx %ld calls, %ld products, %ld sums\n", (unsigned long long)h, counted, products, sums);
    if (strcmp(how, "count")) return 0;
    if (c.calls == counted && c.fmul == products && c.fadd == sums && c.returns <= c.calls) return 0;
    fprintf(stderr, "the context counts %ld calls (%ld return), %ld products, %ld sums\n", c.calls, c.returns, c.fmul, c.fadd);
    return 1;
}""")
