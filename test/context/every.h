/* A context that writes each call before and after, with all arguments and the result. */
#ifndef EVERY_H
#define EVERY_H
#include "events.h"

struct every { struct events e; };
__attribute__((unused)) static void value(struct events *e, const cf_value *v) {
    if (v->kind == CF_INTEGER) note(e, "%lld", v->as.integer);
    else if (v->kind == CF_REAL && v->bits <= 64) note(e, "%g", v->as.real);
    else if (v->kind == CF_POINTER) note(e, v->as.pointer ? "ptr" : "null");
    else note(e, "%u-bits", v->bits);
}
CF_PREHOOK_ANY(every, "call") static void every_before(struct every *c, const cf_site *s, const cf_value *v) {
    note(&c->e, "%s(", s->what);
    for (unsigned i = 0; i < s->operands; i++) value(&c->e, &v[i]);
    note(&c->e, ")");
}
CF_POSTHOOK_ANY(every, "call") static void every_after(struct every *c, const cf_site *s, const cf_value *v, const cf_value *r) {
    (void)v;
    note(&c->e, "[%s", s->what);
    if (r) value(&c->e, r);
    note(&c->e, "]");
}
#endif
