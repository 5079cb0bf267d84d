/* trace: each call of the program with its arguments and its result.
 *
 *     cofactor run --context trace prog.c                        a tree, as text, on standard error
 *     TRACE_FORMAT=json TRACE_FILE=t.json cofactor run …         for chrome://tracing and ui.perfetto.dev
 *
 * In a program: `struct trace *t = trace_new();`, a CF_IN function with t, `trace_free(t)`.
 *
 * Hooks: "call" and "callback", any operands, before and after. Threads: each one that the program starts gets its own context. */
#include "calls.h"
#include <time.h>

#ifndef TRACE_WORDS
#define TRACE_WORDS ""
#endif
CF_CONTEXT(trace, "optional " TRACE_WORDS);
CF_SITES(trace_sites, trace);

struct trace_shared {
    int threads, lock;
};

struct trace {
    FILE *out;
    int json, thread;
    int open; /* text: the line of the last call is not finished */
    struct trace_shared *shared;
    struct calls calls;
};

static inline struct trace *trace_new(void) {
    struct trace *t = (struct trace *)calls_zeroed(1, sizeof *t);
    const char *format = getenv("TRACE_FORMAT");
    t->shared = (struct trace_shared *)calls_zeroed(1, sizeof *t->shared);
    t->json = format && !strcmp(format, "json");
    t->out = calls_output("TRACE_FILE");
    if (t->json)
        fputs("[{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"args\":{\"name\":\"trace\"}}", t->out);
    return t;
}

/* A name as it may stand in JSON. */
static void trace_name(FILE *f, const char *s) {
    fputc('"', f);
    for (; *s; s++)
        if (*s == '"' || *s == '\\')
            fprintf(f, "\\%c", *s);
        else if ((unsigned char)*s < ' ')
            fprintf(f, "\\u%04x", (unsigned char)*s);
        else
            fputc(*s, f);
    fputc('"', f);
}

static void trace_value(const struct trace *t, const cf_value *v) {
    if (v->kind == CF_INTEGER && v->bits == 1)
        fprintf(t->out, "%d", v->as.integer != 0);
    else if (v->kind == CF_INTEGER)
        fprintf(t->out, "%lld", v->as.integer);
    else if (v->kind == CF_REAL && t->json) /* JSON has no nan and no inf: they are texts */
        fprintf(t->out, v->as.real - v->as.real == 0 ? "%.17g" : "\"%g\"", v->as.real);
    else if (v->kind == CF_REAL)
        fprintf(t->out, "%.9g", v->as.real);
    else if (v->kind == CF_POINTER)
        fprintf(t->out, t->json ? "\"%p\"" : "%p", v->as.pointer);
    else
        fprintf(t->out, t->json ? "\"%u bits\"" : "{%u bits}", v->bits);
}

static double trace_microseconds(void) {
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static const char *trace_shown(const char *name) { return *name ? name : "(pointer)"; }

/* One event of Chrome's trace format, up to its arguments. */
static void trace_event(const struct trace *t, const struct call *c, char phase) {
    const cf_site *s = c->site;
    fputs(",\n{\"name\":", t->out);
    trace_name(t->out, trace_shown(c->name));
    fprintf(t->out, ",\"ph\":\"%c\",\"ts\":%.3f,\"pid\":1,\"tid\":%d,\"cat\":", phase, trace_microseconds(),
            t->thread);
    trace_name(t->out, *s->file ? s->file : "program");
    fprintf(t->out, ",\"args\":{\"line\":%u", s->line);
}

static void trace_indent(const struct trace *t) {
    if (t->thread) fprintf(t->out, "[%d] ", t->thread);
    for (long i = 0; i < t->calls.depth; i++) fputs("  ", t->out);
}

/* One thread at a time writes what belongs together. */
static void trace_take(const struct trace *t) {
    while (__atomic_exchange_n(&t->shared->lock, 1, __ATOMIC_ACQUIRE)) {
    }
}
static void trace_give(const struct trace *t) { __atomic_store_n(&t->shared->lock, 0, __ATOMIC_RELEASE); }

static void trace_finish_line(struct trace *t) {
    if (t->open) fputc('\n', t->out);
    t->open = 0;
}

/* Calls that were left without a return. */
static void trace_leave_to(struct trace *t, long depth) {
    while (t->calls.depth > depth) {
        const struct call *c = &t->calls.call[--t->calls.depth];
        if (t->json) {
            trace_event(t, c, 'E');
            fputs("}}", t->out);
        } else {
            trace_finish_line(t);
            trace_indent(t);
            fprintf(t->out, "%s left\n", trace_shown(c->name));
        }
    }
}

CF_PREHOOK_ANY(trace, "call")
CF_PREHOOK_ANY(trace, "callback")
CALLS_APART void trace_call(struct trace *t, const cf_site *s, const cf_value *operand) {
    trace_take(t);
    trace_leave_to(t, calls_enter_to(&t->calls, s));
    trace_finish_line(t);
    if (!t->json) trace_indent(t);
    const struct call *c = calls_enter(&t->calls, s, calls_name(&trace_sites, s, operand));
    if (t->json) {
        trace_event(t, c, 'B');
        fputs(",\"in\":[", t->out);
    } else {
        fprintf(t->out, "%s(", trace_shown(c->name));
    }
    for (unsigned i = 0; i < s->operands; i++) {
        if (i) fputs(t->json ? "," : ", ", t->out);
        trace_value(t, &operand[i]);
    }
    fputs(t->json ? "]}}" : ")", t->out);
    t->open = !t->json && !t->shared->threads;
    if (!t->json && !t->open) fputc('\n', t->out);
    trace_give(t);
}

/* The last call's return; of setjmp also one that belongs to no call. */
static void trace_returned(struct trace *t, const cf_site *s, const cf_value *operand, const cf_value *result,
                           int mine) {
    t->calls.depth -= mine;
    if (t->json) {
        trace_event(t, &t->calls.call[t->calls.depth], 'E');
        if (result) fputs(",\"out\":", t->out);
    } else if (!t->open || !mine) {
        trace_finish_line(t);
        trace_indent(t);
        fprintf(t->out, "%s", trace_shown(calls_name(&trace_sites, s, operand)));
    }
    if (result && !t->json) fputs(" = ", t->out);
    if (result) trace_value(t, result);
    fputs(t->json ? "}}" : result || t->open ? "\n" : " returns\n", t->out);
    t->open = 0;
}

CF_POSTHOOK_ANY(trace, "call")
CF_POSTHOOK_ANY(trace, "callback")
CALLS_APART void trace_return(struct trace *t, const cf_site *s, const cf_value *operand,
                              const cf_value *result) {
    long to = calls_leave_to(&t->calls, s);
    int mine = to < t->calls.depth && t->calls.call[to].site == s;
    trace_take(t);
    trace_leave_to(t, to + mine);
    if (mine || !t->json) trace_returned(t, s, operand, result, mine); /* else: setjmp, once more */
    trace_give(t);
}

CF_ENTER(trace, "call pthread_create,thrd_create,std::thread::_M_start_thread*")
static struct trace *trace_thread(struct trace *t) {
    struct trace *mine = (struct trace *)calls_zeroed(1, sizeof *mine);
    mine->out = t->out;
    mine->json = t->json;
    mine->shared = t->shared;
    trace_take(t);
    trace_finish_line(t);
    mine->thread = ++t->shared->threads;
    trace_give(t);
    return mine;
}

static inline void trace_free(struct trace *t) {
    trace_leave_to(t, 0);
    trace_finish_line(t);
    if (t->json) fputs("\n]\n", t->out);
    calls_output_end(t->out);
    free(t->calls.call);
    free(t->shared);
    free(t);
}

CF_BEGIN(trace) static struct trace *trace_begin(void) { return trace_new(); }
CF_END(trace) static void trace_end(struct trace *t) { trace_free(t); }
