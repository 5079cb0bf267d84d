/* What stands in the place of library functions that call back, inside a context (dub/callback.c has the table).
 *
 * `__cf_in_NAME` takes what NAME takes, then the context, then for each type of callback a runner: a function that takes
 * the context, the callback and the callback's own arguments, and runs the callback inside the context. NAME itself gets
 * a function of the callback's type that calls the runner. */
#ifndef CF_RUNTIME_CONTEXT_H
#define CF_RUNTIME_CONTEXT_H

/* A function of any type; cast before it is called. */
typedef void cf_any(void);

/* A callback and the context that it was handed over in. */
typedef struct cf_callee {
    void *context;
    cf_any *function, *run;
} cf_callee;

/* R RUN(callee, type of the runner)(callee.context, callee.function, …) */
#define CF_RUN(callee, type) ((type *)(callee).run)

#endif
