/* Numbers that may be anything become defined ones. */
#ifndef CF_DEFINED_H
#define CF_DEFINED_H
#include "ir/job.h"

void cf_define_numbers(cf_job *job, LLVMValueRef function, void *unused);

#endif
