#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, N = 1000 };

static double power(double x, int n) {
    double p = 1;
    for (int i = 0; i < n; i++) p *= x; /* one flop each */
    return p;
}

static void *work(void *at) {
    double *sum = at;
    for (int i = 0; i < N; i++) *sum += power(1, i % 10); /* one flop, and 0 to 9 */
    return NULL;
}

int main(void) {
    pthread_t thread[THREADS];
    double *sum = calloc(THREADS, sizeof *sum), total = 0;
    for (int i = 0; i < THREADS; i++) pthread_create(&thread[i], NULL, work, &sum[i]);
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    for (int i = 0; i < THREADS; i++) total += sum[i];
    printf("%g\n", total);
    free(sum);
    return 0;
}
