"""A machine whose memory knows of each byte which value it is a part of: what the programs of memory.py compute, and its
derivative, exactly.

A byte is None (nothing was written there), 0 (memory was cleared), or (value, k): byte k of a number (Num), an integer (Int) or an
address (Address). So bytes may be moved in any order and any width, and what is read is a number where all its bytes lie in order
again. Numbers have a tangent for each input. What C does not define, or what the machine cannot know, is Invalid."""
import math
import struct

INPUTS = 4
ZERO = (0.0,) * INPUTS


class Invalid(Exception):
    """The program has no defined value here."""


class Num:
    """A floating number (kind d, f or l: double, float, long double) and its derivative by each input."""
    __slots__ = ("kind", "v", "t")

    def __init__(self, v, t=ZERO, kind="d"):
        self.kind, self.v, self.t = kind, v, t

    def cast(self, kind):
        if kind == "f":
            try:
                return Num(struct.unpack("f", struct.pack("f", self.v))[0], self.t, "f")
            except OverflowError:
                raise Invalid("overflow of float")
        return Num(self.v, self.t, kind)


def times(a, t):
    """A factor times a tangent; what does not depend adds nothing, even to an infinite factor."""
    return tuple(a * x if x != 0 else 0.0 for x in t)


def plus(s, t):
    return tuple(a + b for a, b in zip(s, t))


class Address:
    __slots__ = ("mem", "off")

    def __init__(self, mem, off):
        self.mem, self.off = mem, off


class Int:
    __slots__ = ("bytes",)

    def __init__(self, b):
        self.bytes = b


class Mem:
    """An object of `size` bytes."""
    __slots__ = ("bytes", "dead", "heap")

    def __init__(self, size, fill=None, heap=False):
        self.bytes, self.dead, self.heap = [fill] * size, False, heap

    def check(self, off, n):
        if self.dead or off < 0 or off + n > len(self.bytes):
            raise Invalid("outside of an object")

    def raw(self, off, n):
        self.check(off, n)
        return self.bytes[off:off + n]

    def put(self, off, cells):
        self.check(off, len(cells))
        self.bytes[off:off + len(cells)] = cells


WIDTH = {"d": 8, "f": 4, "l": 10, "p": 8}


def whole(cells, kind, sort):
    """The value whose bytes these are, if they are all of one, in order."""
    first = cells[0]
    if isinstance(first, tuple) and first[1] == 0 and isinstance(first[0], sort):
        v = first[0]
        if (sort is Address or v.kind == kind) and all(isinstance(c, tuple) and c[0] is v and c[1] == k for k, c in enumerate(cells)):
            return v
    return None


def concrete(cells):
    out = []
    for c in cells:
        if isinstance(c, int):
            out.append(c)
        elif c and isinstance(c[0], Int):
            out.append(c[0].bytes[c[1]])
        else:
            raise Invalid("no integer")
    return bytes(out)


def cleared(cells):
    if any(c != 0 or not isinstance(c, int) for c in cells):
        raise Invalid("neither a value of this type, nor cleared")


def number_of(cells, kind):
    v = whole(cells, kind, Num)
    if v is None:
        cleared(cells)
        v = Num(0.0, ZERO, kind)
    return v


def address_of(cells):
    v = whole(cells, "p", Address)
    if v is None:
        raise Invalid("no address, or a null pointer")
    return v


def cells_of(value):
    """The bytes of a value as they lie in memory."""
    return [(value, k) for k in range(WIDTH[value.kind] if isinstance(value, Num) else 8)]


# --- types

class Scalar:
    def __init__(self, c, size, kind):
        self.c, self.size, self.align, self.kind = c, size, size, kind

    def declare(self, name):
        return f"{self.c} {name}"

    def padding(self):
        return range(10, 16) if self.kind == "l" else ()


DOUBLE, FLOAT, LONG_DOUBLE = Scalar("double", 8, "d"), Scalar("float", 4, "f"), Scalar("long double", 16, "l")
CHAR, SHORT, INT, LONG, WORD = (Scalar("unsigned char", 1, "i"), Scalar("short", 2, "i"), Scalar("int", 4, "i"), Scalar("long", 8, "i"),
                                Scalar("uint64_t", 8, "i"))
WORD32 = Scalar("uint32_t", 4, "i")


class Pointer:
    size = align = 8
    kind = "p"

    def __init__(self, to):
        self.to = to

    def declare(self, name):
        return self.to.declare(f"(*{name})") if isinstance(self.to, Array) else self.to.declare(f"*{name}")

    def padding(self):
        return ()


class Array:
    kind = "a"

    def __init__(self, of, n):
        self.of, self.n, self.size, self.align = of, n, of.size * n, of.align

    def declare(self, name):
        return self.of.declare(f"{name}[{self.n}]")

    def padding(self):
        return [i * self.of.size + k for i in range(self.n) for k in self.of.padding()]


class Record:
    """A struct or a union. form: plain, packed, or aligned to so many bytes."""
    kind = "s"

    def __init__(self, name, fields, form="", union=False):
        self.name, self.form, self.union, self.fields = name, form, union, []
        packed = form == "packed"
        off = end = 0
        self.align = 1
        for field, t in fields:
            align = 1 if packed else t.align
            off = 0 if union else (off + align - 1) // align * align
            self.fields.append((field, t, off))
            off += t.size
            end, self.align = max(end, off), max(self.align, align)
        if form.startswith("aligned"):
            self.align = max(self.align, int(form[8:-1]))
        self.size = (end + self.align - 1) // self.align * self.align

    def define(self):
        form = f"__attribute__(({self.form})) " if self.form else ""
        return f"{'union' if self.union else 'struct'} {form}{self.name} {{ " + " ".join(t.declare(f) + ";" for f, t, _ in self.fields) + " };"

    def declare(self, name):
        return f"{'union' if self.union else 'struct'} {self.name} {name}"

    def padding(self):
        if self.union:
            return ()
        used = set()
        for _, t, off in self.fields:
            used.update(off + k for k in set(range(t.size)) - set(t.padding()))
        return [k for k in range(self.size) if k not in used]


# --- access

def load(at, t):
    mem, off = at
    if off % t.align:
        raise Invalid("alignment")
    if t.kind in "dfl":
        return number_of(mem.raw(off, WIDTH[t.kind]), t.kind)
    if t.kind == "p":
        return address_of(mem.raw(off, 8))
    return int.from_bytes(concrete(mem.raw(off, t.size)), "little", signed=t.c in ("int", "long", "short"))


def store(at, t, value):
    mem, off = at
    if off % t.align:
        raise Invalid("alignment")
    if t.kind in "dfl":
        value = value.cast(t.kind)
        mem.put(off, cells_of(value))
    elif t.kind == "p":
        mem.put(off, [0] * 8 if value is None else cells_of(value))
    else:
        value = Int((value % (1 << 8 * t.size)).to_bytes(t.size, "little"))
        mem.put(off, [(value, k) for k in range(t.size)])


def move(to, source, n):
    to[0].put(to[1], source[0].raw(source[1], n))


def assign(to, source, t):
    """A copy of a type: what pads it is not defined afterwards."""
    if to[1] % t.align or source[1] % t.align:
        raise Invalid("alignment")
    cells = source[0].raw(source[1], t.size)
    for k in t.padding():
        cells[k] = None
    to[0].put(to[1], cells)


def apart(to, source, n):
    """Moves that do not overlap."""
    if to[0] is source[0] and abs(to[1] - source[1]) < n and n:
        raise Invalid("overlap")
