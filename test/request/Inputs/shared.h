/* A header with requests that several units include. */
#ifndef SHARED_H
#define SHARED_H
#include <cofactor/ad.h>
double shared(double x);
double shared_tan(double x, double x_dot);
CF_FORWARD(shared_tan, shared, "dup");
static inline double local(double x) { return x * x; }
double local_tan(double x, double x_dot);
CF_FORWARD(local_tan, local, "dup");
#endif
