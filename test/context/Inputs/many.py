"""A program of n functions that call each other, with 20 operations each, and a context that looks at all places of them.
python3 many.py n > many.c"""
import sys

n = int(sys.argv[1])
print("""#include <cofactor/context.h>
struct all { long times; const cf_site *last; };
CF_SITES(places, all);
CF_PREHOOK(all, "fp") static void on_fp(struct all *c, const cf_site *s) { c->times++, c->last = s; }""")
for i in reversed(range(n)):
    after = f" + f{i + 1}(x)" if i + 1 < n else ""
    steps = " ".join(f"x = x * 1.{k} + 1;" for k in range(10))
    print(f"__attribute__((noinline)) static double f{i}(double x) {{ {steps} return x{after}; }}")
print(f"""double f0_in(struct all *c, double x);
CF_IN(f0_in, f0, all);
int main(void) {{
    struct all c = {{0}};
    f0_in(&c, 1);
    const cf_site *s = &places.site[c.last->id];
    return c.times != 20 * {n} + {n} - 1 || places.n != c.times || s->line != c.last->line || s->what != c.last->what;
}}""")
