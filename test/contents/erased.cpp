// RUN: for l in -O0 -O1 -O2 -O3; do %adxx -std=c++17 $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: %adxx -std=c++17 -O1 -g %s -lm -o %t && %t
// C++: bases and members are copied by the size of their data, std::function keeps what it captures in bytes, vectors of
// structs are moved when they grow.
#include "agree.h"
#include <array>
#include <functional>
#include <vector>

class number {
    double value;
    bool known;

  public:
    number(double v = 0) : value(v), known(true) {}
    double get() const { return known ? value : 0; }
};
class named : public number {
    char name;

  public:
    named(double v = 0, char n = 0) : number(v), name(n) {}
    char letter() const { return name; }
};
struct pair_of {
    named first;
    char tail;
    float f;
};
static double bases(const double *x, int n) {
    named a[MOST], b[MOST];
    std::array<pair_of, 4> c{}, d;
    for (int i = 0; i < n; i++) a[i] = named(x[i], char('a' + i));
    for (int i = 0; i < n; i++) b[(i + 1) % n] = a[i];
    for (int i = 0; i < 4; i++) c[i] = pair_of{named(x[i % n] * 2, 'c'), 't', float(x[i % n])};
    d = c;
    double s = 0;
    for (int i = 0; i < n; i++) s += (i + 1) * b[i].get() * b[i].get() * (b[i].letter() - 'a' + 1);
    for (int i = 0; i < 4; i++) s += d[3 - i].first.get() * double(d[i].f);
    return s;
}
PROGRAM(bases)

static double functions(const double *x, int n) {
    double w = x[0] * x[0];
    std::function<double(double)> by_reference = [&](double t) { return t * x[0] + w; };
    std::function<double(double)> by_value = [w](double t) { return t * t * w; };
    std::function<double(double)> other = w > 100 ? by_reference : [](double t) { return t; };
    std::vector<std::function<double(double)>> all{by_reference, by_value, other};
    double s = 0;
    for (int i = 0; i < n; i++) s += all[i % 3](x[i]) * (i + 1);
    return s;
}
PROGRAM(functions)

struct particle {
    int id;
    double mass;
    const double *place;
    float charge;
};
static double vectors(const double *x, int n) {
    std::vector<particle> all;
    for (int i = 0; i < n; i++) all.push_back({i, x[i] * x[i], &x[(i + 1) % n], float(x[i])});
    all.insert(all.begin() + n / 2, particle{n, x[0], &x[0], 1});
    all.erase(all.begin());
    double s = 0;
    for (const particle &p : all) s += (p.id + 1) * p.mass * *p.place * double(p.charge);
    return s;
}
PROGRAM(vectors)

int main() { return AGREE_FLOAT(bases, 5) + AGREE(functions, 6) + AGREE_FLOAT(vectors, 7); }
