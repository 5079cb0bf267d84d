/* One derivative being made by reverse mode: what its parts share. Private to src/reverse.
 *
 * Steps, in reverse.c: the primal is cloned (forward sweep); the reverse sweep is emitted with a stand-in for every
 * value of the primal that it needs (backward.c, adjoint.c, call.c); the plan decides for each such value whether it is
 * recomputed, loaded again or kept, and which stores are logged (plan.c); stand-ins are replaced, and the forward sweep
 * gets the code that keeps and logs (storage.c, values.c).
 *
 * Nodes name what the reverse sweep may need: node v is the primal value with id v; node N*(1+k)+v is its shadow in
 * direction k (N values, W directions); node N*(1+W)+s is the memory that store s overwrote; later ones are addresses
 * of frames. */
#ifndef CF_SWEEP_H
#define CF_SWEEP_H
#include "analysis/activity.h"
#include "analysis/clobber.h"
#include "analysis/key.h"
#include "known/rules.h"
#include "ir/clone.h"
#include "ir/view.h"
#include "llvm/l.h"
#include "support/vec.h"

typedef uint32_t cf_node;

typedef enum cf_choice {
    CF_UNUSED,
    CF_RECOMPUTE, /* from its operands, in the reverse sweep (parameters and constants too) */
    CF_RELOAD,    /* from memory, which holds it at the point of use */
    CF_CACHE,     /* kept by the forward sweep */
} cf_choice;

/* Places in the reverse sweep that wait for the plan, in the order in which they were emitted. */
typedef enum cf_wait {
    CF_STAND_IN,      /* a node; the state of the primal's memory at `point` is what it sees */
    CF_UNDO,          /* of store `id`, if it is logged */
    CF_ENTER,         /* loop `id` is entered from its exit block `from` */
    CF_END_ITERATION, /* of loop `id`: its header is reversed */
    CF_LEAVE,         /* loop `id` is left towards its preheader */
} cf_wait;

/* Point 2*i is before instruction i, 2*i+1 after it. */
typedef struct cf_need {
    cf_wait kind;
    cf_node node;
    uint32_t point;
    cf_id id, from;
    LLVMValueRef stand_in;
} cf_need;

/* The pair of functions for one key, for calls between differentiated functions. */
typedef struct cf_pair {
    cf_key key;
    LLVMValueRef aug, rev;
    bool
        soft; /* called through pointers alone: what keeps it from being made is a message when it is called */
    bool failed; /* they could not be made */
} cf_pair;

/* A call of a differentiated function, in both sweeps. Callees are filled in when it is known whether the memory behind
 * pointers is the same at the reverse. */
typedef struct cf_pair_call {
    cf_id id;
    cf_key key;
    LLVMValueRef aug_call, rev_call;
} cf_pair_call;

/* A phi of shadows in the forward sweep whose incoming values are still to come. */
typedef struct cf_open_phi {
    cf_id phi;
    unsigned direction;
    LLVMValueRef made;
} cf_open_phi;

struct cf_storage;

typedef struct cf_sweep {
    cf_job *job;
    cf_arena *arena;
    const cf_key *key;
    const cf_view *v;
    const cf_activity *act;
    cf_clobbers *clobbers;
    unsigned width;
    bool joined; /* both sweeps in one function: fwd == rev */
    bool soft;   /* of a pair: an error is kept as `trouble` */
    bool failed; /* an error was reported, or kept */
    const char *trouble;
    LLVMValueRef fwd, rev;
    cf_clone clone;      /* primal -> fwd */
    cf_clone rev_place;  /* debug locations in rev */
    LLVMBuilderRef f, b; /* forward, reverse */
    LLVMValueRef tape_fwd, tape_rev;
    bool uses_tape;
    LLVMBasicBlockRef start, finish; /* of the reverse sweep */
    LLVMBasicBlockRef
        *rblock; /* by block id: where its reversal begins; NULL: the return is not reached from it */
    LLVMValueRef *shadow_param; /* forward: by parameter and direction, NULL where it has none */
    LLVMValueRef *rev_param;    /* reverse: parameters of the primal */
    LLVMValueRef *rev_shadow_param;
    LLVMValueRef *seed; /* adjoint of the result by direction, NULL if none */
    LLVMValueRef *slot; /* adjoint of value v in direction k: slot[v*W+k], made on demand */
    LLVMValueRef *sum; /* the same, of values that are used in their own block alone: what was added so far */
    LLVMValueRef *shadow; /* forward shadow of value v in direction k, made on demand */
    LLVMValueRef
        *mask; /* marks.c: of the shadow of an integer, the bytes that are of a pointer; made on demand */
    LLVMValueRef *counter, *count; /* by loop: slots of the reverse sweep: iteration, iterations */
    CF_VEC(cf_need) needs;
    bool *undo; /* by instruction: a store that the reverse sweep can undo */
    CF_VEC(cf_pair_call) calls;
    CF_VEC(cf_open_phi) open_phis;
    CF_VEC(cf_id) customs; /* calls whose reverse is a rule of the user's, which reads memory */
    cf_bits *steep; /* by value, guard.c: its adjoint may come from a vertical slope; NULL: not asked */
    struct cf_trees *trees; /* guard.c; NULL: not asked */
    uint32_t point;         /* of the needs that are being asked for */
    cf_choice *choice;      /* by node */
    bool *logged;           /* by instruction */
    bool *visible;          /* by instruction: a logged store into memory that the caller sees */
    struct cf_storage *storage;
    struct cf_memo *memo;
} cf_sweep;

static inline cf_node cf_shadow_node(const cf_sweep *s, cf_id v, unsigned k) {
    return s->v->n_values * (1 + k) + v;
}
static inline cf_node cf_log_node(const cf_sweep *s, cf_id store) {
    return s->v->n_values * (1 + s->width) + store;
}
static inline cf_node cf_first_frame_node(const cf_sweep *s) { return s->v->n_values * (2 + s->width); }
static inline LLVMTypeRef cf_type_of(const cf_sweep *s, cf_id v) { return s->v->value[v].type; }

/* Reports an error at instruction i (or at the function, CF_NONE) and marks the sweep as failed. */
void cf_sweep_error(cf_sweep *s, cf_id i, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* values.c: a stand-in for a needed node at s->point, where the reverse builder is. Constants come back themselves. */
LLVMValueRef cf_need_value(cf_sweep *s, cf_id v);
/* A pointer loaded from what may be a global, reached in whatever way. Its shadow is empty when a gradient begins: null there
 * says that what the program put into the global before has no shadow. */
bool cf_shadow_may_lack(const cf_sweep *s, cf_id v);
/* Of operand i of v, the shadow is taken where the shadow of v is made: not of indices and distances. */
bool cf_in_shadow(const cf_sweep *s, cf_id v, uint32_t i);
/* The shadow of v is made from v and an operand of it, in the forward sweep alone. */
bool cf_shadow_is_masked(const cf_sweep *s, cf_id v);
LLVMValueRef cf_need_shadow(cf_sweep *s, cf_id v, unsigned k);
/* The shadow of a pointer in the forward sweep. */
LLVMValueRef cf_forward_shadow(cf_sweep *s, cf_id v, unsigned k);
LLVMValueRef cf_forward_value(cf_sweep *s, cf_id v);
void cf_fill_shadow_phis(cf_sweep *s);
/* Replaces all stand-ins, as the plan says. */
void cf_settle_values(cf_sweep *s);
/* The value of a node where the reverse builder is, with choices made. */
LLVMValueRef cf_make_value(cf_sweep *s, cf_node node);
/* A place that waits for the plan, where the reverse builder is. */
void cf_wait_here(cf_sweep *s, cf_wait kind, cf_id id, cf_id from);

/* plan.c */
void cf_plan(cf_sweep *s);
/* A value that can be computed again from its operands without reading memory. */
bool cf_recomputable(const cf_sweep *s, cf_id v);

/* storage.c: memory in which the forward sweep keeps nodes. cf_storage_settle emits everything. */
void cf_storage_settle(cf_sweep *s);
LLVMValueRef cf_storage_load(cf_sweep *s, cf_node node); /* where the reverse builder is */
void cf_storage_add(cf_sweep *s, cf_node node, cf_id loop, LLVMTypeRef type);
void cf_storage_enter(cf_sweep *s, cf_id loop, cf_id from);
void cf_storage_end_iteration(cf_sweep *s, cf_id loop);
void cf_storage_leave(cf_sweep *s, cf_id loop);
void cf_storage_finish(cf_sweep *s);
LLVMValueRef cf_tape_function(cf_sweep *s, const char *name);

/* What memory or bits hold here, the compiler cannot tell: the gradient is made once more with a key that is `marked`, or, if
 * it is already, this is the error. */
void cf_sweep_undecided(cf_sweep *s, cf_id i, const char *error);

/* marks.c: integers, and structs with integers in them, whose adjoint lies at a home when the key is `marked`: a pointer to
 * it is what cf_adjoint_take returns and cf_adjoint_add takes then. */
bool cf_is_homed_type(LLVMTypeRef t);
bool cf_is_homed(const cf_sweep *s, cf_id v);

/* backward.c: the reverse sweep's blocks and branches. */
void cf_emit_backward(cf_sweep *s);

/* adjoint.c */
LLVMValueRef cf_adjoint_slot(cf_sweep *s, cf_id v, unsigned k);
LLVMValueRef cf_adjoint_take(cf_sweep *s, cf_id v, unsigned k);              /* reads it and sets it to 0 */
void cf_adjoint_add(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef adjoint); /* nothing for inactive values */
bool cf_adjoint_is_sum(const cf_sweep *s, cf_id v); /* it has no slot: v is used in its own block alone */
void cf_adjoint_add_now(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef adjoint); /* to its slot */
void cf_reverse_instruction(cf_sweep *s, cf_id i);

/* guard.c: products with an adjoint of 0 are 0. What was taken as the adjoint of v, as it is to be used. */
LLVMValueRef cf_guard_taken(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef bar);
/* Sums that wait for the end of the block are added: to v, to all. */
void cf_give_sum(cf_sweep *s, cf_id v, unsigned k);
void cf_give_sums(cf_sweep *s);
/* Adds to the adjoint of x what operation i, which has it as an operand, gives it: its own adjoint, as it is or negated or in
 * another precision; */
void cf_pass_on(cf_sweep *s, cf_id i, cf_id x, unsigned k, LLVMValueRef share);
/* its product with a value of the primal, for operand o; */
void cf_pass_product(cf_sweep *s, cf_id i, uint32_t o, unsigned k, cf_id factor, LLVMValueRef product);
/* its quotient by operand 1, for operand 0. */
void cf_pass_quotient(cf_sweep *s, cf_id i, unsigned k, LLVMValueRef share);
/* The product of the adjoint of call i and a rule's partial derivative. */
LLVMValueRef cf_product_by_rule(cf_sweep *s, cf_id i, LLVMValueRef partial, LLVMValueRef bar,
                                LLVMValueRef product);
/* An active number goes through a pointer that may lead into a `const` argument: where it does at run time
 * (has_shadow is false), the program ends with a message. */
void cf_check_shadow(cf_sweep *s, cf_id i, LLVMValueRef has_shadow);
/* a + b for numbers of any type, bits too. */
LLVMValueRef cf_add_numbers(cf_sweep *s, cf_id bits_of, LLVMValueRef a, LLVMValueRef b);

/* forward.c: what the forward sweep does beside the primal: shadows of allocations, of stored pointers, calls. */
void cf_edit_forward(cf_sweep *s);

/* call.c */
void cf_forward_call(cf_sweep *s, cf_id call);
void cf_reverse_call(cf_sweep *s, cf_id call);

/* tape.c: links the tape's bitcode into the module, once. */
bool cf_tape_link(cf_job *job);

/* reverse.c: the pair for a key, declared now; its bodies come when the request's are made. soft: it is only needed by
 * what pointers may point to. */
cf_pair *cf_pair_of(cf_job *job, const cf_key *key, bool soft);
/* An entry of job->made is of what is made for this gradient. */
void cf_note_made(cf_job *job, const char *name);

#endif
