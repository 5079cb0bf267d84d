/* Tangent: forward mode. A clone that computes, beside each value, its derivatives in W directions. */
#ifndef CF_TANGENT_H
#define CF_TANGENT_H
#include "analysis/key.h"
#include "ir/job.h"

/* The derivative by `key`, with the canonical signature of docs/architecture.md; NULL after reporting an error. */
LLVMValueRef cf_tangent_of(cf_job *job, const cf_key *key);

/* The same signature; tangents are not computed. What the primal reads and writes behind pointers with a shadow is told to
 * src/runtime/record.c. */
LLVMValueRef cf_record_of(cf_job *job, const cf_key *key);

#endif
