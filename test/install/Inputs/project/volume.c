#include <cofactor/ad.h>
#include "volume.h"

double volume(const double *side) { return side[0] * side[1] * side[2]; }

CF_REVERSE(volume_gradient, volume, "dup");
CF_FORWARD(volume_change, volume, "dup");
