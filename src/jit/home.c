/* Where Cofactor lies: what comes with it (headers, contexts) is found from there.
 *
 * In:     nothing
 * Out:    folders of the installation, or of the sources beside a build folder
 * Needs:  /proc, for the command
 *
 * Idea: the loader knows which file holds this code. Of the command itself it has the name by which it was started,
 * which need not be a path; /proc/self/exe is one. Links are followed, so that a link to the command finds the same.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "jit/session.h"
#include <dirent.h>
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder of the file that holds this code, without links; NULL where that is not known. */
static const char *home(cf_arena *a) {
    static const char inside = 0;
    Dl_info here;
    struct link_map *map = NULL;
    if (!dladdr1(&inside, &here, (void **)&map, RTLD_DL_LINKMAP) || !map) return NULL;
    char *path = realpath(*map->l_name ? map->l_name : "/proc/self/exe", NULL);
    char *slash = path ? strrchr(path, '/') : NULL;
    const char *folder = slash ? cf_copy_text(a, path, (size_t)(slash - path)) : NULL;
    free(path);
    return folder;
}

/* The first of the folders, seen from home, that has a file of this name; NULL: none. */
static const char *with(cf_arena *a, const char *const *ways, size_t n, const char *file) {
    const char *from = home(a);
    for (size_t i = 0; from && i < n; i++) {
        const char *folder = cf_text(a, "%s%s", from, ways[i]);
        if (!access(cf_text(a, "%s/%s", folder, file), R_OK)) return folder;
    }
    return NULL;
}

const char *cf_home_headers(cf_arena *a) {
    static const char *const ways[] = {"/../include", "/../../include", "/../../../include"};
    return with(a, ways, sizeof ways / sizeof *ways, "cofactor/ad.h");
}

const char *cf_home_contexts(cf_arena *a) {
    static const char *const ways[] = {"/../share/cofactor/context", "/../../share/cofactor/context",
                                       "/../../../context"};
    return with(a, ways, sizeof ways / sizeof *ways, "count.c");
}

/* "count.c" → "count"; NULL for what is no source of a context. */
static const char *context_name(cf_arena *a, const char *file) {
    const char *dot = strrchr(file, '.');
    return dot && dot > file && !strcmp(dot, ".c") ? cf_copy_text(a, file, (size_t)(dot - file)) : NULL;
}

static int by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

const char *cf_home_context_names(cf_arena *a) {
    const char *folder = cf_home_contexts(a), *all = "";
    struct dirent **entries = NULL;
    int n = folder ? scandir(folder, &entries, NULL, by_name) : 0;
    for (int i = 0; i < n; i++) {
        const char *name = context_name(a, entries[i]->d_name);
        if (name) all = cf_text(a, "%s%s`%s`", all, *all ? ", " : "", name);
        free(entries[i]);
    }
    free(entries);
    return all;
}
