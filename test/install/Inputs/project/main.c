#include <stdio.h>
#include "volume.h"

int main(void) {
    double side[3] = {2, 3, 5}, bar[3] = {0}, dot[3] = {1, 0, 1};
    double v = volume_gradient(side, bar);
    printf("volume %g gradient %g %g %g change %g\n", v, bar[0], bar[1], bar[2], volume_change(side, dot));
    return 0;
}
