// RUN: rm -rf %t.dir && mkdir -p %t.dir/sub && touch %t.dir/b.txt %t.dir/a.txt %t.dir/sub/c.txt %t.dir/x.dat
// RUN: for l in -O0 -O2 "-O2 -D_FILE_OFFSET_BITS=64"; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -o %t && %t %t.dir || exit 1; done
// ftw, nftw, scandir with a filter and an order; with _FILE_OFFSET_BITS they are ftw64, nftw64, scandir64.
#define _GNU_SOURCE
#include "events.h"
#include <dirent.h>
#include <ftw.h>
#include <stdlib.h>

struct count { long names, compares; };
CF_PREHOOK(count, "call is_text") static void on_name(struct count *c) { c->names++; }
CF_PREHOOK(count, "call strcmp") static void on_compare(struct count *c) { c->compares++; }

static int texts, entries;
APART int is_text(const char *name) {
    size_t n = strlen(name);
    return n > 4 && memcmp(name + n - 4, ".txt", 4) == 0;
}
APART int visit(const char *path, const struct stat *s, int type) { return (void)s, entries++, texts += type == FTW_F && is_text(path), 0; }
APART int visit_deep(const char *path, const struct stat *s, int type, struct FTW *f) {
    return (void)s, entries += f->level, texts += type == FTW_F && is_text(path + f->base), 0;
}
APART int filter(const struct dirent *d) { return is_text(d->d_name); }
APART int down(const struct dirent **a, const struct dirent **b) { return strcmp((*b)->d_name, (*a)->d_name); }

static int walked(const char *dir) { return texts = entries = 0, ftw(dir, visit, 4) == 0 ? texts * 100 + entries : -1; }
static int walked_deep(const char *dir) { return texts = entries = 0, nftw(dir, visit_deep, 4, FTW_PHYS) == 0 ? texts * 100 + entries : -1; }
static int scanned(const char *dir, char *first) {
    struct dirent **list;
    int n = scandir(dir, &list, filter, down);
    for (int i = 0; i < n; i++) {
        if (i == 0) strcpy(first, list[i]->d_name);
        free(list[i]);
    }
    return free(list), n;
}
int walked_in(struct count *c, const char *dir);
CF_IN(walked_in, walked, count);
int walked_deep_in(struct count *c, const char *dir);
CF_IN(walked_deep_in, walked_deep, count);
int scanned_in(struct count *c, const char *dir, char *first);
CF_IN(scanned_in, scanned, count);

int main(int argc, char **argv) {
    static struct count c;
    char first[300] = "";
    if (argc < 2) return 2;
    /* Six entries: the folder, sub, four files, three of them texts; is_text is asked for the files. */
    WANT(walked_in(&c, argv[1]), 306), WANT(c.names, 4), c.names = 0;
    /* Levels: 0, 1 for sub and three files, 2 for one. */
    WANT(walked_deep_in(&c, argv[1]), 306), WANT(c.names, 4), c.names = 0;
    /* ., .., sub, x.dat, a.txt, b.txt */
    WANT(scanned_in(&c, argv[1], first), 2), WANT(c.names, 6), WANT(c.compares, 1);
    TEXT(first, "b.txt");
    return wrong;
}
