/* Small whole programs: linear algebra, integrators, transforms, dynamic programming, networks. */
#include "zoo.h" /* ZOO_EVERY_TYPE: float and long double, too */

/* log det of a symmetric matrix by Cholesky's factorisation in place. */
static void cholesky(T *a, int n) {
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++) a[j * n + j] -= a[j * n + k] * a[j * n + k];
        a[j * n + j] = M(sqrt)(a[j * n + j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
    }
}
static T log_determinant(const T *x, int n) {
    T *a = malloc((size_t)(n * n) * sizeof *a), s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = i == j ? x[i] : x[n - 1] / 4;
    cholesky(a, n);
    for (int i = 0; i < n; i++) s += 2 * M(log)(a[i * n + i]);
    free(a);
    return s;
}
/* [a c/4 c/4; c/4 b c/4; c/4 c/4 c] = abc + 2 c^3/64 - (a + b + c) c^2/16; a=2 b=3 c=4: 24 + 2 - 9 = 17 */
ZOO_OF(log_determinant, 3, (2, 3, 4), (log(17)),
       ((12 - 1) / 17., (8 - 1) / 17., (6 + 6 * 16 / 64. - 1 - 9 * 8 / 16.) / 17));

/* Runge and Kutta's method for y' = k y; four stages through a function pointer. */
typedef void slope(const T *y, T *dy, const T *k, int n);
static void linear(const T *y, T *dy, const T *k, int n) {
    for (int i = 0; i < n; i++) dy[i] = *k * y[i];
}
static void rk4(slope *f, T *y, const T *k, T h, int n) {
    T k1[2], k2[2], k3[2], k4[2], t[2];
    f(y, k1, k, n);
    for (int i = 0; i < n; i++) t[i] = y[i] + h / 2 * k1[i];
    f(t, k2, k, n);
    for (int i = 0; i < n; i++) t[i] = y[i] + h / 2 * k2[i];
    f(t, k3, k, n);
    for (int i = 0; i < n; i++) t[i] = y[i] + h * k3[i];
    f(t, k4, k, n);
    for (int i = 0; i < n; i++) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}
static T runge_kutta(T y0, T k) {
    T y[2] = {y0, 2 * y0};
    for (int i = 0; i < 3; i++) rk4(linear, y, &k, (T)0.5, 2);
    return y[0] + y[1];
}
#define RK(z) (1 + (z) + (z) * (z) / 2 + (z) * (z) * (z) / 6 + (z) * (z) * (z) * (z) / 24)
#define RK_SLOPE(z) (1 + (z) + (z) * (z) / 2 + (z) * (z) * (z) / 6)
ZOO_NUM2(runge_kutta, (1.5, 0.75), (4.5 * pow(RK(0.375), 3)),
         (3 * pow(RK(0.375), 3), 4.5 * 3 * RK(0.375) * RK(0.375) * RK_SLOPE(0.375) * 0.5));

/* Recursive Fourier transform; Parseval: the spectrum's energy is n times the signal's. */
struct c {
    T re, im;
};
static void transform(struct c *a, int n) {
    if (n == 1) return;
    struct c even[n / 2], odd[n / 2];
    for (int i = 0; i < n / 2; i++) {
        even[i] = a[2 * i];
        odd[i] = a[2 * i + 1];
    }
    transform(even, n / 2);
    transform(odd, n / 2);
    for (int i = 0; i < n / 2; i++) {
        T angle = -2 * (T)3.14159265358979323846 * (T)i / (T)n, c = M(cos)(angle), s = M(sin)(angle);
        struct c w = {c * odd[i].re - s * odd[i].im, s * odd[i].re + c * odd[i].im};
        a[i] = (struct c){even[i].re + w.re, even[i].im + w.im};
        a[i + n / 2] = (struct c){even[i].re - w.re, even[i].im - w.im};
    }
}
static T spectrum_energy(const T *x, int n) {
    struct c a[8];
    for (int i = 0; i < n; i++) a[i] = (struct c){x[i], 0};
    transform(a, n);
    T e = 0;
    for (int i = 0; i < n; i++) e += a[i].re * a[i].re + a[i].im * a[i].im;
    return e;
}
ZOO_OF(spectrum_energy, 4, (1, 2, 3, 4), (120), (8, 16, 24, 32));

/* Cheapest way through a grid: dynamic programming, the gradient marks the way. */
static T cheapest_way(const T *x, int n) {
    int side = n == 9 ? 3 : 2;
    T best[3][3];
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            T from = 0;
            if (i && j)
                from = best[i - 1][j] < best[i][j - 1] ? best[i - 1][j] : best[i][j - 1];
            else if (i)
                from = best[i - 1][j];
            else if (j)
                from = best[i][j - 1];
            best[i][j] = from + x[i * side + j] * x[i * side + j];
        }
    return best[side - 1][side - 1];
}
/* 1 4 2 / 2 3 5 / 6 1 2: 1 2 3 1 2 */
ZOO_OF(cheapest_way, 9, (1, 4, 2, 2, 3, 5, 6, 1, 2), (1 + 4 + 9 + 1 + 4), (2, 0, 0, 4, 6, 0, 0, 2, 4));

/* Leapfrog steps of an oscillator: a linear map, applied twice. */
static T leapfrog(T q, T p) {
    for (int i = 0; i < 2; i++) {
        p -= q / 4;
        q += p / 2;
        p -= q / 4;
    }
    return q * q + 2 * p;
}
/* one step: q' = 7/8 q + p/2, p' = p - q/4 - q'/4 = -15/32 q + 7/8 p; two steps:
 * q'' = (49/64 - 15/64) q + 7/8 p = 17/32 q + 7/8 p, p'' = -15/32 (7/4) q + (49/64 - 15/64) p */
#define LEAP_Q (17 / 32. * 2 + 7 / 8. * 3)
ZOO_NUM2(leapfrog, (2, 3), (LEAP_Q * LEAP_Q + 2 * (-105 / 128. * 2 + 17 / 32. * 3)),
         (2 * LEAP_Q * 17 / 32. - 105 / 64., 2 * LEAP_Q * 7 / 8. + 17 / 16.));

/* A network of two layers, each with weights in one block of the heap. */
struct layer {
    int in, out;
    T *w, *b;
};
static struct layer make_layer(const T **from, int in, int out) {
    struct layer l = {in, out, malloc((size_t)(in * out) * sizeof(T)), calloc((size_t)out, sizeof(T))};
    for (int i = 0; i < in * out; i++) l.w[i] = *(*from)++;
    return l;
}
static T *layer_forward(const struct layer *l, const T *x) {
    T *y = malloc((size_t)l->out * sizeof *y);
    for (int i = 0; i < l->out; i++) {
        y[i] = l->b[i];
        for (int j = 0; j < l->in; j++) y[i] += l->w[i * l->in + j] * x[j];
        y[i] = M(tanh)(y[i]);
    }
    return y;
}
static T network(const T *x, int n) {
    const T *p = x, input[1] = {1};
    struct layer l[2] = {make_layer(&p, 1, 2), make_layer(&p, 2, 1)};
    T *h = layer_forward(&l[0], input), *y = layer_forward(&l[1], h), r = y[0] * y[0];
    free(h);
    free(y);
    for (int i = 0; i < 2; i++) {
        free(l[i].w);
        free(l[i].b);
    }
    (void)n;
    return r;
}
/* y = tanh(c tanh a + d tanh b); all weights 1/2 */
#define NET_H tanh(0.5)
#define NET_Y tanh(tanh(0.5))
#define NET_D (2 * NET_Y * (1 - NET_Y * NET_Y))
ZOO_OF(network, 4, (0.5, 0.5, 0.5, 0.5), (NET_Y * NET_Y),
       (NET_D * 0.5 * (1 - NET_H * NET_H), NET_D * 0.5 * (1 - NET_H * NET_H), NET_D *NET_H, NET_D *NET_H));

/* Powers of a matrix by repeated squaring through two buffers: trace of A^4. */
static void multiply(const T *a, const T *b, T *c) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            T s = 0;
            for (int k = 0; k < 2; k++) s += a[2 * i + k] * b[2 * k + j];
            c[2 * i + j] = s;
        }
}
static T trace_of_power(const T *x, int n) {
    T one[4], two[4], *from = one, *to = two;
    memcpy(one, x, (size_t)n * sizeof *one);
    for (int i = 0; i < 2; i++) {
        multiply(from, from, to);
        T *t = from;
        from = to;
        to = t;
    }
    return from[0] + from[3];
}
/* gradient: 4 (A^3)^T; A = [1 2; 3 4]: A^2 = [7 10; 15 22], A^3 = [37 54; 81 118], A^4 = [199 290; 435 634] */
ZOO_OF(trace_of_power, 4, (1, 2, 3, 4), (199 + 634), (4 * 37, 4 * 81, 4 * 54, 4 * 118));

/* Quicksort in place, then the mean of the middle. */
static void quicksort(T *a, int lo, int hi) {
    if (lo >= hi) return;
    T pivot = a[(lo + hi) / 2];
    int i = lo, j = hi;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            T t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quicksort(a, lo, j);
    quicksort(a, i, hi);
}
static T trimmed_mean(const T *x, int n) {
    T a[16], s = 0;
    memcpy(a, x, (size_t)n * sizeof *a);
    quicksort(a, 0, n - 1);
    for (int i = 1; i + 1 < n; i++) s += a[i] * a[i];
    return s / (T)(n - 2);
}
ZOO_OF(trimmed_mean, 6, (5, 1, 4, 6, 2, 3), (54 / 4.), (2.5, 0, 2, 0, 1, 1.5));

/* Thomas' algorithm for a tridiagonal system, right-hand side and diagonal active. */
static void thomas(const T *d, T *b, int n) {
    T c[8];
    T w = d[0];
    b[0] /= w;
    for (int i = 1; i < n; i++) {
        c[i] = -1 / w;
        w = d[i] + c[i];
        b[i] = (b[i] + b[i - 1]) / w;
    }
    for (int i = n - 2; i >= 0; i--) b[i] -= c[i + 1] * b[i + 1];
}
static T tridiagonal(const T *x, int n) {
    T b[8];
    int m = n / 2;
    for (int i = 0; i < m; i++) b[i] = x[m + i];
    thomas(x, b, m);
    return b[0];
}
/* [p -1; -1 q] u = (r, s): u0 = (qr + s) / (pq - 1); p=2 q=3 r=4 s=3: 15 / 5 */
ZOO_OF(tridiagonal, 4, (2, 3, 4, 3), (3), (-15. * 3 / 25, 4. / 5 - 15. * 2 / 25, 3. / 5, 1. / 5));

/* Gauss and Seidel's sweeps in place over a ring. */
static void gauss_seidel(T *x, int n) {
    for (int sweep = 0; sweep < 2; sweep++)
        for (int i = 0; i < n; i++) x[i] = (x[i] + x[(i + 1) % n] * x[(i + n - 1) % n]) / 2;
}
static T relaxed(const T *x, int n) {
    T a[4];
    for (int i = 0; i < n; i++) a[i] = x[i];
    gauss_seidel(a, n);
    return a[0];
}
/* n = 2: a' = (a + b^2)/2, b' = (b + a'^2)/2, a'' = (a' + b'^2)/2; a=1 b=1: all 1 */
ZOO_OF(relaxed, 2, (1, 1), (1), ((0.5 + 2 * 0.5) / 2, (1 + 2 * (1 + 2) / 2.) / 2));

/* Newton's method for a root of u^3 = a + b u through callbacks, to convergence. */
typedef T residual(T u, const T *p);
static T cubic(T u, const T *p) { return u * u * u - p[1] * u - p[0]; }
static T cubic_slope(T u, const T *p) { return 3 * u * u - p[1]; }
static T solve(residual *f, residual *df, const T *p, T u) {
    for (int i = 0; i < 50; i++) {
        T step = f(u, p) / df(u, p);
        u -= step;
        if (M(fabs)(step) < (T)1e-4) break;
    }
    u -= f(u, p) / df(u, p);
    return u - f(u, p) / df(u, p);
}
static T root(T a, T b) {
    T p[2] = {a, b};
    return solve(cubic, cubic_slope, p, 2);
}
/* at a=15 b=4: u = 3 since 27 = 15 + 12; du = (da + u db) / (3 u^2 - b) */
ZOO_NUM2(root, (15, 4), (3), (1. / 23, 3. / 23));

/* A sum over a sparse matrix in compressed rows. */
static T sparse(const T *x, int n) {
    static const int start[] = {0, 2, 3, 5}, column[] = {0, 2, 1, 0, 2};
    static const T value[] = {1, 2, 3, 4, 5};
    T y[3], s = 0;
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = start[i]; k < start[i + 1]; k++) y[i] += value[k] * x[column[k]];
    }
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}
/* a^2 + 2ac + 3b^2 + 4ac + 5c^2 */
ZOO_OF(sparse, 3, (1, 2, 3), (1 + 18 + 12 + 45), (2 + 18, 12, 6 + 30));
