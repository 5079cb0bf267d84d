/* Values of the primal in the reverse sweep, and shadows of its pointers in both sweeps.
 *
 * In:     the sweep; needs with their stand-ins; the plan's choices
 * Out:    no stand-in is left
 *
 * A stand-in is `freeze poison` of the right type: it holds a place until the plan is made. Within one block a value is
 * made once; later needs in the block use it again. */
#include "contents/bits.h"
#include "contents/carriers.h"
#include "contents/moves.h"
#include "dub/twin.h"
#include "llvm/cfx.h"
#include "reverse/marks.h"
#include "reverse/writers.h"

typedef struct cf_memo {
    LLVMBasicBlockRef block; /* the block that the entries are for */
    cf_map made;             /* node + 1 -> value */
} cf_memo;

static cf_id value_of(const cf_sweep *s, cf_node n) { return n % s->v->n_values; }
static bool is_constant(const cf_sweep *s, cf_id v) { return v >= s->v->first_other; }

/* --- needs ------------------------------------------------------------------------------------------------------------ */

static LLVMValueRef stand_in(cf_sweep *s, cf_node node, LLVMTypeRef type) {
    LLVMValueRef v = LLVMBuildFreeze(s->b, LLVMGetPoison(type), "");
    cf_push(s->arena, &s->needs, ((cf_need){.node = node, .point = s->point, .stand_in = v}));
    return v;
}

void cf_wait_here(cf_sweep *s, cf_wait kind, cf_id id, cf_id from) {
    LLVMValueRef v = LLVMBuildFreeze(s->b, LLVMGetPoison(LLVMInt1TypeInContext(s->job->context)), "");
    cf_push(s->arena, &s->needs, ((cf_need){.kind = kind, .id = id, .from = from, .stand_in = v}));
}

LLVMValueRef cf_need_value(cf_sweep *s, cf_id v) {
    if (is_constant(s, v)) return s->v->value[v].value;
    if (cf_is_param(s->v, v)) return s->rev_param[v];
    return stand_in(s, v, cf_type_of(s, v));
}

/* A parameter that has none stands for its own shadow where one may be asked for. */
static LLVMValueRef shadow_of_parameter(const cf_sweep *s, LLVMValueRef *shadows, LLVMValueRef own, cf_id v,
                                        unsigned k) {
    LLVMValueRef shadow = cf_is_homed(s, v) ? NULL : shadows[v * s->width + k];
    return shadow ? shadow : own;
}

bool cf_shadow_may_lack(const cf_sweep *s, cf_id v) {
    const cf_value *x = &s->v->value[v];
    if (x->op != LLVMLoad || !l_is_pointer_type(x->type) || !cf_is_mixed(s->act, v)) return false;
    if (s->key->marked) return true; /* copied from where there is no shadow */
    return !LLVMIsAAllocaInst(cfx_underlying(LLVMGetOperand(x->value, 0)));
}

/* A pointer without a shadow stands for its own. */
static LLVMValueRef or_own(cf_sweep *s, cf_id v, LLVMValueRef shadow, LLVMValueRef own) {
    if (!cf_shadow_may_lack(s, v)) return shadow;
    LLVMValueRef null = LLVMConstNull(LLVMTypeOf(own)),
                 none = LLVMBuildICmp(s->f, LLVMIntEQ, shadow, null, "");
    return LLVMBuildSelect(s->f, none, own, shadow, "");
}

/* The shadow of a constant pointer; itself where there is nothing to shadow. */
static LLVMValueRef constant_shadow(cf_sweep *s, LLVMValueRef c, unsigned k) {
    LLVMValueRef twin = cf_twin_of(s->job, c, k);
    return twin ? twin : c;
}

LLVMValueRef cf_need_shadow(cf_sweep *s, cf_id v, unsigned k) {
    if (is_constant(s, v)) return constant_shadow(s, s->v->value[v].value, k);
    if (!cf_has_shadow(s->act, v)) return cf_need_value(s, v);
    if (cf_is_param(s->v, v)) return shadow_of_parameter(s, s->rev_shadow_param, s->rev_param[v], v, k);
    return stand_in(s, cf_shadow_node(s, v, k), cf_type_of(s, v));
}

/* --- shadows in the forward sweep ------------------------------------------------------------------------------------- */

LLVMValueRef cf_forward_value(cf_sweep *s, cf_id v) {
    return cf_clone_value(&s->clone, s->v->value[v].value);
}

static bool is_address(const cf_sweep *s, cf_id o) {
    return o != CF_NONE && cf_has_shadow(s->act, o) && cf_may_be_address(s->job, s->v->value[o].value);
}

bool cf_in_shadow(const cf_sweep *s, cf_id v, uint32_t i) {
    const cf_value *x = &s->v->value[v];
    cf_id o = x->operand[i];
    if (o == CF_NONE || !cf_has_shadow(s->act, o)) return false;
    switch (x->op) {
    case LLVMGetElementPtr: return i == 0;
    case LLVMAdd:
    case LLVMSub: return s->key->marked || is_address(s, o) || !is_address(s, x->operand[!i]);
    default: return true;
    }
}

/* The same operation on shadows. */
static LLVMValueRef copy_for_shadows(LLVMValueRef inst, LLVMValueRef *operand, uint32_t n) {
    LLVMValueRef copy = LLVMInstructionClone(inst);
    for (uint32_t i = 0; i < n; i++) LLVMSetOperand(copy, i, operand[i]);
    if (LLVMIsALoadInst(copy)) LLVMSetAlignment(copy, cf_shadow_alignment(inst));
    cf_forget_promises(copy);
    return copy;
}

static LLVMValueRef copy_with_shadows(cf_sweep *s, cf_id v, unsigned k) {
    const cf_value *x = &s->v->value[v];
    LLVMValueRef at = cf_forward_value(s, v);
    LLVMValueRef operand[3] = {0};
    LLVMValueRef *o = x->n <= 3 ? operand : CF_ARRAY(s->arena, LLVMValueRef, x->n);
    for (uint32_t i = 0; i < x->n; i++)
        o[i] = cf_in_shadow(s, v, i) ? cf_forward_shadow(s, x->operand[i], k) : LLVMGetOperand(at, i);
    LLVMValueRef copy = copy_for_shadows(at, o, x->n);
    l_after(s->f, at);
    LLVMInsertIntoBuilder(s->f, copy);
    if (x->op == LLVMLoad && l_is_pointer_type(x->type)) cf_marks_forward_load(s, v, k);
    return or_own(s, v, copy, at);
}

/* A library function's result that points into the object of an argument: as far into the argument's shadow. */
static LLVMValueRef shadow_inside(cf_sweep *s, cf_id v, unsigned k, unsigned argument) {
    LLVMValueRef at = cf_forward_value(s, v), own = LLVMGetOperand(at, argument);
    LLVMValueRef shadow = cf_forward_shadow(s, s->v->value[v].operand[argument], k);
    l_after(s->f, at);
    if (l_is_intrinsic_of(l_callee(at), "llvm.threadlocal.address")) {
        LLVMValueRef copy = LLVMInstructionClone(at);
        LLVMSetOperand(copy, 0, shadow);
        LLVMInsertIntoBuilder(s->f, copy);
        return copy;
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(s->job->context);
    LLVMValueRef offset =
        LLVMBuildSub(s->f, LLVMBuildPtrToInt(s->f, at, i64, ""), LLVMBuildPtrToInt(s->f, own, i64, ""), "");
    LLVMValueRef null = LLVMConstNull(LLVMTypeOf(at)), none = LLVMBuildICmp(s->f, LLVMIntEQ, at, null, "");
    return LLVMBuildSelect(s->f, none, null, l_offset(s->f, shadow, offset, ""), "");
}

/* The operand that is an address, of a mask that moves it, or -1: blocks and their shadows need not be aligned alike. Where
 * the run tells what bytes are, only `and` moves one: the others may put pieces together. */
static int masked_address(const cf_sweep *s, cf_id v) {
    const cf_value *x = &s->v->value[v];
    bool mask = x->op == LLVMAnd || (!s->key->marked && (x->op == LLVMOr || x->op == LLVMXor));
    if (!mask || LLVMGetTypeKind(x->type) != LLVMIntegerTypeKind) return -1;
    bool address[2];
    for (int k = 0; k < 2; k++) {
        cf_id o = x->operand[k];
        address[k] =
            o != CF_NONE && cf_has_shadow(s->act, o) && cf_may_be_address(s->job, s->v->value[o].value);
    }
    if (address[0] == address[1]) return -1;
    return cf_address_move_of(x->value, address[0], address[1]) == CF_BITS_OFFSET ? address[1] : -1;
}

bool cf_shadow_is_masked(const cf_sweep *s, cf_id v) { return masked_address(s, v) >= 0; }

/* As far from the shadow as the result is from the address. */
static LLVMValueRef shadow_masked(cf_sweep *s, cf_id v, unsigned k, unsigned which) {
    LLVMValueRef at = cf_forward_value(s, v), own = LLVMGetOperand(at, which);
    LLVMValueRef shadow = cf_forward_shadow(s, s->v->value[v].operand[which], k);
    l_after(s->f, at);
    return LLVMBuildAdd(s->f, shadow, LLVMBuildSub(s->f, at, own, ""), "");
}

/* The argument that a call's result points into, or -1. */
static int points_into(const cf_sweep *s, cf_id v) {
    LLVMValueRef x = s->v->value[v].value, f = s->v->value[v].op == LLVMCall ? l_callee(x) : NULL;
    const cf_known *known = f && l_is_pointer_type(LLVMTypeOf(x)) ? cf_known_of(f) : NULL;
    return known && known->returns != CF_NO_ARG ? known->returns : -1;
}

/* Incoming values come later (cf_fill_shadow_phis): some are of calls that are not edited yet. */
static LLVMValueRef shadow_phi(cf_sweep *s, cf_id v, unsigned k) {
    l_at_top(s->f, LLVMGetInstructionParent(cf_forward_value(s, v)));
    LLVMValueRef phi = LLVMBuildPhi(s->f, cf_type_of(s, v), "");
    cf_push(s->arena, &s->open_phis, ((cf_open_phi){v, k, phi}));
    return phi;
}

void cf_fill_shadow_phis(cf_sweep *s) {
    for (size_t i = 0; i < s->open_phis.n; i++) {
        cf_open_phi o = s->open_phis.at[i];
        const cf_value *x = &s->v->value[o.phi];
        LLVMValueRef at = cf_forward_value(s, o.phi);
        for (uint32_t n = 0; n < x->n; n++) {
            LLVMValueRef in = cf_forward_shadow(s, x->operand[n], o.direction);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(at, n);
            LLVMAddIncoming(o.made, &in, &from, 1);
        }
    }
    s->open_phis.n = 0;
}

/* Pieces of an address, or two addresses in one. */
static bool has_pieces(const cf_sweep *s, cf_id v) {
    const cf_value *x = &s->v->value[v];
    if (x->op == LLVMXor) return is_address(s, x->operand[0]) && is_address(s, x->operand[1]);
    return l_is_integer_type(x->type) && cf_bits_come_from(s->job, x->value)->pointer;
}

/* Arithmetic that tells of overflows: a sum and a flag. */
static bool is_checked_arithmetic(const cf_sweep *s, cf_id v) {
    LLVMValueRef x = s->v->value[v].value, f = s->v->value[v].op == LLVMCall ? l_callee(x) : NULL;
    return f && l_begins(l_name(f), "llvm.") && strstr(l_name(f), ".with.overflow.");
}

static LLVMValueRef shadow_of_checked(cf_sweep *s, cf_id v, unsigned k) {
    LLVMTypeRef sum = LLVMStructGetTypeAtIndex(cf_type_of(s, v), 0);
    bool address = l_is_integer_type(sum) && LLVMGetIntTypeWidth(sum) >= 64;
    return address ? copy_with_shadows(s, v, k) : cf_forward_value(s, v);
}

static LLVMValueRef make_forward_shadow(cf_sweep *s, cf_id v, unsigned k) {
    if (is_checked_arithmetic(s, v)) return shadow_of_checked(s, v, k);
    int masked = masked_address(s, v);
    if (masked >= 0) return shadow_masked(s, v, k, (unsigned)masked);
    switch (s->v->value[v].op) {
    case LLVMPHI: return shadow_phi(s, v, k);
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
    case LLVMSelect:
    case LLVMExtractValue:
    case LLVMExtractElement:
    case LLVMInsertValue:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMLoad: return copy_with_shadows(s, v, k);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMShl:
    case LLVMLShr:
    case LLVMXor:
        if (s->key->marked || has_pieces(s, v)) return copy_with_shadows(s, v, k);
        /* fall through */
    default:
        if (cf_gives_foreign(s->job, s->v->value[v].value)) return cf_forward_value(s, v);
        if (points_into(s, v) >= 0) return shadow_inside(s, v, k, (unsigned)points_into(s, v));
        if (l_is_integer_type(cf_type_of(s, v)) && !cf_may_be_address(s->job, s->v->value[v].value))
            return cf_forward_value(s, v);
        cf_sweep_error(
            s, v,
            "a pointer comes out of an operation that reverse mode cannot follow; put the operation into a "
            "function with a rule (CF_RULE_REVERSE) or without derivative (CF_INACTIVE)");
        return cf_forward_value(s, v);
    }
}

LLVMValueRef cf_forward_shadow(cf_sweep *s, cf_id v, unsigned k) {
    if (is_constant(s, v)) return constant_shadow(s, s->v->value[v].value, k);
    if (!cf_has_shadow(s->act, v)) return cf_forward_value(s, v);
    if (cf_is_param(s->v, v)) return shadow_of_parameter(s, s->shadow_param, cf_forward_value(s, v), v, k);
    LLVMValueRef *at = &s->shadow[v * s->width + k];
    if (!*at) {
        LLVMValueRef made = make_forward_shadow(s, v, k);
        *at = made;
    }
    return *at;
}

/* --- making values in the reverse sweep --------------------------------------------------------------------------------- */

static LLVMValueRef recompute(cf_sweep *s, cf_id v) {
    const cf_value *x = &s->v->value[v];
    LLVMValueRef *o = CF_ARRAY(s->arena, LLVMValueRef, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++)
        o[i] = x->operand[i] == CF_NONE ? NULL : cf_make_value(s, x->operand[i]);
    LLVMValueRef copy = LLVMInstructionClone(x->value);
    for (uint32_t i = 0; i < x->n; i++)
        if (o[i]) LLVMSetOperand(copy, i, o[i]);
    LLVMInstructionSetDebugLoc(copy, cf_clone_location(&s->rev_place, LLVMInstructionGetDebugLoc(x->value)));
    LLVMInsertIntoBuilder(s->b, copy);
    return copy;
}

static LLVMValueRef recompute_shadow(cf_sweep *s, cf_id v, unsigned k) {
    const cf_value *x = &s->v->value[v];
    LLVMValueRef *o = CF_ARRAY(s->arena, LLVMValueRef, x->n + 1);
    for (uint32_t i = 0; i < x->n; i++) {
        cf_id p = x->operand[i];
        o[i] = cf_make_value(s, cf_in_shadow(s, v, i) ? cf_shadow_node(s, p, k) : p);
    }
    LLVMValueRef copy = copy_for_shadows(x->value, o, x->n);
    LLVMInstructionSetDebugLoc(copy, cf_clone_location(&s->rev_place, LLVMInstructionGetDebugLoc(x->value)));
    LLVMInsertIntoBuilder(s->b, copy);
    return copy;
}

static bool is_counter(const cf_sweep *s, cf_id v) {
    cf_id l = cf_is_inst(s->v, v) ? s->v->block[s->v->value[v].block].loop : CF_NONE;
    return l != CF_NONE && s->v->loop[l].iv == v;
}

static LLVMValueRef make(cf_sweep *s, cf_node node) {
    cf_id v = value_of(s, node);
    unsigned lane = node / s->v->n_values;
    if (!lane && is_constant(s, v)) return s->v->value[v].value;
    if (!lane && cf_is_param(s->v, v)) return s->rev_param[v];
    if (lane && lane <= s->width) {
        if (is_constant(s, v)) return constant_shadow(s, s->v->value[v].value, lane - 1);
        if (cf_is_param(s->v, v))
            return shadow_of_parameter(s, s->rev_shadow_param, s->rev_param[v], v, lane - 1);
    }
    if (s->joined && s->v->value[v].op == LLVMAlloca && s->v->value[v].block == 0)
        return lane ? cf_forward_shadow(s, v, lane - 1) : cf_forward_value(s, v);
    if (!lane && is_counter(s, v)) {
        cf_id l = s->v->block[s->v->value[v].block].loop;
        return LLVMBuildLoad2(s->b, cf_type_of(s, v), s->counter[l], "");
    }
    if (s->choice[node] == CF_CACHE) return cf_storage_load(s, node);
    if (s->choice[node] == CF_UNUSED) {
        cf_sweep_error(s, v, "internal error: a value is used in the reverse sweep that was not planned for");
        return LLVMGetPoison(cf_type_of(s, v));
    }
    return lane ? recompute_shadow(s, v, lane - 1) : recompute(s, v);
}

LLVMValueRef cf_make_value(cf_sweep *s, cf_node node) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(s->b);
    if (!s->memo) s->memo = CF_NEW(s->arena, cf_memo);
    if (s->memo->block != here) *s->memo = (cf_memo){here, {0}};
    const void *key = (const void *)((uintptr_t)(node + 1) << 4);
    LLVMValueRef made = cf_map_get(&s->memo->made, key);
    if (made) return made;
    made = make(s, node);
    cf_map_put(s->arena, &s->memo->made, key, made);
    return made;
}

/* Memory that the caller sees is noted, to be put back when the gradient is complete. */
static void note_for_redo(cf_sweep *s, cf_id i, LLVMValueRef place, LLVMValueRef bytes) {
    if (!s->visible[i] || s->key->consume) return;
    LLVMValueRef a[] = {s->tape_rev, place, bytes};
    l_call(s->b, cf_tape_function(s, "__cf_tape_redo"), a, 3, "");
    s->uses_tape = true;
}

static void undo_store(cf_sweep *s, cf_id i) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef old = cf_storage_load(s, cf_log_node(s, i)), place = cf_make_value(s, x->operand[1]);
    note_for_redo(s, i, place, l_i64(s->job->context, l_size(s->job->module, LLVMTypeOf(old))));
    LLVMSetAlignment(LLVMBuildStore(s->b, old, place), LLVMGetAlignment(x->value));
}

static void undo_block(cf_sweep *s, cf_id i, const cf_known *known) {
    const cf_value *x = &s->v->value[i];
    LLVMValueRef old = cf_storage_load(s, cf_log_node(s, i)), a[] = {s->tape_rev, old};
    LLVMValueRef place = cf_make_value(s, x->operand[(unsigned)known->pointer]);
    LLVMValueRef bytes = cf_make_value(s, x->operand[known->size.a]);
    if (LLVMGetIntTypeWidth(LLVMTypeOf(bytes)) < 64)
        bytes = LLVMBuildZExt(s->b, bytes, LLVMInt64TypeInContext(s->job->context), "");
    note_for_redo(s, i, place, bytes);
    LLVMBuildMemCpy(s->b, place, 1, old, 16, bytes);
    l_call(s->b, cf_tape_function(s, "__cf_tape_release"), a, 2, "");
}

static void undo(cf_sweep *s, cf_id i) {
    const cf_known *known;
    if (!s->logged[i]) return;
    if (cf_is_plain_store(s, i))
        undo_store(s, i);
    else if (cf_is_block_write(s, i, &known))
        undo_block(s, i, known);
}

/* In the order in which they were emitted: within a block from its start to its end, so that what is made for one is
 * there for the next. */
void cf_settle_values(cf_sweep *s) {
    for (size_t i = 0; i < s->needs.n; i++) {
        cf_need *n = &s->needs.at[i];
        LLVMPositionBuilderBefore(s->b, n->stand_in);
        LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(n->stand_in));
        switch (n->kind) {
        case CF_STAND_IN: LLVMReplaceAllUsesWith(n->stand_in, cf_make_value(s, n->node)); break;
        case CF_UNDO: undo(s, n->id); break;
        case CF_ENTER: cf_storage_enter(s, n->id, n->from); break;
        case CF_END_ITERATION: cf_storage_end_iteration(s, n->id); break;
        case CF_LEAVE: cf_storage_leave(s, n->id); break;
        }
        LLVMInstructionEraseFromParent(n->stand_in);
    }
}
