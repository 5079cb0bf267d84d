/* Optimised before derivatives are made: the products are computed whether they are used or not. */
double scaled(double x, double y, int use) {
    double r = x;
    if (use) r = x * y;
    return r;
}
double clipped_ratio(double x, double y, int use) {
    double r = x * x;
    if (use) r = r / y + x * y;
    return r;
}
double weighted(const double *x, const double *w, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += w[i] > 1e300 ? x[i] : x[i] * w[i];
    return sum;
}
