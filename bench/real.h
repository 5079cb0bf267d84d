/* The number type of the problems that are also built in single precision.
 *
 * With -DBENCH_FLOAT `real` is float, and the names of math.h that the problems use mean their float
 * versions. */
#ifndef BENCH_REAL_H
#define BENCH_REAL_H
#include <math.h>

#ifdef BENCH_FLOAT
typedef float real;
#define exp expf
#define log logf
#define sqrt sqrtf
#define tanh tanhf
#define lgamma lgammaf
#else
typedef double real;
#endif

#endif
