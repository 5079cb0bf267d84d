#include <cofactor/cofactor.h>
#include <stdio.h>

static const char source[] = "double volume(const double *side) { return side[0] * side[1] * side[2]; }";

int main(void) {
    cofactor *c = cofactor_new(NULL, NULL);
    double (*gradient)(const double *, double *);
    double side[3] = {2, 3, 5}, bar[3] = {0};
    if (cofactor_add_source(c, source, "c", "volume.c", NULL)) return 1;
    if (cofactor_request(c, COFACTOR_REVERSE, "volume", "dup", "gradient")) return 1;
    gradient = (double (*)(const double *, double *))cofactor_function(c, "gradient");
    if (!gradient) return 1;
    double v = gradient(side, bar);
    printf("volume %g gradient %g %g %g\n", v, bar[0], bar[1], bar[2]);
    cofactor_free(c);
    return 0;
}
