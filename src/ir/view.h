/* The view: a function imported once into plain arrays. Analyses read it and keep side tables indexed by its ids; they
 * do not call LLVM in inner loops. It shows the function as it was when imported.
 *
 * Values: parameters first (ids 0 … n_params-1), then instructions in reverse post-order of their blocks (the
 * instructions of a block are consecutive), then every constant and global that is an operand. Blocks that no path
 * from the entry reaches are left out. */
#ifndef CF_VIEW_H
#define CF_VIEW_H
#include "ir/job.h"
#include <llvm-c/Core.h>
#include <stdint.h>

typedef uint32_t cf_id;
#define CF_NONE UINT32_MAX

typedef struct cf_value {
    LLVMValueRef value;
    LLVMTypeRef type;
    LLVMOpcode op;  /* of an instruction; 0 otherwise */
    cf_id block;    /* of an instruction; CF_NONE otherwise */
    uint32_t n;     /* operands as LLVM numbers them; operands that are blocks or metadata are CF_NONE */
    cf_id *operand; /* of a phi: incoming values */
    uint32_t n_users;
    cf_id *user; /* instructions that have it as operand, each once per operand */
} cf_value;

typedef struct cf_block {
    LLVMBasicBlockRef block;
    cf_id first, end; /* instructions [first, end); end-1 is the terminator */
    uint32_t n_preds, n_succs;
    cf_id *pred, *succ; /* reached blocks; an edge taken twice (switch) stands twice in succ, once in pred */
    cf_id idom;         /* CF_NONE for the entry */
    uint32_t dom_depth;
    uint32_t pre, last; /* in preorder of the dominator tree: its own number, the largest below it */
    cf_id loop;         /* innermost loop, or CF_NONE */
    bool can_return;    /* some path from here leaves the function: false in front of abort() */
} cf_block;

typedef struct cf_loop {
    cf_id header, parent;   /* parent loop or CF_NONE */
    uint32_t depth;         /* outermost: 1 */
    cf_id preheader, latch; /* CF_NONE where the loop is not in normal form */
    uint32_t n_exits;
    cf_id *exit;        /* blocks outside with a predecessor inside, each once */
    uint32_t n_exiting; /* edges that leave to where the function can still return */
    cf_id exiting;      /* the block that one of these edges leaves from, or CF_NONE */
    cf_id iv;           /* canonical induction variable (prepare.h), or CF_NONE */
    cf_id last;         /* its last value, known before the loop; CF_NONE: not counted */
    uint64_t trips;     /* iterations of the header when constant, else 0 */
} cf_loop;

typedef struct cf_view {
    LLVMValueRef function;
    cf_id n_params, first_other, n_values; /* instructions are [n_params, first_other) */
    cf_value *value;
    cf_id n_blocks; /* in reverse post-order; block 0 is the entry */
    cf_block *block;
    cf_id n_loops; /* outer loops before inner ones */
    cf_loop *loop;
    bool irreducible; /* a cycle that is not a natural loop */
    cf_map ids;       /* LLVM value -> id + 1 */
    cf_map block_ids; /* LLVM block -> id + 1 */
} cf_view;

cf_view *cf_view_import(cf_job *job, LLVMValueRef function);

cf_id cf_view_id(const cf_view *v, LLVMValueRef value); /* CF_NONE when it has none */
cf_id cf_view_block(const cf_view *v, LLVMBasicBlockRef block);
bool cf_dominates(const cf_view *v, cf_id block, cf_id other);
bool cf_loop_contains(const cf_view *v, cf_id loop, cf_id block);
/* One way in from a block that goes nowhere else, one latch, exit blocks that are entered from the loop alone. */
bool cf_loop_has_form(const cf_view *v, cf_id loop);

static inline bool cf_is_inst(const cf_view *v, cf_id id) { return id >= v->n_params && id < v->first_other; }
static inline bool cf_is_param(const cf_view *v, cf_id id) { return id < v->n_params; }

#endif
