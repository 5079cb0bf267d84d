/* Identity: a domain in which everything means what it means. */
#ifndef CF_IDENTITY_H
#define CF_IDENTITY_H
#include "ir/job.h"

/* A clone of f that calls clones; NULL after reporting an error. */
LLVMValueRef cf_identity_of(cf_job *job, LLVMValueRef f);

#endif
