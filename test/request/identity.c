// The identity: a whole program goes through the private module, is cloned, and comes back; it does the same.
// REQUIRES: lld
// RUN: %clang -I%include -DPLAIN -O1 %s -o %t.plain && %t.plain > %t.txt
// RUN: %ad -O0 %s -o %t0 && %t0 | diff %t.txt -
// RUN: %ad -O2 %s -o %t2 && %t2 | diff %t.txt -
// RUN: %ad -O2 -g %s -o %t2g && %t2g | diff %t.txt -
// RUN: %ad -O1 -flto=full -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %s -o %tl && %tl | diff %t.txt -
#include <cofactor/ad.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct node { struct node *next; int key; char name[8]; } node;
static node *list;
static int made;
static _Thread_local int depth;
static const char *const words[] = {"add", "sub", "mul", "say", "end"};
static jmp_buf out;

static void push(int key, const char *format, ...) {
    node *n = malloc(sizeof *n);
    va_list args;
    va_start(args, format);
    vsnprintf(n->name, sizeof n->name, format, args);
    va_end(args);
    n->next = list, n->key = key, list = n, made++;
}
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static int (*const table[])(int, int) = {add, sub, mul};
static int fib(int n) {
    static int calls;
    depth++;
    calls++;
    return n < 2 ? n + 0 * calls : fib(n - 1) + fib(n - 2);
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int interpret(const char *text) {
    static void *const labels[] = {&&op_add, &&op_sub, &&op_mul, &&op_say, &&op_end};
    int acc = 1;
    for (;; text += 3) {
        int k = 0;
        while (strncmp(words[k], text, 3)) k++;
        goto *labels[k];
    op_add:
    op_sub:
    op_mul:
        acc = table[k](acc, 3);
        continue;
    op_say:
        printf("acc %d\n", acc);
        continue;
    op_end:
        return acc;
    }
}
static void fail(int code) { longjmp(out, code); }
static int kind(unsigned n) {
    switch (n % 7) {
    case 0: return 11;
    case 1:
    case 2: n++; /* fall through */
    case 3: return (int)n * 2;
    case 5: return -1;
    default: return 0;
    }
}
static int run(int argc) {
    int numbers[] = {5, 3, 9, 1, argc};
    qsort(numbers, 5, sizeof *numbers, compare);
    for (int i = 0; i < 5; i++) push(numbers[i], "n%d.%s", i, "x");
    for (node *n = list; n; n = n->next) printf("%s %d %d\n", n->name, n->key, kind((unsigned)n->key));
    printf("%d %d %d\n", fib(12), depth, made);
    int code = setjmp(out);
    if (!code) fail(interpret("addmulsaysubsayend"));
    printf("code %d\n", code);
    return code;
}
int run_again(int argc);
#ifdef PLAIN
int run_again(int argc) { return run(argc); }
#else
CF_REQUEST_("identity", run_again, run, "");
#endif
int main(int argc, char **argv) {
    (void)argv;
    run(argc);
    list = NULL;
    printf("%d %d\n", run_again(argc + 1), made);
}
