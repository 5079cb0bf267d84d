/* Operations on the bits of numbers, as operations on numbers. */
#ifndef CF_IDIOMS_H
#define CF_IDIOMS_H
#include "ir/job.h"

/* Rewrites f, where integer operations do to numbers what an operation on numbers does (docs/bits.md); what it computes stays
 * the same, to the bit. clean: the passes that tidy up, where something was rewritten. */
void cf_read_idioms(cf_job *job, LLVMValueRef f, void *clean);

#endif
