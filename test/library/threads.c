/* Eight threads, each with a session of its own, then eight that call one session's gradient at once.
 *
 * RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%include %s -L%lib -lcofactor -Wl,-rpath,%lib -lpthread -lm -o %t
 * RUN: %t
 */
#include <cofactor/cofactor.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 8, N = 500 };

typedef double gradient(const double *, double *, int);

static const char source[] = "#include <math.h>\n"
                             "double f(const double *x, int n) {\n"
                             "    double s = 1;\n"
                             "    for (int i = 0; i < n; i++) s += x[i] * s * exp(-x[i] * x[i]);\n"
                             "    return s;\n"
                             "}\n";

static cofactor *make(gradient **grad) {
    cofactor *c = cofactor_new(NULL, NULL);
    if (cofactor_add_source(c, source, "c", "product.c", NULL) ||
        cofactor_request(c, COFACTOR_REVERSE, "f", "dup const", "f_grad"))
        exit(1);
    *grad = (gradient *)cofactor_function(c, "f_grad");
    if (!*grad) exit(1);
    return c;
}

/* f = prod(1 + x exp(-x x)): the gradient is f (1 - 2 x x) exp(-x x) / (1 + x exp(-x x)). */
static int is_right(gradient *grad, int seed) {
    double x[N], x_bar[N] = {0}, f = 1;
    for (int i = 0; i < N; i++) {
        x[i] = sin(i + 100 * seed);
        f *= 1 + x[i] * exp(-x[i] * x[i]);
    }
    if (fabs(grad(x, x_bar, N) - f) > 1e-10 * fabs(f)) return 0;
    for (int i = 0; i < N; i++) {
        double e = exp(-x[i] * x[i]), want = f * (1 - 2 * x[i] * x[i]) * e / (1 + x[i] * e);
        if (!(fabs(x_bar[i] - want) <= 1e-10 * (fabs(f) + fabs(want)))) return 0;
    }
    return 1;
}

static void *own_session(void *number) {
    gradient *grad;
    cofactor *c = make(&grad);
    int right = is_right(grad, *(int *)number);
    cofactor_free(c);
    return right ? number : NULL;
}

typedef struct shared {
    gradient *grad;
    int number;
} shared;

static void *shared_session(void *user) {
    shared *s = user;
    for (int i = 0; i < 50; i++)
        if (!is_right(s->grad, s->number * 50 + i)) return NULL;
    return user;
}

int main(void) {
    pthread_t thread[THREADS];
    int numbers[THREADS], right = 0;
    shared all[THREADS];
    void *result;
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        pthread_create(&thread[i], NULL, own_session, &numbers[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &result);
        right += result != NULL;
    }
    gradient *grad;
    cofactor *c = make(&grad);
    for (int i = 0; i < THREADS; i++) {
        all[i] = (shared){grad, i};
        pthread_create(&thread[i], NULL, shared_session, &all[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], &result);
        right += result != NULL;
    }
    cofactor_free(c);
    if (right != 2 * THREADS) printf("%d of %d threads were right\n", right, 2 * THREADS);
    return right != 2 * THREADS;
}
