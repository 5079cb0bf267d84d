// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// RUN: for one in 1 2 3; do rm -f %t.o; %not %ad -O1 -DUNCLEAR=$one -I%S/.. -c %s -o %t.o 2> %t.txt || exit 1; %not test -e %t.o || exit 1; \
// RUN:     %FileCheck --check-prefix=UNCLEAR$one %s < %t.txt || exit 1; done
// Whether a pointer in the second place is the site: the prototype of the one function that is named says it, else the mark does
// (site=yes, site=no). A hook that does not say has the site there; an override that does not is an error.
#include "events.h"

struct over { struct events e; };
CF_CONTEXT(over, "optional");
APART int say(const char *s) { return (int)strlen(s); }
APART int shout(const char *s) { return 2 * (int)strlen(s); }
APART int put(const char *s, int n) { return (int)strlen(s) + n; }
APART int list(const char *s, ...) { return (int)strlen(s); }
APART int number(int n) { return n; }

#ifdef UNCLEAR
#if UNCLEAR == 1
// UNCLEAR1: site_or_operand.c:[[#@LINE+1]]:{{.*}}error: the second parameter of override `o` of context `over` may be the site, and may be the first operand of `say`: say which by `site=yes` or `site=no`, as in CF_OVERDUB(over, "call say,shout site=yes")
CF_OVERDUB(over, "call say,shout") static int o(struct over *c, const cf_site *s, ...) { return note(&c->e, "%s", s->what), 0; }
#elif UNCLEAR == 2
// UNCLEAR2: site_or_operand.c:[[#@LINE+1]]:{{.*}}error: the second parameter of override `o` of context `over` may be the site, and may be the first operand of `say`{{.*}}"call say site=yes")
CF_OVERDUB(over, say) static int o(struct over *c, const char *s, ...) { return note(&c->e, "%s", s), 0; }
#else
// UNCLEAR3: site_or_operand.c:[[#@LINE+1]]:{{.*}}error: the second parameter of override `o` of context `over` may be the site, and may be the first operand of `put`
CF_OVERDUB(over, "call put,number") static int o(struct over *c, const cf_site *s, int n) { return note(&c->e, "%s", s->what), n; }
#endif
#else
CF_OVERDUB(over, "call sa*,sho* site=yes") static int o1(struct over *c, const cf_site *s, ...) { return note(&c->e, "%s/%u", s->what, s->operands), 10; }
CF_OVERDUB(over, put) static int o2(struct over *c, const char *s, int n) { return note(&c->e, "put %s", s), n; }
CF_OVERDUB(over, list) static int o3(struct over *c, const cf_site *at, const char *s, ...) { return note(&c->e, "%s %s", at->what, s), 30; }
CF_OVERDUB(over, number) static int o4(struct over *c, const cf_site *at, int n) { return note(&c->e, "%s", at->what), n + 40; }
CF_PREHOOK(over, "call *") static void before(struct over *c, const cf_site *s, int n) { note(&c->e, "(%s %d", s->what, n); }
CF_PREHOOK(over, "call * site=no") static void text(struct over *c, const char *s) { note(&c->e, "'%s'", s); }
CF_PREHOOK(over, put) static void before_put(struct over *c, const char *s, int n) { note(&c->e, "%s+%d", s, n); }
#endif

static int f(void) { return say("a") + 100 * shout("bc") + 10000 * put("def", 4) + 1000000 * list("ghij", 1, 2.0) + 3 * number(1); }
int f_in(struct over *c);
CF_IN(f_in, f, over);

int main(void) {
    static struct over c;
    WANT(f(), 1 + 400 + 70000 + 4000000 + 3);
    WANT(f_in(&c), 10 + 1000 + 40000 + 30000000 + 3 * 41);
    SAME(c.e, "'a' say/1 'bc' shout/1 def+4 put def list ghij (number 1 number");
    return wrong;
}
