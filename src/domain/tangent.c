/* Tangent: forward mode, a domain of the engine.
 *
 * In:     a function and a key
 * Out:    the clone with the canonical signature, and clones of what it calls
 * Needs:  rules (cf_rules_link); a valid module
 * Keeps:  the functions cloned                      Breaks: nothing
 *
 * Idea: beside each number stands its tangent, beside each pointer a pointer to its shadow: memory laid out like the
 * primal's that holds tangents, and shadows of pointers. Whatever moves a value moves what is beside it in the same
 * way. A pointer without a shadow (to constant data, behind a `const` argument) stands for its own shadow where one is
 * needed; what is loaded through it has tangent 0, an active number stored through it ends the program with a message.
 * Function pointers have no shadows: calls through them look the derivative up (dub.h). */
#include "analysis/kept.h"
#include "analysis/singular.h"
#include "contents/carriers.h"
#include "known/known.h"
#include "known/rules.h"
#include "domain/tangent_body.h"
#include <math.h>

/* ---- beside values ---- */

LLVMValueRef cf_beside(cf_body *b, LLVMValueRef old, unsigned k) {
    if (LLVMIsAConstant(old)) return cf_twin_of(b->job, old, k);
    LLVMValueRef *all = cf_companions(b, old);
    return all ? all[k] : NULL;
}

static LLVMValueRef none(LLVMValueRef now) {
    LLVMTypeRef t = LLVMTypeOf(now);
    return l_is_pointer_type(t) ? now : l_zero(t);
}

LLVMValueRef cf_beside_or_none(cf_body *b, LLVMValueRef old, unsigned k) {
    LLVMValueRef beside = cf_beside(b, old, k);
    return beside ? beside : none(cf_now(b, old));
}

void cf_set_each(cf_body *b, LLVMValueRef old, LLVMValueRef (*of)(cf_body *b, LLVMValueRef old, unsigned k)) {
    LLVMValueRef *all = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width);
    for (unsigned k = 0; k < b->key.width; k++) {
        all[k] = of(b, old, k);
        if (!all[k]) all[k] = none(cf_now(b, old));
    }
    cf_set_companions(b, old, all);
}

LLVMValueRef cf_flagged(LLVMValueRef old, LLVMValueRef made) {
    if (!LLVMIsAInstruction(made) || !LLVMCanValueUseFastMathFlags(made) ||
        !LLVMCanValueUseFastMathFlags(old))
        return made;
    unsigned flags = LLVMGetFastMathFlags(old) & ~(unsigned)(LLVMFastMathNoNaNs | LLVMFastMathNoInfs);
    LLVMSetFastMathFlags(made, flags);
    return made;
}

LLVMValueRef cf_again(cf_body *b, LLVMValueRef old) {
    LLVMValueRef now = cf_now(b, old), made = LLVMInstructionClone(now);
    LLVMInsertIntoBuilder(b->builder, made);
    cf_forget_promises(made);
    cf_flagged(old, made);
    if (!l_is_void_type(LLVMTypeOf(made))) l_set_name(made, cf_text(b->job->arena, "%s.dot", l_name(old)));
    return made;
}

LLVMValueRef cf_is_none(cf_body *b, LLVMValueRef p_now, LLVMValueRef shadow) {
    return LLVMBuildICmp(b->builder, LLVMIntEQ, shadow, p_now, "");
}

LLVMValueRef cf_from_memory(cf_body *b, LLVMValueRef p_now, LLVMValueRef shadow) {
    LLVMValueRef null = LLVMBuildICmp(b->builder, LLVMIntEQ, shadow, l_zero(LLVMTypeOf(shadow)), "");
    return LLVMBuildSelect(b->builder, null, p_now, shadow, "");
}

/* What a pointer comes from, followed through address arithmetic, one way of a phi, loads. */
const char *cf_path_text(cf_body *b, LLVMValueRef p) {
    cf_arena *a = b->job->arena;
    const char *loaded = "";
    for (int depth = 0; depth < 32; depth++) {
        if (LLVMIsAArgument(p))
            return cf_text(a, "%s`const` argument `%s`", loaded, *l_name(p) ? l_name(p) : "?");
        if (LLVMIsAGlobalValue(p)) return cf_text(a, "%s`%s`", loaded, l_name(p));
        if (LLVMIsACallInst(p) && l_callee(p))
            return cf_text(a, "%sthe result of `%s`", loaded, l_name(l_callee(p)));
        if (!LLVMIsAInstruction(p) || !LLVMGetNumOperands(p)) break;
        if (LLVMIsALoadInst(p)) loaded = "a pointer loaded from ";
        p = LLVMIsASelectInst(p) ? LLVMGetOperand(p, 1) : LLVMGetOperand(p, 0);
    }
    return cf_text(a, "%sa pointer without a shadow", loaded);
}

/* ---- operations ---- */

/* The same operation on what is beside the operands: for whatever is linear or only moves. */
static LLVMValueRef linear(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef made = cf_again(b, i);
    unsigned first = LLVMGetInstructionOpcode(i) == LLVMSelect;
    for (unsigned o = first, n = (unsigned)LLVMGetNumOperands(i); o < n; o++)
        LLVMSetOperand(made, o, cf_beside_or_none(b, LLVMGetOperand(i, o), k));
    return made;
}

/* The same with the first operand (or two) alone. */
static LLVMValueRef linear_in_first(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef made = cf_again(b, i);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool two = op == LLVMInsertValue || op == LLVMInsertElement || op == LLVMShuffleVector;
    for (unsigned o = 0; o < 1u + two; o++)
        LLVMSetOperand(made, o, cf_beside_or_none(b, LLVMGetOperand(i, o), k));
    if (op == LLVMExtractValue && l_is_pointer_type(LLVMTypeOf(made)))
        return cf_from_memory(b, cf_now(b, i), made);
    return made;
}

static LLVMValueRef sum(cf_body *b, LLVMValueRef i, LLVMValueRef x, LLVMValueRef y) {
    if (!x || !y) return x ? x : y;
    return cf_flagged(i, LLVMBuildFAdd(b->builder, x, y, ""));
}
static LLVMValueRef difference(cf_body *b, LLVMValueRef i, LLVMValueRef x, LLVMValueRef y) {
    if (!y) return x;
    return cf_flagged(i, x ? LLVMBuildFSub(b->builder, x, y, "") : LLVMBuildFNeg(b->builder, y, ""));
}
static LLVMValueRef product(cf_body *b, LLVMValueRef i, LLVMValueRef dx, LLVMValueRef y) {
    return dx ? cf_tangent_product(b, i, dx, y) : NULL;
}

/* dx, without the part that a division by infinity leaves nothing of, though it be infinite. */
static LLVMValueRef divisible(cf_body *b, LLVMValueRef dx, LLVMValueRef y) {
    if (!dx || !cf_meets_steep(b->job)) return dx;
    LLVMTypeRef t = LLVMTypeOf(y);
    LLVMValueRef size = l_call(b->builder, l_intrinsic(b->job->module, "llvm.fabs", &t, 1), &y, 1, "");
    LLVMValueRef infinite = LLVMBuildFCmp(b->builder, LLVMRealOEQ, size, l_all(t, INFINITY), "");
    return LLVMBuildSelect(b->builder, infinite, l_zero(t), dx, "");
}

/* d(x / y) = (dx - x / y * dy) / y: where x / y is 0, dy has no part in it, though it be infinite. */
static LLVMValueRef quotient(cf_body *b, LLVMValueRef i, LLVMValueRef dx, LLVMValueRef dy) {
    LLVMValueRef now = cf_now(b, i), y = cf_now(b, LLVMGetOperand(i, 1)), rest = divisible(b, dx, y);
    if (dy) {
        LLVMValueRef part = cf_flagged(i, LLVMBuildFMul(b->builder, now, dy, ""));
        rest = difference(b, i, rest, cf_tangent_unless_zero(b, now, part));
    }
    return rest ? cf_flagged(i, LLVMBuildFDiv(b->builder, rest, y, "")) : NULL;
}

/* d(x * y) = dx * y + x * dy */
static LLVMValueRef arithmetic(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1);
    LLVMValueRef dx = cf_beside(b, x, k), dy = cf_beside(b, y, k);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd: return sum(b, i, dx, dy);
    case LLVMFSub: return difference(b, i, dx, dy);
    case LLVMFMul: return sum(b, i, product(b, i, dx, cf_now(b, y)), product(b, i, dy, cf_now(b, x)));
    default: return quotient(b, i, dx, dy);
    }
}

/* ---- bits of numbers in integers ---- */

static LLVMValueRef signs_of(LLVMTypeRef t) {
    LLVMTypeRef e = l_is_vector_type(t) ? LLVMGetElementType(t) : t;
    LLVMValueRef one = LLVMConstInt(e, UINT64_C(1) << (LLVMGetIntTypeWidth(e) - 1), false);
    if (e == t) return one;
    unsigned n = LLVMGetVectorSize(t);
    LLVMValueRef *all = malloc(n * sizeof *all);
    for (unsigned i = 0; all && i < n; i++) all[i] = one;
    LLVMValueRef v = LLVMConstVector(all, n);
    free(all);
    return v;
}

/* The tangent's bits with its sign exchanged where x is negative (or, of `when_positive`, is not). */
static LLVMValueRef by_sign(cf_body *b, LLVMValueRef x_now, LLVMValueRef dx, bool when_positive) {
    LLVMTypeRef t = LLVMTypeOf(dx);
    LLVMValueRef minus = LLVMBuildXor(b->builder, dx, signs_of(t), "");
    LLVMValueRef negative = LLVMBuildICmp(b->builder, LLVMIntSLT, x_now, l_zero(t), "");
    return when_positive ? LLVMBuildSelect(b->builder, negative, dx, minus, "")
                         : LLVMBuildSelect(b->builder, negative, minus, dx, "");
}

static LLVMValueRef moved_bits(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef made = cf_again(b, i);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    unsigned n = (unsigned)LLVMGetNumOperands(i);
    for (unsigned o = 0; o < n; o++) {
        LLVMValueRef operand = LLVMGetOperand(i, o), beside = cf_beside(b, operand, k);
        bool keep = !beside && (op == LLVMAnd || ((op == LLVMShl || op == LLVMLShr) && o == 1));
        if (!keep) LLVMSetOperand(made, o, beside ? beside : l_zero(LLVMTypeOf(operand)));
    }
    return made;
}

static LLVMValueRef bits(cf_body *b, LLVMValueRef i, unsigned k) {
    unsigned which;
    cf_bit_move move = cf_varied_move(cf_state(b)->varied, i, &which);
    if (move == CF_BITS_MOVED) return moved_bits(b, i, k);
    LLVMValueRef x = LLVMGetOperand(i, which), other = LLVMGetOperand(i, !which);
    LLVMValueRef now = cf_now(b, x), dx = cf_beside(b, x, k);
    if (!dx) return NULL;
    switch (move) {
    case CF_BITS_ABS: return by_sign(b, now, dx, false);
    case CF_BITS_NEG_ABS: return by_sign(b, now, dx, true);
    case CF_BITS_SIGN: return LLVMBuildXor(b->builder, dx, cf_now(b, other), "");
    case CF_BITS_OFFSET:
        return LLVMBuildAdd(b->builder, dx, LLVMBuildSub(b->builder, cf_now(b, i), now, ""), "");
    default: return NULL;
    }
}

static LLVMValueRef from_integer(cf_body *b, LLVMValueRef i, unsigned k) {
    LLVMValueRef made = linear_in_first(b, i, k);
    return cf_from_memory(b, cf_now(b, i), made);
}

/* ---- the engine's callbacks ---- */

static void operation(cf_body *b, LLVMValueRef i) {
    if (LLVMIsAIntToPtrInst(i) && cf_address_is_lost(b->job, i)) cf_body_error(b, i, CF_LOST_ADDRESS);
    if (!cf_varies(b, i)) return;
    if (cf_tangent_lost(b, i)) return;
    cf_check_number(b, i);
    const cf_rule *rule;
    char name[64];
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFDiv: cf_set_each(b, i, arithmetic); return;
    case LLVMFNeg:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMAddrSpaceCast: cf_set_each(b, i, linear); return;
    case LLVMIntToPtr: cf_set_each(b, i, from_integer); return;
    case LLVMGetElementPtr:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector: cf_set_each(b, i, linear_in_first); return;
    default: break;
    }
    if (cf_is_bit_operation(i))
        cf_set_each(b, i, bits);
    else if ((rule = cf_rule_of_operation(b->job, i)))
        cf_tangent_partials(b, i, rule, (unsigned)LLVMGetNumOperands(i));
    else
        cf_body_error(b, i, "this operation on an active value (`%s`) cannot be differentiated",
                      l_operation_name(i, name, sizeof name));
}

static LLVMValueRef empty_phi(cf_body *b, LLVMValueRef i, unsigned k) {
    (void)k;
    LLVMValueRef phi = LLVMBuildPhi(b->builder, LLVMTypeOf(i), "");
    l_set_name(phi, cf_text(b->job->arena, "%s.dot", l_name(i)));
    return phi;
}

static void phi(cf_body *b, LLVMValueRef i) {
    if (cf_varies(b, i)) cf_set_each(b, i, empty_phi);
}

static void fill(cf_body *b, LLVMValueRef i) {
    if (!cf_varies(b, i)) return;
    LLVMValueRef now = cf_now(b, i);
    for (unsigned k = 0; k < b->key.width; k++)
        for (unsigned n = 0; n < LLVMCountIncoming(i); n++) {
            LLVMValueRef v = cf_beside_or_none(b, LLVMGetIncomingValue(i, n), k);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(now, n);
            LLVMAddIncoming(cf_companions(b, i)[k], &v, &from, 1);
        }
}

/* ---- signatures ---- */

static LLVMTypeRef result_type(cf_job *job, const cf_key *key, LLVMTypeRef r) {
    if (!key->result || l_is_void_type(r)) return r;
    LLVMTypeRef *parts = CF_ARRAY(job->arena, LLVMTypeRef, key->width + 1);
    for (unsigned k = 0; k <= key->width; k++) parts[k] = r;
    return LLVMStructTypeInContext(job->context, parts, key->width + 1, false);
}

static LLVMTypeRef signature(cf_dub *d, const cf_key *key, LLVMTypeRef type) {
    cf_job *job = d->job;
    unsigned n = LLVMCountParamTypes(type), m = 0;
    LLVMTypeRef *old = CF_ARRAY(job->arena, LLVMTypeRef, n + 1);
    LLVMTypeRef *all = CF_ARRAY(job->arena, LLVMTypeRef, (n + 1) * (key->width + 1));
    LLVMGetParamTypes(type, old);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k <= (key->arg[i] & CF_ARG_DUP ? key->width : 0); k++) all[m++] = old[i];
    return LLVMFunctionType(result_type(job, key, LLVMGetReturnType(type)), all, m, false);
}

/* sret names a place by number, which has changed; how a result is returned is up to the clone. */
static void parameters(cf_dub *d, const cf_key *key, LLVMValueRef from, LLVMValueRef to) {
    unsigned j = 0;
    for (unsigned i = 0; i < LLVMCountParams(from); i++) {
        LLVMValueRef p = LLVMGetParam(from, i);
        cf_keep_attributes(from, i + 1, to, ++j);
        l_remove(to, j, "sret");
        l_set_name(LLVMGetParam(to, j - 1), l_name(p));
        LLVMAttributeRef byval = l_get(from, i + 1, "byval");
        for (unsigned k = 0; key->arg[i] & CF_ARG_DUP && k < key->width; k++) {
            l_set_name(LLVMGetParam(to, j++), cf_text(d->job->arena, "%s.dot", l_name(p)));
            if (byval) LLVMAddAttributeAtIndex(to, j, byval);
            if (byval && l_get(from, i + 1, "align"))
                LLVMAddAttributeAtIndex(to, j, l_get(from, i + 1, "align"));
        }
    }
}

static void begin(cf_body *b) {
    cf_tangent_state *s = CF_NEW(b->job->arena, cf_tangent_state);
    LLVMValueRef from = b->clone.from, to = b->clone.to;
    b->state = s;
    s->varied = cf_varied_new(b->job, &((cf_tangents *)b->dub->state)->memo, &b->key);
    unsigned j = 0, width = b->key.width;
    LLVMValueRef *beside = CF_ARRAY(b->job->arena, LLVMValueRef, width);
    for (unsigned i = 0; i < LLVMCountParams(from); i++) {
        LLVMValueRef p = LLVMGetParam(from, i);
        cf_map_put(b->job->arena, &b->clone.values, p, LLVMGetParam(to, j++));
        if (!(b->key.arg[i] & CF_ARG_DUP)) continue;
        for (unsigned k = 0; k < width; k++) beside[k] = LLVMGetParam(to, j++);
        cf_set_companions(b, p, beside);
    }
}

/* ---- calls of clones ---- */

/* What is passed by value is copied, so a pointer cannot be its own shadow there: it gets an empty one. */
static LLVMValueRef by_value(cf_body *b, LLVMValueRef call, unsigned i, unsigned k) {
    LLVMValueRef p = LLVMGetOperand(call, i), shadow = cf_beside(b, p, k), now = cf_now(b, p);
    if (shadow && !(cf_flags(b, p) & CF_MIXED)) return shadow;
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMTypeRef t = LLVMGetTypeAttributeValue(LLVMGetCallSiteEnumAttribute(call, i + 1, kind));
    LLVMValueRef slot = l_slot(b->builder, t, "");
    LLVMBuildStore(b->builder, l_zero(t), slot);
    return shadow ? LLVMBuildSelect(b->builder, cf_is_none(b, now, shadow), slot, shadow, "") : slot;
}

static void marshal(cf_body *b, LLVMValueRef call, const cf_key *key, cf_values *args) {
    for (unsigned i = 0; i < key->n; i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        bool copied = l_has_call(call, i + 1, "byval");
        if (copied && key->arg[i] & CF_ARG_DUP) cf_record_pass(b, v);
        cf_push(b->job->arena, args, cf_now(b, v));
        for (unsigned k = 0; key->arg[i] & CF_ARG_DUP && k < key->width; k++)
            cf_push(b->job->arena, args, copied ? by_value(b, call, i, k) : cf_beside_or_none(b, v, k));
    }
}

static void arguments(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made) {
    (void)b;
    unsigned j = 0, byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < key->n; i++) {
        cf_keep_call_attributes(call, i + 1, made, ++j);
        l_remove_call(made, j, "sret");
        LLVMAttributeRef copied = LLVMGetCallSiteEnumAttribute(call, i + 1, byval);
        for (unsigned k = 0; key->arg[i] & CF_ARG_DUP && k < key->width; k++) {
            j++;
            if (copied) LLVMAddCallSiteAttribute(made, j, copied);
        }
    }
}

static LLVMValueRef unmarshal(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made) {
    if (l_is_void_type(LLVMTypeOf(call))) return NULL;
    if (!key->result) return made;
    LLVMValueRef *beside = CF_ARRAY(b->job->arena, LLVMValueRef, key->width);
    LLVMValueRef result = LLVMBuildExtractValue(b->builder, made, 0, "");
    for (unsigned k = 0; k < key->width; k++) beside[k] = LLVMBuildExtractValue(b->builder, made, k + 1, "");
    cf_set_companions(b, call, beside);
    return result;
}

/* A return of several values; the old one goes, and what hangs on it moves to the new one. */
static void ret(cf_body *b, LLVMValueRef i) {
    LLVMValueRef now = cf_now(b, i), v = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
    if (!v || !b->key.result) return;
    LLVMValueRef all = LLVMGetPoison(l_return_type(b->clone.to));
    all = LLVMBuildInsertValue(b->builder, all, cf_now(b, v), 0, "");
    for (unsigned k = 0; k < b->key.width; k++)
        all = LLVMBuildInsertValue(b->builder, all, cf_beside_or_none(b, v, k), k + 1, "");
    LLVMPositionBuilderAtEnd(b->builder, LLVMGetInstructionParent(now));
    LLVMSetCurrentDebugLocation2(b->builder, LLVMInstructionGetDebugLoc(now));
    LLVMBuildRet(b->builder, all);
    LLVMInstructionEraseFromParent(now);
}

static void end(cf_body *b) {
    /* Blocks that nothing reaches were not visited; their returns would have the old type. */
    LLVMTypeRef t = l_return_type(b->clone.to);
    cf_record_receive(b);
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(b->clone.to); k; k = LLVMGetNextBasicBlock(k)) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(k);
        if (!last || !LLVMIsAReturnInst(last) || !LLVMGetNumOperands(last)) continue;
        if (LLVMTypeOf(LLVMGetOperand(last, 0)) == t) continue;
        LLVMPositionBuilderAtEnd(b->builder, k);
        LLVMBuildUnreachable(b->builder);
        LLVMInstructionEraseFromParent(last);
    }
}

/* A function without a body can be called through a pointer when it has a rule, or is known. */
static bool callable(cf_dub *d, LLVMValueRef f) { return cf_rule_of(d->job, f) || cf_known_of(f); }

/* clang-format off */
#define CALLBACKS                                                                                            \
    .signature = signature, .parameters = parameters, .begin = begin, .end = end, .phi = phi, .fill = fill,  \
    .operation = operation, .load = cf_tangent_load, .store = cf_tangent_store,                              \
    .allocate = cf_tangent_alloca, .atomic = cf_tangent_atomic, .ret = ret, .resolve = cf_tangent_resolve,   \
    .marshal = marshal, .unmarshal = unmarshal, .arguments = arguments, .callable = callable
/* clang-format on */

static const cf_domain tangent = {.name = "tangent", .suffix = ".tan", CALLBACKS};
static const cf_domain record = {.name = "record", .suffix = ".record", CALLBACKS};

/* What a request calls: first, shadows of globals are as at the start of the program. */
static LLVMValueRef with_fresh_shadows(cf_job *job, LLVMValueRef made, bool recording) {
    if (!cf_twin_reset(job, NULL, made)) return made;
    LLVMValueRef f =
        cf_clone_declare(job, made, cf_text(job->arena, "%s.fresh", l_name(made)), l_function_type(made));
    cf_clone c;
    cf_clone_begin(&c, job, made, f);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(job->context, f, "entry"));
    if (c.outer) LLVMSetCurrentDebugLocation2(b, c.outer);
    cf_twin_reset_and(job, b, made, recording ? cf_record_global : NULL);
    unsigned n = LLVMCountParams(f);
    LLVMValueRef *args = CF_ARRAY(job->arena, LLVMValueRef, n + 1);
    LLVMGetParams(f, args);
    LLVMValueRef call = l_call(b, made, args, n, "");
    cf_pass_as_declared(made, call);
    l_is_void_type(LLVMTypeOf(call)) ? LLVMBuildRetVoid(b) : LLVMBuildRet(b, call);
    LLVMDisposeBuilder(b);
    cf_clone_end(&c);
    return f;
}

static LLVMValueRef made_by(cf_job *job, const cf_key *key, bool recording) {
    cf_dub d;
    cf_tangents state = {.recording = recording};
    cf_kept_root(job, key->function);
    cf_dub_begin(&d, job, recording ? &record : &tangent, &state);
    LLVMValueRef made = cf_dub_function(&d, key);
    return cf_dub_run(&d) ? with_fresh_shadows(job, made, recording) : NULL;
}

LLVMValueRef cf_tangent_of(cf_job *job, const cf_key *key) { return made_by(job, key, false); }
LLVMValueRef cf_record_of(cf_job *job, const cf_key *key) { return made_by(job, key, true); }
