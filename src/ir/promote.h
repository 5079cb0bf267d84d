/* Slots become SSA values, in time that does not grow with slots times blocks. */
#ifndef CF_PROMOTE_H
#define CF_PROMOTE_H
#include "ir/job.h"

/* Every alloca of a function's entry that is only loaded and stored as a whole, with its own type. */
void cf_promote_slots(cf_job *job, LLVMValueRef function);

#endif
