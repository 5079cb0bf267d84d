"""Random programs that use memory in every way, and what they compute: Unit(SEED, FUNCTIONS, cpp=False).text() is one unit.

The same seed gives the same unit. Statements are run by the machine (machine.py) as they are made; one that has no defined
value is dropped. So a program may do anything with memory, and its value and derivative are known exactly. Where it reads
infinities and zeros, too. Statements are objects, so that a failing function can be reduced (hunt.py)."""
import math
import random
import sys

from machine import (CHAR, DOUBLE, FLOAT, INT, LONG, LONG_DOUBLE, SHORT, WORD, WORD32, ZERO, Address, Array, Invalid, Num, Pointer, Record,
                     cells_of, load, store)
from program import (COS, N, SIN, Env, Place, Statement, aligned, cast, finite, less, map_index, product, put_bits, quotient, same_type,
                     settled, square_root, target, total)
from steps import Steps


class Function(Steps):
    """One function's statements; made while the machine runs them."""

    def __init__(self, unit, name):
        self.unit, self.r, self.name = unit, unit.r, name
        r = self.r
        self.x = [round(r.uniform(-1.9, 1.9), 3) or 0.5 for _ in range(N)]
        if r.random() < 0.12:
            self.x[r.randrange(N)] = r.choice([0.0, 0.0, math.inf])
        self.globals, self.body, self.types, self.containers, self.made = [], [], {}, [], 0
        self.in_loop, self.float = False, False
        self.env = Env(self.x)
        self.env.vars["s"] = self.env.new(8, 0)
        self.declare(DOUBLE)
        self.declare(r.choice(unit.records))
        for _ in range(r.randint(1, 4)):
            self.declare()
        for _ in range(r.randint(5, 16)):
            self.step()
        for _ in range(r.randint(3, 7)):
            self.add(self.tried(self.sum_up))

    # --- running

    def fresh(self, letter="v"):
        self.made += 1
        return f"{letter}{self.made}"

    def add(self, s):
        """Adds a statement if it has a defined value."""
        if s is None:
            return False
        kept = self.env.keep()
        try:
            s.run(self.env)
        except Invalid:
            self.env.back(kept)
            return False
        self.body.append(s)
        return True

    def result(self, body=None):
        """The value of a list of statements; raises Invalid."""
        env = Env(self.x)
        env.vars["s"] = env.new(8, 0)
        for s in self.body if body is None else body:
            s.run(env)
        return finite(load((env.var("s"), 0), DOUBLE))

    # --- places

    def index(self, n):
        r = self.r
        if self.in_loop and r.random() < 0.7:
            return r.choice([("i", lambda e: e.i), (f"(i + 1) % {n}", lambda e: (e.i + 1) % n), (f"{n - 1} - i", lambda e: n - 1 - e.i)])
        k = r.randrange(n)
        return str(k), lambda e: k

    def roots(self):
        out = []
        for name, t in self.types.items():
            out.append(Place(name, t, lambda e, name=name: (e.var(name), 0)))
        for kind, name, t in self.containers:
            out.append(self.inside(kind, name, t))
        return out

    def inside(self, kind, name, t):
        """An element of a container."""
        text, i = self.index(4)
        if kind == "vec":
            def at(e):
                m = e.state(name)
                if i(e) >= m["n"]:
                    raise Invalid("index")
                return m["data"], i(e) * t.size
            return Place(f"(*{cast(t)}vec_at(&{name}, {text}))", t, at)
        if kind == "list":
            def at(e):
                m = e.state(name)
                if i(e) >= len(m["nodes"]):
                    raise Invalid("index")
                return m["nodes"][-1 - i(e)], 16
            return Place(f"(*{cast(t)}list_at({name}, {text}))", t, at)
        if kind == "map":
            return Place(f"(*{cast(t)}map_slot(&{name}, 7u * ({text})))", t, lambda e: (e.state(name)["slot"], map_index(e.state(name), 7 * i(e)) * t.size))
        return Place(f"{name}[{text}]", t, lambda e: (e.state(name)["data"], i(e) * t.size))

    def walk(self, wanted):
        """One random way from a variable to a place of a wanted type; None: it led elsewhere."""
        r = self.r
        p = r.choice(self.roots())
        for _ in range(6):
            if wanted(p.type) and r.random() < 0.75:
                return self.wrapped(p)
            p = self.deeper(p)
            if p is None:
                return None
        return None

    def wrapped(self, p):
        x = self.r.random()
        if x > 0.08 or p.type.kind == "a":
            return p
        if x < 0.04:
            return Place(f"(*{cast(p.type)}same(&{p.text}))", p.type, p.at)
        return Place(f"(*{cast(p.type)}element(&{p.text}, 0, sizeof({p.type.declare('')})))", p.type, p.at)

    def deeper(self, p):
        t, at = p.type, p.at
        if t.kind == "a":
            text, i = self.index(t.n)
            return Place(f"{p.text}[{text}]", t.of, lambda e: (at(e)[0], at(e)[1] + i(e) * t.of.size))
        if t.kind == "s":
            f, ft, off = self.r.choice(t.fields)
            return Place(f"{p.text}.{f}", ft, lambda e: (at(e)[0], at(e)[1] + off))
        if t.kind == "p":
            k = self.r.choice([0, 0, 0, 1])

            def to(e):
                a = load(at(e), t)
                return a.mem, a.off + k * t.to.size
            if t.to.kind == "s" and not k:
                f, ft, off = self.r.choice(t.to.fields)
                return Place(f"{p.text}->{f}", ft, lambda e: (to(e)[0], aligned(to(e)[1], t.to) + off))
            return Place(f"{p.text}[{k}]" if k or self.r.random() < 0.5 else f"(*{p.text})", t.to, to)
        return None

    def place(self, wanted):
        for _ in range(30 if self.types else 0):
            p = self.walk(wanted)
            if p is not None:
                return p
        raise Invalid("no such place")

    def like(self, p):
        return self.place(lambda t: same_type(t, p.type))

    def number_place(self):
        return self.place(lambda t: t.kind in "dfl")

    def readable(self, wanted):
        """A place that can be read now."""
        for _ in range(12):
            p = self.place(wanted)
            if self.in_loop:
                return p
            try:
                if p.type.kind == "p" or load(p.at(self.env), p.type).t != ZERO or self.r.random() < 0.1:
                    return p
            except Invalid:
                pass
        raise Invalid("nothing to read")

    # --- expressions of numbers

    def atom(self, memory=False):
        r = self.r
        if not memory and (r.random() < 0.4 or not self.types):
            text, i = self.index(N)
            return f"x[{text}]", lambda e: finite(e.x[i(e)])
        if not memory and r.random() < 0.1:
            c = round(r.uniform(-1.5, 1.5), 2)
            return f"{c}", lambda e: Num(c)
        p = self.readable(lambda t: t.kind in "dfl")
        self.float |= p.type.kind == "f"
        return (p.text if p.type.kind == "d" else f"(double){p.text}"), lambda e: finite(load(p.at(e), p.type).cast("d"))

    def number(self, depth=0):
        r, x = self.r, self.r.random()
        if depth > 1 or x < 0.35:
            return self.atom()
        a, fa = self.number(depth + 1)
        if x < 0.48:
            f, run = r.choice([("sin", SIN), ("cos", COS)])
            return f"{f}({a})", lambda e: run(fa(e))
        b, fb = self.number(depth + 1)
        if x < 0.68:
            return f"({a} * {b})", lambda e: product(fa(e), fb(e))
        if x < 0.82:
            sign = r.choice("+-")
            return f"({a} {sign} {b})", lambda e: total(fa(e), fb(e), 1.0 if sign == "+" else -1.0)
        if x < 0.88:
            return f"({a} / (2.5 + sin({b})))", lambda e: quotient(fa(e), total(Num(2.5), SIN(fb(e))))
        if x < 0.93:
            return f"sqrt(1.5 + sin({a}))", lambda e: square_root(total(Num(1.5), SIN(fa(e))))
        return f"({a} < {b} ? {a} : {b} * 0.5)", lambda e: fa(e) if less(fa(e), fb(e)) else product(fb(e), Num(0.5))

    # --- declarations

    def some_type(self):
        r = self.r
        record = r.choice(self.unit.records)
        t = r.choice([record, record, record, DOUBLE, FLOAT, Pointer(DOUBLE), Pointer(record), WORD, LONG_DOUBLE, Pointer(Pointer(DOUBLE))])
        if t.kind == "f" or (t.kind == "s" and "float" in t.define()):
            self.float = True
        return t

    def declare(self, t=None):
        r = self.r
        if not t:
            t = self.some_type()
            if r.random() < 0.25:
                return self.declare_container(t)
        name, k = self.fresh(), r.choice([1, 2, 4, 4])
        how = r.choice(["local", "local", "cleared", "static", "global", "heap", "heap", "zero heap"])
        if t.align > 16 and "heap" in how:
            how = "cleared"
        if "heap" in how:
            fill = 0 if how == "zero heap" else None
            size = f"{k} * sizeof({t.declare('')})"
            call = f"calloc(1, {size})" if fill == 0 else f"malloc({size})"
            pointer = Pointer(t)

            def run(e):
                e.vars[name] = e.new(8)
                store((e.vars[name], 0), pointer, Address(e.new(k * t.size, fill, True), 0))
            self.add(Statement(f"{pointer.declare(name)} = {cast(t)}{call};", run))
            self.types[name] = pointer
            self.fill(Place(name, Array(t, k), lambda e: target(e, name, pointer)), k)
            return
        whole_type = Array(t, k) if k > 1 else t
        if r.random() < 0.5 and how == "cleared":
            self.env.i = 0
        text = whole_type.declare(name) + ";"
        if how == "global":
            name = f"{self.name}_{name}"
            text = whole_type.declare(name) + ";"
            self.globals.append(f"static {text}")
            text = ""
        elif how == "static":
            text = f"static {text}"
        fill = None if how == "local" else 0
        if fill == 0:
            text += f" memset(&{name}, 0, sizeof {name});"

        def run(e):
            e.vars[name] = e.new(whole_type.size, fill)
        self.add(Statement(text.strip(), run))
        self.types[name] = whole_type
        self.fill(Place(name, whole_type, lambda e: (e.var(name), 0)), k if k > 1 else 0)

    def fill(self, p, k):
        """Stores to all that is in a place, or to most of it. k: elements of the array that it is, 0: none."""
        if not k:
            for s in self.leaves(p):
                self.add(s)
            return
        self.in_loop = True
        of = p.type.of
        element = Place(f"{p.text}[i]", of, lambda e: (p.at(e)[0], p.at(e)[1] + e.i * of.size))
        self.loop(k, self.leaves(element))
        self.in_loop = False

    def leaves(self, p):
        r, t = self.r, p.type
        if t.kind == "s":
            for f, ft, off in [r.choice(t.fields)] if t.union else t.fields:
                yield from self.leaves(Place(f"{p.text}.{f}", ft, lambda e, off=off: (p.at(e)[0], p.at(e)[1] + off)))
        elif t.kind == "a":
            for k in range(t.n):
                yield from self.leaves(Place(f"{p.text}[{k}]", t.of, lambda e, k=k: (p.at(e)[0], p.at(e)[1] + k * t.of.size)))
        elif r.random() < 0.92:
            s = self.tried(lambda: self.store_to(p))
            if s:
                yield s

    def store_to(self, p):
        t, r = p.type, self.r
        if t.kind in "dfl":
            text, f = self.number()
            return Statement(f"{p.text} = {'(float)' if t.kind == 'f' else ''}({text});", lambda e: store(p.at(e), t, finite(f(e))))
        if t.kind == "p":
            q = self.place(lambda u: same_type(u, t.to))
            return Statement(f"{p.text} = &{q.text};", lambda e: store(p.at(e), t, Address(*settled(q.at(e), t.to))))
        c = r.randint(0, 90)
        if t.c == "uint64_t" and r.random() < 0.6:
            if r.random() < 0.7:
                text, f = self.number()
                return Statement(f"{p.text} = bits({text});", lambda e: p.at(e)[0].put(p.at(e)[1], cells_of(finite(f(e)).cast("d"))))
            q = self.place(lambda u: u.kind in "dp")
            return Statement(f"{p.text} = (uint64_t)(uintptr_t)&{q.text};", lambda e: put_bits(p.at(e), Address(*settled(q.at(e), q.type))))
        if t.c == "uint32_t" and r.random() < 0.6:
            text, f = self.number()
            self.float = True
            return Statement(f"{p.text} = bits32((float)({text}));", lambda e: p.at(e)[0].put(p.at(e)[1], cells_of(finite(f(e)).cast("f"))))
        return Statement(f"{p.text} = {c};", lambda e: store(p.at(e), t, c))

    def loop(self, k, children):
        def run(e, body):
            for e.i in range(k):
                for s in body:
                    s.run(e)
            e.i = 0
        head = f"for (int i = 0; i < {'n' if k == N else k}; i++) {{"
        self.block(Statement(head, run, [], "}"), children)

    def block(self, s, children):
        """Adds a statement with a body, of those children that have defined values."""
        kept = self.env.keep()
        for c in children:
            s.body.append(c)
            try:
                self.env.all_ways = True
                s.run(self.env)
                self.env.all_ways = False
                self.env.back(kept)
                s.run(self.env)
            except Invalid:
                s.body.pop()
            self.env.all_ways = False
            self.env.back(kept)
        if s.body:
            self.add(s)

    # --- statements

    def tried(self, make):
        for _ in range(4):
            try:
                return make()
            except Invalid:
                pass
        return None

    def step(self):
        r, x = self.r, self.r.random()
        if x < 0.1:
            self.declare()
        elif x < 0.3:
            self.in_loop = True
            children = (c for c in (self.tried(self.simple) for _ in range(r.randint(1, 3))) if c)
            self.loop(r.choice([2, 4, 4]), children)
            self.in_loop = False
        elif x < 0.36:
            a, fa = self.tried(self.number) or ("x[0]", lambda e: e.x[0])
            try:
                c = round(min(4.0, fa(self.env).v) + r.choice([-0.3, -0.3, -0.3, 0.3]), 2)
            except Invalid:
                c = 0.1

            def run(e, body):
                if less(Num(c), fa(e)) or e.all_ways:
                    for s in body:
                        s.run(e)
            self.block(Statement(f"if ({a} > {c}) {{", run, [], "}"), [c for c in (self.tried(self.simple) for _ in range(2)) if c])
        else:
            self.add(self.tried(self.simple))

    # --- text

    def text(self, body=None):
        lines = [l for s in (self.body if body is None else body) for l in s.lines()]
        v = self.result(body)
        literal = [x.hex() if math.isfinite(x) else "INFINITY" for x in self.x]
        tolerance = "2e-4" if self.float else "1e-9"
        check = (f"static int check_{self.name}(void) {{ static const double at[4] = {{{', '.join(literal)}}}, "
                 f"slope[4] = {{{', '.join(t.hex() for t in v.t)}}}; return COMPARE({self.name}, at, {v.v.hex()}, slope, {tolerance}); }}")
        return "\n".join(self.globals + [f"static double {self.name}(const double *x, int n) {{", "    double s = 0; (void)n;"] + lines +
                         ["    return s;", "}", f"PROGRAM({self.name})", check, ""])


class Unit:
    def __init__(self, seed, count, cpp=False):
        self.r, self.cpp = random.Random(seed * 7919 + 5), cpp
        self.records = []
        for k in range(4):
            self.records.append(self.record(f"S{k}"))
        self.functions = []
        while len(self.functions) < count:
            f = Function(self, f"f{len(self.functions)}")
            try:
                f.result()
            except Invalid:
                continue
            self.functions.append(f)

    def record(self, name):
        r = self.r
        union = Record(f"U{name}", [("d", DOUBLE), ("w", WORD), ("p", Pointer(DOUBLE)), ("f", Array(FLOAT, 2))][:r.randint(2, 4)], union=True)
        choice = [DOUBLE, DOUBLE, DOUBLE, FLOAT, CHAR, SHORT, INT, LONG, WORD, WORD32, Pointer(DOUBLE), Pointer(DOUBLE), Array(DOUBLE, 2),
                  Array(FLOAT, 3), Array(CHAR, 3), LONG_DOUBLE, union, union] + [Pointer(s) for s in self.records] + self.records
        form = r.choice(["", "", "packed", "aligned(32)"])
        fields = [r.choice(choice) for _ in range(r.randint(1, 4))]
        fields = [t for t in fields if t.size < 100 and t.align <= (8 if form == "packed" else 16)]
        if not any(t.kind in "dfas" for t in fields):
            fields.append(r.choice([DOUBLE, FLOAT]))
        if form == "packed":
            fields = [t for t in fields if t is not LONG_DOUBLE]
        t = Record(name, [(f"m{k}", f) for k, f in enumerate(fields)], form)
        t.unions = [union] if union in fields else []
        return t

    def head(self):
        out = ['#include "memory.h"']
        for t in self.records:
            out += [u.define() for u in t.unions] + [t.define()]
            d = t.declare("")
            out.append(f"APART {d} same_{t.name}({d} s, int deep) {{ return deep ? same_{t.name}(s, deep - 1) : s; }}")
            out.append(f"APART void copy_{t.name}({d} *to, const {d} *from) {{ *to = *from; }}")
            out.append(f"_Static_assert(sizeof({d}) == {t.size}, \"\");".replace("_Static_assert", "static_assert" if self.cpp else "_Static_assert"))
        return "\n".join(out) + "\n"

    def text(self, only=None):
        chosen = [f for f in self.functions if only is None or f.name in only]
        calls = " + ".join(f"check_{f.name}()" for f in chosen) or "0"
        return self.head() + "\n".join(f.text() for f in chosen) + f"int main(void) {{ int bad = {calls}; return bad != 0; }}\n"


if __name__ == "__main__":
    print(Unit(int(sys.argv[1]), int(sys.argv[2]), "cpp" in sys.argv[3:]).text())
