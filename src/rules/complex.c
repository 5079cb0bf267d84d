/* Complex functions, in three precisions, as bodies in real arithmetic: what the IR passes for a complex number (two
 * numbers, a vector or memory) is then the compiler's business, for the body as for the call. */
#define TEXT "complex.inc"
#include "precisions.h"
