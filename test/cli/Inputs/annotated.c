/* A context, or a program: both have annotations that are nobody's hook. */
#ifdef CONTEXT
#include <cofactor/context.h>
#include <stdio.h>
struct annotated { long calls; };
__attribute__((annotate(""), used)) static int unused(int x) { return x; }
CF_PREHOOK(annotated, "call one_more") static void before(struct annotated *c) { printf("%ld\n", ++c->calls); }
#else
__attribute__((annotate(""), noinline)) static int one_more(int x) { return x + 1; }
__attribute__((annotate("other"))) int state = 2;
int main(void) { return one_more(state); }
#endif
