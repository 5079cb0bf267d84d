/* What is known of the bits of integers: constants by lanes, masks, signs. Lanes of `width` bits, whatever the type says. */
#ifndef CF_BITMASK_H
#define CF_BITMASK_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

/* The bits of a constant of integers or numbers as n lanes. False: not known. */
bool cf_constant_lanes(LLVMValueRef v, unsigned width, unsigned n, uint64_t *lane);

/* Every lane is all ones or all zeros. */
bool cf_is_lane_mask(LLVMValueRef v, unsigned width);

/* One is the other one's complement; both are masks. */
bool cf_are_complements(LLVMValueRef m, LLVMValueRef n);

/* No bits but those of `bits` (of each lane) can be set. */
bool cf_has_only_bits(LLVMValueRef v, unsigned width, uint64_t bits);

#endif
