"""usage: same_code.py FILE.ll NATIVE OTHER[:DROP]...

Tells whether functions have the same instructions, modulo names, attributes and metadata. DROP parameters at the front of
the other function have no counterpart in the native one, and may not be used. Functions defined in the file that they
call are compared the same way; a call of one may hand such parameters on, `:DROP` times."""
import re
import sys

text = open(sys.argv[1]).read()
functions = {}
for m in re.finditer(r'^define [^\n]*?@("[^"]+"|[\w.$-]+)\(.*?^}', text, re.M | re.S):
    functions[m.group(1).strip('"')] = m.group(0)

ATTRIBUTES = (r'\b(noundef|nonnull|noalias|readonly|writeonly|readnone|nocapture|captures\([^)]*\)|returned|nofree|immarg|'
              r'local_unnamed_addr|unnamed_addr|dereferenceable(_or_null)?\(\d+\)|range\([^)]*\)|nofpclass\([^)]*\)|'
              r'initializes\(\([^)]*\)\)|dead_on_unwind|writable|fastcc|swiftself)\s?')
NAME = r'@(?:"[^"]+"|[\w.$-]+)'


def parameters(head):
    start = head.index('(', re.search(NAME + r'(?=\()', head).end() - 1)
    depth, piece, out = 0, '', []
    for c in head[start + 1:]:
        if c in '([{<': depth += 1
        if c in ')]}>':
            if depth == 0: break
            depth -= 1
        if c == ',' and depth == 0:
            out.append(piece)
            piece = ''
        else:
            piece += c
    if piece.strip(): out.append(piece)
    return [p.split()[-1] for p in out]


def normal(name, drop):
    """The function's lines with values, labels and callees numbered as they appear, and the callees defined here."""
    source = functions[name]
    head, *lines = source.split('\n')
    names, callees = {}, []
    for i, p in enumerate(parameters(head)):
        names[p] = f'%dropped{i}' if i < drop else f'%p{i - drop}'

    def local(m):
        return names.setdefault(m.group(0), f'%v{len(names) - drop}')

    def globe(m):
        plain = m.group(0)[1:].strip('"')
        if plain not in functions: return m.group(0)
        if plain not in callees: callees.append(plain)
        return f'@f{callees.index(plain)}'

    out = []
    for line in lines:
        line = re.sub(r'\s*;.*', '', line)
        line = re.sub(r'(, ![\w.]+ !\d+)+', '', line)
        line = re.sub(r' #\d+', '', line)
        line = re.sub(ATTRIBUTES, '', line).rstrip()
        if 'llvm.lifetime' in line or '#dbg' in line or not line: continue
        label = re.match(r'^("[^"]+"|[\w.$-]+):', line)
        if label: line = '%' + line[:label.end() - 1]
        line = re.sub(r'%(?:"[^"]+"|[\w.$-]+)', local, line)
        out.append(re.sub(NAME, globe, line))
    return out, callees


def compare(native, other, drop, seen):
    if (native, other) in seen: return
    seen.add((native, other))
    a, inner = normal(native, 0)
    b, inner2 = normal(other, drop)
    b = [re.sub(r'\(' + r'ptr %dropped\d+(, |(?=\)))' * drop, '(', line) if '@f' in line else line for line in b] if drop else b
    if a != b:
        print(f'{other} is not {native}:')
        for x, y in zip(a + [''] * len(b), b + [''] * len(a)):
            if x or y: print(f'{"  " if x == y else "! "}{x:70} | {y}')
        sys.exit(1)
    for x, y in zip(inner, inner2):
        more = len(parameters(functions[y].split('\n')[0])) - len(parameters(functions[x].split('\n')[0]))
        compare(x, y, more, seen)


native = sys.argv[2]
if native not in functions: sys.exit(f'no function {native}')
for word in sys.argv[3:]:
    name, _, drop = word.partition(':')
    if name not in functions: sys.exit(f'no function {name}')
    compare(native, name, int(drop or 0), set())
