#include <stdio.h>

long bodies;
long fib(int n) {
    bodies++;
    return n < 3 ? 1 : fib(n - 2) + fib(n - 1);
}
double power(double x, float y, int n) {
    bodies++;
    return n == 0 ? y : x * power(x, y, n - 1) + 0 * power(x, y, n - 1);
}
static long fib_test(int n) { return fib(2 * n) + n; }

int main(void) {
    printf("%ld", fib_test(10));
    printf(" after %ld\n", bodies);
    printf("%ld", fib_test(20));
    printf(" after %ld\n", bodies);
    printf("%g %g", power(1, 2, 16), power(2, 1, 5));
    printf(" after %ld\n", bodies);
    return 0;
}
