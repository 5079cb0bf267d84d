#include "memoize.h"
long fib(int n);
MEMOIZE1(long, fib, int)
double power(double x, float y, int n);
MEMOIZE3(double, power, double, float, int)
