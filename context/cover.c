/* cover: which lines ran, and which ways branches went.
 *
 *     cofactor run --context cover -g prog.c                      the source with numbers, on standard error
 *                                                                (COVER_FILE=name: there)
 *
 * In a program: `struct cover *c = cover_new();`, a CF_IN function with c, `cover_print(c, stdout)`, `cover_free(c)`.
 *
 * A line stands there with how often it was begun, or ##### for never; a branch behind it with how often its condition held
 * and did not hold, a switch with how often it ran. What never ran is known from the table of places, CF_SITES; functions that
 * the program cannot reach are not in it.
 *
 * Hooks: "line" and "branch". Threads share the counters: they may lose counts, but never show a way as taken that was not. */
#include "calls.h"

#ifndef COVER_WORDS
#define COVER_WORDS ""
#endif
CF_CONTEXT(cover, "optional " COVER_WORDS);

CF_SITES(cover_sites, cover);

struct cover_place {
    unsigned long long times, held;
};

struct cover {
    struct cover_place *place;
};

static inline struct cover *cover_new(void) {
    struct cover *c = (struct cover *)calls_zeroed(1, sizeof *c);
    c->place = (struct cover_place *)calls_zeroed(cover_sites.n, sizeof *c->place);
    return c;
}

CF_PREHOOK(cover, "line") static void cover_line(struct cover *c, const cf_site *s) {
    c->place[s->id].times++;
}

CF_PREHOOK_ANY(cover, "branch")
static void cover_branch(struct cover *c, const cf_site *s, const cf_value *operand) {
    c->place[s->id].times++;
    if (operand->kind == CF_INTEGER) c->place[s->id].held += operand->as.integer != 0;
}

/* ---- the report ---- */

static inline int cover_is_branch(const cf_site *s) { return s->event == CF_EVENT_OPERATION; }

/* Files, lines, lines before branches, then the order of the program. */
static inline int cover_order(const void *a, const void *b) {
    const cf_site *x = *(const cf_site *const *)a, *y = *(const cf_site *const *)b;
    int order = strcmp(x->file, y->file);
    if (!order) order = (x->line > y->line) - (x->line < y->line);
    if (!order) order = cover_is_branch(x) - cover_is_branch(y);
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

struct cover_sums {
    unsigned lines, lines_run, ways, ways_taken;
};

/* The next line of the source, without its end; "" where there is none. */
static inline void cover_source(FILE *source, char *text, size_t room) {
    text[0] = 0;
    if (source && fgets(text, (int)room, source)) text[strcspn(text, "\n")] = 0;
}

static inline void cover_branch_print(const struct cover *c, const cf_site *s, FILE *f,
                                      struct cover_sums *sum) {
    const struct cover_place *p = &c->place[s->id];
    if (strcmp(s->what, "br")) {
        fprintf(f, "                    %s at column %u: %llu times\n", s->what, s->column, p->times);
        return;
    }
    sum->ways += 2;
    sum->ways_taken += (p->held > 0) + (p->times > p->held);
    fprintf(f, "                    branch at column %u: held %llu, not %llu%s\n", s->column, p->held,
            p->times - p->held,
            p->held && p->times > p->held ? ""
            : !p->times                   ? "   <- never"
            : p->held                     ? "   <- always"
                                          : "   <- not once");
}

/* The places of one file, in order. */
static inline void cover_file(const struct cover *c, const cf_site **site, unsigned n, FILE *f,
                              struct cover_sums *sum) {
    FILE *source = fopen(site[0]->file, "r");
    char text[512];
    unsigned at = 0;
    fprintf(f, "%s\n", site[0]->file);
    for (unsigned i = 0; i < n;) {
        unsigned line = site[i]->line;
        unsigned long long times = 0;
        int begun = 0;
        for (; at < line; at++) cover_source(source, text, sizeof text);
        /* One line may have several places where it is begun: the parts of a `for`. */
        for (; i < n && site[i]->line == line && !cover_is_branch(site[i]); i++, begun = 1)
            if (c->place[site[i]->id].times > times) times = c->place[site[i]->id].times;
        sum->lines += (unsigned)begun;
        sum->lines_run += times > 0;
        if (times)
            fprintf(f, "%12llu %5u: %s\n", times, line, source ? text : "");
        else
            fprintf(f, "%12s %5u: %s\n", begun ? "#####" : "", line, source ? text : "");
        for (; i < n && site[i]->line == line; i++) cover_branch_print(c, site[i], f, sum);
    }
    if (source) fclose(source);
}

static inline void cover_print(const struct cover *c, FILE *f) {
    const cf_site **site = (const cf_site **)calls_zeroed(cover_sites.n, sizeof *site);
    struct cover_sums sum;
    unsigned n = 0;
    memset(&sum, 0, sizeof sum);
    for (unsigned i = 0; i < cover_sites.n; i++)
        if (cover_sites.site[i].line) site[n++] = &cover_sites.site[i];
    if (n < cover_sites.n)
        fprintf(f, "%u of %u places have no line: compile with -g\n", cover_sites.n - n, cover_sites.n);
    qsort(site, n, sizeof *site, cover_order);
    for (unsigned i = 0, end; i < n; i = end) {
        for (end = i; end < n && !strcmp(site[end]->file, site[i]->file); end++) {
        }
        cover_file(c, site + i, end - i, f, &sum);
    }
    fprintf(f, "%u of %u lines run, %u of %u ways of branches taken\n", sum.lines_run, sum.lines,
            sum.ways_taken, sum.ways);
    free(site);
}

static inline void cover_free(struct cover *c) {
    free(c->place);
    free(c);
}

CF_BEGIN(cover) static struct cover *cover_begin(void) { return cover_new(); }
CF_END(cover) static void cover_end(struct cover *c) {
    FILE *f = calls_output("COVER_FILE");
    cover_print(c, f);
    calls_output_end(f);
    cover_free(c);
}
