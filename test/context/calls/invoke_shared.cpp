// RUN: %clangxx -O0 -Xclang -disable-O0-optnone -std=c++17 -I%S/.. -I%include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='function(sroa,simplifycfg<switch-to-lookup>,instcombine,simplifycfg)' -S %t.ll -o %t.s.ll && %FileCheck --check-prefix=SHARED %s < %t.s.ll
// RUN: for l in O0 O2; do %opt -load-pass-plugin=%plugin -passes="default<$l>" %t.s.ll -o %t.bc && %clangxx %t.bc -o %t && %t || exit 1; done
// In code that was simplified before, the call that may throw comes back to a block that others lead to as well: a post hook
// runs after the call only, and what it gives goes only that way.
#include "events.h"

struct every { events e; };
CF_PREHOOK(every, "call risky*") static void before(every *c, const cf_site *, int x) { note(&c->e, "(%d", x); }
CF_POSTHOOK(every, "call risky*") static int after(every *c, const cf_site *, int r) { return note(&c->e, "%d)", r), r + 100; }

__attribute__((noinline)) int risky(int x) {
    if (x < 0) throw x;
    return x + 1;
}
// SHARED: define {{.*}}program
// SHARED: invoke {{.*}}risky
// SHARED-NEXT: to label %[[to:[^ ]+]]
// SHARED: {{^}}[[to]]:{{ .*}}preds = {{.*}},
int program(int x) {
    int r = x;
    try {
        if (x != 5) r = risky(x);
    } catch (int e) {
        r = -e * 1000;
    }
    return r * 2;
}
int program_in(every *c, int x);
CF_IN(program_in, program, every);

int main() {
    static every c;
    WANT(program_in(&c, 3), 208);
    SAME(c.e, "(3 4)");
    WANT(program_in(&c, 5), 10);
    SAME(c.e, "");
    WANT(program_in(&c, -2), 4000);
    SAME(c.e, "(-2");
    return wrong;
}
