/* Powers with small constant exponents, as products. */
#ifndef CF_POWERS_H
#define CF_POWERS_H
#include "ir/job.h"

/* Replaces in f pow(x, c) for c = 1, 2, -1 (where the product is what pow rounds to, as LLVM itself does) and
 * llvm.powi for 1 to 4 by multiplications: their derivatives need neither the result nor a rule. A `pow` of the
 * program's own, or with a rule of the user's (attribute "cf-keep"), stays. */
void cf_expand_powers(cf_job *job, LLVMValueRef f, void *unused);

#endif
