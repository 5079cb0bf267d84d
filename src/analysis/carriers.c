/* Integers that may carry numbers or pointers.
 *
 * In:     values and functions of job->module
 * Out:    answers; those about functions are remembered in job->made
 * Needs:  nothing                      Keeps: the module
 *
 * Idea: a walk along the uses of a value, and one along the definitions of a function's result, both into functions with
 * a body. Arithmetic ends the walk: sums and products of integers are no numbers' bits. */
#include "analysis/carriers.h"
#include "analysis/known.h"
#include "analysis/types.h"
#include "llvm/l.h"

static bool is_wide(LLVMTypeRef t) { return !l_is_integer_type(t) || LLVMGetIntTypeWidth(t) >= 32; }

/* ---- uses ---- */

static bool used_as_bits(cf_job *job, LLVMValueRef v, cf_map *seen);

static bool call_uses_bits(cf_job *job, LLVMValueRef call, LLVMValueRef v, cf_map *seen) {
    LLVMValueRef f = l_callee(call);
    if (!f) return true;
    if (l_is_intrinsic(f)) return cf_mixes_bits(f) && used_as_bits(job, call, seen);
    const cf_known *known = cf_known_of(f);
    if (known && !(known->flags & CF_KNOWN_CALLBACK)) return false;
    if (!LLVMGetFirstBasicBlock(f)) return true;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        if (LLVMGetOperand(call, k) != v) continue;
        if (k >= LLVMCountParams(f) || used_as_bits(job, LLVMGetParam(f, k), seen)) return true;
    }
    return false;
}

static bool user_uses_bits(cf_job *job, LLVMValueRef user, LLVMValueRef v, cf_map *seen) {
    if (!LLVMIsAInstruction(user)) return true;
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMStore: return LLVMGetOperand(user, 0) == v && !cf_accessed_as_integer(user);
    case LLVMCall:
    case LLVMInvoke: return call_uses_bits(job, user, v, seen);
    case LLVMBitCast:
    case LLVMInsertValue:
    case LLVMInsertElement:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
    case LLVMRet: return true;
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMLShr:
    case LLVMShl:
    case LLVMAnd:
    case LLVMXor:
    case LLVMOr: return is_wide(LLVMTypeOf(user)) && used_as_bits(job, user, seen);
    default: return false;
    }
}

static bool used_as_bits(cf_job *job, LLVMValueRef v, cf_map *seen) {
    if (cf_map_get(seen, v)) return false; /* whoever asked first goes on */
    cf_map_put(job->arena, seen, v, v);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        if (user_uses_bits(job, LLVMGetUser(u), v, seen)) return true;
    return false;
}

bool cf_used_as_bits(cf_job *job, LLVMValueRef value) {
    cf_map seen = {0};
    return used_as_bits(job, value, &seen);
}

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
    case LLVMLoad: return cf_accessed_as_integer(v) ? 0 : CF_OWN_BITS;
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

static bool may_be_address(cf_job *job, LLVMValueRef v, cf_map *seen) {
    if (LLVMIsAConstant(v)) return LLVMIsAConstantExpr(v);
    if (cf_map_get(seen, v)) return false;
    cf_map_put(job->arena, seen, v, v);
    if (!LLVMIsAInstruction(v)) return true;
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMLoad: return !cf_accessed_as_integer(v);
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
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
    case LLVMCall: {
        LLVMValueRef f = l_callee(v);
        return !f || (!l_is_intrinsic(f) && cf_sources_of_result(job, f));
    }
    default: return true;
    }
}

bool cf_may_be_address(cf_job *job, LLVMValueRef value) {
    cf_map seen = {0};
    return may_be_address(job, value, &seen);
}
