// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// The override gives exactly 2 cos x.
#include "events.h"
#include <math.h>

struct sin_to_cos { int calls; };
CF_OVERDUB(sin_to_cos, sin) static double sin_is_cos(struct sin_to_cos *c, double x) { return c->calls++, cos(x); }

static double sin_plus_cos(double x) { return sin(x) + cos(x); }
double two_cos(struct sin_to_cos *c, double x);
CF_IN(two_cos, sin_plus_cos, sin_to_cos);

int main(void) {
    struct sin_to_cos c = {0};
    for (int i = 1; i <= 20; i++) {
        volatile double x = i * 0.71;
        WANT(two_cos(&c, x), 2 * cos(x));
        WANT(c.calls, i);
    }
    return wrong;
}
