// C++: what its library has in headers: arrays, vectors, algorithms, owners, complex numbers.
// ZOO_FLAGS: -fno-exceptions
#include "zoo.h"
#include <algorithm>
#include <array>
#include <complex>
#include <memory>
#include <numeric>
#include <vector>

static double arrays(const double *x, int n) {
    std::array<double, 3> a{x[0], x[1], x[2]};
    std::reverse(a.begin(), a.end());
    a[0] *= a[2];
    (void)n;
    return std::accumulate(a.begin(), a.end(), 0.0) * a.front();
}
/* (ca + b + a) ca */
ZOO_OF(arrays, 3, (2, 3, 5), (150), (6 * 10 + 15 * 5, 10, 20 + 30));

static double vectors(const double *x, int n) {
    std::vector<double> v;
    for (int i = 0; i < n; i++) v.push_back(x[i] * x[i]);
    std::vector<double> w(v.rbegin(), v.rend());
    double s = 0;
    for (std::size_t i = 0; i < v.size(); i++) s += v[i] * w[i] * x[0];
    return s;
}
/* n = 2: 2 a^3 b^2 */
ZOO_OF(vectors, 2, (2, 3), (144), (216, 96));

static double nested_vectors(const double *x, int n) {
    std::vector<std::vector<double>> m(static_cast<std::size_t>(n));
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) m[static_cast<std::size_t>(i)].push_back(x[i] * x[j]);
    double s = 0;
    for (const auto &row : m)
        for (double v : row) s += v * v;
    return s;
}
/* a^4 + a^2 b^2 + b^4 */
ZOO_OF(nested_vectors, 2, (1, 2), (1 + 4 + 16), (4 + 8, 4 + 32));

static double sorted(const double *x, int n) {
    std::vector<double> v(x, x + n);
    std::sort(v.begin(), v.end());
    return v[0] * v[0] + 5 * v.back();
}
ZOO_OF(sorted, 4, (3, 2, 7, 5), (39), (0, 4, 5, 0));

struct vec3 {
    double x, y, z;
};
static double owned(double x, double y) {
    std::unique_ptr<vec3> p(new vec3{x, y, 2}), q = std::move(p);
    q->x *= q->y;
    auto shared = std::unique_ptr<double[]>(new double[2]);
    shared[0] = q->x;
    shared[1] = q->z;
    return shared[0] * shared[1] * x;
}
/* 2 x^2 y */
ZOO_NUM2(owned, (2, 3), (24), (24, 8));

static double complex_numbers(double x, double y) {
    std::complex<double> z(x, y), w = z * z + std::conj(z) * 3.0;
    return w.real() + w.imag() * 2 + std::norm(z);
}
/* x^2 - y^2 + 3x + 2 (2xy - 3y) + x^2 + y^2 = 2 x^2 + 3x + 4xy - 6y */
ZOO_NUM2(complex_numbers, (2, 3), (8 + 6 + 24 - 18), (8 + 3 + 12, 8 - 6));
