/* Between the files of idioms.c: what an integer is read as, and how what replaces it is built. */
#ifndef CF_IDIOMS_BODY_H
#define CF_IDIOMS_BODY_H
#include "ir/bitmask.h"
#include "ir/job.h"
#include "ir/lanes.h"
#include "llvm/l.h"

typedef struct cf_idioms {
    cf_job *job;
    LLVMBuilderRef b;
    bool again; /* what can be read as a whole has been */
} cf_idioms;

/* The numbers as which an integer is read. */
typedef struct cf_numbers {
    LLVMTypeRef type, bits; /* the same lanes as numbers and as integers */
    unsigned n, width;      /* lanes, bits in each */
    uint64_t all, sign, mantissa;
} cf_numbers;

enum { CF_DEEP = 6 };

static inline bool is_op(LLVMValueRef v, LLVMOpcode op) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == op;
}
static inline LLVMValueRef operand(LLVMValueRef v, unsigned k) { return LLVMGetOperand(v, k); }
static inline bool is_integer(LLVMTypeRef t) { return l_is_integer_type(cf_lane_type(t)); }

/* ---- idioms_numbers.c ---- */

/* The type of numbers that an integer is made from, or becomes; NULL: none. depth: 0. */
LLVMTypeRef cf_made_from(LLVMValueRef v, int depth);
LLVMTypeRef cf_becomes(LLVMValueRef v, int depth);
/* Of the first two operands. */
LLVMTypeRef cf_made_from_either(LLVMValueRef i);
unsigned cf_mantissa_bits(LLVMTypeRef lane);
bool cf_numbers_of_type(LLVMTypeRef t, cf_numbers *f);
bool cf_numbers_of(LLVMValueRef v, cf_numbers *f);

/* The same bits as another type. */
LLVMValueRef cf_as(cf_idioms *d, LLVMValueRef v, LLVMTypeRef t);
/* Conditions per number: the highest bit of each lane of a mask or of signs. */
LLVMValueRef cf_condition(cf_idioms *d, LLVMValueRef m, const cf_numbers *f);
/* A copy of bits that carries no derivative: both modes know that llvm.annotation gives none. */
LLVMValueRef cf_cut(cf_idioms *d, LLVMValueRef v);
bool cf_is_cut(LLVMValueRef v);

/* ---- readers: what stands in the place of instruction i, built in front of it. NULL: it cannot be read ---- */

/* idioms_bits.c */
LLVMValueRef cf_read_and(cf_idioms *d, const cf_numbers *f, LLVMValueRef i);
LLVMValueRef cf_read_or(cf_idioms *d, const cf_numbers *f, LLVMValueRef i);
LLVMValueRef cf_read_xor(cf_idioms *d, const cf_numbers *f, LLVMValueRef i);
LLVMValueRef cf_move_exponent(cf_idioms *d, const cf_numbers *f, LLVMValueRef i);
LLVMValueRef cf_read_shift(cf_idioms *d, LLVMValueRef i);

/* idioms_rounding.c */
LLVMValueRef cf_round_by_adding(cf_idioms *d, LLVMValueRef i);
LLVMValueRef cf_compute_with_rounded(cf_idioms *d, LLVMValueRef i);

/* idioms_lanes.c */
LLVMValueRef cf_read_trunc(cf_idioms *d, LLVMValueRef i);
LLVMValueRef cf_read_extract(cf_idioms *d, LLVMValueRef i);
LLVMValueRef cf_read_lane(cf_idioms *d, LLVMValueRef i);
LLVMValueRef cf_read_insert(cf_idioms *d, LLVMValueRef i);
LLVMValueRef cf_read_shuffle(cf_idioms *d, LLVMValueRef i);
LLVMValueRef cf_read_select(cf_idioms *d, const cf_numbers *f, LLVMValueRef i);
LLVMValueRef cf_read_phi(cf_idioms *d, LLVMValueRef i);
LLVMValueRef cf_read_extreme(cf_idioms *d, const cf_numbers *f, LLVMValueRef i);
LLVMValueRef cf_read_load(cf_idioms *d, LLVMValueRef i);

#endif
