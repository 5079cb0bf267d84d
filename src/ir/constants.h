/* What a constant is made of: expressions, parts of aggregates, and the globals and functions that it names. */
#ifndef CF_CONSTANTS_H
#define CF_CONSTANTS_H
#include "ir/job.h"

/* Asks of the constant itself and of each part, once, however deep and however often it is shared, until one says yes. What a
 * global holds is no part of a constant that names it. A value that is no constant has no parts. */
bool cf_any_part(cf_arena *a, LLVMValueRef constant, bool (*ask)(void *user, LLVMValueRef part), void *user);

#endif
