// RUN: for l in -O0 -O2; do %adxx $l -std=c++17 -Wall -Wextra -Werror -I%S/.. %s -o %t && %t || exit 1; done
// A hook and an override that throw: out of functions that themselves cannot throw; the program's own handlers above catch it,
// destructors on the way run, and what nobody catches arrives at the caller of the request. (Around an operation, or a function
// that C++ knows not to throw, the front end makes no way for exceptions: what throws there leaves the function at once.)
#include "events.h"
#include <cmath>

struct found {
    const char *what;
};
struct trap { long n; };
CF_POSTHOOK(trap, "fdiv") static void after_div(trap *c, const cf_site *s, double r) {
    c->n++;
    if (std::isnan(r)) throw found{s->function};
}
CF_OVERDUB(trap, sqrt) static double checked(trap *, double x) {
    if (x < 0) throw found{"sqrt"};
    return std::sqrt(x);
}

static int alive;
struct guard {
    guard() { alive++; }
    ~guard() { alive--; }
};
APART double root(double x) { return sqrt(x); }
APART double leaf(double x, double y) { return x / y; }
APART double middle(double x) {
    guard g;
    return leaf(x - 1, x - 1) + root(x - 4);
}
APART double handles(double x) {
    try {
        return middle(x);
    } catch (const found &f) {
        return f.what[0] == 's' ? -2 : -1;
    }
}
static double passes(double x) { return middle(x) * 2; }
double handles_in(trap *c, double x);
CF_IN(handles_in, handles, trap);
double passes_in(trap *c, double x);
CF_IN(passes_in, passes, trap);

static double caught(trap *c, double x) {
    try {
        return passes_in(c, x);
    } catch (const found &f) {
        return f.what[0] == 's' ? -20 : -10;
    }
}
int main() {
    trap c = {0};
    volatile double one = 1, two = 2, eight = 8;
    WANT(std::isnan(passes(one)), 1);
    WANT(handles_in(&c, eight), 3), WANT(handles_in(&c, one), -1), WANT(handles_in(&c, two), -2), WANT(alive, 0);
    WANT(caught(&c, eight), 6), WANT(caught(&c, one), -10), WANT(caught(&c, two), -20), WANT(alive, 0);
    WANT(c.n, 6);
    return wrong;
}
