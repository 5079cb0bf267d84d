double outer_grad(const double *x, double *x_bar);
int main(void) {
    double x = 2, x_bar = 0;
    return !(outer_grad(&x, &x_bar) == 14 && x_bar == 13);
}
