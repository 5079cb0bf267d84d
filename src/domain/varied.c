#include "domain/varied.h"
#include "known/known.h"
#include "contents/carriers.h"
#include "contents/moves.h"
#include "known/rules.h"
#include "contents/types.h"
#include "domain/tangent.h"
#include "dub/twin.h"
#include "ir/guards.h"
#include "llvm/l.h"

struct cf_varied {
    cf_job *job;
    cf_names *memo;
    cf_key key;
    cf_map flags; /* value → 1 + its flags */
    bool done, changed, frozen;
    unsigned result;
};

/* ---- types ---- */

bool cf_carries(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(t) >= 8;
    case LLVMPointerTypeKind: return true;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return cf_carries(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (cf_carries(LLVMStructGetTypeAtIndex(t, i))) return true;
        return false;
    default: return l_is_float_type(t);
    }
}

static bool has_element(LLVMTypeRef t, bool (*is)(LLVMTypeRef)) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return has_element(LLVMGetElementType(t), is);
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (has_element(LLVMStructGetTypeAtIndex(t, i), is)) return true;
        return false;
    default: return is(t);
    }
}
static bool has_pointer(LLVMTypeRef t) { return has_element(t, l_is_pointer_type); }
static bool is_integer(LLVMTypeRef t) {
    return l_is_integer_type(t) || (l_is_vector_type(t) && l_is_integer_type(LLVMGetElementType(t)));
}

/* ---- flags ---- */

unsigned cf_varied_flags(const cf_varied *v, LLVMValueRef value) {
    if (LLVMIsAConstant(value)) {
        if (!cf_twin_has(v->job, value)) return 0;
        return CF_VARIED | (is_integer(LLVMTypeOf(value)) ? CF_POINTER_BITS : 0) |
               (l_is_aggregate_type(LLVMTypeOf(value)) ? CF_MIXED : 0);
    }
    uintptr_t known = (uintptr_t)cf_map_get(&v->flags, value);
    return known ? (unsigned)known - 1 : 0;
}

bool cf_is_frozen(const cf_varied *v) { return v->frozen; }

static unsigned flags_of(cf_varied *v, LLVMValueRef value) { return cf_varied_flags(v, value); }

static void add(cf_varied *v, LLVMValueRef value, unsigned flags) {
    unsigned old = flags_of(v, value);
    if ((old | flags) == old) return;
    cf_map_put(v->job->arena, &v->flags, value, (void *)(uintptr_t)((old | flags) + 1));
    v->changed = true;
}

static bool is_nothing(LLVMValueRef v) { return LLVMIsAConstant(v) && (LLVMIsNull(v) || LLVMIsUndef(v)); }

/* What flows together: one without a shadow among pointers with one makes the result mixed. */
static unsigned join(cf_varied *v, LLVMValueRef *values, unsigned n) {
    unsigned all = 0;
    bool without = false;
    for (unsigned i = 0; i < n; i++) {
        if (is_nothing(values[i])) continue;
        unsigned f = flags_of(v, values[i]);
        all |= f;
        without |= !(f & CF_VARIED) && has_pointer(LLVMTypeOf(values[i]));
    }
    return all | ((all & CF_VARIED) && without ? CF_MIXED : 0);
}

/* Over operands from `first` on. */
static unsigned join_operands(cf_varied *v, LLVMValueRef i, unsigned first) {
    unsigned n = (unsigned)LLVMGetNumOperands(i);
    LLVMValueRef *o = CF_ARRAY(v->job->arena, LLVMValueRef, n + 1);
    for (unsigned k = first; k < n; k++) o[k - first] = LLVMGetOperand(i, k);
    return join(v, o, n - first);
}

/* ---- integers ---- */

/* The result of an operation on integers with these flags is an address, or becomes one. */
static bool is_address(const cf_varied *v, LLVMValueRef i, unsigned flags) {
    return (flags & CF_POINTER_BITS) || ((flags & CF_VARIED) && cf_bits_go_to(v->job, i)->pointer);
}

/* A tag or an alignment of an address that has a shadow is none itself. */
static unsigned flags_of_bits(const cf_varied *v, LLVMValueRef x) {
    unsigned flags = cf_varied_flags(v, x);
    return flags & CF_POINTER_BITS && LLVMIsABinaryOperator(x) && cf_loses_address(x) ? 0 : flags;
}

cf_bit_move cf_varied_move(const cf_varied *v, LLVMValueRef i, unsigned *which) {
    unsigned a = flags_of_bits(v, LLVMGetOperand(i, 0));
    unsigned b = LLVMGetNumOperands(i) > 1 ? flags_of_bits(v, LLVMGetOperand(i, 1)) : 0;
    return cf_bit_move_of(i, a & CF_VARIED, b & CF_VARIED, is_address(v, i, a | b), which);
}

static bool is_remainder(LLVMValueRef i) {
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return op == LLVMURem || op == LLVMSRem;
}

static unsigned integer_operation(cf_varied *v, LLVMValueRef i) {
    unsigned all = join_operands(v, i, 0), which;
    unsigned taint = all & CF_VARIED ? CF_VARIED | CF_TAINTED : 0;
    if (is_remainder(i) && is_address(v, i, all)) return 0;
    if (!(all & CF_VARIED) || !cf_is_bit_operation(i)) return taint;
    cf_bit_move move = cf_varied_move(v, i, &which);
    if (move == CF_BITS_NONE) return 0;
    return move == CF_BITS_LOST ? taint : all;
}

/* ---- calls ---- */

bool cf_is_linear(LLVMValueRef f) {
    static const char *const names[] = {
        "llvm.ssa.copy",
        "llvm.arithmetic.fence",
    };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (l_is_intrinsic_of(f, names[k])) return true;
    return false;
}

bool cf_is_empty_assembly(LLVMValueRef callee) {
    size_t length = 0;
    if (!LLVMIsAInlineAsm(callee)) return false;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\n", text[i])) return false;
    return true;
}

static unsigned summary(const cf_varied *v, const cf_key *key) {
    cf_varied *of = cf_varied_new(v->job, v->memo, key);
    if (of->done) return of->result;
    LLVMTypeRef t = l_return_type(key->function);
    return l_is_void_type(t) || !cf_carries(t) ? 0
                                               : CF_VARIED | (has_pointer(t) || is_integer(t) ? CF_MIXED : 0);
}

cf_key cf_varied_call(const cf_varied *v, LLVMValueRef call, LLVMValueRef f) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    unsigned n = LLVMCountParamTypes(type);
    uint8_t *arg = CF_ARRAY(v->job->arena, uint8_t, n + 1);
    for (unsigned k = 0; k < n; k++) {
        unsigned flags = cf_varied_flags(v, LLVMGetOperand(call, k));
        /* An output that is not asked for: its shadow is null, too. What is stored there is never run. */
        if (f && !LLVMIsDeclaration(f) && l_is_pointer_type(LLVMTypeOf(LLVMGetOperand(call, k))) &&
            LLVMIsNull(LLVMGetOperand(call, k)) && !l_has(f, k + 1, "readonly") &&
            !l_has(f, k + 1, "readnone")) {
            arg[k] = CF_ARG_DUP | CF_ARG_MIXED | (v->frozen ? CF_ARG_FROZEN : 0);
            continue;
        }
        if (!(flags & CF_VARIED)) continue;
        arg[k] = CF_ARG_DUP;
        if (flags & CF_MIXED && !l_has_call(call, k + 1, "byval")) arg[k] |= CF_ARG_MIXED;
        if (v->frozen) arg[k] |= CF_ARG_FROZEN;
    }
    LLVMTypeRef t = LLVMTypeOf(call);
    bool result = !l_is_void_type(t) && (cf_varied_flags(v, call) & CF_VARIED);
    return (cf_key){.function = f, .width = v->key.width, .n = n, .arg = arg, .result = result};
}

static bool any_varied(cf_varied *v, LLVMValueRef call) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (flags_of(v, LLVMGetOperand(call, k)) & CF_VARIED) return true;
    return false;
}

static unsigned flags_of_rule(cf_varied *v, LLVMValueRef call, const cf_rule *rule) {
    if (rule->kind == CF_RULE_INACTIVE) return 0;
    if (rule->kind == CF_RULE_BODY) {
        cf_key key = cf_varied_call(v, call, rule->body);
        key.result = false;
        return summary(v, &key);
    }
    return any_varied(v, call) ? CF_VARIED : 0;
}

static unsigned flags_of_known(cf_varied *v, LLVMValueRef call, const cf_known *k) {
    switch ((cf_known_kind)k->kind) {
    case CF_KNOWN_ALLOC:
    case CF_KNOWN_ZALLOC:
    case CF_KNOWN_REALLOC:
    case CF_KNOWN_STRDUP: return CF_VARIED;
    default: return k->returns == CF_NO_ARG ? 0 : flags_of(v, LLVMGetOperand(call, (unsigned)k->returns));
    }
}

static unsigned flags_of_anything(LLVMTypeRef t) {
    return cf_carries(t) ? CF_VARIED | (has_pointer(t) || is_integer(t) ? CF_MIXED : 0) : 0;
}

static unsigned flags_of_call(cf_varied *v, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call), called = LLVMGetCalledValue(call);
    LLVMTypeRef t = LLVMTypeOf(call);
    if (l_is_void_type(t) || !cf_carries(t)) return 0;
    if (LLVMIsAInlineAsm(called)) {
        unsigned n = LLVMGetNumArgOperands(call);
        bool same = cf_is_empty_assembly(called) && n == 1 && LLVMTypeOf(LLVMGetOperand(call, 0)) == t;
        return same ? flags_of(v, LLVMGetOperand(call, 0)) : 0;
    }
    if (!f) return is_integer(t) && !cf_is_moved(v->job, call) ? 0 : flags_of_anything(t);
    if (l_is_marker(f)) return 0;
    if (l_is_multiply_add(f)) return any_varied(v, call) ? CF_VARIED : 0; /* of any type of number */
    if (cf_is_guard(f)) return flags_of(v, LLVMGetOperand(call, cf_guard_factors(call))) & CF_VARIED;
    const cf_rule *rule = cf_rule_of(v->job, f);
    bool body = !LLVMIsDeclaration(f);
    if (rule && !(rule->kind == CF_RULE_CUSTOM && !rule->forward && body))
        return flags_of_rule(v, call, rule);
    if (body) {
        cf_key key = cf_varied_call(v, call, f);
        key.result = false;
        unsigned flags = summary(v, &key);
        return is_integer(t) && !cf_is_moved(v->job, call) ? 0 : flags;
    }
    if (cf_is_linear(f))
        return join_operands(v, call, 0) & CF_VARIED ? CF_VARIED | (has_pointer(t) ? CF_MIXED : 0) : 0;
    if (cf_mixes_bits(f)) return join_operands(v, call, 0) & CF_VARIED ? CF_VARIED | CF_TAINTED : 0;
    const cf_known *known = cf_known_of(f);
    return known ? flags_of_known(v, call, known) : 0;
}

/* ---- instructions ---- */

static unsigned flags_of_load(cf_varied *v, LLVMValueRef i, LLVMValueRef pointer) {
    LLVMTypeRef t = LLVMTypeOf(i);
    if (!(flags_of(v, pointer) & CF_VARIED) || !cf_carries(t)) return 0;
    if (is_integer(t) && (LLVMIsALoadInst(i) && (!cf_is_moved(v->job, i) || cf_holds_integers(v->job, i))))
        return 0;
    return CF_VARIED | (has_pointer(t) ? CF_MIXED : 0);
}

static unsigned flags_of_phi(cf_varied *v, LLVMValueRef i) {
    unsigned n = LLVMCountIncoming(i);
    LLVMValueRef *o = CF_ARRAY(v->job->arena, LLVMValueRef, n + 1);
    for (unsigned k = 0; k < n; k++) o[k] = LLVMGetIncomingValue(i, k);
    return join(v, o, n);
}

static unsigned flags_of_cast(cf_varied *v, LLVMValueRef i) {
    LLVMValueRef x = LLVMGetOperand(i, 0);
    unsigned f = flags_of(v, x);
    bool from = is_integer(LLVMTypeOf(x)), to = is_integer(LLVMTypeOf(i));
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPtrToInt: return f & CF_VARIED ? f | CF_POINTER_BITS : 0;
    case LLVMIntToPtr: return f & CF_VARIED ? CF_VARIED | CF_MIXED : 0;
    case LLVMBitCast:
        if (to && !from) return f & CF_VARIED ? f | CF_FLOAT_BITS : 0;
        return to ? f : f & CF_VARIED;
    default: return f;
    }
}

static unsigned transfer(cf_varied *v, LLVMValueRef i) {
    LLVMTypeRef t = LLVMTypeOf(i);
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMCall || op == LLVMInvoke) return flags_of_call(v, i);
    if (l_is_void_type(t) || !cf_carries(t)) return 0;
    switch (op) {
    case LLVMLoad: return flags_of_load(v, i, LLVMGetOperand(i, 0));
    case LLVMAtomicRMW:
        if (is_integer(t) && LLVMGetAtomicRMWBinOp(i) != LLVMAtomicRMWBinOpXchg) return 0;
        return flags_of_load(v, i, LLVMGetOperand(i, 0));
    case LLVMAtomicCmpXchg: return flags_of(v, LLVMGetOperand(i, 0)) & CF_VARIED ? CF_VARIED | CF_MIXED : 0;
    case LLVMAlloca: return CF_VARIED;
    case LLVMGetElementPtr: return flags_of(v, LLVMGetOperand(i, 0));
    case LLVMPHI: return flags_of_phi(v, i);
    case LLVMSelect: return join_operands(v, i, 1);
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast: return flags_of_cast(v, i);
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMLandingPad:
    case LLVMVAArg: return 0;
    case LLVMFreeze:
    case LLVMExtractValue:
    case LLVMInsertValue:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector: return join_operands(v, i, 0);
    default: break;
    }
    return is_integer(t) ? integer_operation(v, i) : join_operands(v, i, 0);
}

static void pass(cf_varied *v) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(v->key.function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsAReturnInst(i)) {
                bool number = v->frozen && !has_pointer(LLVMTypeOf(i));
                add(v, i, number ? 0 : transfer(v, i));
            } else if (LLVMGetNumOperands(i)) {
                LLVMValueRef r = LLVMGetOperand(i, 0);
                unsigned f = flags_of(v, r);
                v->result |= f;
                if (!(f & CF_VARIED) && !is_nothing(r) && has_pointer(LLVMTypeOf(r))) v->result |= CF_MIXED;
            }
        }
}

static const char *key_text(cf_job *job, const cf_key *key) {
    char *flags = CF_ARRAY(job->arena, char, key->n + 1);
    for (unsigned i = 0; i < key->n; i++) flags[i] = (char)('0' + key->arg[i]);
    return cf_text(job->arena, "%p %s", (void *)key->function, flags);
}

cf_varied *cf_varied_new(cf_job *job, cf_names *memo, const cf_key *key) {
    const char *text = key_text(job, key);
    cf_varied *v = cf_names_get(memo, text);
    if (v) return v;
    v = CF_NEW(job->arena, cf_varied);
    *v = (cf_varied){.job = job, .memo = memo, .key = *key};
    cf_names_put(job->arena, memo, text, v);
    for (unsigned i = 0; i < key->n; i++) v->frozen |= (key->arg[i] & CF_ARG_FROZEN) != 0;
    for (unsigned i = 0; i < key->n; i++)
        if (key->arg[i] & CF_ARG_DUP)
            add(v, LLVMGetParam(key->function, i), CF_VARIED | (key->arg[i] & CF_ARG_MIXED ? CF_MIXED : 0));
    do {
        v->changed = false;
        pass(v);
    } while (v->changed);
    if (!(v->result & CF_VARIED)) v->result = 0;
    v->done = true;
    return v;
}
