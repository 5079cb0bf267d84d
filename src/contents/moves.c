/* Moves: where the bits of an integer come from and go to.
 *
 * In:     the module, an integer
 * Out:    numbers and pointers that they are made from or become; loads and stores at the ends
 * Needs:  nothing                      Keeps: the module
 *
 * Idea: a walk along uses, or along operands, with a set of what was visited: through phis and arithmetic, into functions
 * with a body and out of them. What the walk cannot follow is said to be unknown. Memory ends it: what lies between a
 * store and a load is for evidence.c to tell. */
#include "contents/moves.h"
#include "contents/evidence.h"
#include "known/known.h"
#include "llvm/l.h"

typedef struct walk {
    cf_job *job;
    cf_moves *m;
    cf_map seen;
    CF_VEC(LLVMValueRef) next;
    cf_map changed; /* values that were reached after something was computed */
} walk;

static bool is_made(LLVMValueRef f) { return l_has_text(f, "cf-made"); }

/* `v` is reached, as it is, or computed with. What was reached both ways counts as both. */
static void reach(walk *w, LLVMValueRef v, bool computed) {
    cf_map *seen = computed ? &w->changed : &w->seen;
    if (LLVMIsAConstant(v) || cf_map_get(seen, v)) {
        w->m->pointer |= LLVMIsAConstantExpr(v) != NULL;
        return;
    }
    cf_map_put(w->job->arena, seen, v, v);
    cf_push(w->job->arena, &w->next, v);
    cf_push(w->job->arena, &w->next, computed ? v : NULL);
}

static void note_number(walk *w, LLVMTypeRef t, bool computed) {
    if (computed || (w->m->number && w->m->number != t)) w->m->part = true;
    w->m->number = t;
}

static void note_access(walk *w, LLVMValueRef access, bool computed) {
    if (computed)
        cf_push(w->job->arena, &w->m->computed, access);
    else
        cf_push(w->job->arena, &w->m->access, access);
}

static bool keeps_bits(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMPHI:
    case LLVMSelect:
    case LLVMFreeze:
    case LLVMBitCast: return true;
    default: return false;
    }
}

/* Integer operations in whose result bits of the operands may be left. */
static bool mixes_bits(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem: return true;
    default: return false;
    }
}

static bool ends(LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMICmp:
    case LLVMSwitch:
    case LLVMBr:
    case LLVMGetElementPtr:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMAlloca: return true;
    default: return false;
    }
}

/* --- uses ---------------------------------------------------------------------------------------------------------------- */

/* Call results: of f's calls, the program's own. */
static void reach_results(walk *w, LLVMValueRef f, bool computed) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        bool is_call = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
        if (is_call && is_made(l_function_of(call))) continue;
        if (is_call && LLVMGetCalledValue(call) == f)
            reach(w, call, computed);
        else
            w->m->unknown = true; /* called through a pointer, too */
    }
}

static void pass_to(walk *w, LLVMValueRef call, LLVMValueRef f, LLVMValueRef v, bool computed) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        if (LLVMGetOperand(call, k) != v) continue;
        if (k < LLVMCountParams(f))
            reach(w, LLVMGetParam(f, k), computed);
        else
            w->m->unknown = true;
    }
}

/* A call through a pointer: whatever function of the module it may be. What other modules get is no number to them. */
static void pass_to_any(walk *w, LLVMValueRef call, LLVMValueRef v, bool computed) {
    LLVMTypeRef t = LLVMGetCalledFunctionType(call);
    for (LLVMValueRef f = LLVMGetFirstFunction(w->job->module); f; f = LLVMGetNextFunction(f))
        if (l_function_type(f) == t && LLVMGetFirstBasicBlock(f) && !is_made(f) && l_is_taken(f))
            pass_to(w, call, f, v, computed);
}

static void follow_call(walk *w, LLVMValueRef call, LLVMValueRef v, bool computed) {
    LLVMValueRef f = l_callee(call);
    const cf_known *known = f ? cf_known_of(f) : NULL;
    if (f && cf_mixes_bits(f))
        reach(w, call, true);
    else if (!f)
        pass_to_any(w, call, v, computed);
    else if (LLVMGetFirstBasicBlock(f))
        pass_to(w, call, f, v, computed);
    else if (!l_is_intrinsic(f) && !(known && !(known->flags & CF_KNOWN_CALLBACK)))
        w->m->unknown = true;
}

static void follow_use(walk *w, LLVMValueRef i, LLVMValueRef v, bool computed) {
    if (!LLVMIsAInstruction(i)) {
        w->m->unknown = true;
        return;
    }
    if (ends(i)) return;
    LLVMTypeRef t = LLVMTypeOf(i);
    if (LLVMIsABitCastInst(i) && l_is_number_type(t)) {
        note_number(w, t, computed);
        return;
    }
    if (keeps_bits(i) || mixes_bits(i)) {
        reach(w, i, computed || !keeps_bits(i));
        return;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMIntToPtr: w->m->pointer = true; return;
    case LLVMStore:
        if (LLVMGetOperand(i, 0) == v) note_access(w, i, computed);
        return;
    case LLVMCall:
    case LLVMInvoke: follow_call(w, i, v, computed); return;
    case LLVMRet: reach_results(w, l_function_of(i), computed); return;
    default: w->m->unknown = true; return;
    }
}

static void go_on(walk *w, LLVMValueRef v, bool computed) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i) || !is_made(l_function_of(i))) follow_use(w, i, v, computed);
    }
}

/* --- origins ----------------------------------------------------------------------------------------------------------------- */

static void reach_returned(walk *w, LLVMValueRef f, bool computed) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
        if (t && LLVMIsAReturnInst(t) && LLVMGetNumOperands(t)) reach(w, LLVMGetOperand(t, 0), computed);
    }
}

static void reach_arguments(walk *w, LLVMValueRef p, bool computed) {
    LLVMValueRef f = LLVMGetParamParent(p);
    unsigned k = 0;
    while (LLVMGetParam(f, k) != p) k++;
    bool called = false;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        bool is_call = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
        if (is_call && is_made(l_function_of(call))) continue;
        if (is_call && LLVMGetCalledValue(call) == f && k < LLVMGetNumArgOperands(call))
            reach(w, LLVMGetOperand(call, k), computed);
        else
            w->m->unknown = true;
        called = true;
    }
    w->m->unknown |= !called; /* a request's: the caller knows */
}

static void come_from_call(walk *w, LLVMValueRef call, bool computed) {
    LLVMValueRef f = l_callee(call);
    if (f && cf_mixes_bits(f)) {
        for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) reach(w, LLVMGetOperand(call, k), true);
    } else if (f && LLVMGetFirstBasicBlock(f)) {
        reach_returned(w, f, computed);
    } else if (!f || (!l_is_intrinsic(f) && !cf_known_of(f))) {
        w->m->unknown = true;
    }
}

static void come(walk *w, LLVMValueRef v, bool computed) {
    if (LLVMIsAArgument(v)) {
        reach_arguments(w, v, computed);
        return;
    }
    if (!LLVMIsAInstruction(v)) {
        w->m->unknown |= !LLVMIsAConstant(v);
        return;
    }
    if (!l_is_integer_type(LLVMTypeOf(v))) {
        if (l_is_number_type(LLVMTypeOf(v)))
            note_number(w, LLVMTypeOf(v), computed);
        else
            w->m->unknown = true;
        return;
    }
    bool keeps = keeps_bits(v);
    if (keeps || mixes_bits(v)) {
        for (int k = LLVMIsASelectInst(v) ? 1 : 0; k < LLVMGetNumOperands(v); k++)
            reach(w, LLVMGetOperand(v, (unsigned)k), computed || !keeps);
        return;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPtrToInt: w->m->pointer = true; return;
    case LLVMLoad: note_access(w, v, computed); return;
    case LLVMCall:
    case LLVMInvoke: come_from_call(w, v, computed); return;
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFPToSI:
    case LLVMFPToUI: return;
    default: w->m->unknown = true; return;
    }
}

/* --- the interface --------------------------------------------------------------------------------------------------------------- */

static const cf_moves *remembered(cf_job *job, cf_map *memo, LLVMValueRef v,
                                  void (*step)(walk *, LLVMValueRef, bool)) {
    cf_moves *m = cf_map_get(memo, v);
    if (m) return m;
    m = CF_NEW(job->arena, cf_moves);
    cf_map_put(job->arena, memo, v, m);
    walk w = {.job = job, .m = m};
    reach(&w, v, false);
    while (w.next.n) {
        w.next.n -= 2;
        LLVMValueRef at = w.next.at[w.next.n];
        step(&w, at, w.next.at[w.next.n + 1] != NULL);
    }
    return m;
}

const cf_moves *cf_bits_go_to(cf_job *job, LLVMValueRef v) {
    return remembered(job, &cf_memory_known(job)->uses, v, go_on);
}

const cf_moves *cf_bits_come_from(cf_job *job, LLVMValueRef v) {
    return remembered(job, &cf_memory_known(job)->origins, v, come);
}

/* --- numbers that are computed as integers --------------------------------------------------------------------------------------- */

static bool is_computed_with(LLVMValueRef number) {
    for (LLVMUseRef u = LLVMGetFirstUse(number); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) continue;
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMPHI:
        case LLVMSelect:
        case LLVMStore:
        case LLVMBitCast:
        case LLVMFreeze:
        case LLVMInsertValue:
        case LLVMInsertElement: break;
        default: return true;
        }
    }
    return false;
}

static bool becomes_number(cf_job *job, LLVMValueRef v, cf_map *seen) {
    if (cf_map_get(seen, v)) return false;
    cf_map_put(job->arena, seen, v, v);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) continue;
        if (LLVMIsABitCastInst(i) && l_is_number_type(LLVMTypeOf(i))) {
            if (is_computed_with(i)) return true;
        } else if (mixes_bits(i) || LLVMIsAFreezeInst(i)) {
            if (becomes_number(job, i, seen)) return true;
        }
    }
    return false;
}

bool cf_becomes_number(cf_job *job, LLVMValueRef integer) {
    return becomes_number(job, integer, &(cf_map){0});
}
