"""The statements of the programs of memory.py that move memory: copies of all kinds, words, signs, containers, calls.

Each makes one statement at random places, or raises Invalid where it finds none."""
from machine import DOUBLE, WORD, Address, Array, Int, Invalid, Mem, Num, Pointer, apart, assign, cells_of, load, move, store, times
from program import Place, Statement, cast, finite, map_index, product, same_type, settled, sign_of, sized, square_root, target, total, vec_push

COPY = ["by_bytes", "by_bytes_down", "by_halves", "by_words", "by_long_words", "by_doubles", "by_nine", "by_memcpy", "by_memmove", "by_parts",
        "by_longs", "by_ints", "by_buffer", "by_block", "memcpy", "memmove"]
SWAP = ["swap_bytes", "swap_buffer", "swap_words"]


class Steps:
    # --- containers

    def declare_container(self, t):
        r = self.r
        kind = r.choice(["vec", "vec", "list", "map", "arena", "stack"])
        if t.align > 16:
            return
        name = self.fresh("c")
        if kind == "stack":
            self.stack(name)
        elif kind == "arena":
            self.arena(name)
        else:
            text, state = {
                "vec": (f"struct vec {name} = {{0, 0, 0, sizeof({t.declare('')})}};", lambda e: {"n": 0, "most": 0, "data": None}),
                "list": (f"struct list *{name} = 0;", lambda e: {"nodes": ()}),
                "map": (f"struct map {name}; memset(&{name}, 0, sizeof {name}); {name}.size = sizeof({t.declare('')}); "
                        f"{name}.slot = (unsigned char *)calloc(8, {name}.size);", lambda e: {"slot": e.new(8 * t.size, 0), "keys": ()}),
            }[kind]

            def run(e):
                e.meta[name] = state(e)
            self.add(Statement(text, run))
            for _ in range(r.randint(2, 5)):
                self.add(self.tried(lambda: self.put_in(kind, name, t)))
            self.containers.append((kind, name, t))

    def put_in(self, kind, name, t):
        q = self.place(lambda u: same_type(u, t))
        if kind == "vec":
            return Statement(f"vec_push(&{name}, &{q.text});", lambda e: vec_push(e, name, t.size, settled(q.at(e), t)))
        if kind == "list":
            def run(e):
                node = e.new(16 + t.size)
                move((node, 16), settled(q.at(e), t), t.size)
                e.state(name)["nodes"] += (node,)
            return Statement(f"{name} = list_push({name}, &{q.text}, sizeof({t.declare('')}));", run)
        text, i = self.index(4)

        def run(e):
            m = e.state(name)
            move((m["slot"], map_index(m, 7 * i(e)) * t.size), settled(q.at(e), t), t.size)
        return Statement(f"map_put(&{name}, 7u * ({text}), &{q.text});", run)

    def arena(self, name):
        r = self.r

        def run(e):
            e.meta[name] = {"used": 0, "data": e.new(512)}
        self.add(Statement(f"struct arena {name} = {{(char *)malloc(512), 0, 512}};", run))
        for _ in range(r.randint(1, 4)):
            t, k = self.some_type(), r.choice([1, 2, 4])
            if t.align > 8:
                continue
            v, pointer = self.fresh(), Pointer(t)

            def taken(e, t=t, k=k, v=v, pointer=pointer):
                m = e.state(name)
                e.vars[v] = e.new(8)
                m["data"].check(m["used"], k * t.size)
                store((e.vars[v], 0), pointer, Address(m["data"], m["used"]))
                m["used"] += (k * t.size + 7) // 8 * 8
            if self.add(Statement(f"{pointer.declare(v)} = {cast(t)}take(&{name}, {k} * sizeof({t.declare('')}));", taken)):
                self.types[v] = pointer
                self.fill(Place(v, Array(t, k), lambda e, v=v, pointer=pointer: target(e, v, pointer)), k)
                self.add(self.tried(self.sum_up))
            if r.random() < 0.3:
                def again(e):
                    e.state(name)["used"] = 0
                self.add(Statement(f"{name}.used = 0;", again))

    def stack(self, name):
        r = self.r

        def run(e):
            e.meta[name] = {"cells": ()}
        self.add(Statement(f"struct stack {name} = {{0, {{0}}}};", run))
        for _ in range(r.randint(2, 6)):
            self.add(self.tried(lambda: self.push(name) if r.random() < 0.6 else self.pop(name)))

    def push(self, name):
        x = self.r.random()
        if x < 0.6:
            text, f = self.number()
            value, run = f"bits({text})", lambda e: cells_of(finite(f(e)).cast("d"))
        elif x < 0.8:
            q = self.place(lambda u: u.kind == "d")

            def address(e):
                e.state(name)["cells"] += (tuple(cells_of(Address(*settled(q.at(e), DOUBLE)))),)
            return Statement(f"{name}.at[{name}.n++] = (uint64_t)(uintptr_t)&{q.text};", address)
        else:
            value, run = "5", lambda e: [(Int(bytes([5] + [0] * 7)), k) for k in range(8)]

        def act(e):
            e.state(name)["cells"] += (tuple(run(e)),)
        return Statement(f"push(&{name}, {value});", act)

    def pop(self, name):
        p = self.place(lambda t: t.kind == "d" or (t.kind == "p" and same_type(t.to, DOUBLE)))

        def act(e):
            m = e.state(name)
            if not m["cells"]:
                raise Invalid("empty")
            cells, m["cells"] = list(m["cells"][-1]), m["cells"][:-1]
            t = Mem(8)
            t.put(0, cells)
            store(p.at(e), p.type, load((t, 0), p.type))
        return Statement(f"{p.text} = {'number(' if p.type.kind == 'd' else '(double *)(uintptr_t)('}pop(&{name}));", act)

    # --- statements

    def simple(self):
        r = self.r
        make = r.choices([self.copy, self.cut, self.swap, self.shift, self.store, self.words, self.sign, self.call, self.put, self.sum_up,
                          self.grow, self.parts, self.side],
                         [8, 4, 4, 2, 4, 4, 2, 3, 3, 3, 2, 2, 1])[0]
        return make()

    def any_place(self):
        kind = self.r.choice("sssdpa")
        return self.place(lambda t: t.kind == kind)

    def copy(self):
        p = self.any_place()
        q, t = self.like(p), p.type
        if t.kind != "a" and self.r.random() < 0.35:
            if t.kind == "s":
                return Statement(f"{p.text} = {q.text};", lambda e: assign(p.at(e), q.at(e), t))
            return Statement(f"{p.text} = {q.text};", lambda e: store(p.at(e), t, load(q.at(e), t)))
        how = self.r.choice(COPY)

        def run(e):
            a, b = settled(p.at(e), t), settled(q.at(e), t)
            apart(a, b, t.size)
            move(a, b, t.size)
        return Statement(f"{how}(&{p.text}, &{q.text}, {t.size});", run)

    def cut(self):
        """A copy in two parts, which may cut what is there."""
        p = self.any_place()
        q, t, r = self.like(p), p.type, self.r
        if t.size < 2:
            raise Invalid("too small")
        c = r.randint(1, t.size - 1)
        parts = [(0, c), (c, t.size - c)]
        if r.random() < 0.5:
            parts.reverse()
        text = " ".join(f"{r.choice(COPY)}((char *)&{p.text} + {o}, (const char *)&{q.text} + {o}, {n});" for o, n in parts)

        def run(e):
            a, b = settled(p.at(e), t), settled(q.at(e), t)
            apart(a, b, t.size)
            move(a, b, t.size)
        return Statement(text, run)

    def swap(self):
        p = self.any_place()
        q, t, r = self.like(p), p.type, self.r
        if t.kind != "a" and r.random() < 0.4:
            def run(e):
                a, b = p.at(e), q.at(e)
                m = (Mem(t.size), 0)
                if t.kind == "s":
                    assign(m, a, t), assign(a, b, t), assign(b, m, t)
                else:
                    u, v = load(a, t), load(b, t)
                    store(a, t, v), store(b, t, u)
            return Statement(f"{{ {t.declare('t')} = {p.text}; {p.text} = {q.text}; {q.text} = t; }}", run)

        def run(e):
            a, b = settled(p.at(e), t), settled(q.at(e), t)
            apart(a, b, t.size)
            u, v = a[0].raw(a[1], t.size), b[0].raw(b[1], t.size)
            a[0].put(a[1], v), b[0].put(b[1], u)
        return Statement(f"{r.choice(SWAP)}(&{p.text}, &{q.text}, {t.size});", run)

    def shift(self):
        p = self.place(lambda t: t.kind == "a" and t.n > 1)
        t = p.type
        n = (t.n - 1) * t.of.size
        a, b = self.r.choice([(1, 0), (0, 1)])

        def run(e):
            m, o = settled(p.at(e), t)
            move((m, o + a * t.of.size), (m, o + b * t.of.size), n)
        return Statement(f"{self.r.choice(['memmove', 'by_memmove'])}(&{p.text}[{a}], &{p.text}[{b}], {n});", run)

    def store(self):
        return self.store_to(self.place(lambda t: t.kind in "dddflpi"))

    def words(self):
        """Numbers and addresses in integers."""
        r = self.r
        w = self.place(lambda t: t.kind == "i" and t.c == "uint64_t")
        x = r.random()
        if x < 0.3:
            q = self.place(lambda t: t.kind == "d" or (t.kind == "p" and same_type(t.to, DOUBLE)))
            return Statement(f"memcpy(&{w.text}, &{q.text}, 8);", lambda e: move(settled(w.at(e), WORD), settled(q.at(e), q.type), 8))
        if x < 0.45:
            q = self.like(w)
            return Statement(f"{w.text} = {q.text};", lambda e: move(settled(w.at(e), WORD), settled(q.at(e), WORD), 8))
        p = self.place(lambda t: t.kind == "d" or (t.kind == "p" and same_type(t.to, DOUBLE)))
        take = "number" if p.type.kind == "d" else "(double *)(uintptr_t)"

        def run(e):
            m = (Mem(8), 0)
            move(m, settled(w.at(e), WORD), 8)
            store(p.at(e), p.type, load(m, p.type))
        return Statement(f"{p.text} = {take}({w.text});", run)

    def sign(self):
        r = self.r
        p, q = self.place(lambda t: t.kind == "d"), self.place(lambda t: t.kind == "d")
        what = r.randrange(4)

        def run(e):
            v = load(q.at(e), DOUBLE)
            s = [-1.0, sign_of(v.v), -sign_of(v.v), 1.0][what]
            if what == 3:
                o = load(p.at(e), DOUBLE)
                s = sign_of(v.v) * sign_of(o.v)
            store(p.at(e), DOUBLE, Num(s * v.v, times(s, v.t)))
        mask = "((uint64_t)1 << 63)"
        text = [f"a ^ {mask}", f"a & ~{mask}", f"a | {mask}", f"(a & ~{mask}) | (b & {mask})"][what]
        return Statement(f"{{ uint64_t a, b; memcpy(&a, &{q.text}, 8); memcpy(&b, &{p.text}, 8); a = {text}; memcpy(&{p.text}, &a, 8); }}", run)

    def call(self):
        p = self.place(lambda t: t.kind == "s" and not t.union)
        q, t = self.like(p), p.type
        if self.r.random() < 0.5:
            return Statement(f"{p.text} = same_{t.name}({q.text}, {self.r.randrange(3)});", lambda e: assign(p.at(e), q.at(e), t))
        return Statement(f"copy_{t.name}(&{p.text}, &{q.text});", lambda e: assign(p.at(e), q.at(e), t))

    def put(self):
        if not self.containers:
            raise Invalid("none")
        return self.put_in(*self.r.choice(self.containers))

    def grow(self):
        """realloc of a block of the heap that a variable points to the beginning of."""
        names = [n for n, t in self.types.items() if t.kind == "p"]
        if not names:
            raise Invalid("none")
        name = self.r.choice(names)
        t, more = self.types[name], self.r.choice([0, 8, 40])

        def run(e):
            a = load((e.var(name), 0), t)
            if a.off or not a.mem.heap:
                raise Invalid("not the beginning of a block")
            m = e.new(len(a.mem.bytes) + more, None, True)
            m.put(0, a.mem.raw(0, len(a.mem.bytes)))
            a.mem.dead = True
            store((e.var(name), 0), t, Address(m, 0))
        size = len(load((self.env.var(name), 0), t).mem.bytes)
        return Statement(f"{name} = {cast(t.to)}realloc({name}, {size + more});", lambda e: sized(e, name, t, size) or run(e))

    def parts(self):
        """Two words of 32 bits, moved one by one."""
        p = self.place(lambda t: t.kind == "d" or t.kind == "p")
        q, t = self.like(p), p.type
        order = self.r.choice([(0, 1), (1, 0)])
        text = " ".join(f"((word *)&{p.text})[{k}] = ((word *)&{q.text})[{k}];" for k in order)

        def run(e):
            a, b = settled(p.at(e), t), settled(q.at(e), t)
            apart(a, b, 8)
            move(a, b, 8)
        return Statement(text, run)

    def side(self):
        """errno and a global that say what kind of result it was."""
        p, q = self.place(lambda t: t.kind == "d"), self.readable(lambda t: t.kind == "d")

        def run(e):
            v = finite(load(q.at(e), DOUBLE))
            if abs(v.v) < 0.01:
                raise Invalid("root")
            v = product(v, Num(0.5)) if v.v < 0 else square_root(v)
            if load(q.at(e), DOUBLE).v < 0:
                v = product(product(v, Num(3.0)), Num(-1.0))
            store(p.at(e), DOUBLE, v)
        return Statement(f"{{ double t = root({q.text}); {p.text} = t * (errno == EDOM ? 3 : 1) * last_sign; }}", run)

    def sum_up(self):
        text, f = self.atom(True)
        if self.r.random() < 0.4:
            b, fb = self.number(1)
            text, f = f"{text} * {b}", lambda e, fa=f: product(fa(e), fb(e))
        w = self.r.randint(1, 5)

        def run(e):
            at = (e.var("s"), 0)
            store(at, DOUBLE, finite(total(load(at, DOUBLE), product(Num(float(w)), f(e)))))
        return Statement(f"s += {w} * {text};", run)
