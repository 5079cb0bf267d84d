#include "support/diag.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Line number `line` of a file into buf; false when there is none. */
static int read_line(const char *file, unsigned line, char *buf, int size) {
    FILE *in = fopen(file, "r");
    if (!in) return 0;
    unsigned at = 0;
    while (at < line && fgets(buf, size, in)) at += strchr(buf, '\n') != NULL || feof(in);
    fclose(in);
    buf[strcspn(buf, "\n")] = 0;
    return at == line && line;
}

static void print_caret(const cf_place *place) {
    char text[512];
    if (!place->file || !read_line(place->file, place->line, text, sizeof text)) return;
    fprintf(stderr, "%5u | %s\n", place->line, text);
    if (!place->column) return;
    fputs("      | ", stderr);
    for (unsigned i = 1; i < place->column && text[i - 1]; i++)
        fputc(text[i - 1] == '\t' ? '\t' : ' ', stderr);
    fputs("^\n", stderr);
}

void cf_print_message(void *unused, const cf_message *m) {
    (void)unused;
    static const char *const kinds[] = {"error", "warning", "remark", "note"};
    if (m->place.file) {
        fprintf(stderr, "%s:", m->place.file);
        if (m->place.line) fprintf(stderr, "%u:", m->place.line);
        if (m->place.column) fprintf(stderr, "%u:", m->place.column);
        fputc(' ', stderr);
    } else {
        fputs("cofactor: ", stderr);
    }
    fprintf(stderr, "%s: %s\n", kinds[m->severity], m->text);
    print_caret(&m->place);
}
