namespace shapes {
double area(double r, const double &h) { return r * r * h; }
} // namespace shapes
double twice(double x) { return 2 * x; }
float twice(float x) { return 2 * x; }
