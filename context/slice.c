/* slice: what the program prints comes at its end, or when you ask for it.
 *
 *     cofactor run --context slice prog.c
 *
 * In a program: `struct slice s = {0};`, a CF_IN function with &s, then `slice_replay(&s)` writes everything in its order,
 * or `slice_each(&s, f, data)` hands it to a function, piece by piece; `slice_free(&s)`.
 *
 * Overrides of C's functions that print to stdout and stderr; what goes to other files is written at once. Text is formatted
 * when the call runs, so that it shows the values of that time. Output that the program makes by other means (write, C++
 * streams, a library) is not kept. A program that ends by abort or a signal loses what was kept. Threads share one slice. */
#include <cofactor/context.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SLICE_WORDS
#define SLICE_WORDS ""
#endif
CF_CONTEXT(slice, "optional " SLICE_WORDS);

struct slice {
    char *text; /* of all pieces, one behind the other */
    size_t length, room;
    struct slice_piece *piece;
    size_t pieces, piece_room;
    int lock;
};

struct slice_piece {
    FILE *to;
    size_t length;
};

static inline void *slice_memory(void *old, size_t bytes) {
    void *p = realloc(old, bytes);
    if (!p) abort();
    return p;
}

static inline int slice_keeps(FILE *f) { return f == stdout || f == stderr; }

static inline void slice_add(struct slice *s, FILE *to, const void *text, size_t length) {
    while (__atomic_exchange_n(&s->lock, 1, __ATOMIC_ACQUIRE)) {
    }
    while (s->room < s->length + length)
        s->text = (char *)slice_memory(s->text, s->room = s->room ? 2 * s->room : 4096);
    if (s->pieces == s->piece_room) {
        s->piece_room = s->piece_room ? 2 * s->piece_room : 64;
        s->piece = (struct slice_piece *)slice_memory(s->piece, s->piece_room * sizeof *s->piece);
    }
    memcpy(s->text + s->length, text, length);
    s->length += length;
    s->piece[s->pieces].to = to;
    s->piece[s->pieces++].length = length;
    __atomic_store_n(&s->lock, 0, __ATOMIC_RELEASE);
}

static inline int slice_format(struct slice *s, FILE *to, const char *format, va_list arguments) {
    if (!slice_keeps(to)) return vfprintf(to, format, arguments);
    va_list again;
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (n < 0) return n;
    char *text = (char *)slice_memory(NULL, (size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, arguments);
    slice_add(s, to, text, (size_t)n);
    free(text);
    return n;
}

static inline int slice_character(struct slice *s, int c, FILE *to) {
    unsigned char one = (unsigned char)c;
    if (!slice_keeps(to)) return fputc(c, to);
    slice_add(s, to, &one, 1);
    return one;
}

/* ---- overrides ---- */

CF_OVERDUB(slice, printf) static int slice_printf(struct slice *s, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = slice_format(s, stdout, format, arguments);
    va_end(arguments);
    return n;
}
CF_OVERDUB(slice, fprintf) static int slice_fprintf(struct slice *s, FILE *f, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = slice_format(s, f, format, arguments);
    va_end(arguments);
    return n;
}
CF_OVERDUB(slice, vprintf) static int slice_vprintf(struct slice *s, const char *format, va_list arguments) {
    return slice_format(s, stdout, format, arguments);
}
CF_OVERDUB(slice, vfprintf)
static int slice_vfprintf(struct slice *s, FILE *f, const char *format, va_list arguments) {
    return slice_format(s, f, format, arguments);
}
CF_OVERDUB(slice, puts) static int slice_puts(struct slice *s, const char *text) {
    slice_add(s, stdout, text, strlen(text));
    slice_add(s, stdout, "\n", 1);
    return 1;
}
CF_OVERDUB(slice, fputs) static int slice_fputs(struct slice *s, const char *text, FILE *f) {
    if (!slice_keeps(f)) return fputs(text, f);
    slice_add(s, f, text, strlen(text));
    return 1;
}
CF_OVERDUB(slice, putchar) static int slice_putchar(struct slice *s, int c) {
    return slice_character(s, c, stdout);
}
CF_OVERDUB(slice, putc) static int slice_putc(struct slice *s, int c, FILE *f) {
    return slice_character(s, c, f);
}
CF_OVERDUB(slice, fputc) static int slice_fputc(struct slice *s, int c, FILE *f) {
    return slice_character(s, c, f);
}
CF_OVERDUB(slice, fwrite)
static size_t slice_fwrite(struct slice *s, const void *p, size_t size, size_t n, FILE *f) {
    if (!slice_keeps(f)) return fwrite(p, size, n, f);
    slice_add(s, f, p, size * n);
    return n;
}
CF_OVERDUB(slice, fflush) static int slice_fflush(struct slice *s, FILE *f) {
    (void)s;
    return f && slice_keeps(f) ? 0 : fflush(f);
}

/* ---- what was kept ---- */

/* Hands each piece to f, in order, and forgets them. */
static inline void slice_each(struct slice *s,
                              void (*f)(void *data, FILE *to, const char *text, size_t length), void *data) {
    const char *at = s->text;
    for (size_t i = 0; i < s->pieces; at += s->piece[i++].length)
        f(data, s->piece[i].to, at, s->piece[i].length);
    s->length = s->pieces = 0;
}

static inline void slice_write(void *data, FILE *to, const char *text, size_t length) {
    (void)data;
    fwrite(text, 1, length, to);
    fflush(to);
}
static inline void slice_replay(struct slice *s) { slice_each(s, slice_write, NULL); }

static inline void slice_free(struct slice *s) {
    free(s->text);
    free(s->piece);
    memset(s, 0, sizeof *s);
}

CF_BEGIN(slice) static struct slice *slice_begin(void) {
    return (struct slice *)memset(slice_memory(NULL, sizeof(struct slice)), 0, sizeof(struct slice));
}
CF_END(slice) static void slice_end(struct slice *s) {
    slice_replay(s);
    slice_free(s);
    free(s);
}
