double inner(double x) { return FACTOR * x * x; }
