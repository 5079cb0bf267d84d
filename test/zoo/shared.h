/* Requests in a header: the unit that defines zoo_shared (elsewhere.c) provides them, each unit may include them. */
#ifndef ZOO_SHARED_H
#define ZOO_SHARED_H
#include "zoo.h"

double zoo_shared(const double *x, int n);
ZOO_R(double zoo_shared_rev(const double *x, double *xb, int n);
      CF_REVERSE(zoo_shared_rev, zoo_shared, "dup const");)
ZOO_F(double zoo_shared_fwd(const double *x, const double *xd, int n);
      CF_FORWARD(zoo_shared_fwd, zoo_shared, "dup const");)

/* Its bodies may stand in several units. */
static inline double zoo_cube(double x) { return x * x * x; }
ZOO_R(double zoo_cube_rev(double x, double *xb); CF_REVERSE(zoo_cube_rev, zoo_cube, "dup");)
ZOO_F(double zoo_cube_fwd(double x, double xd); CF_FORWARD(zoo_cube_fwd, zoo_cube, "dup");)

double zoo_other_twin(double x);
#endif
