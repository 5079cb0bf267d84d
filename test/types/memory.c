/* What memory holds where it is copied and set, in C, from the types of variables and accesses (-O0), from debug
 * information (-g) and from TBAA (-O1).
 *
 * RUN: %clang -O0 -S -emit-llvm %s -o %t.ll && %unit/types prepared %t.ll | %FileCheck %s --check-prefixes=ALL,PLAIN
 * RUN: %clang -O0 -g -S -emit-llvm %s -o %t.ll && %unit/types prepared %t.ll | %FileCheck %s --check-prefixes=ALL,DEBUG
 * RUN: %clang -O1 -S -emit-llvm %s -o %t.ll && %unit/types %t.ll | %FileCheck %s --check-prefixes=ALL,TBAA
 * RUN: %clang -O1 -g -S -emit-llvm %s -o %t.ll && %unit/types prepared %t.ll | %FileCheck %s --check-prefixes=ALL,DEBUG
 */
#include <stdlib.h>
#include <string.h>

typedef struct part { double x; float y; int n; double *p; } part;
typedef struct { double d; union { double number; char *text; } u; } either;
typedef struct { long count; double mean[3]; float range[2]; const char *name; } record;
typedef struct { double *data; int n; } matrix;

/* Nothing is seen of the blocks but the copy.
 * PLAIN: assign to unknown
 * DEBUG: assign to double@0 float@8 other@12 ptr@16{{$}}
 * TBAA: assign to double@0 float@8 other@12 ptr@16{{$}}
 * TBAA: assign from double@0 float@8 other@12 ptr@16{{$}}
 */
void assign(part *a, const part *b) { *a = *b; }

/*
 * ALL: copy_parts to double@0 float@8 other@12 ptr@16 every 24
 * ALL: copy_parts from double@0 float@8 other@12 ptr@16 every 24
 */
void copy_parts(part *a, const part *b, int n) {
    memcpy(a, b, (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) a[i].x *= a[i].y;
}

/*
 * ALL: zero to double@0 every 8
 */
void zero(double *v, int n) {
    memset(v, 0, (size_t)n * sizeof *v);
    for (int i = 0; i < n; i++) v[i] += v[i * i];
}

/*
 * ALL: local to double@0 float@8 other@12 ptr@16
 * ALL: local from double@0 float@8 other@12 ptr@16
 */
double use(part *);
double local(part b) {
    part c;
    memcpy(&c, &b, sizeof c);
    return use(&c) + c.y;
}

/*
 * DEBUG: duplicate to double@0 every 8
 * DEBUG: duplicate from double@0 every 8
 * PLAIN: duplicate to unknown
 */
double *duplicate(const double *v, int n) {
    double *w = malloc((size_t)n * sizeof *w);
    memcpy(w, v, (size_t)n * sizeof *w);
    return w;
}

/* The table of rows holds pointers, a row numbers.
 * ALL: copy_rows to ptr@0 every 8
 * ALL: copy_rows from ptr@0 every 8
 * ALL: copy_rows to double@0 every 8
 * ALL: copy_rows from double@0 every 8
 */
double copy_rows(double **to, double **from, int n, int m) {
    memcpy(to, from, (size_t)n * sizeof *to);
    memcpy(to[1], from[0], (size_t)m * sizeof **to);
    double *row = to[1];
    double s = 0;
    for (int i = 0; i < m; i++) s += row[i];
    return s;
}

/* Arrays in a structure.
 * ALL: records to other@0 double@8 double@16 double@24 float@32 float@36 ptr@40 every 48
 */
void records(record *to, const record *from, int n) {
    memcpy(to, from, (size_t)n * sizeof *to);
    for (int i = 0; i < n; i++) {
        to[i].mean[i % 3] += to[i].range[i % 2];
        if (!to[i].name) to[i].count++;
    }
}

/*
 * ALL: grow to double@0 every 8
 */
void grow(matrix *m, int n) {
    m->data = realloc(m->data, (size_t)n * sizeof(double));
    memset(m->data + m->n, 0, (size_t)(n - m->n) * sizeof(double));
    for (int i = 0; i < n; i++) m->data[i] += 1;
}

/* What the union holds is not told.
 * ALL: eithers to unknown
 * ALL: eithers from unknown
 */
void eithers(either *a, const either *b, int n) { memmove(a, b, (size_t)n * sizeof *a); }

/*
 * ALL: counts to other@0 every 1
 * ALL: counts from other@0 every 1
 */
int counts(int *a, const int *b, int n) {
    memcpy(a, b, (size_t)n * sizeof *a);
    int s = 0;
    for (int i = 0; i < n; i++) s += a[i] * b[i];
    return s;
}
