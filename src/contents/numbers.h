/* The numbers that integers carry: of which type they are, where adjoints have to be added. */
#ifndef CF_NUMBERS_H
#define CF_NUMBERS_H
#include "ir/job.h"

/* The floating type, or vector of such, of the number that an integer of the program carries. NULL: unknown. */
LLVMTypeRef cf_number_in(cf_job *job, LLVMValueRef integer);

/* Whether an integer surely carries none: it comes from memory without numbers, and goes there. `unclear` says of a place
 * whether its objects may be of types that are not told. */
bool cf_carries_no_number(cf_job *job, LLVMValueRef integer,
                          bool (*unclear)(const void *user, LLVMValueRef place), const void *user);

#endif
