// RUN: for l in -O0 -O1 -O2 -O3; do %ad $l -Wall -Wextra %s -lm -o %t && %t || exit 1; done
// RUN: for l in -O0 -O2; do env COFACTOR_NO_INLINE=1 %ad $l -g %s -lm -o %t && %t || exit 1; done
// Elements of an array shifted up and down by memmove: structs of numbers and addresses, in blocks of known size that overlap.
#include "agree.h"

struct __attribute__((packed)) part { double *at; float number[3]; };
struct whole { struct part part; struct part *other; double *spare; unsigned char byte; };

static double down(const double *x, int n) {
    static struct whole v[5];
    double s = 0;
    memset(v, 0, sizeof v);
    for (int i = 0; i < 5; i++) {
        v[i].part.number[0] = (float)x[i % n];
        v[i].part.number[2] = (float)(x[i % n] * x[0]);
        v[i].other = &v[1].part;
    }
    memmove(&v[0], &v[1], 4 * sizeof *v);
    for (int i = 0; i < 5; i++) s += (i + 1) * (double)(v[i].part.number[0] + 10 * v[i].part.number[2]);
    return s + (double)v[2].other->number[0];
}
PROGRAM(down)

static double up(const double *x, int n) {
    static struct whole v[5];
    double s = 0, y[5];
    memset(v, 0, sizeof v);
    for (int i = 0; i < 5; i++) {
        y[i] = x[i % n] * x[i % n];
        v[i].part.number[1] = (float)x[i % n];
        v[i].part.at = &y[i];
        v[i].other = &v[i].part;
        v[i].spare = &y[4 - i];
    }
    memmove(&v[1], &v[0], 4 * sizeof *v);
    for (int i = 0; i < 5; i++)
        s += (i + 1) * (*v[i].part.at * 3 + *v[i].spare * (double)v[i].part.number[1]) * (double)v[i].other->number[1];
    return s;
}
PROGRAM(up)

int main(void) { return AGREE_FLOAT(down, 5) + AGREE_FLOAT(down, 3) + AGREE_FLOAT(up, 5) + AGREE_FLOAT(up, 4); }
