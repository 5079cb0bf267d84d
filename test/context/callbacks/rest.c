// RUN: rm -rf %t.dir && mkdir -p %t.dir && ln -s loop %t.dir/loop
// RUN: for l in -O0 -O2 "-O2 -D_FILE_OFFSET_BITS=64"; do %ad $l -Wall -Wextra -Werror -I%S/.. %s -lm -pthread -o %t && %t %t.dir/loop/* > %t.txt && %FileCheck %s < %t.txt || exit 1; done
// The other library functions that call back: glob, dl_iterate_phdr, on_exit, pthread_key_create, tss_create, pthread_atfork.
// With _FILE_OFFSET_BITS it is glob64.
#define _GNU_SOURCE
#include "events.h"
#include <glob.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

struct count { long glob, object, ended, ended_std, fork[3], exit; };
CF_PREHOOK(count, "call work*") static void on_work(struct count *c, const cf_site *s, int which) {
    (void)s;
    if (which == 0) c->glob++;
    if (which == 1) c->object++;
    if (which == 2) c->ended++;
    if (which == 3) c->ended_std++;
    if (which >= 10 && which < 13) c->fork[which - 10]++;
    if (which == 20) printf("exit %ld\n", ++c->exit);
}

static int done[32];
APART int work(int which) { return ++done[which]; }
APART int failed(const char *path, int error) { return work(0), path[0] == 0 || error == 0; }
APART int object(struct dl_phdr_info *info, size_t size, void *p) { return work(1), *(int *)p += info != NULL && size > 0, 0; }
APART void ended(void *p) { work(2), *(int *)p = 5; }
APART void ended_std(void *p) { work(3), *(int *)p = 6; }
APART void prepare(void) { work(10); }
APART void parent(void) { work(11); }
APART void child(void) { work(12); }
APART void at_end(int status, void *p) { work(20), printf("status %d %s\n", status, (const char *)p); }

static pthread_key_t key;
static tss_t slot;
static void *thread(void *p) {
    pthread_setspecific(key, p);
    tss_set(slot, (int *)p + 1);
    return NULL;
}
static int globs(const char *pattern) {
    glob_t g;
    int r = glob(pattern, 0, failed, &g);
    return globfree(&g), r;
}
static int objects(void) {
    int n = 0;
    return dl_iterate_phdr(object, &n), n;
}
static int keys(void) {
    pthread_t t;
    int v[2] = {0, 0};
    pthread_key_create(&key, ended);
    tss_create(&slot, ended_std);
    pthread_create(&t, NULL, thread, v);
    pthread_join(t, NULL);
    return v[0] * 10 + v[1];
}
static int forks(void) { return pthread_atfork(prepare, parent, child); }
static int exits(void) { return on_exit(at_end, (void *)(size_t)"bye"); }
int globs_in(struct count *c, const char *pattern);
CF_IN(globs_in, globs, count);
#define IN(f) int f##_in(struct count *c); CF_IN(f##_in, f, count)
IN(objects);
IN(keys);
IN(forks);
IN(exits);

int main(int argc, char **argv) {
    static struct count c;
    if (argc < 2) return 2;
    globs_in(&c, argv[1]);
    WANT(done[0] > 0, 1), WANT(c.glob, done[0]);
    WANT(objects_in(&c) == done[1] && done[1] > 0, 1), WANT(c.object, done[1]);
    WANT(keys_in(&c), 56), WANT(c.ended, 1), WANT(c.ended_std, 1);
    WANT(forks_in(&c), 0);
    int status = 0;
    pid_t p = fork();
    if (p == 0) _exit(c.fork[2] == 1 && c.fork[1] == 0 ? 7 : 8);
    waitpid(p, &status, 0);
    WANT(WEXITSTATUS(status), 7), WANT(c.fork[0], 1), WANT(c.fork[1], 1), WANT(c.fork[2], 0);
    // CHECK: exit 1
    // CHECK-NEXT: status 0 bye
    WANT(exits_in(&c), 0);
    return wrong;
}
