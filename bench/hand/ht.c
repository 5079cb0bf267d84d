/* Jacobian of hand tracking. A joint angle moves its bone and all that hang on it: dA_b = A_parent B dE, and below it
 * dA_c = dA_parent B E. dG/da_k = (a_k [a]x + [a x (I - G) e_k]x) G / |a|^2. */
#include "../ht.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double mat4[16];

/* The transforms of all bones, and their derivative by each of the 20 joint angles. */
typedef struct pose {
    mat4 *E, *dE_x, *dE_z; /* joint rotations and their derivatives */
    mat4 *A, *T;           /* absolute and blending transforms */
    mat4 *dA, *dT[20];     /* dA of the angle at hand */
    double G[9], dG[3][9];
} pose;

static void multiply(const double *a, const double *b, double *out) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            out[4 * i + j] = 0;
            for (int k = 0; k < 4; k++) out[4 * i + j] += a[4 * i + k] * b[4 * k + j];
        }
}

/* The bone and axis (0 x, 2 z) of joint angle k. */
static int bone_of(int k) { return 2 + 4 * (k / 4) + (k % 4 < 2 ? 0 : k % 4 - 1); }

static int axis_of(int k) { return k % 4 == 1 ? 2 : 0; }

/* E = Rz(z) Rx(x) and its derivatives. */
static void joint(double x, double z, double *E, double *by_x, double *by_z) {
    double sx = sin(x), cx = cos(x), sz = sin(z), cz = cos(z);
    const mat4 e = {cz, -sz * cx, sz * sx, 0, sz, cz * cx, -cz * sx, 0, 0, sx, cx, 0, 0, 0, 0, 1};
    const mat4 ex = {0, sz * sx, sz * cx, 0, 0, -cz * sx, -cz * cx, 0, 0, cx, -sx, 0, 0, 0, 0, 0};
    const mat4 ez = {-sz, -cz * cx, cz * sx, 0, cz, -sz * cx, sz * sx, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    memcpy(E, e, sizeof e);
    memcpy(by_x, ex, sizeof ex);
    memcpy(by_z, ez, sizeof ez);
}

static void place_bones(const ht_model *m, const double *theta, pose *p) {
    for (int b = 0; b < m->bones; b++) {
        double angle[3] = {0};
        for (int k = 0; k < 20; k++)
            if (bone_of(k) == b) angle[axis_of(k)] = theta[6 + k];
        mat4 relative;
        joint(angle[0], angle[2], p->E[b], p->dE_x[b], p->dE_z[b]);
        multiply(m->base[b]->data, p->E[b], relative);
        if (m->parent[b] < 0)
            memcpy(p->A[b], relative, sizeof relative);
        else
            multiply(p->A[m->parent[b]], relative, p->A[b]);
        multiply(p->A[b], m->inverse[b]->data, p->T[b]);
    }
}

static void move_bones(const ht_model *m, int k, pose *p) {
    int moved = bone_of(k);
    for (int b = 0; b < m->bones; b++) {
        mat4 relative;
        memset(p->dA[b], 0, sizeof relative);
        int parent = m->parent[b];
        if (b == moved) {
            multiply(m->base[b]->data, axis_of(k) ? p->dE_z[b] : p->dE_x[b], relative);
            multiply(p->A[parent], relative, p->dA[b]);
        } else if (parent >= 0) {
            multiply(m->base[b]->data, p->E[b], relative);
            multiply(p->dA[parent], relative, p->dA[b]);
        }
        multiply(p->dA[b], m->inverse[b]->data, p->dT[k][b]);
    }
}

static void cross_matrix(const double *v, double *out) {
    const double s[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0};
    memcpy(out, s, sizeof s);
}

static void turn(const double *a, pose *p) {
    double n2 = a[0] * a[0] + a[1] * a[1] + a[2] * a[2], n = sqrt(n2), S[9];
    for (int i = 0; i < 9; i++) p->G[i] = i % 4 == 0;
    memset(p->dG, 0, sizeof p->dG);
    if (n < 0.0001) return;
    cross_matrix(a, S);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double square = a[i] * a[j] - (i == j ? n2 : 0);
            p->G[3 * i + j] += sin(n) / n * S[3 * i + j] + (1 - cos(n)) / n2 * square;
        }
    for (int k = 0; k < 3; k++) {
        double w[3], v[3], V[9];
        for (int i = 0; i < 3; i++) w[i] = (i == k) - p->G[3 * i + k];
        for (int i = 0; i < 3; i++) v[i] = S[3 * i] * w[0] + S[3 * i + 1] * w[1] + S[3 * i + 2] * w[2];
        cross_matrix(v, V);
        for (int i = 0; i < 9; i++) V[i] = (a[k] * S[i] + V[i]) / n2;
        for (int i = 0; i < 9; i++) {
            const double *row = &V[i / 3 * 3], *G = &p->G[i % 3];
            p->dG[k][i] = row[0] * G[0] + row[1] * G[3] + row[2] * G[6];
        }
    }
}

static void blend(const ht_model *m, int vertex, mat4 *T, double *out) {
    const double *x = &m->positions->data[4 * vertex];
    out[0] = out[1] = out[2] = 0;
    for (int b = 0; b < m->bones; b++) {
        double w = m->weights->data[vertex * m->bones + b];
        if (w == 0) continue;
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 4; k++) out[i] += w * T[b][4 * i + k] * x[k];
    }
}

static void rotate(const double *G, const double *v, double *out) {
    for (int i = 0; i < 3; i++) out[i] = G[3 * i] * v[0] + G[3 * i + 1] * v[1] + G[3 * i + 2] * v[2];
}

/* Place of a vertex and its 3 x 26 derivative. */
static void vertex_place(const ht_model *m, int vertex, const double *theta, pose *p, double *place,
                         double *D) {
    double s[3], v[3], w[3];
    blend(m, vertex, p->T, s);
    rotate(p->G, s, place);
    for (int i = 0; i < 3; i++) place[i] += theta[3 + i];
    for (int k = 0; k < HT_PARAMS; k++) {
        if (k < 3) {
            rotate(p->dG[k], s, w);
        } else if (k < 6) {
            for (int i = 0; i < 3; i++) w[i] = i == k - 3;
        } else {
            blend(m, vertex, p->dT[k - 6], v);
            rotate(p->G, v, w);
        }
        for (int i = 0; i < 3; i++) D[HT_PARAMS * i + k] = w[i];
    }
}

static void simple_point(const ht_model *m, int vertex, const double *measured, const double *theta, pose *p,
                         double *error, double *J) {
    double place[3];
    vertex_place(m, vertex, theta, p, place, J);
    for (int i = 0; i < 3; i++) error[i] = measured[i] - place[i];
    for (int i = 0; i < 3 * HT_PARAMS; i++) J[i] = -J[i];
}

static void triangle_point(const ht_model *m, const int *vertex, const double *measured, const double *u,
                           const double *theta, pose *p, double *error, double *J) {
    double place[3][3], D[3][3 * HT_PARAMS], share[3] = {u[0], u[1], 1 - u[0] - u[1]};
    for (int c = 0; c < 3; c++) vertex_place(m, vertex[c], theta, p, place[c], D[c]);
    for (int i = 0; i < 3; i++) {
        double *row = J + (HT_PARAMS + 2) * i;
        error[i] = measured[i] - share[0] * place[0][i] - share[1] * place[1][i] - share[2] * place[2][i];
        row[0] = place[2][i] - place[0][i];
        row[1] = place[2][i] - place[1][i];
        for (int k = 0; k < HT_PARAMS; k++) {
            int at = HT_PARAMS * i + k;
            row[2 + k] = -share[0] * D[0][at] - share[1] * D[1][at] - share[2] * D[2][at];
        }
    }
}

void ht_hand(const ht_model *m, int points, const int *vertex, const double *measured, const double *u,
             const double *theta, double *error, double *J) {
    size_t bones = (size_t)m->bones;
    mat4 *all = calloc(26 * bones, sizeof *all);
    pose p = {.E = all,
              .dE_x = all + bones,
              .dE_z = all + 2 * bones,
              .A = all + 3 * bones,
              .T = all + 4 * bones,
              .dA = all + 5 * bones};
    for (size_t k = 0; k < 20; k++) p.dT[k] = all + (6 + k) * bones;
    place_bones(m, theta, &p);
    for (int k = 0; k < 20; k++) move_bones(m, k, &p);
    turn(theta, &p);
    for (int i = 0; i < points; i++)
        if (u)
            triangle_point(m, &vertex[3 * i], &measured[3 * i], &u[2 * i], theta, &p, &error[3 * i],
                           &J[3 * (HT_PARAMS + 2) * i]);
        else
            simple_point(m, vertex[i], &measured[3 * i], theta, &p, &error[3 * i], &J[3 * HT_PARAMS * i]);
    free(all);
}
