#!/usr/bin/env python3
"""Random C programs for the derivatives to be right about: programs.py SEED [FUNCTIONS] prints one.

The same seed gives the same program. Each function reads and changes x[4] and y[4], reads c[4] (a `const` argument) and
integers k[4] and n, and calls helpers of its own. Loops, branches, memory of all kinds, pointers that change, structs,
recursion, calls through pointers. Numbers stay bounded: what is stored goes through a sine or is halved. driver.h
compares forward mode, reverse mode and differences.
"""
import random
import sys


class Body:
    """One function's statements. read: pointers to four numbers; write: those that may be written; stable: those that
    live as long as the function; numbers, integers, structs: names in scope."""

    def __init__(self, r, name, read, write, integers, helpers):
        self.r, self.name, self.helpers = r, name, helpers
        self.read, self.write, self.integers = list(read), list(write), list(integers)
        self.stable = list(write)
        self.numbers, self.structs, self.frees, self.lines = [], [], [], []
        self.indent, self.loops, self.budget, self.made = 1, 0, r.randint(6, 14), 0

    def name_of(self, letter):
        self.made += 1
        return f"{letter}{self.made}"

    def emit(self, text):
        self.lines.append("    " * self.indent + text)

    # --- expressions

    def index(self):
        r, i = self.r, self.r.choice(self.integers)
        return r.choice([str(r.randint(0, 3)), f"{i} & 3", f"({i} + {r.randint(1, 3)}) & 3", f"({i} + k[{r.randint(0, 3)}]) & 3"])

    def element(self, pointers):
        if self.structs and self.r.random() < 0.2:
            s = self.r.choice(self.structs)
            return self.r.choice([f"{s}.v", f"{s}.a[{self.index()}]", f"{s}.p[{self.index()}]"])
        return f"{self.r.choice(pointers)}[{self.index()}]"

    def atom(self):
        x = self.r.random()
        if self.numbers and x < 0.45:
            return self.r.choice(self.numbers)
        return self.element(self.read) if x < 0.93 else f"{self.r.uniform(-1.5, 1.5):.2f}"

    def condition(self):
        r, x = self.r, self.r.random()
        if x < 0.6:
            return f"(({r.choice(self.integers)} + k[{r.randint(0, 3)}]) & {r.choice([1, 2])})"
        return f"({self.atom()} > {r.uniform(-0.8, 0.8):.3f})"

    def call(self):
        h, r = self.r.choice(self.helpers), self.r
        return f"{h}({r.choice(self.write)}, {r.choice(self.write)}, {r.choice(self.read)}, {self.atom()}, k, {r.choice(self.integers)} & 3)"

    def expression(self, depth=0):
        r, x, e = self.r, self.r.random(), lambda: self.expression(depth + 1)
        if depth > 2 or x < 0.2:
            return self.atom()
        if x < 0.5:
            return f"({e()} {r.choice('+-*')} {e()})"
        if x < 0.64:
            return f"{r.choice(['sin', 'cos'])}({e()})"
        if x < 0.7:
            return f"({e()} / (2.5 + sin({e()})))"
        if x < 0.75:
            return f"sqrt(1.5 + sin({e()}))"
        if x < 0.82:
            return f"({self.condition()} ? {e()} : {e()})"
        if x < 0.88 and self.helpers:
            return self.call()
        if x < 0.92:
            return f"pick({r.choice(self.write)}, {r.choice(self.read)}, {r.choice(self.integers)}, 2)[{self.index()}]"
        return f"({self.atom()} * {self.atom()})"

    def value(self):
        return f"sin({self.expression()})" if self.r.random() < 0.6 else f"0.5 * {self.expression()}"

    # --- statements

    def block(self, most):
        saved = [list(a) for a in (self.read, self.write, self.numbers, self.integers, self.structs)]
        self.indent += 1
        for _ in range(self.r.randint(1, most)):
            self.statement()
        self.indent -= 1
        self.read, self.write, self.numbers, self.integers, self.structs = saved

    def new_number(self):
        d = self.name_of("d")
        self.emit(f"double {d} = {self.value()};")
        self.numbers.append(d)

    def assign(self):
        self.emit(f"{self.element(self.write)} {self.r.choice(['=', '=', '*=', '+=', '-='])} {self.value()};")

    def change_number(self):
        if self.numbers:
            self.emit(f"{self.r.choice(self.numbers)} {self.r.choice(['=', '+=', '*='])} {self.value()};")

    def counted(self):
        r, i = self.r, self.name_of("i")
        most = r.choice(["n", "n", "3", f"(n - {r.randint(0, 2)})", f"k[{r.randint(0, 3)}]", f"({r.choice(self.integers)} + 1)"])
        down = f"for (int {i} = {most} - 1; {i} >= 0; {i}--) {{"
        self.emit(down if r.random() < 0.3 else f"for (int {i} = {r.choice('001')}; {i} < {most}; {i}++) {{")
        self.in_loop(i)

    def uncounted(self):
        w = self.name_of("w")
        self.emit(f"int {w} = 0;")
        self.emit(f"while ({self.atom()} < {self.r.uniform(-0.5, 0.9):.3f} && {w} < {self.r.randint(2, 5)}) {{")
        self.emit(f"    {w}++;")
        self.in_loop(w)
        self.integers.append(w)

    def in_loop(self, i):
        self.loops += 1
        self.integers.append(i)
        self.block(3)
        self.integers.remove(i)
        self.loops -= 1
        if self.r.random() < 0.25:
            self.emit(f"    if ({self.condition()} && {self.condition()}) {self.r.choice(['break', 'continue'])};")
        self.emit("}")

    def walk(self):
        """A pointer that a loop moves, and what is done with it behind the loop."""
        r, p, a = self.r, self.name_of("z"), self.r.choice(self.stable)
        self.emit(f"double *{p} = {a};")
        self.emit(f"for (;;) {{ {self.element(self.write)} += 0.25 * *{p} * *{p}; if ({p} == {a} + 3 || ({self.condition()} && {p} > {a})) break; {p}++; }}")
        self.emit(f"{p}[{r.choice(['0', '-1'])}] = {self.value()};" if r.random() < 0.7 else f"memset({p} - 1, 0, 2 * sizeof *{p});")

    def branch(self):
        self.emit(f"if ({self.condition()}) {{")
        self.block(3)
        if self.r.random() < 0.5:
            self.emit("} else {")
            self.block(2)
        self.emit("}")

    def switch(self):
        self.emit(f"switch (({self.r.choice(self.integers)} + k[{self.r.randint(0, 3)}]) & 3) {{")
        for c in range(3):
            self.emit(f"case {c}: {{")
            self.block(2)
            self.emit("}" + (" break;" if self.r.random() < 0.6 else " /* on */"))
        self.emit("default: break;")
        self.emit("}")

    def call_helper(self):
        if not self.helpers:
            return self.assign()
        if self.r.random() < 0.5:
            return self.emit(f"{self.call()};")
        d = self.name_of("d")
        self.emit(f"double {d} = 0.5 * {self.call()};")
        self.numbers.append(d)

    def through_pointer(self):
        r = self.r
        self.emit(f"{r.choice(self.write)}[{self.index()}] = sin(unary[({r.choice(self.integers)} + {r.randint(0, 2)}) % 3]({self.atom()}));")

    def move(self):
        r, a, b = self.r, self.r.choice(self.write), self.r.choice(self.read)
        size = r.choice(["4 * sizeof(double)", "2 * sizeof(double)", "3 * sizeof(double)", "(size_t)n * sizeof(double)"])
        self.emit(r.choice([f"memmove({a}, {b}, {size});", f"memmove({a}, {b}, {size});", f"memmove({a} + 1, {b}, 3 * sizeof(double));",
                            f"memmove({a}, {b} + 1, 3 * sizeof(double));", f"memset({a} + {r.randint(0, 2)}, 0, 2 * sizeof(double));"]))

    def array(self):
        r, t = self.r, self.name_of("t")
        kind = r.random()
        if kind < 0.4:
            self.emit(f"double {t}[4] = {{{self.atom()}, {self.atom()}}};")
        elif kind < 0.6:
            self.emit(f"double {t}[n + 4];")
            self.emit(f"for (int q = 0; q < n + 4; q++) {t}[q] = {self.atom()};")
        else:
            self.emit(f"double *{t} = {r.choice(['malloc(4 * sizeof(double))', 'calloc(4, sizeof(double))'])};")
            self.emit(f"for (int q = 0; q < 4; q++) {t}[q] = {self.atom()} * (q + 1);")
            if self.indent == 1:
                self.frees.append(t)
        self.read.append(t)
        self.write.append(t)
        if self.indent == 1:
            self.stable.append(t)

    def pointer(self):
        r, old = self.r, [a for a in self.write if a[0] == "p"]
        if len(old) > 1 and r.random() < 0.5:
            a, b = r.sample(old, 2)
            return self.emit(f"{{ double *z = {a}; {a} = {b}; {b} = z; }}")
        p = self.name_of("p")
        self.emit(f"double *{p} = {self.condition()} ? {r.choice(self.stable)} : {r.choice(self.stable)};")
        self.read.append(p)
        self.write.append(p)

    def either(self):
        """A pointer to something with a shadow or to something without."""
        q = self.name_of("q")
        self.emit(f"const double *{q} = {self.condition()} ? {self.r.choice(self.stable)} : {self.r.choice(['c', 'table'])};")
        self.read.append(q)

    def struct(self):
        r = self.r
        if not self.structs or r.random() < 0.5:
            s = self.name_of("S")
            self.emit(f"struct st {s} = {{{r.choice(self.stable)}, {self.atom()}, {r.randint(0, 3)}, {{{self.atom()}}}}};")
            return self.structs.append(s)
        a, b = r.choice(self.structs), r.choice(self.structs)
        self.emit(r.choice([f"{a} = {b};", f"{a}.p = {r.choice(self.stable)};", f"{a}.v += touch(&{b}, 1);", f"{a} = turned({b}, {r.choice(self.integers)} & 1);"]))

    def grows(self):
        t = self.name_of("t")
        self.emit(f"double *{t} = malloc(2 * sizeof(double));")
        self.emit(f"{t}[0] = {self.value()}, {t}[1] = {self.value()};")
        self.emit(f"{t} = realloc({t}, 4 * sizeof(double));")
        self.emit(f"{t}[2] = {t}[0] * {self.atom()}, {t}[3] = {self.value()};")
        self.read.append(t)
        self.write.append(t)

    def rows(self):
        r, m, i = self.r, self.name_of("m"), self.name_of("i")
        self.emit(f"double {m}[3][4];")
        self.emit(f"for (int {i} = 0; {i} < 12; {i}++) {m}[{i} / 4][{i} % 4] = {self.atom()} * ({i} & 1);")
        self.emit(f"{m}[({r.choice(self.integers)} + 1) % 3][{self.index()}] = {self.value()};")
        for row in (0, 2):
            self.read.append(f"{m}[{row}]")
            self.write.append(f"{m}[{row}]")
        if self.indent == 1:
            self.stable.append(f"{m}[1]")

    def struct_on_heap(self):
        s, d = self.name_of("H"), self.name_of("d")
        base = self.r.choice(self.structs) if self.structs and self.r.random() < 0.6 else f"(struct st){{{self.r.choice(self.stable)}, {self.atom()}, 1, {{{self.atom()}}}}}"
        self.emit(f"struct st *{s} = malloc(sizeof *{s});")
        self.emit(f"*{s} = {base};")
        self.emit(f"{s}->a[{self.index()}] = {self.value()};")
        self.emit(f"double {d} = 0.5 * touch({s}, {self.r.randint(0, 1)}) + {s}->a[1] * {s}->v;")
        self.emit(f"free({s});")
        self.numbers.append(d)

    def either_kind(self):
        u, d = self.name_of("u"), self.name_of("d")
        self.emit(f"union number {u};")
        self.emit(f"if ({self.condition()}) {u}.whole = {self.r.randint(1, 5)}; else {u}.real = {self.value()};")
        self.emit(f"{u}.real = {self.value()};")
        self.emit(f"double {d} = sin(held({u}, {self.r.randint(0, 2)}));")
        self.numbers.append(d)

    def pointers(self):
        r, q, d = self.r, self.name_of("q"), self.name_of("d")
        self.emit(f"double *{q}[3] = {{{r.choice(self.write)}, {r.choice(self.write)}, {r.choice(self.write)}}};")
        self.emit(f"{q}[({r.choice(self.integers)} + {r.randint(0, 3)}) % 3][{self.index()}] = {self.value()};")
        self.emit(f"double {d} = {q}[{r.randint(0, 2)}][{self.index()}];")
        self.numbers.append(d)

    def leave(self):
        if not self.frees:
            self.emit(f"if ({self.condition()} && {self.condition()} && {self.condition()}) return {self.value()};")

    ONCE = [(14, new_number), (22, assign), (6, change_number)]
    ANY = ONCE + [(14, counted), (5, uncounted), (3, walk), (7, branch), (3, switch), (5, call_helper), (2, through_pointer),
                  (4, move), (5, array), (4, pointer), (3, either), (5, struct), (3, pointers), (2, leave),
                  (2, grows), (2, rows), (2, struct_on_heap), (2, either_kind)]

    def statement(self):
        self.budget -= 1
        table = self.ANY if self.budget > 0 else self.ONCE
        weights, kinds = zip(*table)
        kind = self.r.choices(kinds, weights)[0]
        if self.loops > 1 and kind in (Body.counted, Body.uncounted, Body.walk):
            kind = Body.assign
        kind(self)

    def text(self):
        for _ in range(self.r.randint(5, 9)):
            self.statement()
        self.emit(f"double result = {self.expression()};")
        for t in self.frees:
            self.emit(f"free({t});")
        self.emit("return result;")
        return "\n".join(self.lines)


def helper(r, name, globals_, before):
    body = Body(r, name, ["a", "b", "c"] + globals_, ["a", "b"] + globals_, ["n"], before).text()
    again = f"    if (n > 1 && (k[1] & 1)) return sin(a[1] * s) + {name}(b, a, c, s * 0.5, k, n - 2);\n" if r.random() < 0.4 else ""
    print(f"{r.choice(['static', '__attribute__((noinline)) static'])} double {name}(double *a, double *b, const double *c, double s, const int *k, int n) {{")
    print(f"    if (n > 90) return sin({name}(b, a, c, s, k, n - 1)) + a[1];\n    n = (n & 3) + 1;\n    b[2] += 0.5 * s;\n{again}{body}\n}}")


def function(r, number):
    f, globals_, helpers = f"f{number}", [], []
    if r.random() < 0.5:
        globals_ = [f"g{number}"]
        print(f"static double g{number}[4] = {{0.3, -0.4, 0.7, 0.2}};")
    print(f"static void reset{number}(void) {{ {f'memcpy(g{number}, table, sizeof g{number});' if globals_ else ''} }}")
    for h in range(r.randint(0, 3)):
        helper(r, f"h{h}_{number}", globals_, list(helpers))
        helpers.append(f"h{h}_{number}")
    body = Body(r, f, ["x", "y", "c"] + globals_, ["x", "y"] + globals_, ["n"], helpers).text()
    print(f"static double {f}(double *x, double *y, const double *c, const int *k, int n) {{\n{body}\n}}")
    print(f"REQUESTS({f})")


def main():
    r, n = random.Random(int(sys.argv[1])), int(sys.argv[2]) if len(sys.argv) > 2 else 2
    print('#include "driver.h"')
    for number in range(n):
        function(r, number)
    tests = " ".join(f"bad |= TEST(f{i}, reset{i});" for i in range(n))
    print(f"int main(void) {{ int bad = 0; {tests} return bad; }}")


main()
