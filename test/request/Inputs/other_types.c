/* What other_types.c declares otherwise. */
double scale() { return 2; }
double twice(double x, int n) { return n * x * x; }
void copy(char *to, const char *from, long room, long length) {
    for (long i = 0; i < room && i < length; i++) to[i] = from[i];
}
int put(double *to, double value) {
    *to += value * value;
    return 1;
}
double first(const double *x) { return x[0] * x[0]; }
