/* Guards: products of which a factor of 0 makes 0, whatever the other factor. While derivatives are made, a guard is a call,
 * so that the derivative of a derivative knows it from a choice of the program's: where the factor is 0, the product's
 * derivative is not. */
#ifndef CF_GUARDS_H
#define CF_GUARDS_H
#include <llvm-c/Types.h>
#include <stdbool.h>

/* `product`, or 0 where `factor` is 0: for each lane. Both are floating numbers, of one shape. */
LLVMValueRef cf_unless_zero(LLVMBuilderRef b, LLVMValueRef factor, LLVMValueRef product);
/* The same where all of n factors are 0. */
LLVMValueRef cf_unless_all_zero(LLVMBuilderRef b, LLVMValueRef *factor, unsigned n, LLVMValueRef product);
/* The function that a guard calls: its arguments are the factors, then the product. */
bool cf_is_guard(LLVMValueRef f);
/* How many factors a guard has, which is the number of the product among its operands. */
unsigned cf_guard_factors(LLVMValueRef guard);

/* Makes comparisons of all guards in the module. Functions that had some, and those that call
 * them, into which they may be inlined, get the text attribute CF_LOWERED. */
void cf_lower_guards(LLVMModuleRef m);
#define CF_LOWERED "cf-lowered"

#endif
