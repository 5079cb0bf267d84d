/* Preparation: brings the private module into the form that derivatives are made from. */
#ifndef CF_PREPARE_H
#define CF_PREPARE_H
#include "ir/job.h"

/* Simplifies every function of job->module by LLVM passes that never speculate an operation, inlines small functions,
 * and brings loops into normal form (see prepare.c). Returns false after reporting an error. */
bool cf_prepare(cf_job *job);

#endif
