#!/usr/bin/env python3
"""Runs the programs of memory.py:  hunt.py "CLANG OPTIONS" "CLANG++ OPTIONS" FOLDER FUNCTIONS SEEDS...

A seed may be a range, FIRST-LAST. Each is one unit of FUNCTIONS programs, in C or C++, compiled in one of several ways. What is
not right is reduced, by leaving statements out while the machine finds the program defined and the fault stays, and printed; of
each kind the first REDUCTIONS (2). The last line counts: ok; refused (at compile time) and stopped (at run time) with a message;
wrong; crash; generator (the program itself does not compute what the machine says). Exit status 1 unless all are ok or, with
REFUSED=allowed, refused or stopped."""
import collections
import os
import re
import subprocess
import sys

import memory
from machine import Invalid

WAYS = [("-O0", 0), ("-O1", 0), ("-O2", 1), ("-O3", 0), ("-O1 -g", 0), ("-O2", 0), ("-O0", 1), ("-O2 -fno-strict-aliasing", 0), ("-O1", 1),
        ("-O3 -g", 1)]


class Hunt:
    def __init__(self, c, cxx, folder):
        self.c, self.cxx, self.folder = c, cxx, folder
        self.here = os.path.dirname(os.path.abspath(__file__))

    def way(self, seed):
        return WAYS[seed % len(WAYS)]

    def build_and_run(self, text, seed, cpp):
        """Text → (verdicts by function, message)."""
        flags, apart = self.way(seed)
        name = os.path.join(self.folder, f"{seed}." + ("cpp" if cpp else "c"))
        with open(name, "w") as f:
            f.write(text)
        env = dict(os.environ)
        env.pop("COFACTOR_NO_INLINE", None)
        if apart:
            env["COFACTOR_NO_INLINE"] = "1"
        out = name + ".out"
        done = subprocess.run(f"{self.cxx if cpp else self.c} -w {flags} -I{self.here} {name} -lm -o {out}", shell=True, env=env, text=True,
                              errors="replace", capture_output=True)
        if done.returncode:
            return None, done.stderr
        done = subprocess.run([out], text=True, errors="replace", capture_output=True)
        os.remove(out)
        found = {}
        for line in (done.stderr + "\n" + done.stdout).splitlines():
            m = re.match(r"(f\d+): (wrong|crash|generator): ", line)
            if m:
                found.setdefault(m[1], (m[2], line))
        stops = [l for l in done.stderr.splitlines() if "cofactor:" in l]
        return found, stops

    def verdict(self, unit, f, seed, body=None):
        """(kind, message) of one function alone; None: it is not defined."""
        try:
            text = unit.head() + f.text(body) + f"int main(void) {{ return check_{f.name}(); }}\n"
        except Invalid:
            return None
        found, message = self.build_and_run(text, seed, unit.cpp)
        if found is None:
            return compile_verdict(message)
        kind, line = found.get(f.name, ("ok", ""))
        if kind == "crash" and message:
            return "stopped", plain(message[-1])
        return kind, line

    def reduce(self, unit, f, seed, verdict):
        """The smallest body with the same verdict that leaving statements out finds."""
        def same(body):
            v = self.verdict(unit, f, seed, body)
            return v is not None and v[0] == verdict[0] and (v[0] not in ("refused", "stopped") or v[1] == verdict[1])
        body = list(f.body)
        step = max(1, len(body) // 4)
        while True:
            i, shorter = 0, False
            while i < len(body):
                less = body[:i] + body[i + step:]
                if same(less):
                    body, shorter = less, True
                else:
                    i += step
            if step == 1 and not shorter:
                break
            step = max(1, step // 2)
        for s in body:
            i = 0
            while s.body and i < len(s.body):
                child = s.body.pop(i)
                if not same(body):
                    s.body.insert(i, child)
                    i += 1
        return body

    def unit(self, seed, count, counts, messages, most_reductions):
        unit = memory.Unit(seed, count, cpp=seed % 3 == 0)
        found, message = self.build_and_run(unit.text(), seed, unit.cpp)
        if found is not None and not found:
            counts["ok"] += count
            return True
        for f in unit.functions:
            if found is not None and f.name not in found:
                counts["ok"] += 1
                continue
            v = self.verdict(unit, f, seed)
            counts[v[0]] += 1
            if v[0] == "ok":
                if found is not None and f.name in found:
                    counts["ok"] -= 1
                    counts[found[f.name][0]] += 1
                    print(f"seed {seed} {self.way(seed)}, {f.name} only among the others: {found[f.name]}", flush=True)
                continue
            key = v[0] + ": " + (v[1] if v[0] in ("refused", "stopped") else "")
            messages[key] += 1
            if messages[key] > most_reductions:
                print(f"seed {seed}, {f.name}: {key}", flush=True)
                continue
            body = self.reduce(unit, f, seed, v)
            print(f"=== seed {seed} {self.way(seed)} {'C++' if unit.cpp else 'C'}, {f.name}: {v[0]}: {v[1]}")
            print(needed(unit, f.text(body)), flush=True)
        return False


def needed(unit, text):
    """The function, with those of the records that it names."""
    names, wanted = [t.name for t in unit.records], set()
    full = {t.name: " ".join([u.define() for u in t.unions] + [t.define()]) for t in unit.records}
    todo = text
    while todo:
        more = [n for n in names if n not in wanted and re.search(rf"\bU?{n}\b", todo)]
        wanted.update(more)
        todo = " ".join(full[n] for n in more)
    return "".join(full[n] + "\n" for n in names if n in wanted) + text


def plain(line):
    return re.sub(r"^.*?(error|cofactor): ", "", re.sub(r"\bf\d+\w*", "f", line)).strip()


def compile_verdict(message):
    if "PLEASE submit" in message or "Stack dump" in message or "Sanitizer" in message:
        return "crash", "of the compiler: " + "; ".join(l for l in message.splitlines() if "ssert" in l or "ERROR" in l)[:300]
    lines = [l for l in message.splitlines() if "error:" in l]
    if not lines:
        return "crash", "of the compiler, silent: " + message[-300:]
    return "refused", plain(lines[0])


def main():
    c, cxx, folder, count = sys.argv[1:4] + [int(sys.argv[4])]
    seeds = []
    for word in sys.argv[5:]:
        first, last = (word + "-" + word).split("-")[:2]
        seeds += range(int(first), int(last) + 1)
    os.makedirs(folder, exist_ok=True)
    hunt = Hunt(c, cxx, folder)
    counts, messages = collections.Counter(), collections.Counter()
    for seed in seeds:
        hunt.unit(seed, count, counts, messages, int(os.environ.get("REDUCTIONS", "2")))
    for key, n in messages.most_common():
        print(f"{n:6} {key}")
    print(f"seeds {' '.join(sys.argv[5:])}: " + ", ".join(f"{n} {k}" for k, n in counts.most_common()))
    allowed = {"ok"} | ({"refused", "stopped"} if os.environ.get("REFUSED") == "allowed" else set())
    return any(n and k not in allowed for k, n in counts.items())


if __name__ == "__main__":
    sys.exit(main())
