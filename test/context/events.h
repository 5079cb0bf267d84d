/* For tests of contexts: a text in which hooks write what happens, and comparisons. main returns `wrong`. */
#ifndef EVENTS_H
#define EVENTS_H
#include <cofactor/context.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct events {
    size_t used;
    char text[1 << 14];
};

/* Adds a word to the text; words are set apart by one space. */
__attribute__((format(printf, 2, 3), unused)) static void note(struct events *e, const char *form, ...) {
    va_list list;
    if (e->used > sizeof e->text - 200) return;
    if (e->used) e->text[e->used++] = ' ';
    va_start(list, form);
    e->used += (size_t)vsnprintf(e->text + e->used, 200, form, list);
    va_end(list);
}

static int wrong;
__attribute__((unused)) static void same(int line, const char *got, const char *want) {
    if (strcmp(got, want) == 0) return;
    printf("line %d\n  got  %s\n  want %s\n", line, got, want);
    wrong = 1;
}
__attribute__((unused)) static void equal(int line, const char *what, double got, double want) {
    if (memcmp(&got, &want, sizeof got) == 0 || got == want) return;
    printf("line %d: %s is %.17g, want %.17g\n", line, what, got, want);
    wrong = 1;
}
/* The text of a struct events, and it is empty again. */
#define SAME(e, want) (same(__LINE__, (e).text, want), (e).used = 0, (e).text[0] = 0)
#define TEXT(got, want) same(__LINE__, got, want)
#define WANT(got, want) equal(__LINE__, #got, (double)(got), (double)(want))

/* A function of its own, in the front end's code of every level. */
#define APART static __attribute__((noinline))
#endif
