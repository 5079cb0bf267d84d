/* Lanes: vectors taken apart and put together. A scalar is a vector of one lane. */
#ifndef CF_LANES_H
#define CF_LANES_H
#include <llvm-c/Types.h>
#include <stdbool.h>

enum { CF_MOST_LANES = 64 }; /* what is longer is left alone: bytes of the widest vector of any processor */

LLVMTypeRef cf_lane_type(LLVMTypeRef t);
unsigned cf_lane_count(LLVMTypeRef t);
/* A vector of n lanes; the type itself for one. */
LLVMTypeRef cf_lanes_of(LLVMTypeRef lane, unsigned n);
/* A type of numbers (half, bfloat, float, double), scalar or vector, with all its bits in integers: the integers. NULL for
 * any other type. */
LLVMTypeRef cf_bits_type(LLVMTypeRef numbers);
/* Bits of a type whose lanes are integers or such numbers, all lanes together; 0 for any other type. */
unsigned cf_bit_count(LLVMTypeRef t);

LLVMValueRef cf_lane(LLVMBuilderRef b, LLVMValueRef v, unsigned i);
LLVMValueRef cf_with_lane(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef x, unsigned i);
/* The vector whose lane i is lane from[i] of x, or lane from[i] - n of y where x has n lanes. */
LLVMValueRef cf_shuffle(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, const int *from, unsigned n);
/* The same value in all of n lanes (n = 1: the value). */
LLVMValueRef cf_all_lanes(LLVMValueRef constant, unsigned n);

/* ---- masks ---- */

/* n conditions from the lowest bits of an integer. */
LLVMValueRef cf_mask_of_bits(LLVMBuilderRef b, LLVMValueRef bits, unsigned n);
/* One condition per lane: the highest bit of the lane, of integers or of numbers. */
LLVMValueRef cf_mask_of_signs(LLVMBuilderRef b, LLVMValueRef v);

#endif
