#ifndef HT_H
#define HT_H

typedef struct matrix {
    int rows, columns;
    double *data; /* row-major */
} matrix;

enum { HT_PARAMS = 26 };

typedef struct ht_model {
    int bones, vertices;
    int *parent;       /* -1: the root; parents come first */
    matrix **base;     /* 4 x 4 each, relative to the parent */
    matrix **inverse;  /* 4 x 4 each, inverse of the absolute base transform */
    matrix *positions; /* vertices x 4: x, y, z, 1 */
    matrix *weights;   /* vertices x bones */
} ht_model;

matrix *matrix_new(int rows, int columns);
void matrix_free(matrix *m);

/* error[3 points]: measured points less the points of the posed hand. simple: vertex[points]; complicated:
 * vertex[3 points] (a triangle) and u[2 points] (its barycentric coordinates). */
void ht_simple(const ht_model *model, int points, const int *vertex, const double *measured,
               const double *theta, double *error);
void ht_complicated(const ht_model *model, int points, const int *vertex, const double *measured,
                    const double *u, const double *theta, double *error);

void ht_simple_tan(const ht_model *model, int points, const int *vertex, const double *measured,
                   const double *theta, const double *theta_dot, double *error, double *error_dot);
void ht_complicated_tan(const ht_model *model, int points, const int *vertex, const double *measured,
                        const double *u, const double *u_dot, const double *theta, const double *theta_dot,
                        double *error, double *error_dot);
void ht_simple_grad(const ht_model *model, int points, const int *vertex, const double *measured,
                    const double *theta, double *theta_bar, double *error, double *error_bar);
void ht_complicated_grad(const ht_model *model, int points, const int *vertex, const double *measured,
                         const double *u, double *u_bar, const double *theta, double *theta_bar,
                         double *error, double *error_bar);

/* J: 3 points x (26, or 28 where u is not NULL: u and v of the row's point first). */
void ht_hand(const ht_model *model, int points, const int *vertex, const double *measured, const double *u,
             const double *theta, double *error, double *J);

#endif
