/* Singular points: which operations have an infinite slope where their value is finite, and which factors are finite.
 * Where a factor of a derivative may be infinite, a product with 0 is to be tested; elsewhere the test is left out. */
#ifndef CF_SINGULAR_H
#define CF_SINGULAR_H
#include "ir/view.h"

/* Some derivative that is made in the module may meet an infinite slope (sqrt at 0), whose products go to everything that the
 * operation's argument was computed from. Answered once per job, before the first derivative. */
bool cf_meets_steep(cf_job *job);
/* The call, in the view's function, may be such an operation. */
bool cf_is_steep_call(cf_job *job, const cf_view *view, LLVMValueRef call);
/* The flags of a floating operation say that neither its operands nor its result are infinite or NaN. */
bool cf_is_said_finite(LLVMValueRef operation);
/* A constant, or an integer as a number: finite, whatever the program does. */
bool cf_is_finite(LLVMValueRef value);

#endif
