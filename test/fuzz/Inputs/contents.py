#!/usr/bin/env python3
"""Random C programs that move bytes without a type: contents.py SEED [FUNCTIONS] prints one.

The same seed gives the same program. Each function fills arrays of structs of its own making (packed, aligned to more, of odd
size, with numbers of three kinds, pointers and integers), moves elements and parts of them by assignment, memcpy, memmove,
loops over bytes and words, swaps, realloc, a sort, words that hold the bits of numbers, and adds up what is there. The helpers
are shared by all types. agree.h (test/contents) compares reverse mode, forward mode and differences."""
import random
import sys

PRELUDE = """#include "agree.h"
#include <stdint.h>
#define APART __attribute__((noinline)) static
typedef uint32_t __attribute__((may_alias)) word;
typedef uint64_t __attribute__((may_alias)) long_word;
APART void by_bytes(void *to, const void *from, size_t n) { for (size_t i = 0; i < n; i++) ((char *)to)[i] = ((const char *)from)[i]; }
APART void by_bytes_down(void *to, const void *from, size_t n) { while (n--) ((unsigned char *)to)[n] = ((const unsigned char *)from)[n]; }
APART void by_words(void *to, const void *from, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) *(word *)((char *)to + i) = *(const word *)((const char *)from + i);
    for (; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}
APART void by_long_words(void *to, const void *from, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) *(long_word *)((char *)to + i) = *(const long_word *)((const char *)from + i);
    for (; i < n; i++) ((char *)to)[i] = ((const char *)from)[i];
}
APART void by_memcpy(void *to, const void *from, size_t n) { memcpy(to, from, n); }
APART void by_memmove(void *to, const void *from, size_t n) { memmove(to, from, n); }
APART void by_halves(void *to, const void *from, size_t n) {
    if (n > 24) { size_t h = n / 2; by_halves(to, from, h); by_halves((char *)to + h, (const char *)from + h, n - h); }
    else memcpy(to, from, n);
}
APART void swap_bytes(void *a, void *b, size_t n) {
    char *p = a, *q = b;
    if (p != q) while (n--) { char t = *p; *p++ = *q; *q++ = t; }
}
APART void swap_buffer(void *a, void *b, size_t n) {
    char t[512];
    memcpy(t, a, n); memmove(a, b, n); memcpy(b, t, n);
}
APART void swap_words(void *a, void *b, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) { long_word *p = (long_word *)((char *)a + i), *q = (long_word *)((char *)b + i), t = *p; *p = *q; *q = t; }
    for (; i < n; i++) { char *p = (char *)a + i, *q = (char *)b + i, t = *p; *p = *q; *q = t; }
}
APART void reverse_all(void *base, size_t n, size_t size, void (*swap)(void *, void *, size_t)) {
    for (size_t i = 0; i < n / 2; i++) swap((char *)base + i * size, (char *)base + (n - 1 - i) * size, size);
}
APART void *grown(void *p, size_t n, size_t size) { return realloc(p, n * size); }
static uint64_t bits(double d) { uint64_t v; memcpy(&v, &d, sizeof v); return v; }
static double number(uint64_t v) { double d; memcpy(&d, &v, sizeof d); return d; }
struct words { int n; uint64_t at[64]; };
APART void put(struct words *w, uint64_t v) { w->at[w->n++] = v; }
APART uint64_t get(struct words *w) { return w->at[--w->n]; }
"""

COPY = ["by_bytes", "by_bytes_down", "by_words", "by_long_words", "by_memcpy", "by_memmove", "by_halves", "memcpy", "memmove"]
SWAP = ["swap_bytes", "swap_buffer", "swap_words"]
FIELDS = ["double", "double", "float", "char", "short", "int", "long", "pointer", "double2", "float3", "unsigned char", "long double"]


class Struct:
    """A struct, how an element is made from x, and what it adds to the sum."""

    def __init__(self, r, name):
        self.name, self.fields = name, [r.choice(FIELDS) for _ in range(r.randint(1, 5))]
        if not any(f in ("double", "float", "double2", "float3") for f in self.fields):
            self.fields.append(r.choice(["double", "float"]))
        form = r.choice(["", "", "__attribute__((packed)) ", "__attribute__((aligned(32))) "])
        if "packed" in form:
            self.fields = [f for f in self.fields if f != "long double"] or ["double"]
        lines = [{"pointer": "const double *", "double2": "double ", "float3": "float "}.get(f, f + " ") + f"m{i}" +
                 {"double2": "[2]", "float3": "[3]"}.get(f, "") + ";" for i, f in enumerate(self.fields)]
        self.text = f"struct {form}{name} {{ {' '.join(lines)} }};"

    def fill(self, r, at, i):
        out = []
        for k, f in enumerate(self.fields):
            v = r.choice([f"x[{i}]", f"x[{i}] * x[{i}]", f"x[{i}] * x[0]", f"sin(x[{i}])", f"0.5"])
            if f in ("double", "long double"): out.append(f"{at}.m{k} = {v};")
            elif f == "float": out.append(f"{at}.m{k} = (float)({v});")
            elif f == "double2": out.append(f"{at}.m{k}[0] = {v}; {at}.m{k}[1] = x[{i}] * 2;")
            elif f == "float3": out.append(f"{at}.m{k}[0] = (float)({v}); {at}.m{k}[1] = 2; {at}.m{k}[2] = (float)x[{i}];")
            elif f == "pointer": out.append(f"{at}.m{k} = &d[({i} + {r.randint(0, 3)}) % n];")
            else: out.append(f"{at}.m{k} = ({f})({i} + {k} + 1);")
        return " ".join(out)

    def value(self, at):
        out = []
        for k, f in enumerate(self.fields):
            m = f"{at}.m{k}"
            if f == "double2": out.append(f"{m}[0] * {m}[1]")
            elif f == "float3": out.append(f"(double)({m}[0] * {m}[1] + {m}[2])")
            elif f == "pointer": out.append(f"*{m}")
            elif f in ("double", "float", "long double"): out.append(f"(double){m} * {k + 1}")
            else: out.append(f"(double){m}")
        return "(" + " + ".join(out) + ")"


def move(r, s, a, b, n):
    """Moves something between two arrays of n elements of struct s (names a, b)."""
    size = f"sizeof(struct {s.name})"
    i, j = r.choice(["0", "1", "n - 1", "n / 2", "(n * 3) % n"]), r.choice(["0", "n - 1", "n / 2", "(n + 1) / 2"])
    what = r.randrange(9)
    if what == 0: return f"{a}[{i}] = {b}[{j}];"
    if what == 1: return f"{r.choice(COPY)}(&{a}[{i}], &{b}[{j}], {size});"
    if what == 2: return f"{r.choice(COPY)}({a}, {b}, (size_t)n * {size});"
    if what == 3: return f"{r.choice(SWAP)}(&{a}[{i}], &{b}[{j}], {size});"
    if what == 4: return f"reverse_all({a}, (size_t)n, {size}, {r.choice(SWAP)});"
    if what == 5: return f"memmove({a} + 1, {a}, (size_t)(n - 1) * {size});"
    if what == 6:
        k = r.randrange(len(s.fields))
        f = s.fields[k]
        bytes_of = {"pointer": 8, "double2": 16, "float3": 12, "double": 8, "float": 4, "long double": 16, "short": 2, "int": 4, "long": 8}.get(f, 1)
        return f"{r.choice(COPY)}(&{a}[{i}].m{k}, &{b}[{j}].m{k}, {bytes_of});"
    if what == 7: return f"for (int q = 0; q < n; q++) {r.choice(COPY)}(&{a}[q], &{b}[n - 1 - q], {size});"
    return f"for (int q = 0; q + 1 < n; q++) if (x[q] > x[q + 1]) {r.choice(SWAP)}(&{a}[q], &{a}[q + 1], {size});"


def function(r, name, structs):
    out = [f"static double {name}(const double *x, int n) {{", "double s = 0, d[MOST]; (void)d;",
           "for (int i = 0; i < n; i++) d[i] = x[i] * 1.5 + 0.25;"]
    frees = []
    for s in r.sample(structs, r.randint(1, min(2, len(structs)))):
        a, b = f"a_{s.name}", f"b_{s.name}"
        for v in (a, b):
            if r.random() < 0.5:
                out.append(f"struct {s.name} {v}[MOST]; memset({v}, 0, sizeof {v});")
            else:
                out.append(f"struct {s.name} *{v} = calloc((size_t)n + 1, sizeof *{v});")
                frees.append(v)
            out.append(f"for (int i = 0; i < n; i++) {{ {s.fill(r, v + '[i]', 'i')} }}")
        for _ in range(r.randint(1, 5)):
            out.append(move(r, s, *r.sample([a, b], 2), "n"))
            if frees and r.random() < 0.15:
                v = r.choice(frees)
                t = v[2:]
                out.append(f"{v} = grown({v}, (size_t)n + {r.randint(1, 9)}, sizeof(struct {t}));")
        for v in (a, b):
            out.append(f"for (int i = 0; i < n; i++) s += (i + {r.randint(1, 3)}) * {s.value(v + '[i]')};")
    if r.random() < 0.4:
        out.append("struct words w = {0, {0}}; for (int i = 0; i < n; i++) { put(&w, bits(x[i] * d[i])); put(&w, (uint64_t)i); }")
        out.append(f"{r.choice(SWAP)}(&w.at[0], &w.at[2], 16);")
        out.append("for (int i = 0; i < n; i++) { uint64_t k = get(&w); s += number(get(&w)) * (double)(k + 1); }")
    out += [f"free({v});" for v in frees]
    return "\n    ".join(out + ["return s;"]) + f"\n}}\nPROGRAM({name})\n"


def main():
    seed, count = int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 6
    r = random.Random(seed * 7919 + 5)
    structs = [Struct(r, f"s{k}") for k in range(3)]
    print(PRELUDE)
    for s in structs:
        print(s.text)
    names = [f"f{k}" for k in range(count)]
    for name in names:
        print(function(r, name, structs))
    print("int main(void) { return " + " + ".join(f"AGREE_FLOAT({n}, {r.randint(2, 6)})" for n in names) + "; }")


main()
