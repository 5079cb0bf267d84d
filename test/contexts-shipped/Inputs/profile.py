# usage: profile.py TABLE DOT: checks the numbers of a profile of graph.c against each other and against its calls.
import re
import sys

lines = open(sys.argv[1]).read().splitlines()
total = int(lines[0].split()[0])
rows = {}
for line in lines[2:]:
    inclusive, exclusive, calls, name = line.split(None, 3)
    rows[name] = (int(inclusive), int(exclusive), int(calls))

nodes, edges = {}, {}
for line in open(sys.argv[2]):
    if m := re.match(r' *(n\d+) \[label="(.*?)\\n', line):
        nodes[m[1]] = m[2]
    elif m := re.match(r' *(n\d+) -> (n\d+) \[(?:label="(\d+)"|style=dashed)', line):
        edges[nodes[m[1]], nodes[m[2]]] = int(m[3] or 0)

calls = {"light": 11, "work": 3, "heavy": 1, "down": 6, "through": 2, "qsort": 1, "printf": 1}
expected = {("main", "light"): 10, ("main", "heavy"): 1, ("main", "down"): 1, ("main", "through"): 2,
            ("main", "memcpy"): 1,  # the array's initial values
            ("main", "qsort"): 1, ("main", "printf"): 1, ("heavy", "work"): 2, ("down", "down"): 5,
            ("through", "light"): 1, ("through", "work"): 1, ("qsort", "compare"): rows["compare"][2]}
wrong = []
if sum(row[1] for row in rows.values()) != total:
    wrong.append("the exclusive counts do not add up to all operations")
if rows["main"][0] != total:
    wrong.append("main does not include everything")
for name, n in calls.items():
    if rows[name][2] != n:
        wrong.append(f"{name}: {rows[name][2]} calls, not {n}")
if rows["down"][0] != rows["down"][1]:
    wrong.append("a recursion counts more than its own operations")
if rows["heavy"][0] <= rows["heavy"][1] or rows["heavy"][0] - rows["heavy"][1] >= rows["work"][0]:
    wrong.append("heavy includes two of the three calls of work")
if rows["qsort"][0] != rows["compare"][1]:
    wrong.append("qsort includes what compare does")
n = rows["compare"][2]  # as often as qsort of four wants
if not 3 <= n <= 6 or rows["compare"][1] % n:
    wrong.append(f"compare: {n} calls of {rows['compare'][1]} operations")
if edges != expected:
    wrong.append(f"arrows: {edges}")
print("\n".join(wrong))
sys.exit(bool(wrong))
