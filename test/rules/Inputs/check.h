/* Every derivative rule of src/rules against high precision. The rules are compiled here as ordinary C.
 *
 * A row is one partial derivative in three precisions and the function itself in MPFR. At each point of a grid the rule
 * gets the arguments and the result rounded to its precision; the wanted value is a central difference of the MPFR
 * function with steps of 2^-120, whose own error is far below any of the precisions. */
#ifndef CHECK_H
#define CHECK_H
#include <mpfr.h>

enum { DOUBLE, FLOAT, LONG_DOUBLE, PRECISIONS };

/* The points of one argument. */
typedef struct grid {
    const long double *point; /* single points, NaN at the end */
    long double low, high;    /* and random points between these, if high > low */
    int whole;                /* integers */
    int log;                  /* random in the exponent (both > 0) */
} grid;

typedef struct row {
    const char *name;
    int n, k;
    long double (*rule[PRECISIONS])(const long double *a, long double r);
    void (*f)(mpfr_t r, mpfr_t *a);
    const grid *at[3];
    double relative, absolute; /* units in the last place: allowed error is relative * |want| + absolute */
} row;

extern const row rows[];
extern const int row_count;

/* A kink or a singular point: what a rule says there, in all precisions. */
typedef struct kink {
    const char *name, *where; /* function, and the point in words */
    int k;
    long double (*rule[PRECISIONS])(const long double *a, long double r);
    long double a[3];
    long double r, want; /* result there, derivative */
    const char *why;
} kink;

extern const kink kinks[];
extern const int kink_count;

#endif
