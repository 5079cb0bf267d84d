/* Loads of vectors of numbers that an optimiser made of numbers and other things. */
#ifndef CF_PARTS_H
#define CF_PARTS_H
#include "ir/job.h"

void cf_load_parts(cf_job *job, LLVMValueRef function, void *unused);

#endif
