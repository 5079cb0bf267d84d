/* Bits: what integer operations do to the bits of numbers and pointers that programs move through integers. */
#ifndef CF_BITS_MOVE_H
#define CF_BITS_MOVE_H
#include <llvm-c/Core.h>
#include <stdbool.h>

typedef enum cf_bit_move {
    CF_BITS_LOST,    /* integer arithmetic: no number is left */
    CF_BITS_NONE,    /* the result holds no number: signs, parts of the exponent */
    CF_BITS_MOVED,   /* the same operation on the bits beside; a constant operand of `or` counts as 0 */
    CF_BITS_ABS,     /* operand `which` loses its sign */
    CF_BITS_NEG_ABS, /* operand `which` gets a sign */
    CF_BITS_SIGN,    /* operand `which` has its sign exchanged where the other one, all signs, is set */
    CF_BITS_OFFSET, /* addresses: the shadow lies as far from that of operand `which` as the result from the operand */
} cf_bit_move;

/* An operation on integers that may only move bits of floating numbers, or of pointers. */
bool cf_is_bit_operation(LLVMValueRef instruction);

/* For and, or, xor, add, sub, shl, lshr, trunc, zext of integers or vectors of them. `first` and `second` say whether
 * the operands have something beside them, `pointer` that it belongs to a pointer. */
cf_bit_move cf_bit_move_of(LLVMValueRef i, bool first, bool second, bool pointer, unsigned *which);

/* The same for addresses. Where one operand is an address, an alignment or a tag moves it; two that are make a distance, or
 * are pieces of one. */
cf_bit_move cf_address_move_of(LLVMValueRef i, bool first, bool second);

#endif
