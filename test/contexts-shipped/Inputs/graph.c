#include <stdio.h>
#include <stdlib.h>

static int work(int n) {
    int s = 0;
    for (int i = 0; i < n; i++) s += i;
    return s;
}
static int light(int n) { return n + 1; }
static int heavy(int n) { return work(n) + work(2 * n); }
static int down(int n) { return n == 0 ? 0 : down(n - 1) + 1; }
static int through(int (*f)(int), int n) { return f(n); }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
    int x[4] = {3, 1, 2, 0}, s = 0;
    for (int i = 0; i < 10; i++) s += light(i);
    s += heavy(100) + down(5) + through(light, 3) + through(work, 10);
    qsort(x, 4, sizeof *x, compare);
    printf("%d %d%d%d%d\n", s, x[0], x[1], x[2], x[3]);
    return 0;
}
