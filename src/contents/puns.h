/* Puns: memory that is told to hold integers, and into which numbers are put all the same, or from which they are read. */
#ifndef CF_PUNS_H
#define CF_PUNS_H
#include "ir/job.h"

/* Whether the integers behind a pointer of the program may be bits of numbers, whatever types say of them: somewhere in the
 * program a number is accessed in the same objects, or in objects whose integers are moved there, where types tell of an integer
 * or of nothing. */
bool cf_may_be_punned(cf_job *job, LLVMValueRef pointer);

#endif
