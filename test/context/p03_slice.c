// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Output is sliced out of a program: the run gives its result and writes nothing; a call afterwards writes the lines in order.
// One context overrides puts; another overrides printf, with its variable arguments. A third threads the list of what to do
// through the calls: each gets a child context.
#include "events.h"
#include <stdlib.h>

struct slice { struct events out; int lines; };
CF_OVERDUB(slice, puts) static int slice_puts(struct slice *c, const cf_site *s, const char *text) { return (void)s, c->lines++, note(&c->out, "%s|", text), 1; }
CF_OVERDUB(slice, printf) static int slice_printf(struct slice *c, const cf_site *s, const char *form, ...) {
    (void)s, (void)form;
    char text[100];
    va_list list;
    va_start(list, form);
    int n = vsnprintf(text, sizeof text, form, list);
    va_end(list);
    c->lines++, note(&c->out, "%s|", text);
    return n;
}

static int outside;
APART void say(const char *text) { puts(text), outside++; }
APART double add(double a, double b) {
    say("adding");
    int n = printf("%g and %s and %d", b, "more", 7);
    puts("done");
    return a + b + n;
}
double add_sliced(struct slice *c, double a, double b);
CF_IN(add_sliced, add, slice);

/* A stack of lines, linked through the calls. */
struct thread { const char *line; struct thread *before, **last; };
CF_OVERDUB(thread, puts) static int thread_puts(struct thread *c, const cf_site *s, const char *text) {
    struct thread *t = malloc(sizeof *t);
    (void)s, *t = (struct thread){text, *c->last, c->last};
    return *c->last = t, 0;
}
CF_OVERDUB(thread, say) static void thread_say(struct thread *c, const cf_site *s, const char *text) {
    struct thread inner = {"child", c, c->last};
    (void)s, cf_recurse_in(&inner, say)(text);
}
APART double plus(double a, double b) { return say("one"), puts("two"), say("three"), a + b; }
double plus_sliced(struct thread *c, double a, double b);
CF_IN(plus_sliced, plus, thread);

int main(void) {
    static struct slice c;
    WANT(add_sliced(&c, 1, 2), 3 + 16);
    WANT(c.lines, 3), WANT(outside, 1);
    SAME(c.out, "adding| 2 and more and 7| done|");

    struct thread *last = NULL, top = {"top", NULL, &last};
    WANT(plus_sliced(&top, 1, 2), 3);
    const char *lines[3] = {"three", "two", "one"};
    for (int i = 0; i < 3; i++, last = last ? last->before : last) TEXT(last ? last->line : "", lines[i]);
    WANT(last == NULL, 1);
    return wrong;
}
