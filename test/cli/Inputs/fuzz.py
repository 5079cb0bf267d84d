"""Changes IR at random and differentiates it. Fails when the command crashes or hangs where LLVM itself does not.

The changes depend on --seed alone. The runs end after --runs or --seconds, whichever is first.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import time

words = argparse.ArgumentParser()
words.add_argument("--command", required=True)
words.add_argument("--judge", required=True, help="opt of the same LLVM")
words.add_argument("--seconds", type=float, default=20)
words.add_argument("--runs", type=int, default=200)
words.add_argument("--seed", type=int, default=1)
words.add_argument("--mode", choices=["forward", "reverse"], help="both unless said")
words.add_argument("--folder", required=True)
words.add_argument("seeds")
args = words.parse_args()

VALUES = ["0.0", "1.0", "0x7FF8000000000000", "poison", "undef", "0", "1", "-1", "null", "zeroinitializer"]
TYPES = ["double", "float", "i64", "i32", "i1", "i8", "ptr", "<2 x double>", "x86_fp80"]
OPERATIONS = ["fadd", "fmul", "fdiv", "fsub", "frem", "add", "mul", "sub", "shl", "and", "xor", "fneg", "load", "store"]


def change(lines, rng):
    """One change of one line (in place)."""
    i = rng.randrange(len(lines))
    line = lines[i]
    kind = rng.randrange(9)
    names = re.findall(r"%[\w.]+", "\n".join(lines))
    if kind == 0:
        del lines[i]
    elif kind == 1:
        lines.insert(i, line)
    elif kind == 2:
        j = rng.randrange(len(lines))
        lines[i], lines[j] = lines[j], line
    elif kind == 3:
        lines[i] = re.sub(r"\b(double|float|i64|i32|i1|ptr)\b", lambda m: rng.choice([m[0], rng.choice(TYPES)]), line)
    elif kind == 4:
        lines[i] = re.sub(r"\b(fadd|fmul|fdiv|fsub|add|mul|sub|load)\b", lambda m: rng.choice(OPERATIONS), line)
    elif kind == 5 and names:
        lines[i] = re.sub(r"(?<!label )%[\w.]+", lambda m: rng.choice([m[0], rng.choice(names + VALUES)]), line)
    elif kind == 6:
        lines[i] = re.sub(r"label %[\w.]+", lambda m: "label " + rng.choice(names or ["%x"]), line)
    elif kind == 7:
        lines[i] = re.sub(r"\b\d+(\.\d+)?\b", lambda m: rng.choice([m[0], rng.choice(VALUES)]), line)
    elif kind == 8 and line:
        k = rng.randrange(len(line))
        lines[i] = line[:k] + chr(rng.randrange(32, 127)) + line[k + 1:]


def run(command):
    """Exit status, 0 or 1 from the command; negative: a signal; None: it hangs."""
    try:
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=20).returncode
    except subprocess.TimeoutExpired:
        return None


def main():
    os.makedirs(args.folder, exist_ok=True)
    programs = [p for p in re.split(r"^;;;.*\n", open(args.seeds).read(), flags=re.M) if "define" in p]
    rng = random.Random(args.seed)
    end = time.time() + args.seconds
    made = refused = 0
    for n in range(args.runs):
        if time.time() > end:
            break
        lines = rng.choice(programs).splitlines()
        for _ in range(rng.randrange(1, 4)):
            if lines:
                change(lines, rng)
        path = os.path.join(args.folder, "changed.ll")
        with open(path, "w") as out:
            out.write("\n".join(lines) + "\n")
        mode = "--" + (args.mode or rng.choice(["forward", "reverse"]))
        status = run([args.command, "grad", path, "-f", "f", mode, "auto", "-o", os.path.join(args.folder, "out.o")])
        made += status == 0
        refused += status == 1
        if status in (0, 1):
            continue
        if run([args.judge, "-passes=default<O2>", path, "-o", "/dev/null"]) not in (0, 1):
            continue
        kept = os.path.join(args.folder, f"crash-{n}.ll")
        os.rename(path, kept)
        print(f"run {n}: {mode} ended with {status}: {kept}")
        print(open(kept).read())
        sys.exit(1)
    print(f"{made} differentiated, {refused} refused")
    if not made or not refused:
        sys.exit("the changes are of one kind only")


main()
