// RUN: rm -f %t.o
// RUN: %not %ad -fopenmp -g -O1 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// Without -fopenmp the pragma means nothing, and the threads and messages are still told.
// RUN: %not %ad -g -O1 -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=SERIAL %s
// What runs in other threads and on other machines, or comes without source, is told by the names that the user knows.
#include <cofactor/ad.h>
#include <pthread.h>

static double region(const double *x, int n) {
    double s = 0;
    // CHECK-DAG: parallel.c:[[#@LINE+1]]{{.*}}this is an OpenMP region, and these are not differentiated: compile this file without -fopenmp
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++) s += x[i] * x[i];
    return s;
}
double region_grad(const double *x, double *x_bar, int n);
CF_REVERSE(region_grad, region, "dup const");
double region_tan(const double *x, const double *x_dot, int n);
CF_FORWARD(region_tan, region, "dup const");
// SERIAL-NOT: OpenMP

static void *square(void *p) {
    double *x = p;
    *x *= *x;
    return 0;
}
static double in_thread(double *x) {
    pthread_t t;
    // CHECK-DAG: parallel.c:[[#@LINE+2]]{{.*}}`pthread_create`: threads that the program starts inside are not differentiated
    // SERIAL-DAG: parallel.c:[[#@LINE+1]]{{.*}}`pthread_create`: threads that the program starts inside are not differentiated
    pthread_create(&t, 0, square, x);
    pthread_join(t, 0);
    return *x;
}
double in_thread_grad(double *x, double *x_bar);
CF_REVERSE(in_thread_grad, in_thread, "dup");
double in_thread_tan(double *x, double *x_dot);
CF_FORWARD(in_thread_tan, in_thread, "dup");

int MPI_Send(const void *data, int count, int type, int to, int tag, void *world);
static double sent(double *x) { return MPI_Send(x, 1, 0, 0, 0, 0), *x; }
double sent_grad(double *x, double *x_bar);
// SERIAL-DAG: parallel.c:[[#@LINE-2]]{{.*}}`MPI_Send`: messages of MPI are not differentiated
CF_REVERSE(sent_grad, sent, "dup");

double cblas_ddot(int n, const double *x, int dx, const double *y, int dy);
static double dot(const double *x) { return cblas_ddot(3, x, 1, x, 1); }
double dot_grad(const double *x, double *x_bar);
// SERIAL-DAG: parallel.c:[[#@LINE-2]]{{.*}}`cblas_ddot`: BLAS and LAPACK are not differentiated without their source
CF_REVERSE(dot_grad, dot, "dup");
