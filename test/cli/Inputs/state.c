static int calls;
double f(double x) { return x * ++calls; }
int count(void) { return calls; }
