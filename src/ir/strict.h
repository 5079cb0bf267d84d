/* Strict floating point in what is differentiated. */
#ifndef CF_STRICT_H
#define CF_STRICT_H
#include "ir/job.h"

/* Replaces the constrained operations of a function by plain ones. */
void cf_make_plain(cf_job *job, LLVMValueRef f);

#endif
