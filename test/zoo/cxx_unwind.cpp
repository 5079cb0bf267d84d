// C++ with exceptions enabled: calls that may unwind past objects with destructors; nothing is thrown.
#include "zoo.h"
#include <stdexcept>
#include <vector>

static double checked(const std::vector<double> &v, std::size_t i) {
    if (i >= v.size()) throw std::out_of_range("index");
    return v[i] * v[i];
}
static double cleanups(const double *x, int n) {
    std::vector<double> v(x, x + n), w;
    for (std::size_t i = 0; i < v.size(); i++) w.push_back(checked(v, i) * x[0]);
    return w[0] + w.back();
}
/* a^3 + a b^2 */
ZOO_OF(cleanups, 2, (2, 3), (26), (12 + 9, 12));
