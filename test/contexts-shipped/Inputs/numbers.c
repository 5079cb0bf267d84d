#include <math.h>
#include <stdio.h>

typedef float four __attribute__((vector_size(16)));
typedef double two __attribute__((vector_size(16)));

static double series(int n) {
    double sum = 0;
    for (int i = 1; i <= n; i++) sum += 1.0 / i;
    return sum;
}
static float series_float(int n) {
    float sum = 0;
    for (int i = 1; i <= n; i++) sum += 1.0f / (float)i;
    return sum;
}
static double series_two(int n) {
    two sum = {0, 0}, one = {1, 1};
    for (int i = 1; i <= n; i++) {
        two k = {i, i};
        sum += one / k;
    }
    return sum[0] + 0 * sum[1];
}
static float series_four(int n) {
    four sum = {0, 0, 0, 0}, one = {1, 1, 1, 1};
    for (int i = 1; i <= n; i++) {
        float f = (float)i;
        four k = {f, f, f, f};
        sum += one / k;
    }
    return sum[3];
}

int main(void) {
    volatile double third = 3, large = 300, tiny = 0x1p-20, ten = 10;
    printf("series %.17g %.17g %.17g %.17g\n", series(100), (double)series_float(100), series_two(100),
           (double)series_four(100));
    printf("third %.17g large %.17g tiny %.17g root %.17g sine %.17g\n", 1 / third, large * large, tiny / 3, sqrt(ten),
           sin(ten));
    printf("fused %.17g\n", third * third + 1 / third);
}
