// RUN: for l in -O0 -O2; do %ad $l -g -I%S/.. %s -lm -o %t 2> %t.txt && %t && %FileCheck %s < %t.txt || exit 1; done
// RUN: for one in 1 2; do rm -f %t.o; %not %ad -O1 -g -DSTRICT=$one -I%S/.. -c %s -o %t.o 2> %t.$one || exit 1; %not test -e %t.o || exit 1; \
// RUN:     %FileCheck --check-prefix=STRICT$one %s < %t.$one || exit 1; done
// Functions that cannot be cloned: naked, with asm goto. Each is called as it is, with a warning (strict: an error) at its
// place, and what it calls is outside; the rest is inside.
#include "events.h"

struct count { long n; };
#ifdef STRICT
CF_CONTEXT(count, "strict");
#else
#define STRICT 0
#endif
CF_PREHOOK(count, "call step") static void on_step(struct count *c) { c->n++; }

static int natively;
int step(int x);
__attribute__((noinline)) int step(int x) { return natively++, x + 1; }

// CHECK: left_outside.c:[[#@LINE+2]]:{{.*}}warning: `bare` cannot be brought into context `count`: it is naked{{.*}}; calls of it leave the context
// STRICT1: left_outside.c:[[#@LINE+1]]:{{.*}}error: `bare` cannot be brought into context `count`: it is naked
__attribute__((naked, noinline)) static int bare(int x) {
    __asm__("jmp step"); /* with x where it is */
}
// CHECK: left_outside.c:[[#@LINE+2]]:{{.*}}warning: `jumping` cannot be brought into context `count`: it has `asm goto`; calls of it leave the context
// STRICT2: left_outside.c:[[#@LINE+1]]:{{.*}}error: `jumping` cannot be brought into context `count`: it has `asm goto`
APART int jumping(int x) {
    __asm__ goto("jmp %l0" : : : : out);
    return -1;
out:
    return step(x);
}
// CHECK-NOT: warning:
static int f(int x) {
    int s = step(x);
    if (STRICT == 0 || STRICT == 1) s = s * 100 + bare(x);
    if (STRICT == 0 || STRICT == 2) s = s * 100 + jumping(x);
    return s;
}
int f_in(struct count *c, int x);
CF_IN(f_in, f, count);

int main(void) {
    struct count c = {0};
    WANT(f_in(&c, 3), 40404), WANT(natively, 3), WANT(c.n, 1);
    return wrong;
}
