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

/* How a value is reached. What is reached in several ways counts as each of them. */
typedef enum way {
    AS_IT_IS,
    COMPUTED,   /* its bits are computed with */
    PIECES,     /* the same, and of an address it may be a part */
    LOST,       /* the same, and an address cannot be followed there */
    NO_ADDRESS, /* the same, and nothing is left of an address: an offset in a page, a difference of two */
    WAYS
} way;

typedef struct step {
    LLVMValueRef value;
    way how;
} step;

typedef struct walk {
    cf_job *job;
    cf_moves *m;
    cf_map seen[WAYS];
    CF_VEC(step) next;
} walk;

static bool is_made(LLVMValueRef f) { return l_has_text(f, "cf-made"); }

static void reach(walk *w, LLVMValueRef v, way how) {
    if (LLVMIsAConstant(v) || cf_map_get(&w->seen[how], v)) {
        w->m->pointer |= LLVMIsAConstantExpr(v) && how != NO_ADDRESS;
        return;
    }
    cf_map_put(w->job->arena, &w->seen[how], v, v);
    cf_push(w->job->arena, &w->next, ((step){v, how}));
}

/* Operation i lies between, too. Sums and masks leave an address whole; shifts and the like move its pieces. */
static way further(way w, LLVMValueRef i) {
    if (w >= LOST) return w;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr: return w == AS_IT_IS ? COMPUTED : w;
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMTrunc:
    case LLVMZExt: return PIECES;
    default: return LOST;
    }
}

/* Where from, or where to, is not followed. */
static void lose(walk *w, way how) {
    w->m->unknown = true;
    w->m->followed |= how < LOST;
}

static void note_number(walk *w, LLVMTypeRef t, way how) {
    if (how != AS_IT_IS || (w->m->number && w->m->number != t)) w->m->part = true;
    w->m->number = t;
}

static void note_access(walk *w, LLVMValueRef access, way how) {
    if (how != AS_IT_IS)
        cf_push(w->job->arena, &w->m->computed, access);
    else
        cf_push(w->job->arena, &w->m->access, access);
    if (how == PIECES || how == LOST) cf_push(w->job->arena, &w->m->pieces, access);
    w->m->followed |= how < LOST;
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
static void reach_results(walk *w, LLVMValueRef f, way how) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        bool is_call = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
        if (is_call && is_made(l_function_of(call))) continue;
        if (is_call && LLVMGetCalledValue(call) == f)
            reach(w, call, how);
        else
            lose(w, how); /* called through a pointer, too */
    }
}

static void pass_to(walk *w, LLVMValueRef call, LLVMValueRef f, LLVMValueRef v, way how) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        if (LLVMGetOperand(call, k) != v) continue;
        if (k < LLVMCountParams(f))
            reach(w, LLVMGetParam(f, k), how);
        else
            lose(w, how);
    }
}

/* A call through a pointer: whatever function of the module it may be. What other modules get is no number to them. */
static void pass_to_any(walk *w, LLVMValueRef call, LLVMValueRef v, way how) {
    LLVMTypeRef t = LLVMGetCalledFunctionType(call);
    for (LLVMValueRef f = LLVMGetFirstFunction(w->job->module); f; f = LLVMGetNextFunction(f))
        if (l_function_type(f) == t && LLVMGetFirstBasicBlock(f) && !is_made(f) && l_is_taken(f))
            pass_to(w, call, f, v, how);
}

static void follow_call(walk *w, LLVMValueRef call, LLVMValueRef v, way how) {
    LLVMValueRef f = l_callee(call);
    const cf_known *known = f ? cf_known_of(f) : NULL;
    if (f && cf_mixes_bits(f))
        reach(w, call, further(how, call));
    else if (!f)
        pass_to_any(w, call, v, how);
    else if (LLVMGetFirstBasicBlock(f))
        pass_to(w, call, f, v, how);
    else if (!l_is_intrinsic(f) && !(known && !(known->flags & CF_KNOWN_CALLBACK)))
        lose(w, how);
}

static void follow_use(walk *w, LLVMValueRef i, LLVMValueRef v, way how) {
    if (!LLVMIsAInstruction(i)) {
        lose(w, how);
        return;
    }
    if (ends(i)) return;
    LLVMTypeRef t = LLVMTypeOf(i);
    if (LLVMIsABitCastInst(i) && l_is_number_type(t)) {
        note_number(w, t, how);
        return;
    }
    if (keeps_bits(i) || mixes_bits(i)) {
        reach(w, i, keeps_bits(i) ? how : further(how, i));
        return;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMIntToPtr: w->m->pointer = true; return;
    case LLVMStore:
        if (LLVMGetOperand(i, 0) == v) note_access(w, i, how);
        return;
    case LLVMCall:
    case LLVMInvoke: follow_call(w, i, v, how); return;
    case LLVMRet: reach_results(w, l_function_of(i), how); return;
    default: lose(w, how); return;
    }
}

static void go_on(walk *w, LLVMValueRef v, way how) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i) || !is_made(l_function_of(i))) follow_use(w, i, v, how);
    }
}

/* --- origins ----------------------------------------------------------------------------------------------------------------- */

static void reach_returned(walk *w, LLVMValueRef f, way how) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
        if (t && LLVMIsAReturnInst(t) && LLVMGetNumOperands(t)) reach(w, LLVMGetOperand(t, 0), how);
    }
}

static void reach_arguments(walk *w, LLVMValueRef p, way how) {
    LLVMValueRef f = LLVMGetParamParent(p);
    unsigned k = 0;
    while (LLVMGetParam(f, k) != p) k++;
    bool called = false;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        bool is_call = LLVMIsACallInst(call) || LLVMIsAInvokeInst(call);
        if (is_call && is_made(l_function_of(call))) continue;
        if (is_call && LLVMGetCalledValue(call) == f && k < LLVMGetNumArgOperands(call))
            reach(w, LLVMGetOperand(call, k), how);
        else
            lose(w, how);
        called = true;
    }
    if (!called) lose(w, how); /* a request's: the caller knows */
}

static void come_from_call(walk *w, LLVMValueRef call, way how) {
    LLVMValueRef f = l_callee(call);
    if (f && cf_mixes_bits(f)) {
        for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
            reach(w, LLVMGetOperand(call, k), further(how, call));
    } else if (f && LLVMGetFirstBasicBlock(f)) {
        reach_returned(w, f, how);
    } else if (!f || (!l_is_intrinsic(f) && !cf_known_of(f))) {
        lose(w, how);
    }
}

/* Masks below this leave the offset in a page: what an alignment is computed from. */
enum { PAGE = 4096 };

static bool is_below(LLVMValueRef v, uint64_t end) {
    uint64_t value;
    return l_small_constant(v, &value) && value < end;
}

bool cf_loses_address(LLVMValueRef i) {
    LLVMValueRef a = LLVMGetOperand(i, 0);
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMSub: return LLVMIsAPtrToIntInst(a) && LLVMIsAPtrToIntInst(LLVMGetOperand(i, 1));
    case LLVMURem: return true;
    case LLVMAnd: {
        if (!LLVMIsAInstruction(a) || LLVMGetInstructionOpcode(a) != LLVMLShr)
            return is_below(LLVMGetOperand(i, 1), PAGE);
        LLVMValueRef shift = LLVMGetOperand(a, 1);
        return is_below(shift, 12) && is_below(LLVMGetOperand(i, 1), PAGE >> LLVMConstIntGetZExtValue(shift));
    }
    default: return false;
    }
}

static void come(walk *w, LLVMValueRef v, way how) {
    if (LLVMIsAArgument(v)) {
        reach_arguments(w, v, how);
        return;
    }
    if (!LLVMIsAInstruction(v)) {
        if (!LLVMIsAConstant(v)) lose(w, how);
        return;
    }
    if (!l_is_integer_type(LLVMTypeOf(v))) {
        if (l_is_number_type(LLVMTypeOf(v)))
            note_number(w, LLVMTypeOf(v), how);
        else
            lose(w, how);
        return;
    }
    bool keeps = keeps_bits(v);
    if (keeps || mixes_bits(v)) {
        way next = keeps ? how : cf_loses_address(v) ? NO_ADDRESS : further(how, v);
        for (int k = LLVMIsASelectInst(v) ? 1 : 0; k < LLVMGetNumOperands(v); k++)
            reach(w, LLVMGetOperand(v, (unsigned)k), next);
        return;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMPtrToInt:
        w->m->pointer |= how != NO_ADDRESS;
        w->m->in_pieces |= how == PIECES;
        w->m->lost |= how == LOST;
        w->m->followed |= how < LOST;
        return;
    case LLVMLoad: note_access(w, v, how); return;
    case LLVMCall:
    case LLVMInvoke: come_from_call(w, v, how); return;
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFPToSI:
    case LLVMFPToUI: return;
    default: lose(w, how); return;
    }
}

/* --- the interface --------------------------------------------------------------------------------------------------------------- */

static const cf_moves *remembered(cf_job *job, cf_map *memo, LLVMValueRef v,
                                  void (*go)(walk *, LLVMValueRef, way)) {
    cf_moves *m = cf_map_get(memo, v);
    if (m) return m;
    m = CF_NEW(job->arena, cf_moves);
    cf_map_put(job->arena, memo, v, m);
    walk w = {.job = job, .m = m};
    reach(&w, v, AS_IT_IS);
    while (w.next.n) {
        step at = w.next.at[--w.next.n];
        go(&w, at.value, at.how);
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
