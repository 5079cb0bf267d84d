// RUN: %S/run.sh "%ad" %s %t
// What functions without a body return has no shadow, also where it is kept beside pointers that have one.
#include "hazard.h"
#include <locale.h>
#include <time.h>

struct model {
    double *data;
    FILE *log;
    const char *name;
    struct lconv *conventions;
};
APART struct model *make(int n) {
    struct model *m = malloc(sizeof *m);
    m->data = malloc((size_t)n * sizeof *m->data);
    m->log = fopen("/dev/null", "w");
    m->name = getenv("PATH");
    m->conventions = localeconv();
    return m;
}
APART void fill(struct model *m, const double *x, int n) {
    for (int i = 0; i < n; i++) {
        m->data[i] = x[i] * x[i];
        fprintf(m->log, "%g %s\n", x[i], m->name);
    }
}
static double kept(double *x, int n) {
    struct model *m = make(n);
    fill(m, x, n);
    double s = 0;
    for (int i = 0; i < n; i++) s += m->data[i] * (*m->conventions->decimal_point == '.');
    fclose(m->log);
    free(m->data);
    free(m);
    return s;
}
GRADIENT(kept);

/* Which of the two is decided when the program runs; the library's is read alone. */
APART double first(const char *text, const double *weight) { return text[0] * weight[0]; }
static double either(double *x, int n) {
    double own[2] = {x[0] * x[0], x[1]}, s = 0;
    time_t at = 0;
    for (int i = 0; i < n; i++) {
        struct tm *t = gmtime(&at);
        const void *p = i % 2 ? (const void *)t : (const void *)own;
        s += i % 2 ? ((const struct tm *)p)->tm_year * x[i] : ((const double *)p)[0];
        s += first(i % 2 ? setlocale(LC_ALL, NULL) : "x", own);
    }
    return s;
}
GRADIENT(either);

int main(void) {
    CHECK_SAME(kept, 2, LIST(3, 5), 34, LIST(6, 10));
    double k = 'x' + 'C';
    CHECK_SAME(either, 2, LIST(3, 5), 9 + 70 * 5 + 9 * k, LIST(6 + 6 * k, 70));
    return wrong;
}
