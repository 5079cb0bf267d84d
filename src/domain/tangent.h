/* Forward mode. */
#ifndef CF_TANGENT_H
#define CF_TANGENT_H
#include "analysis/key.h"
#include "ir/job.h"

/* The tangent of a function, with the canonical signature of docs/architecture.md. NULL after an error was reported. */
LLVMValueRef cf_tangent_of(cf_job *job, const cf_key *key);

#endif
