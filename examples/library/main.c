/* Calls a gradient that `cofactor grad` wrote into an object; compiled by any compiler.
 *
 *     cofactor grad examples/library/wave.c -f energy --reverse "dup dup const" -o wave.o --header energy_grad.h
 *     gcc -I. -Iexamples/library examples/library/main.c wave.o -lm -o wave && ./wave */
#include "energy_grad.h"
#include "wave.h"
#include <stdio.h>

int main(void) {
    double x[4] = {0, 1, 3, 4}, x_bar[4] = {0}, stiffness_bar = 0;
    printf("energy %g\n", energy_grad(x, x_bar, 2, &stiffness_bar, 4));
    printf("the same %g\n", energy(x, 2, 4));
    for (int i = 0; i < 4; i++) printf("force on mass %d: %g\n", i, -x_bar[i]);
    printf("by stiffness: %g\n", stiffness_bar);
}
