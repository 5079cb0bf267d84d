/* Globals: which of them may carry derivatives.
 *
 * In:     job->module
 * Out:    answers by global and by function, remembered in job->globals
 * Needs:  nothing                      Keeps: the module
 *
 * Idea: a global is written when some use of its address (through constant expressions and address arithmetic) is a
 * store to it, a store of it, or an argument of a call that may write. A function touches what its operands name, and
 * what its callees touch; an indirect call touches everything. */
#include "analysis/globals.h"
#include "ir/constants.h"
#include "ir/meets.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "support/vec.h"

struct cf_globals {
    cf_map active;  /* global -> &yes or &no */
    cf_map touches; /* function -> &yes or &no */
    cf_map hands;   /* function -> &yes or &no */
};

static char yes, no;

static struct cf_globals *of(cf_job *job) {
    if (!job->globals) job->globals = CF_NEW(job->arena, struct cf_globals);
    return job->globals;
}

/* Intrinsic memory operations read their second operand only. */
static bool call_may_write(LLVMValueRef call, LLVMValueRef p) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMValueRef f = l_callee(call);
    if (f && (l_is_intrinsic_of(f, "llvm.memcpy") || l_is_intrinsic_of(f, "llvm.memmove")))
        return LLVMGetOperand(call, 0) == p;
    for (unsigned k = 0; k < n; k++) {
        if (LLVMGetOperand(call, k) != p) continue;
        bool reads = l_has_call(call, k + 1, "readonly") || l_has_call(call, k + 1, "readnone") ||
                     (f && k < LLVMCountParams(f) &&
                      (l_has(f, k + 1, "readonly") || l_has(f, k + 1, "readnone")) && l_is_nocapture(f, k));
        if (!reads) return true;
    }
    return false;
}

static bool written(LLVMValueRef p, int depth) {
    if (depth > 32) return true;
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) || LLVMIsAAtomicRMWInst(user) || LLVMIsAAtomicCmpXchgInst(user))
            return true;
        if (LLVMIsALoadInst(user) || LLVMIsAICmpInst(user)) continue;
        if (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) {
            if (call_may_write(user, p)) return true;
        } else if (LLVMIsAGlobalVariable(user)) {
            return true; /* its address lies in another global */
        } else if (written(user, depth + 1)) {
            return true;
        }
    }
    return false;
}

/* Whether constant data lead to a global that is written, through any number of others. */
static bool leads_somewhere(cf_job *job, LLVMValueRef first) {
    cf_map seen = {0};
    CF_VEC(LLVMValueRef) work = {0};
    cf_push(job->arena, &work, first);
    while (work.n) {
        LLVMValueRef c = work.at[--work.n];
        if (!c || !LLVMIsAConstant(c) || LLVMIsAFunction(c) || cf_map_get(&seen, c)) continue;
        cf_map_put(job->arena, &seen, c, c);
        if (LLVMIsAGlobalVariable(c)) {
            if (!LLVMIsGlobalConstant(c) && cf_global_active(job, c)) return true;
            if (LLVMIsGlobalConstant(c)) cf_push(job->arena, &work, LLVMGetInitializer(c));
            continue;
        }
        for (int k = 0; k < LLVMGetNumOperands(c); k++)
            cf_push(job->arena, &work, LLVMGetOperand(c, (unsigned)k));
    }
    return false;
}

bool cf_global_unsized(cf_job *job, LLVMValueRef global) {
    return LLVMIsDeclaration(global) && l_size(job->module, LLVMGlobalGetValueType(global)) == 0;
}

bool cf_global_active(cf_job *job, LLVMValueRef global) {
    struct cf_globals *g = of(job);
    void *known = cf_map_get(&g->active, global);
    if (known) return known == &yes;
    cf_map_put(job->arena, &g->active, global, &no);
    LLVMValueRef init = LLVMGetInitializer(global);
    if (cf_global_unsized(job, global)) return false; /* there can be no shadow here */
    bool active = LLVMIsGlobalConstant(global) ? init && leads_somewhere(job, init) : written(global, 0);
    cf_map_put(job->arena, &g->active, global, active ? &yes : &no);
    return active;
}

static bool is_active(void *job, LLVMValueRef part) {
    return LLVMIsAGlobalVariable(part) && cf_global_active(job, part);
}

/* A question about one instruction, asked of all that running a function may execute. */
typedef bool question(cf_job *job, LLVMValueRef instruction);

static bool touches(cf_job *job, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (cf_any_part(job->arena, o, is_active, job)) return true;
    }
    return false;
}

typedef struct asked {
    cf_job *job;
    question *ask;
} asked;

static cf_met met(void *data, LLVMValueRef i) {
    const asked *q = data;
    if (q->ask(q->job, i)) return CF_MET_IT;
    if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) return CF_MET_NOTHING;
    if (l_callee(i)) return CF_MET_CALL;
    return LLVMIsAInlineAsm(LLVMGetCalledValue(i)) ? CF_MET_NOTHING : CF_MET_IT;
}

static bool remembered(cf_job *job, cf_map *answers, LLVMValueRef f, question *ask) {
    return cf_meets(job, answers, f, met, &(asked){job, ask});
}

bool cf_touches_active_global(cf_job *job, LLVMValueRef f) {
    return remembered(job, &of(job)->touches, f, touches);
}

/* ---- addresses that go out ---- */

/* Text is no number, whoever gets it. */
static bool is_text(LLVMValueRef global) {
    LLVMTypeRef t = LLVMGlobalGetValueType(global);
    return LLVMIsGlobalConstant(global) && LLVMGetTypeKind(t) == LLVMArrayTypeKind &&
           LLVMGetElementType(t) == LLVMInt8TypeInContext(l_context(global));
}

static bool is_inactive(void *job, LLVMValueRef part) {
    return LLVMIsAGlobalVariable(part) && !is_text(part) && !cf_global_active(job, part);
}

static bool names_inactive(cf_job *job, LLVMValueRef c) {
    return cf_any_part(job->arena, c, is_inactive, job);
}

static bool goes_out(LLVMValueRef user, LLVMValueRef p, int depth) {
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMLoad:
    case LLVMICmp: return false;
    case LLVMStore: return LLVMGetOperand(user, 0) == p;
    case LLVMCall: {
        LLVMValueRef f = l_callee(user);
        for (unsigned k = 0; f && LLVMGetFirstBasicBlock(f) && k < LLVMCountParams(f); k++)
            if (LLVMGetOperand(user, k) == p && !l_is_nocapture(f, k)) return true;
        return !f;
    }
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMPHI:
    case LLVMSelect:
        for (LLVMUseRef u = LLVMGetFirstUse(user); u; u = LLVMGetNextUse(u))
            if (depth > 8 || goes_out(LLVMGetUser(u), user, depth + 1)) return true;
        return false;
    default: return true;
    }
}

static bool hands_out(cf_job *job, LLVMValueRef i) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef o = LLVMGetOperand(i, (unsigned)k);
        if (LLVMIsAConstant(o) && !LLVMIsAFunction(o) && names_inactive(job, o) && goes_out(i, o, 0))
            return true;
    }
    /* A pointer that lies in constant data. */
    return LLVMIsALoadInst(i) && l_is_pointer_type(LLVMTypeOf(i)) &&
           names_inactive(job, cfx_underlying(LLVMGetOperand(i, 0)));
}

bool cf_hands_out_inactive_global(cf_job *job, LLVMValueRef f) {
    return remembered(job, &of(job)->hands, f, hands_out);
}
