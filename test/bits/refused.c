// RUN: rm -f %t.o; %not %ad -g -O1 -w -c %s -o %t.o -ferror-limit=0 2>%t.txt; %FileCheck %s < %t.txt
// RUN: test ! -e %t.o
// What neither mode follows: both name the operation, at its line.
#include <cofactor/ad.h>
#include <stdint.h>
#include <string.h>

typedef double V __attribute__((vector_size(16)));
typedef int64_t W __attribute__((vector_size(16)));

static int64_t bits(double x) {
    int64_t i;
    memcpy(&i, &x, sizeof i);
    return i;
}
static double number(int64_t i) {
    double x;
    memcpy(&x, &i, sizeof x);
    return x;
}
#define OF(name)                                                                                             \
    double name##_rev(double x, double *x_bar, double y, double *y_bar);                                     \
    CF_REVERSE(name##_rev, name, "dup dup");                                                                 \
    double name##_fwd(double x, double x_dot, double y, double y_dot);                                       \
    CF_FORWARD(name##_fwd, name, "dup dup");

static double product(double x, double y) {
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`mul`); its derivative would be lost
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`mul`)
    return number(bits(x) * 3) * y;
}
OF(product)
static double step(double x, double y) {
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`add`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`add`)
    return number(bits(x) + 1) * y;
}
OF(step)
static double reversed(double x, double y) {
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`llvm.bitreverse.i64`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`llvm.bitreverse.i64`)
    return number((int64_t)__builtin_bitreverse64((uint64_t)bits(x))) * y;
}
OF(reversed)
static double turned(double x, double y) {
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`llvm.fshl.i64`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`llvm.fshl.i64`)
    return number((int64_t)__builtin_rotateleft64((uint64_t)bits(x), 8)) * y;
}
OF(turned)
static double magnitude(double x, double y) {
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`llvm.abs.i64`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`llvm.abs.i64`)
    return number(__builtin_elementwise_abs(bits(x))) * y;
}
OF(magnitude)
static double both(double x, double y) {
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`and`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`and`)
    return number(bits(x) & bits(y)) * y;
}
OF(both)
static double low_digits(double x, double y) {
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`and`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`and`)
    return number(bits(x) & 0x000FFFFFFFFFFFFF) * y;
}
OF(low_digits)
static double lanes(double x, double y) {
    V v = {x, y};
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of active numbers go through integer arithmetic on vectors (`mul`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`mul`)
    V w = (V)((W)v * 3);
    return w[0] + w[1];
}
OF(lanes)
static double reduced(double x, double y) {
    V v = {x, y};
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`llvm.vector.reduce.xor.v2i64`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`llvm.vector.reduce.xor.v2i64`)
    return number(__builtin_reduce_xor((W)v)) * y;
}
OF(reduced)
__attribute__((noinline)) static V choose(V a, W m) {
    // CHECK-DAG: refused.c:[[#@LINE+2]]:{{.*}} error: the bits of an active number go through integer arithmetic (`and`)
    // CHECK-DAG: refused.c:[[#@LINE+1]]:{{.*}} error: an active number is computed by integer arithmetic on its bits (`and`)
    return (V)((W)a & m);
}
W mask_of(int);
static double unknown_mask(double x, double y) {
    V v = choose((V){x, y}, mask_of(3));
    return v[0] + v[1];
}
OF(unknown_mask)
