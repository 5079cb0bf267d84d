/* Names across units: requests in a header, static primals of one name in two units, external primals. */
#include "shared.h"

/* elsewhere.c defines the primal and provides the requests. */
static void from_header_P(zoo_io *io) { io->r = zoo_shared(io->x, 2); }
ZOO_R(static void from_header_R(zoo_io *io) { io->r = zoo_shared_rev(io->x, io->xs, 2); })
ZOO_F(static void from_header_F(zoo_io *io) { io->rs = zoo_shared_fwd(io->x, io->xs, 2); })
ZOO_CASE(from_header, ZOO_RESULT, 2, 0, (2, 3), (8 + 27), (12, 27));

static void inline_from_header_P(zoo_io *io) { io->r = zoo_cube(io->x[0]); }
ZOO_R(static void inline_from_header_R(zoo_io *io) { io->r = zoo_cube_rev(io->x[0], io->xs); })
ZOO_F(static void inline_from_header_F(zoo_io *io) { io->rs = zoo_cube_fwd(io->x[0], io->xs[0]); })
ZOO_CASE(inline_from_header, ZOO_RESULT, 1, 0, (2), (8), (12));

/* elsewhere.c has a primal and a request of these names, with another meaning. */
static double twin(double x) { return x * x; }
ZOO_NUM1(twin, (3), (9), (6));
ZOO_FREE(two_twins) {
    double b = 0;
    ZOO_R(twin_rev(3, &b);)
    ZOO_R(ZOO_WANT(b, 6); ZOO_WANT(zoo_other_twin(3), 15 + 5);)
    ZOO_WANT(twin(3) + b - b, 9);
}

/* An external primal that other code calls as well, and one that is declared after its request is used. */
double zoo_external(double x, double y);
ZOO_R(double zoo_external_rev(double x, double *xb, double y, double *yb);)
ZOO_R(static double calls_request_first(double x) {
    double a = 0, b = 0;
    zoo_external_rev(x, &a, x, &b);
    return a + b;
})
double zoo_external(double x, double y) { return x * x * y; }
ZOO_R(CF_REVERSE(zoo_external_rev, zoo_external, "dup dup");)
ZOO_FREE(external) {
    ZOO_WANT(zoo_external(2, 3), 12);
    ZOO_R(double a = 0; double b = 0; ZOO_WANT(zoo_external_rev(2, &a, 3, &b), 12); ZOO_WANT(a, 12);
          ZOO_WANT(b, 4); ZOO_WANT(calls_request_first(2), 8 + 4);)
}

/* A request is a plain function: its address can be taken. */
ZOO_FREE(address) {
    ZOO_WANT(zoo_cube(2), 8);
    ZOO_R(double (*volatile f)(double, double *) = zoo_cube_rev; double b = 0; ZOO_WANT(f(2, &b), 8);
          ZOO_WANT(b, 12);)
}

/* The request has the primal's name in front, and locals that look like generated names. */
static double awkward(double awkward_bar) {
    double tape = awkward_bar * 2, shadow = tape * awkward_bar;
    return tape * shadow;
}
/* 4 x^3 */
ZOO_NUM1(awkward, (2), (32), (48));
