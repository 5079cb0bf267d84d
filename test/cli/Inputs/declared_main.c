double f_grad(const double *x, double *x_bar);
int main(void) {
    double x[2] = {3, 5}, x_bar[2] = {0};
    return !(f_grad(x, x_bar) == 15 && x_bar[0] == 5 && x_bar[1] == 3);
}
