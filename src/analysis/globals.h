/* Which global variables may carry derivatives, over the whole private module. */
#ifndef CF_GLOBALS_H
#define CF_GLOBALS_H
#include "ir/job.h"

/* A mutable global that some function of the module may write, or a constant one that leads to such a global. A global that is only read holds the same numbers whatever the inputs are. */
bool cf_global_active(cf_job *job, LLVMValueRef global);

/* How large it is, only another unit knows: `extern double a[];`. Such a global has no shadow. */
bool cf_global_unsized(cf_job *job, LLVMValueRef global);

/* Whether running f may read or write an active global, itself or through what it calls. */
bool cf_touches_active_global(cf_job *job, LLVMValueRef f);

/* Whether f, or what it calls, may return or store the address of a global that is not active. */
bool cf_hands_out_inactive_global(cf_job *job, LLVMValueRef f);

#endif
