/* std::thread of libstdc++. What runs in the new thread is a virtual function of an object (std::thread::_State) that the
 * library takes over. It gets an object of ours in its place, with a table of virtual functions like it: run, which runs the
 * program's object inside the context, and delete, which deletes it there. */
#include "runtime/context.h"
#include <stdlib.h>

typedef void member(void *object);
typedef void member_run(void *, cf_any *, void *object);

/* Of the Itanium C++ ABI: what a table of virtual functions holds, from where objects point to it. */
enum { COMPLETE, DELETING, RUN, VIRTUALS };
typedef struct object {
    member *const *virtuals;
} object;

typedef struct stand_in {
    object base;
    cf_callee callee; /* function is found in the object */
    object *object;
} stand_in;

static void call(stand_in *s, int which) {
    CF_RUN(s->callee, member_run)(s->callee.context, (cf_any *)s->object->virtuals[which], s->object);
}

static void run(void *p) { call(p, RUN); }
static void destroy(void *p) { call(p, DELETING); }
static void destroy_and_free(void *p) {
    destroy(p);
    free(p);
}

static const struct {
    long offset;
    const void *type;
    member *function[VIRTUALS];
} virtuals = {0, NULL, {destroy, destroy_and_free, run}};

/* void std::thread::_M_start_thread(std::unique_ptr<_State> state, void (*depend)()) */
#define START _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE
#define IN_(name) __cf_in_##name
#define IN(name) IN_(name)
__attribute__((weak)) extern void START(void *thread, object **state, void (*depend)(void));

void IN(START)(void *thread, object **state, void (*depend)(void), void *context, member_run *run_member);
void IN(START)(void *thread, object **state, void (*depend)(void), void *context, member_run *run_member) {
    stand_in *s = malloc(sizeof *s);
    if (s) {
        *s = (stand_in){{virtuals.function}, {context, NULL, (cf_any *)run_member}, *state};
        *state = &s->base;
    }
    START(thread, state, depend); /* the caller deletes what is still in `state` */
}
