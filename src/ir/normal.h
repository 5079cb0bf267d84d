/* Normal form of loops and joins. */
#ifndef CF_NORMAL_H
#define CF_NORMAL_H
#include "ir/job.h"
#include "llvm/cfx.h"

/* See prepare.h for the form. `function` has been simplified (loop-simplify, lcssa). */
void cf_normal_form(cf_job *job, cfx_analyses *analyses, LLVMValueRef function);

#endif
