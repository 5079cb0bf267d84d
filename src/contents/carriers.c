/* Integers that may carry numbers or pointers.
 *
 * In:     values and functions of job->module
 * Out:    answers; those about functions are remembered in job->made
 * Needs:  nothing                      Keeps: the module
 *
 * Idea: where the bits go, moves.c tells; where they come from in a function's result, a walk along definitions, into
 * functions with a body. */
#include "contents/carriers.h"
#include "known/known.h"
#include "contents/moves.h"
#include "contents/types.h"
#include "llvm/l.h"

static bool is_wide(LLVMTypeRef t) { return !l_is_integer_type(t) || LLVMGetIntTypeWidth(t) >= 8; }

/* ---- uses ---- */

static bool may_hold_bits(cf_job *job, const LLVMValueRef *store, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!cf_holds_integers(job, store[i])) return true;
    return false;
}

bool cf_used_as_bits(cf_job *job, LLVMValueRef value) {
    const cf_moves *m = cf_bits_go_to(job, value);
    return m->number || m->unknown || may_hold_bits(job, m->access.at, m->access.n) ||
           may_hold_bits(job, m->computed.at, m->computed.n);
}

/* What an integer ends in. */
static bool is_end(LLVMValueRef user) {
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMICmp:
    case LLVMGetElementPtr:
    case LLVMSwitch:
    case LLVMBr:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMAlloca: return true;
    case LLVMCall: return l_callee(user) && l_is_intrinsic(l_callee(user)) && !cf_mixes_bits(l_callee(user));
    default: return false;
    }
}

static bool passes_bits(LLVMValueRef user) {
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMCall: return l_callee(user) && cf_mixes_bits(l_callee(user));
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMSDiv:
    case LLVMUDiv:
    case LLVMSRem:
    case LLVMURem:
    case LLVMSExt:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMZExt:
    case LLVMTrunc:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze: return true;
    default: return false;
    }
}

static bool is_moved(cf_job *job, LLVMValueRef i, cf_map *seen) {
    if (cf_map_get(seen, i)) return false;
    cf_map_put(job->arena, seen, i, i);
    for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (is_end(user)) continue;
        if (!passes_bits(user) || is_moved(job, user, seen)) return true;
    }
    return false;
}

bool cf_is_moved(cf_job *job, LLVMValueRef integer) { return is_moved(job, integer, &(cf_map){0}); }

/* ---- definitions ---- */

typedef struct walk {
    cf_job *job;
    LLVMValueRef function;
    cf_map seen, *functions; /* values of this function; functions on the way here */
} walk;

static uint64_t sources(walk *w, LLVMValueRef v);
static uint64_t sources_of_function(cf_job *job, LLVMValueRef f, cf_map *functions);

static uint64_t sources_of_operands(walk *w, LLVMValueRef i) {
    uint64_t all = 0;
    for (int k = 0; k < LLVMGetNumOperands(i); k++) all |= sources(w, LLVMGetOperand(i, (unsigned)k));
    return all;
}

static uint64_t sources_of_call(walk *w, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    if (!f) return CF_OWN_BITS;
    if (cf_mixes_bits(f)) return sources_of_operands(w, call);
    if (l_is_intrinsic(f) || (cf_known_of(f) && !LLVMGetFirstBasicBlock(f))) return 0;
    uint64_t inner = sources_of_function(w->job, f, w->functions), all = inner & CF_OWN_BITS;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call) && k < CF_MOST_CARRIERS; k++)
        if (inner >> k & 1) all |= sources(w, LLVMGetOperand(call, k));
    return all;
}

static uint64_t sources_of_parameter(const walk *w, LLVMValueRef p) {
    for (unsigned k = 0; k < LLVMCountParams(w->function) && k < CF_MOST_CARRIERS; k++)
        if (LLVMGetParam(w->function, k) == p) return UINT64_C(1) << k;
    return CF_OWN_BITS;
}

static uint64_t sources(walk *w, LLVMValueRef v) {
    if (LLVMIsAConstant(v) || !is_wide(LLVMTypeOf(v))) return 0;
    if (cf_map_get(&w->seen, v)) return 0;
    cf_map_put(w->job->arena, &w->seen, v, v);
    if (LLVMIsAArgument(v)) return sources_of_parameter(w, v);
    if (!LLVMIsAInstruction(v)) return CF_OWN_BITS;
    if (!l_is_integer_type(LLVMTypeOf(v))) return CF_OWN_BITS;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad: return cf_holds_integers(w->job, v) ? 0 : CF_OWN_BITS;
    case LLVMCall:
    case LLVMInvoke: return sources_of_call(w, v);
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMLShr:
    case LLVMShl:
    case LLVMAnd:
    case LLVMXor:
    case LLVMOr: return sources_of_operands(w, v);
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMExtractValue:
    case LLVMExtractElement:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMVAArg: return CF_OWN_BITS;
    default: return 0;
    }
}

static uint64_t sources_of_function(cf_job *job, LLVMValueRef f, cf_map *functions) {
    if (!LLVMGetFirstBasicBlock(f)) return CF_OWN_BITS;
    /* Through itself: any argument, as the call passes it. */
    if (cf_map_get(functions, f)) return ~CF_OWN_BITS;
    cf_map_put(job->arena, functions, f, f);
    walk w = {.job = job, .function = f, .functions = functions};
    uint64_t all = LLVMCountParams(f) > CF_MOST_CARRIERS ? CF_OWN_BITS : 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (end && LLVMIsAReturnInst(end) && LLVMGetNumOperands(end))
            all |= sources(&w, LLVMGetOperand(end, 0));
    }
    return all;
}

uint64_t cf_sources_of_result(cf_job *job, LLVMValueRef f) {
    const char *name = cf_text(job->arena, "sources of result %p", (void *)f);
    uint64_t *known = cf_names_get(&job->made, name);
    if (known) return *known;
    cf_map functions = {0};
    known = CF_NEW(job->arena, uint64_t);
    *known = sources_of_function(job, f, &functions);
    cf_names_put(job->arena, &job->made, name, known);
    return *known;
}

/* ---- addresses ---- */

static bool may_come_from_address(cf_job *job, const cf_moves *m) {
    return m->pointer || m->unknown || may_hold_bits(job, m->access.at, m->access.n) ||
           may_hold_bits(job, m->computed.at, m->computed.n);
}

static bool may_be_address(cf_job *job, LLVMValueRef v, cf_map *seen) {
    if (LLVMIsAConstant(v)) return LLVMIsAConstantExpr(v);
    if (cf_map_get(seen, v)) return false;
    cf_map_put(job->arena, seen, v, v);
    if (!LLVMIsAInstruction(v)) return may_come_from_address(job, cf_bits_come_from(job, v));
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad: return !cf_holds_integers(job, v);
    case LLVMAnd:
        if (cf_loses_address(v)) return false;
        /* fall through */
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMXor:
        for (int k = 0; k < LLVMGetNumOperands(v); k++)
            if (may_be_address(job, LLVMGetOperand(v, (unsigned)k), seen)) return true;
        return false;
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMICmp:
    case LLVMFCmp: return false;
    case LLVMBitCast: return !l_is_number_type(LLVMTypeOf(LLVMGetOperand(v, 0)));
    case LLVMCall: {
        LLVMValueRef f = l_callee(v);
        if (!f || l_is_intrinsic(f) || !cf_sources_of_result(job, f)) return !f;
        return may_come_from_address(job, cf_bits_come_from(job, v)); /* the bits of a number are none */
    }
    default: return true;
    }
}

bool cf_may_be_address(cf_job *job, LLVMValueRef value) {
    cf_map seen = {0};
    return may_be_address(job, value, &seen);
}

bool cf_passes_address(cf_job *job, LLVMValueRef value) {
    const cf_moves *to = cf_bits_go_to(job, value), *from = cf_bits_come_from(job, value);
    if (to->pointer) return may_come_from_address(job, from);
    return from->pointer && may_hold_bits(job, to->access.at, to->access.n);
}

bool cf_address_is_lost(cf_job *job, LLVMValueRef inttoptr) {
    const cf_moves *m = cf_bits_come_from(job, LLVMGetOperand(inttoptr, 0));
    return m->lost || (!m->followed && may_hold_bits(job, m->computed.at, m->computed.n));
}

static bool takes_to_pieces(cf_job *job, LLVMValueRef i) {
    if (LLVMIsAPtrToIntInst(i)) {
        const cf_moves *to = cf_bits_go_to(job, i);
        return may_hold_bits(job, to->pieces.at, to->pieces.n);
    }
    if (!LLVMIsAIntToPtrInst(i)) return false;
    const cf_moves *from = cf_bits_come_from(job, LLVMGetOperand(i, 0));
    return from->in_pieces || may_hold_bits(job, from->pieces.at, from->pieces.n);
}

static bool has_pieces(cf_job *job, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (takes_to_pieces(job, i)) return true;
    return false;
}

bool cf_addresses_in_pieces(cf_job *job) {
    static const char name[] = "addresses in pieces";
    static char yes, no;
    char *known = cf_names_get(&job->made, name);
    if (known) return known == &yes;
    known = &no;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f && known == &no; f = LLVMGetNextFunction(f))
        if (!l_has_text(f, "cf-made") && has_pieces(job, f)) known = &yes;
    cf_names_put(job->arena, &job->made, name, known);
    return known == &yes;
}
