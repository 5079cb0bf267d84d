/* Rules of the error functions, the gamma functions and the Bessel functions, in three precisions. */
#define TEXT "special.inc"
#include "precisions.h"
