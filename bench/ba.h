#ifndef BA_H
#define BA_H

/* A camera is 11 numbers: r[3], C[3], f, u0, v0, k1, k2. */
void ba_reprojection(const double *camera, const double *X, double w, const double *feature, double *e);
double ba_weight_error(double w);
/* All residuals: reproj_err[2p], w_err[p]; observation i: camera observation[2i], point observation[2i+1]. */
void ba(int p, const double *cameras, const double *points, const double *weights, const int *observation,
        const double *features, double *reproj_err, double *w_err);

void ba_reprojection_grad(const double *camera, double *camera_bar, const double *X, double *X_bar, double w,
                          double *w_bar, const double *feature, double *e, double *e_bar);
double ba_weight_grad(double w, double *w_bar);
void ba_reprojection_tan(const double *camera, const double *camera_dot, const double *X, const double *X_dot,
                         double w, double w_dot, const double *feature, double *e, double *e_dot);
double ba_weight_tan(double w, double w_dot);
/* Fifteen values per row of the residual pair: 11 camera, 3 point, 1 weight. */
void ba_hand(const double *camera, const double *X, double w, const double *feature, double *e,
             double *block);

#endif
