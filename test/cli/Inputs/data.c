#include <math.h>

typedef struct point {
    int tag;
    double at[2];
    float weight;
} point;

double norm(const point *p, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) s += p[i].weight * (p[i].at[0] * p[i].at[0] + p[i].at[1] * p[i].at[1]);
    return sqrt(s);
}

void lengths(const point *p, double *out, int n) {
    for (int i = 0; i < n; i++) out[i] = sqrt(p[i].at[0] * p[i].at[1]) * out[i];
}

float single(const float *x, float y, int n) {
    float s = y;
    for (int i = 0; i < n; i++) s += x[i] * y;
    return s;
}

long double extended(long double x, long double *y) {
    *y = x * *y;
    return sinl(x);
}

double gather(const double *x, const int *index, long n) {
    double s = 0;
    for (long i = 0; i < n; i++) s += x[index[i]] * x[i];
    return s;
}

double kink(double x) { return x > 0 ? 3 * x : x; }

double logarithm(double x) { return log(x); }
