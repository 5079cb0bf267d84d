/* Library functions that call back before they return, in the same thread: the callback that runs is that of the innermost
 * call, and a stack of frames, one per thread, tells which that is. While a callback runs its own frame is off the stack,
 * so that it may leave by longjmp or an exception. */
#undef __OPTIMIZE__ /* else stdlib.h brings a body of bsearch */
#include "runtime/context.h"
#include <dirent.h>
#include <ftw.h>
#include <glob.h>
#include <link.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <threads.h>

typedef struct frame {
    struct frame *outer;
    cf_callee callee[2];
} frame;

static _Thread_local frame *innermost;

/* A function of a callback's type, `name`, and its runner's type. `which`: of the callbacks of the frame. */
#define WRAPPER(result, name, which, parameters, ...)                                                        \
    static result name parameters {                                                                          \
        frame *f = innermost;                                                                                \
        innermost = f->outer;                                                                                \
        result r = CF_RUN(f->callee[which], name##_run)(f->callee[which].context, f->callee[which].function, \
                                                        __VA_ARGS__);                                        \
        innermost = f;                                                                                       \
        return r;                                                                                            \
    }
#define VOID_WRAPPER(name, parameters, ...)                                                                  \
    static void name parameters {                                                                            \
        frame *f = innermost;                                                                                \
        innermost = f->outer;                                                                                \
        CF_RUN(f->callee[0], name##_run)(f->callee[0].context, f->callee[0].function __VA_ARGS__);           \
        innermost = f;                                                                                       \
    }

typedef int compare_run(void *, cf_any *, const void *, const void *);
typedef int compare_with_run(void *, cf_any *, const void *, const void *, void *);
typedef void walk_run(void *, cf_any *, const void *, VISIT, int);
typedef void walk_with_run(void *, cf_any *, const void *, VISIT, void *);
typedef void destroy_run(void *, cf_any *, void *);
typedef int file_run(void *, cf_any *, const char *, const struct stat *, int);
typedef int file_at_run(void *, cf_any *, const char *, const struct stat *, int, struct FTW *);
typedef int choose_run(void *, cf_any *, const struct dirent *);
typedef int order_run(void *, cf_any *, const struct dirent **, const struct dirent **);
typedef int path_error_run(void *, cf_any *, const char *, int);
typedef int object_run(void *, cf_any *, struct dl_phdr_info *, size_t, void *);
typedef void once_run(void *, cf_any *);

WRAPPER(int, compare, 0, (const void *x, const void *y), x, y)
WRAPPER(int, compare_with, 0, (const void *x, const void *y, void *with), x, y, with)
VOID_WRAPPER(walk, (const void *node, VISIT visit, int depth), , node, visit, depth)
VOID_WRAPPER(walk_with, (const void *node, VISIT visit, void *with), , node, visit, with)
VOID_WRAPPER(destroy, (void *node), , node)
WRAPPER(int, file, 0, (const char *path, const struct stat *s, int flag), path, s, flag)
WRAPPER(int, file_at, 0, (const char *path, const struct stat *s, int flag, struct FTW *at), path, s, flag,
        at)
WRAPPER(int, choose, 0, (const struct dirent *d), d)
WRAPPER(int, order, 1, (const struct dirent **x, const struct dirent **y), x, y)
WRAPPER(int, path_error, 0, (const char *path, int error), path, error)
WRAPPER(int, object, 0, (struct dl_phdr_info * info, size_t size, void *with), info, size, with)
VOID_WRAPPER(once, (void), )

/* Runs `call` with a callback on the stack. */
#define DURING(call)                                                                                         \
    frame here = {innermost, {{context, (cf_any *)f, (cf_any *)run}, {0}}};                                  \
    innermost = &here;                                                                                       \
    call;                                                                                                    \
    innermost = here.outer
#define MAYBE(f, wrapper) ((f) ? (wrapper) : NULL)

typedef int comparison(const void *, const void *);

void __cf_in_qsort(void *base, size_t n, size_t size, comparison *f, void *context, compare_run *run) {
    DURING(qsort(base, n, size, MAYBE(f, compare)));
}

void __cf_in_qsort_r(void *base, size_t n, size_t size, int (*f)(const void *, const void *, void *),
                     void *with, void *context, compare_with_run *run) {
    DURING(qsort_r(base, n, size, MAYBE(f, compare_with), with));
}

void *__cf_in_bsearch(const void *key, const void *base, size_t n, size_t size, comparison *f, void *context,
                      compare_run *run) {
    DURING(void *found = bsearch(key, base, n, size, MAYBE(f, compare)));
    return found;
}

void *__cf_in_lfind(const void *key, const void *base, size_t *n, size_t size, comparison *f, void *context,
                    compare_run *run) {
    DURING(void *found = lfind(key, base, n, size, MAYBE(f, compare)));
    return found;
}

void *__cf_in_lsearch(const void *key, void *base, size_t *n, size_t size, comparison *f, void *context,
                      compare_run *run) {
    DURING(void *found = lsearch(key, base, n, size, MAYBE(f, compare)));
    return found;
}

void *__cf_in_tsearch(const void *key, void **root, comparison *f, void *context, compare_run *run) {
    DURING(void *found = tsearch(key, root, MAYBE(f, compare)));
    return found;
}

void *__cf_in_tfind(const void *key, void *const *root, comparison *f, void *context, compare_run *run) {
    DURING(void *found = tfind(key, root, MAYBE(f, compare)));
    return found;
}

void *__cf_in_tdelete(const void *key, void **root, comparison *f, void *context, compare_run *run) {
    DURING(void *parent = tdelete(key, root, MAYBE(f, compare)));
    return parent;
}

void __cf_in_twalk(const void *root, void (*f)(const void *, VISIT, int), void *context, walk_run *run) {
    DURING(twalk(root, MAYBE(f, walk)));
}

void __cf_in_twalk_r(const void *root, void (*f)(const void *, VISIT, void *), void *with, void *context,
                     walk_with_run *run) {
    DURING(twalk_r(root, MAYBE(f, walk_with), with));
}

void __cf_in_tdestroy(void *root, void (*f)(void *), void *context, destroy_run *run) {
    DURING(tdestroy(root, MAYBE(f, destroy)));
}

int __cf_in_ftw(const char *path, __ftw_func_t f, int files, void *context, file_run *run) {
    DURING(int status = ftw(path, MAYBE(f, file), files));
    return status;
}

int __cf_in_nftw(const char *path, __nftw_func_t f, int files, int flags, void *context, file_at_run *run) {
    DURING(int status = nftw(path, MAYBE(f, file_at), files, flags));
    return status;
}

int __cf_in_glob(const char *pattern, int flags, int (*f)(const char *, int), glob_t *found, void *context,
                 path_error_run *run) {
    DURING(int status = glob(pattern, flags, MAYBE(f, path_error), found));
    return status;
}

int __cf_in_dl_iterate_phdr(int (*f)(struct dl_phdr_info *, size_t, void *), void *with, void *context,
                            object_run *run) {
    DURING(int status = dl_iterate_phdr(MAYBE(f, object), with));
    return status;
}

int __cf_in_scandir(const char *path, struct dirent ***names, int (*f)(const struct dirent *),
                    int (*by)(const struct dirent **, const struct dirent **), void *context, choose_run *run,
                    order_run *run_order) {
    frame here = {innermost,
                  {{context, (cf_any *)f, (cf_any *)run}, {context, (cf_any *)by, (cf_any *)run_order}}};
    innermost = &here;
    int n = scandir(path, names, MAYBE(f, choose), MAYBE(by, order));
    innermost = here.outer;
    return n;
}

int __cf_in_pthread_once(pthread_once_t *flag, void (*f)(void), void *context, once_run *run) {
    DURING(int status = pthread_once(flag, MAYBE(f, once)));
    return status;
}

void __cf_in_call_once(once_flag *flag, void (*f)(void), void *context, once_run *run) {
    DURING(call_once(flag, MAYBE(f, once)));
}

/* The same functions for large files, which are no others where off_t has 64 bits. */
_Static_assert(sizeof(off_t) == 8, "names that end with 64 are other functions");
int __cf_in_ftw64(const char *path, __ftw_func_t f, int files, void *context, file_run *run) {
    return __cf_in_ftw(path, f, files, context, run);
}
int __cf_in_nftw64(const char *path, __nftw_func_t f, int files, int flags, void *context, file_at_run *run) {
    return __cf_in_nftw(path, f, files, flags, context, run);
}
int __cf_in_glob64(const char *pattern, int flags, int (*f)(const char *, int), glob_t *found, void *context,
                   path_error_run *run) {
    return __cf_in_glob(pattern, flags, f, found, context, run);
}
int __cf_in_scandir64(const char *path, struct dirent ***names, int (*f)(const struct dirent *),
                      int (*by)(const struct dirent **, const struct dirent **), void *context,
                      choose_run *run, order_run *run_order) {
    return __cf_in_scandir(path, names, f, by, context, run, run_order);
}
