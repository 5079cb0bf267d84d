// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t || exit 1; done
// Words that narrow a hook down: in= the function where it stands, names of called functions, body=, type=.
#include "events.h"
#include <stdlib.h>

struct words { struct events in, names, yes, no, wide; };
CF_PREHOOK(words, "call in=first,third*") static void by_in(struct words *c, const cf_site *s) { note(&c->in, "%s:%s", s->function, s->what); }
CF_PREHOOK(words, "call mul*,*_end,a?d") static void by_name(struct words *c, const cf_site *s) { note(&c->names, "%s", s->what); }
CF_PREHOOK(words, "call add body=yes in=second") static void by_all(struct words *c, const cf_site *s) { note(&c->yes, "%s", s->what); }
CF_PREHOOK(words, "call body=no") static void by_body(struct words *c, const cf_site *s) { note(&c->no, "%s", s->what); }
CF_PREHOOK(words, "int type=i64") static void by_type(struct words *c, const cf_site *s) { note(&c->wide, "%s:%s/%llu", s->what, s->type, s->bytes); }

APART int add(int x) { return x + 1; }
APART int multiply(int x) { return x * 2; }
APART long the_end(long x) { return (x << 3) - 1; }
APART int first(int x) { return add(x); }
APART int second(int x) { return add(x) + multiply(x); }
APART int third_one(int x) { return multiply((int)strtol("5", NULL, 10) + 0 * x); }
static long f(int x) { return first(x) + second(x) + third_one(x) + the_end(x); }
long f_in(struct words *c, int x);
CF_IN(f_in, f, words);

int main(void) {
    static struct words c;
    WANT(f_in(&c, -5), -4 - 14 + 10 - 41);
    SAME(c.in, "first:add third_one:strtol third_one:multiply");
    SAME(c.names, "add add multiply multiply the_end");
    SAME(c.yes, "add");
    SAME(c.no, "strtol");
    SAME(c.wide, "shl:i64/8 sub:i64/8 add:i64/8");
    return wrong;
}
