#include <cstdio>
#include <stdexcept>

namespace geo {
struct shape {
    virtual double area(double scale) const = 0;
    virtual ~shape() {}
};
struct square : shape {
    double side;
    explicit square(double s) : side(s) {}
    double area(double scale) const override { return side * side * scale; }
};
} // namespace geo

static int below(int n) {
    if (n == 0) throw std::runtime_error("bottom");
    return below(n - 1);
}

static int caught(int n) {
    try {
        return below(n);
    } catch (const std::exception &) {
        return -1;
    }
}

template <class T> static T twice(T x) { return x + x; }

int main() {
    geo::square s(2);
    const geo::shape &any = s;
    int r = caught(2);
    std::printf("%g %d\n", twice(any.area(0.5)), r);
    return 0;
}
