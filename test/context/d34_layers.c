// RUN: for l in -O0 -O2; do %ad $l -Wall -Wextra -Werror -I%S %s -lm -o %t && %t || exit 1; done
// Layers of overrides that can reach the original: sin is cos; then sin is cos times the original sin.
#include "events.h"
#include <math.h>

struct overlay { int unused; };
CF_OVERDUB(overlay, sin) static double sin_is_cos(struct overlay *c, double x) { return (void)c, cos(x); }
struct product { int unused; };
CF_OVERDUB(product, sin) static double sin_is_product(struct product *c, double x) { return (void)c, cos(x) * cf_original(sin)(x); }
struct inside { int unused; };
CF_OVERDUB(inside, sin) static double sin_goes_on(struct inside *c, double x) { return (void)c, cf_recurse(cos)(x) * sin(x); }
CF_OVERDUB(inside, cos) static double cos_is_two(struct inside *c, double x) { return (void)c, 2 * cos(x); }

static double f(double x) { return sin(x) * cos(x); }
double f_overlay(struct overlay *c, double x);
CF_IN(f_overlay, f, overlay);
double f_product(struct product *c, double x);
CF_IN(f_product, f, product);
double f_inside(struct inside *c, double x);
CF_IN(f_inside, f, inside);

int main(void) {
    struct overlay a = {0};
    struct product b = {0};
    struct inside d = {0};
    volatile double x = 42;
    double cosine = cos(x), sine = sin(x);
    WANT(f_overlay(&a, x), cosine * cosine);
    WANT(f_product(&b, x), cosine * sine * cosine);
    /* cf_recurse(cos) goes into cos itself, which has no body here; the cos of f is the override. */
    WANT(f_inside(&d, x), cosine * sine * (2 * cosine));
    WANT(f(x), sine * cosine);
    return wrong;
}
