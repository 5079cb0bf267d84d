/* Everything that a program can do around main. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern char **environ;
static _Thread_local int mine = 5;
static int step(int x) { return x + 1; }
__attribute__((constructor(300))) static void second(void) { printf("second %d\n", step(1)); }
__attribute__((constructor(200))) static void first(int argc, char **argv, char **envp) {
    printf("first %d %s %d\n", argc, argv[argc - 1], envp == environ);
}
__attribute__((destructor)) static void last(void) { printf("last %d\n", step(2)); }
static void early(void) { printf("early %d\n", step(3)); }
static void late(void) { printf("late %d\n", step(4)); }
static void *work(void *p) {
    mine += step(0);
    printf("thread %d %s\n", mine, (char *)p);
    return NULL;
}
static int compare(const void *x, const void *y) { return strcmp(*(char *const *)x, *(char *const *)y); }

int main(int argc, char **argv) {
    char line[100];
    atexit(late);
    atexit(early);
    pthread_t t;
    pthread_create(&t, NULL, work, "x");
    pthread_join(t, NULL);
    qsort(argv + 1, (size_t)argc - 1, sizeof *argv, compare);
    for (int i = 1; i < argc; i++) printf("[%s]\n", argv[i]);
    while (fgets(line, sizeof line, stdin)) printf("> %s", line);
    fflush(stdout);
    if (argc > 1 && !strcmp(argv[1], "abort")) abort();
    if (argc > 1 && !strcmp(argv[1], "quick")) _exit(4);
    if (argc > 1 && !strcmp(argv[1], "exit")) exit(step(6));
    return mine;
}
