"""What a program of memory.py is made of: statements that the machine can run, places, arithmetic with derivatives."""
import math

from machine import INPUTS, WORD, Invalid, Mem, Num, cells_of, load, plus, times

N = INPUTS


class Env:
    """The state of a run."""

    def __init__(self, x):
        self.x = [Num(v, tuple(1.0 if i == k else 0.0 for i in range(N))) for k, v in enumerate(x)]
        self.vars, self.meta, self.mems, self.i = {}, {}, [], 0
        self.all_ways = False

    def new(self, size, fill=None, heap=False):
        m = Mem(size, fill, heap)
        self.mems.append(m)
        return m

    def var(self, name):
        if name not in self.vars:
            raise Invalid("not declared")
        return self.vars[name]

    def state(self, name):
        if name not in self.meta:
            raise Invalid("not declared")
        return self.meta[name]

    def keep(self):
        return dict(self.vars), {k: dict(v) for k, v in self.meta.items()}, [(m, list(m.bytes), m.dead) for m in self.mems]

    def back(self, kept):
        self.vars, self.meta = dict(kept[0]), {k: dict(v) for k, v in kept[1].items()}
        self.mems = [m for m, _, _ in kept[2]]
        for m, b, dead in kept[2]:
            m.bytes, m.dead = list(b), dead


class Statement:
    def __init__(self, text, run, body=None, tail=""):
        self.text, self.act, self.body, self.tail = text, run, body, tail

    def run(self, env):
        self.act(env) if self.body is None else self.act(env, self.body)

    def lines(self, indent="    "):
        if self.body is None:
            return [indent + self.text]
        return [indent + self.text] + [l for b in self.body for l in b.lines(indent + "    ")] + [indent + self.tail]


class Place:
    """An lvalue: its text, type, and where it is."""

    def __init__(self, text, t, at):
        self.text, self.type, self.at = text, t, at


def same_type(a, b):
    return a.declare("") == b.declare("")


def cast(t):
    return f"({t.declare('*')})"


def finite(v):
    if not math.isfinite(v.v) or abs(v.v) > 1e4 or any(not math.isfinite(t) or abs(t) > 1e5 for t in v.t):
        raise Invalid("too large")
    return v


def unary(slope, f):
    def run(a):
        return Num(f(a.v), times(slope(a.v), a.t))
    return run


SIN = unary(math.cos, math.sin)
COS = unary(lambda v: -math.sin(v), math.cos)


def product(a, b):
    return Num(a.v * b.v, plus(times(b.v, a.t), times(a.v, b.t)))


def quotient(a, b):
    if abs(b.v) < 0.05:
        raise Invalid("division by 0")
    q = a.v / b.v
    return Num(q, plus(times(1 / b.v, a.t), times(-q / b.v, b.t)))


def total(a, b, sign=1.0):
    return Num(a.v + sign * b.v, plus(a.t, times(sign, b.t)))


def square_root(a):
    if a.v < 0.01:
        raise Invalid("root")
    return Num(math.sqrt(a.v), times(0.5 / math.sqrt(a.v), a.t))


def sign_of(v):
    return math.copysign(1.0, v)


def sized(e, name, t, size):
    if len(load((e.var(name), 0), t).mem.bytes) != size:
        raise Invalid("another block")


def less(a, b):
    if abs(a.v - b.v) < 1e-4:
        raise Invalid("too close")
    return a.v < b.v


def aligned(off, t):
    if off % t.align:
        raise Invalid("alignment")
    return off


def settled(at, t):
    """A place that exists whole, as its address is taken."""
    aligned(at[1], t)
    at[0].check(at[1], t.size)
    return at


def put_bits(at, value):
    settled(at, WORD)[0].put(at[1], cells_of(value))


def target(e, name, pointer):
    a = load((e.var(name), 0), pointer)
    return a.mem, a.off


def vec_push(e, name, size, source):
    m = e.state(name)
    cells = source[0].raw(source[1], size)
    if m["n"] == m["most"]:
        if source[0] is m["data"]:
            raise Invalid("the block moves")
        most = 2 * m["most"] + 1
        data = e.new(most * size)
        if m["data"]:
            data.put(0, list(m["data"].bytes))
            m["data"].dead = True
        m["most"], m["data"] = most, data
    m["data"].put(m["n"] * size, cells)
    m["n"] += 1


def map_index(m, key):
    if key not in m["keys"]:
        m["keys"] += (key,)
    taken = {}
    for k in m["keys"]:
        i = (k * 0x9E3779B97F4A7C15 % 2**64 >> 32) & 7
        while i in taken:
            i = (i + 1) & 7
        taken[i] = k
        if k == key:
            return i
