// RUN: %S/run.sh "%ad" %s %t
// Small structs and unions travel in integer registers: the adjoints of the numbers in them come back the same way.
#include "hazard.h"

union number {
    float real;
    long integer;
    float pair[2];
};
struct variant {
    int kind;
    union number as;
};
APART float value(struct variant v, int n) { return n ? value(v, n - 1) : v.as.real * v.as.real; }
static float in_union(float x) {
    struct variant v = {0, {.real = x}};
    return value(v, 2) * x;
}

struct tagged {
    int tag;
    float value;
};
APART struct tagged retag(struct tagged t, int n) {
    return n ? retag(t, n - 1) : (struct tagged){t.tag, t.value * (float)t.tag};
}
static float in_struct(float x) {
    struct tagged g = retag((struct tagged){2, x}, 1);
    return g.value * (float)g.tag;
}

/* By a function pointer: both ways. */
typedef struct tagged change(struct tagged, int);
static struct tagged cube(struct tagged t, int n) { return (struct tagged){n, t.value * t.value * t.value}; }
static float by_pointer(float x, change **f) {
    struct tagged g = (*f)((struct tagged){2, x}, 3);
    return g.value * (float)g.tag;
}

float r1(float x, float *b), r2(float x, float *b), r3(float x, float *b, change **f);
CF_REVERSE(r1, in_union, "dup");
CF_REVERSE(r2, in_struct, "dup");
CF_REVERSE(r3, by_pointer, "dup const");
float t1(float x, float d), t2(float x, float d), t3(float x, float d, change **f);
CF_FORWARD(t1, in_union, "dup");
CF_FORWARD(t2, in_struct, "dup");
CF_FORWARD(t3, by_pointer, "dup const");

int main(void) {
    float b = 0;
    change *f = cube;
    WANT_F(r1(2, &b), 8), WANT_F(b, 12), b = 0;
    WANT_F(r2(2, &b), 8), WANT_F(b, 4), b = 0;
    WANT_F(r3(2, &b, &f), 24), WANT_F(b, 36);
    WANT_F(t1(2, 1), 12), WANT_F(t2(2, 1), 4), WANT_F(t3(2, 1, &f), 36);
    return wrong;
}
