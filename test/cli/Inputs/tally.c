/* A context that prints what happens: where it begins and ends, and each call of a function that has a body. */
#include <cofactor/context.h>
#include <stdio.h>
struct tally {
    long calls;
};
static struct tally the;
CF_BEGIN(tally) static struct tally *tally_begin(void) {
    puts("{");
    return &the;
}
CF_END(tally) static void tally_end(struct tally *t) { printf("} %ld\n", t->calls); }
CF_PREHOOK(tally, "call body=yes") static void tally_call(struct tally *t, const cf_site *s) {
    t->calls++;
    printf("%s(%u)->%s\n", s->function, s->line, s->what);
}
