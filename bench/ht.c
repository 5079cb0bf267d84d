/* Hand tracking: a hand of bones is posed by 26 parameters, its vertices follow by linear blending of the bones'
 * transforms, and measured points are compared with vertices or with points of triangles. */
#include "ht.h"
#include <cofactor/ad.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

matrix *matrix_new(int rows, int columns) {
    matrix *m = malloc(sizeof *m);
    m->rows = rows;
    m->columns = columns;
    m->data = calloc((size_t)(rows * columns), sizeof *m->data);
    return m;
}

void matrix_free(matrix *m) {
    free(m->data);
    free(m);
}

static void set_identity(matrix *m) {
    for (int i = 0; i < m->rows; i++)
        for (int j = 0; j < m->columns; j++) m->data[i * m->columns + j] = i == j;
}

static matrix *multiply(const matrix *a, const matrix *b) {
    matrix *out = matrix_new(a->rows, b->columns);
    for (int i = 0; i < a->rows; i++)
        for (int j = 0; j < b->columns; j++) {
            double sum = 0;
            for (int k = 0; k < a->columns; k++)
                sum += a->data[i * a->columns + k] * b->data[k * b->columns + j];
            out->data[i * b->columns + j] = sum;
        }
    return out;
}

/* Angles of the joints: x, y, z of each bone, from the parameters. */
static matrix *joint_angles(int bones, const double *theta) {
    matrix *angles = matrix_new(bones, 3);
    const double *at = theta + 6;
    for (int finger = 0; finger < 5; finger++) {
        double *first = &angles->data[3 * (2 + 4 * finger)];
        first[0] = *at++;
        first[2] = *at++;
        first[3] = *at++;
        first[6] = *at++;
    }
    return angles;
}

/* Rz(z) Ry(y) Rx(x), 4 x 4. */
static matrix *euler(const double *angle) {
    double sx = sin(angle[0]), cx = cos(angle[0]), sy = sin(angle[1]), cy = cos(angle[1]);
    double sz = sin(angle[2]), cz = cos(angle[2]);
    matrix *Rx = matrix_new(4, 4), *Ry = matrix_new(4, 4), *Rz = matrix_new(4, 4);
    set_identity(Rx);
    set_identity(Ry);
    set_identity(Rz);
    Rx->data[5] = Rx->data[10] = cx;
    Rx->data[6] = -sx;
    Rx->data[9] = sx;
    Ry->data[0] = Ry->data[10] = cy;
    Ry->data[2] = sy;
    Ry->data[8] = -sy;
    Rz->data[0] = Rz->data[5] = cz;
    Rz->data[1] = -sz;
    Rz->data[4] = sz;
    matrix *zy = multiply(Rz, Ry), *out = multiply(zy, Rx);
    matrix_free(Rx);
    matrix_free(Ry);
    matrix_free(Rz);
    matrix_free(zy);
    return out;
}

/* Absolute transforms of the bones, from the base pose to the posed one. */
static matrix **pose_bones(const ht_model *model, const double *theta) {
    matrix *angles = joint_angles(model->bones, theta);
    matrix **absolute = malloc((size_t)model->bones * sizeof *absolute);
    matrix **transform = malloc((size_t)model->bones * sizeof *transform);
    for (int b = 0; b < model->bones; b++) {
        matrix *turn = euler(&angles->data[3 * b]), *relative = multiply(model->base[b], turn);
        matrix_free(turn);
        if (model->parent[b] < 0) {
            absolute[b] = relative;
        } else {
            absolute[b] = multiply(absolute[model->parent[b]], relative);
            matrix_free(relative);
        }
        transform[b] = multiply(absolute[b], model->inverse[b]);
    }
    for (int b = 0; b < model->bones; b++) matrix_free(absolute[b]);
    free(absolute);
    matrix_free(angles);
    return transform;
}

/* Rotation about the vector a, 3 x 3. */
static matrix *rodrigues(const double *a) {
    matrix *R = matrix_new(3, 3);
    set_identity(R);
    double angle = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    if (angle < 0.0001) return R;
    double x = a[0] / angle, y = a[1] / angle, z = a[2] / angle, s = sin(angle), c = cos(angle), c1 = 1 - c;
    const double entries[9] = {x * x + (1 - x * x) * c, x * y * c1 - z * s,      x * z * c1 + y * s,
                               x * y * c1 + z * s,      y * y + (1 - y * y) * c, y * z * c1 - x * s,
                               x * z * c1 - y * s,      y * z * c1 + x * s,      z * z + (1 - z * z) * c};
    memcpy(R->data, entries, sizeof entries);
    return R;
}

/* Positions of all vertices of the posed hand, vertices x 3. */
static matrix *skin(const ht_model *model, const double *theta) {
    matrix **transform = pose_bones(model, theta);
    matrix *out = matrix_new(model->vertices, 3);
    for (int b = 0; b < model->bones; b++) {
        const double *T = transform[b]->data;
        for (int v = 0; v < model->vertices; v++) {
            double weight = model->weights->data[v * model->bones + b];
            if (weight == 0) continue;
            const double *p = &model->positions->data[4 * v];
            for (int i = 0; i < 3; i++) {
                double sum =
                    T[4 * i] * p[0] + T[4 * i + 1] * p[1] + T[4 * i + 2] * p[2] + T[4 * i + 3] * p[3];
                out->data[3 * v + i] += weight * sum;
            }
        }
    }
    for (int b = 0; b < model->bones; b++) matrix_free(transform[b]);
    free(transform);
    return out;
}

/* The vertices where the parameters put them. */
static matrix *place(const ht_model *model, const double *theta) {
    matrix *skinned = skin(model, theta), *R = rodrigues(theta), *out = matrix_new(model->vertices, 3);
    for (int v = 0; v < model->vertices; v++)
        for (int i = 0; i < 3; i++) {
            out->data[3 * v + i] = theta[3 + i];
            for (int k = 0; k < 3; k++) out->data[3 * v + i] += R->data[3 * i + k] * skinned->data[3 * v + k];
        }
    matrix_free(skinned);
    matrix_free(R);
    return out;
}

void ht_simple(const ht_model *model, int points, const int *vertex, const double *measured,
               const double *theta, double *error) {
    matrix *P = place(model, theta);
    for (int i = 0; i < points; i++)
        for (int k = 0; k < 3; k++) error[3 * i + k] = measured[3 * i + k] - P->data[3 * vertex[i] + k];
    matrix_free(P);
}

void ht_complicated(const ht_model *model, int points, const int *vertex, const double *measured,
                    const double *u, const double *theta, double *error) {
    matrix *P = place(model, theta);
    for (int i = 0; i < points; i++) {
        const double *a = &P->data[3 * vertex[3 * i]], *b = &P->data[3 * vertex[3 * i + 1]];
        const double *c = &P->data[3 * vertex[3 * i + 2]];
        for (int k = 0; k < 3; k++) {
            double hand = u[2 * i] * a[k] + u[2 * i + 1] * b[k] + (1 - u[2 * i] - u[2 * i + 1]) * c[k];
            error[3 * i + k] = measured[3 * i + k] - hand;
        }
    }
    matrix_free(P);
}

CF_FORWARD(ht_simple_tan, ht_simple, "const const const const dup dup");
CF_FORWARD(ht_complicated_tan, ht_complicated, "const const const const dup dup dup");
CF_REVERSE(ht_simple_grad, ht_simple, "const const const const dup dup");
CF_REVERSE(ht_complicated_grad, ht_complicated, "const const const const dup dup dup");
