# usage: trace.py JSON: what stands in a trace of tree.c.
import json
import sys

events = [e for e in json.load(open(sys.argv[1])) if e["ph"] in "BE"]
depth, last, seen = [], 0, []
for e in events:
    assert e["ts"] >= last and e["pid"] == 1
    last = e["ts"]
    if e["ph"] == "B":
        depth.append(e["name"])
        seen.append(("/".join(depth), e["args"]["in"]))
        assert e["args"]["line"] > 0 and e["cat"].endswith("tree.c")
    else:
        assert depth.pop() == e["name"]
        if e["name"] == "add":
            assert e["args"]["out"] == 2.5 + 2.5 * 0.1
assert not depth
calls = [s for s in seen if "jmp" not in s[0]]
assert calls == [("f", [1, 2.5, 0.1]), ("f/mul", [1, 2.5]), ("f/mul", [2.5, 0.1]), ("f/add", [2.5, 2.5 * 0.1]),
                 ("deep", [7]), ("deep/leave", [7]), ("after", [65, 1])], calls
assert [s[0] for s in seen if "longjmp" in s[0]] == ["deep/leave/longjmp"]
