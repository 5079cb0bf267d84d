/* Jumps through labels as values become comparisons with the labels. */
#ifndef CF_LABELS_H
#define CF_LABELS_H
#include "ir/job.h"

/* Replaces every indirectbr of a function. */
void cf_compare_labels(cf_job *job, LLVMValueRef function);

#endif
