/* Callbacks: functions that the program hands to a function of the C library, which calls them back.
 *
 * In:     a call of such a function
 * Out:    a call of what stands in its place (src/runtime/context.h), with what brings the callbacks to their clones
 * Needs:  cf_callback_link before the first clone is made
 *
 * Use, for a call of f in a domain whose clones take one pointer more: when `k = cf_callback_of(f)`, the call goes to
 * cf_callback_glue, with its own arguments, that pointer, and for each type of callback the clone of
 * cf_callback_caller by a key that has the pointer as first parameter. */
#ifndef CF_CALLBACK_H
#define CF_CALLBACK_H
#include "ir/job.h"

typedef struct cf_callback cf_callback;

/* NULL when f has a body here, or is not known to call back. */
const cf_callback *cf_callback_of(LLVMValueRef f);
/* How many types of callbacks it takes: at least 1. */
unsigned cf_callback_count(const cf_callback *k);
/* `R call(ptr function, arguments)` that calls `function`, which has the type of callback i: as the library function does. */
LLVMValueRef cf_callback_caller(cf_job *job, const cf_callback *k, unsigned i);
/* What stands in the place of the function. NULL: it is called with other types than the C library's. */
LLVMValueRef cf_callback_glue(cf_job *job, const cf_callback *k, LLVMTypeRef called);

/* What a pointer to f leads to inside: f, or, when that is of the library and calls back, a function like it that can be
 * cloned. */
LLVMValueRef cf_callback_pointed_to(cf_job *job, LLVMValueRef f);

/* Brings what stands in the place of functions declared in the module into it. False after a message. */
bool cf_callback_link(cf_job *job);
/* Takes out what nothing uses. */
void cf_callback_finish(cf_job *job);

/* Whether a function is one of cf_callback_caller's or cf_callback_pointed_to's: Cofactor's own. */
bool cf_is_caller(LLVMValueRef f);
/* Whether a call is the one in a function of cf_callback_caller. */
bool cf_calls_back(LLVMValueRef call);

#endif
