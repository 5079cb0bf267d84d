/* Reverse mode. */
#ifndef CF_REVERSE_H
#define CF_REVERSE_H
#include "analysis/key.h"
#include "ir/job.h"

/* The function that runs a primal and then its reverse sweep, with the canonical signature of docs/architecture.md
 * ("reverse, joined"). One per key; made at the first call. NULL after an error was reported. The function lives in
 * job->module, which cf_prepare has been run over. */
LLVMValueRef cf_gradient_of(cf_job *job, const cf_key *key);

/* Before cf_prepare: copies of functions that catch exceptions, in which nothing is caught; reverse mode works on them. */
bool cf_copy_nothrow(cf_job *job);
/* The copy of a function, or the function itself where it has none. */
LLVMValueRef cf_nothrow_of(cf_job *job, LLVMValueRef f);

/* Removes from job->module what of the tape nothing uses; to be called when the last derivative is made. */
void cf_tape_finish(cf_job *job);

#endif
