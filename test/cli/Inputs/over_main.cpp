#include "a.h"
int main() {
    double h = 3, h_bar = 0, r_bar = 0;
    return !(area_grad(2, &r_bar, &h, &h_bar) == 12 && r_bar == 12 && h_bar == 4);
}
