/* Rules of the functions that round, choose, scale and take numbers apart, in three precisions. */
#define TEXT "arithmetic.inc"
#include "precisions.h"
