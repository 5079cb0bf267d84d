#include <math.h>
double callee(double x);
double callee(double x) { return x * x * sqrt(x); }
