#include "support/diag.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void cf_report(cf_sink *sink, cf_severity severity, cf_place place, const char *function, const char *format,
               ...) {
    va_list args;
    va_start(args, format);
    cf_arena *a = cf_arena_new();
    cf_message m = {severity, place, function, cf_vtext(a, format, args)};
    va_end(args);
    sink->errors += severity == CF_ERROR;
    sink->report(sink->user, &m);
    cf_arena_free(a);
}

/* Longer lines are made by programs: nobody reads them. */
enum { LONGEST_LINE = 400 };

/* Line number `line` of a file, without its newline, or NULL. Only regular files: others may never end. */
static char *read_line(cf_arena *a, const char *file, unsigned line) {
    struct stat status;
    if (!line || stat(file, &status) || !S_ISREG(status.st_mode)) return NULL;
    FILE *in = fopen(file, "r");
    if (!in) return NULL;
    char *text = NULL;
    size_t size = 0;
    ssize_t length = 0;
    for (unsigned at = 0; at < line && length >= 0; at++) length = getline(&text, &size, in);
    fclose(in);
    char *found = NULL;
    if (length >= 0) {
        size_t n = strcspn(text, "\r\n");
        if (n <= LONGEST_LINE) found = cf_copy_text(a, text, n);
    }
    free(text);
    return found;
}

static void print_caret(const cf_place *place) {
    cf_arena *a = cf_arena_new();
    const char *text = place->file ? read_line(a, place->file, place->line) : NULL;
    if (text) fprintf(stderr, "%5u | %s\n", place->line, text);
    if (text && place->column) {
        fputs("      | ", stderr);
        for (unsigned i = 1; i < place->column && text[i - 1]; i++) {
            unsigned char c = (unsigned char)text[i - 1];
            if ((c & 0xC0) != 0x80) fputc(c == '\t' ? '\t' : ' ', stderr); /* one for a character of UTF-8 */
        }
        fputs("^\n", stderr);
    }
    cf_arena_free(a);
}

static void print_head(const cf_message *m) {
    static const char *const kinds[] = {"error", "warning", "remark", "note"};
    if (m->place.file) {
        fprintf(stderr, "%s:", m->place.file);
        if (m->place.line) fprintf(stderr, "%u:", m->place.line);
        if (m->place.line && m->place.column) fprintf(stderr, "%u:", m->place.column);
        fputc(' ', stderr);
    } else {
        fputs("cofactor: ", stderr);
    }
    fprintf(stderr, "%s: %s", kinds[m->severity], m->text);
    if (!m->place.file && m->function) fprintf(stderr, " (in %s)", m->function);
    fputc('\n', stderr);
}

void cf_print_message(void *unused, const cf_message *m) {
    (void)unused;
    flockfile(stderr); /* messages of several threads stay whole */
    print_head(m);
    print_caret(&m->place);
    funlockfile(stderr);
}
