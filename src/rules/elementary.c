/* Rules of the elementary functions, in three precisions. */
#define TEXT "elementary.inc"
#include "precisions.h"
