/* Inlining before differentiation. */
#ifndef CF_INLINE_H
#define CF_INLINE_H
#include "ir/job.h"

/* Inlines into the functions for which `into` is true (NULL: all) the calls of small functions and of functions that
 * are called once. */
void cf_inline_small(cf_job *job, bool (*into)(LLVMValueRef function));

#endif
