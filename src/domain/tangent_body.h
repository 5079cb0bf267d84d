/* Inside forward mode: what its files share about the function being made. */
#ifndef CF_TANGENT_BODY_H
#define CF_TANGENT_BODY_H
#include "domain/tangent.h"
#include "domain/varied.h"
#include "dub/dub.h"
#include "dub/twin.h"
#include "llvm/l.h"

/* Of a whole run. */
typedef struct cf_tangents {
    cf_names memo;  /* of cf_varied_new */
    bool recording; /* tangent_record.c */
} cf_tangents;

/* Of one function; in b->state. */
typedef struct cf_tangent_state {
    const cf_varied *varied;
    cf_map ditch; /* type → slot that takes what must not be stored */
} cf_tangent_state;

static inline cf_tangent_state *cf_state(cf_body *b) { return (cf_tangent_state *)b->state; }
static inline unsigned cf_flags(cf_body *b, LLVMValueRef old) {
    return cf_varied_flags(cf_state(b)->varied, old);
}
static inline bool cf_varies(cf_body *b, LLVMValueRef old) { return cf_flags(b, old) & CF_VARIED; }

/* What is beside an old value in direction k; NULL: nothing. */
LLVMValueRef cf_beside(cf_body *b, LLVMValueRef old, unsigned k);
/* The same, with what says "nothing" for NULL: 0, for a pointer the pointer itself. */
LLVMValueRef cf_beside_or_none(cf_body *b, LLVMValueRef old, unsigned k);
/* Sets what is beside an old value, by a function per direction; NULL from it counts as nothing. */
void cf_set_each(cf_body *b, LLVMValueRef old, LLVMValueRef (*of)(cf_body *b, LLVMValueRef old, unsigned k));

/* The copy of an old instruction once more, at the builder: without flags and metadata that say something about its
 * value. Its operands are to be exchanged. */
LLVMValueRef cf_again(cf_body *b, LLVMValueRef old);
/* An operation on numbers gets the flags of an old one, save those that exclude NaN and infinity. */
LLVMValueRef cf_flagged(LLVMValueRef old, LLVMValueRef made);
/* What stands beside p says that p has no shadow. */
LLVMValueRef cf_is_none(cf_body *b, LLVMValueRef p_now, LLVMValueRef shadow);
/* A pointer that came out of shadow memory: null there means "no shadow". */
LLVMValueRef cf_from_memory(cf_body *b, LLVMValueRef p_now, LLVMValueRef shadow);
/* "argument `p`", "a constant": what a pointer leads to, for messages. */
const char *cf_path_text(cf_body *b, LLVMValueRef p);

/* tangent_memory.c */
void cf_tangent_load(cf_body *b, LLVMValueRef i);
void cf_tangent_store(cf_body *b, LLVMValueRef i);
void cf_tangent_alloca(cf_body *b, LLVMValueRef i);
void cf_tangent_atomic(cf_body *b, LLVMValueRef i);
void cf_tangent_copy(cf_body *b, LLVMValueRef call, unsigned to, unsigned from, LLVMValueRef size);
/* The shadow of `size` bytes at old pointer p holds no tangents: zeros. */
void cf_clear_shadow(cf_body *b, LLVMValueRef p, LLVMValueRef size);

/* tangent_call.c */
cf_target cf_tangent_resolve(cf_body *b, LLVMValueRef call);
/* Puts the builder to where the result of a call is there. */
void cf_stand_after_call(cf_body *b, LLVMValueRef call);

/* tangent_through.c: calls through pointers. True: dealt with. */
bool cf_tangent_through(cf_body *b, LLVMValueRef call, const cf_key *key);

/* tangent_known.c: functions of libc and intrinsics. True: dealt with. */
bool cf_tangent_known(cf_body *b, LLVMValueRef call, LLVMValueRef f);
/* tangent_rule.c */
struct cf_rule;
/* A product is 0 where the factor is, whatever the other factor. */
void cf_tangent_guard(cf_body *b, LLVMValueRef call);
LLVMValueRef cf_tangent_unless_zero(cf_body *b, LLVMValueRef factor, LLVMValueRef product);
/* dx times a value y of the program in operation i: 0 where y is, also if dx may come from a vertical slope. */
LLVMValueRef cf_tangent_product(cf_body *b, LLVMValueRef i, LLVMValueRef dx, LLVMValueRef y);
void cf_tangent_partials(cf_body *b, LLVMValueRef i, const struct cf_rule *rule, unsigned n);
/* x * y + z: with the derivative of a product and a sum. */
void cf_tangent_multiply_add(cf_body *b, LLVMValueRef i);
void cf_tangent_custom(cf_body *b, LLVMValueRef call, const struct cf_rule *rule);

/* tangent_lost.c: integer arithmetic on the bits of numbers. True: dealt with. */
bool cf_tangent_lost(cf_body *b, LLVMValueRef i);
/* A number that is made of such bits on some way ends the program with a message. */
void cf_check_number(cf_body *b, LLVMValueRef i);

/* tangent_record.c: the same walk, with a note of each access in the place of tangents. Nothing is done when there is no
 * recording. p, from, call: old values; size: a new one */
static inline bool cf_recording(const cf_body *b) { return ((cf_tangents *)b->dub->state)->recording; }
void cf_record_load(cf_body *b, LLVMValueRef i);
void cf_record_store(cf_body *b, LLVMValueRef i);
void cf_record_atomic(cf_body *b, LLVMValueRef i);
/* from: NULL or an old pointer. */
void cf_record_copy(cf_body *b, LLVMValueRef p, LLVMValueRef from, LLVMValueRef size);
void cf_record_fill(cf_body *b, LLVMValueRef p, LLVMValueRef size);
/* shadow: a new pointer to the shadow of an object that begins. */
void cf_record_fresh(cf_body *b, LLVMValueRef shadow, LLVMValueRef size);
void cf_record_global(cf_job *job, LLVMBuilderRef b, LLVMValueRef shadow, LLVMValueRef size);
/* In front of a call that frees p. */
void cf_record_gone(cf_body *b, LLVMValueRef p);
/* Objects passed by value: in front of the call; where the function begins. */
void cf_record_pass(cf_body *b, LLVMValueRef p);
void cf_record_receive(cf_body *b);

#endif
