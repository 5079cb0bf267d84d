// C++: functions behind erased types.
// ZOO_FLAGS: -fno-exceptions
#include "zoo.h"
#include <functional>

/* Without optimisation, and between functions, nothing tells what std::function moves: that is refused (test/errors/type_erased.cpp). */
#if defined __OPTIMIZE__ && !defined ZOO_PAIRS
static double type_erased(double x, double y) {
    std::function<double(double)> f = [y](double v) { return v * v * y; };
    std::function<double(double)> g = y > 0 ? f : [](double v) { return v; };
    return f(g(x));
}
/* (x^2 y)^2 y = x^4 y^3 */
ZOO_NUM2(type_erased, (2, 1.5), (16 * 3.375), (32 * 3.375, 16 * 3 * 2.25));
#endif
