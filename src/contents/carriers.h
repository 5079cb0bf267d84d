/* Integers that may carry numbers or pointers: small structs and unions travel in integer registers and integer copies. */
#ifndef CF_CARRIERS_H
#define CF_CARRIERS_H
#include "ir/job.h"

/* Whether the bits of an integer may become a number again, in its function or in one that it is handed to: they are
 * stored, returned, reinterpreted. Not when all that is done with them is arithmetic, comparison or addressing. */
bool cf_used_as_bits(cf_job *job, LLVMValueRef value);

/* Whether an integer is more than an index, a count, or compared, as far as its function shows: it is stored, passed on,
 * returned, or becomes something else. */
bool cf_is_moved(cf_job *job, LLVMValueRef integer);

/* Where the bits of the integers that f returns may come from: bit k, argument k; CF_OWN_BITS: numbers or memory that f
 * gets in another way. */
enum { CF_MOST_CARRIERS = 62 };
#define CF_OWN_BITS (UINT64_C(1) << 63)
uint64_t cf_sources_of_result(cf_job *job, LLVMValueRef f);

/* Whether an integer may be an address: it comes from one, or from memory that may hold one. */
bool cf_may_be_address(cf_job *job, LLVMValueRef value);

/* Whether an integer is used as an address, or is made from one and stored where there may be one. */
bool cf_passes_address(cf_job *job, LLVMValueRef value);

/* Whether the address that an inttoptr makes comes from another by arithmetic through which none can be followed. */
#define CF_LOST_ADDRESS                                                                                      \
    "an address is made from another by arithmetic through which it cannot be followed; use sums, masks, "   \
    "shifts or remainders, or index from a pointer"
bool cf_address_is_lost(cf_job *job, LLVMValueRef inttoptr);

/* Whether somewhere in the module addresses are stored, or put together, in pieces: bytes, halves, the exclusive or of two. */
bool cf_addresses_in_pieces(cf_job *job);

#endif
