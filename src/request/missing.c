/* When a round fails: what else has neither a body nor a rule, so that all of it is told at once.
 *
 * In:     the private module of the round, with what was made so far
 * Out:    a note for each function that was not told of yet, with the way from the request to it
 * Keeps:  the module
 *
 * Whether a derivative goes through a call is not known once the round has failed, so these are notes. */
#include "known/known.h"
#include "known/rules.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "request/request.h"

enum { MOST = 20, DEEPEST = 8 };

static bool is_carrier(LLVMTypeRef t) { return l_is_number_type(t) || l_is_pointer_type(t); }

/* Numbers or pointers go in. */
static bool may_carry(LLVMValueRef call) {
    bool carries = false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        carries |= is_carrier(LLVMTypeOf(LLVMGetOperand(call, i)));
    return carries;
}

static bool is_users(LLVMValueRef f) {
    return !LLVMIsDeclaration(f) && !l_has_text(f, "cf-made") &&
           (!l_begins(l_name(f), "__cf_") || l_begins(l_name(f), L_LOCAL));
}

static bool is_call(LLVMValueRef i) { return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i); }

/* The function that a call needs and nobody has; NULL: there is none. */
static LLVMValueRef lacking(cf_job *job, LLVMValueRef call) {
    LLVMValueRef f = is_call(call) ? l_callee(call) : NULL;
    if (!f || !LLVMIsDeclaration(f) || l_is_intrinsic(f) || l_begins(l_name(f), "__cf_")) return NULL;
    return cf_known_of(f) || cf_rule_of(job, f) || !may_carry(call) ? NULL : f;
}

/* A function of the user's that calls f; NULL: none. */
static LLVMValueRef caller_of(LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u), g = is_call(call) ? l_function_of(call) : NULL;
        if (g && g != f && l_callee(call) == f && is_users(g)) return g;
    }
    return NULL;
}

/* "called by `deep`, called by `f`" */
static const char *way_to(cf_arena *a, LLVMValueRef call) {
    LLVMValueRef f = l_function_of(call);
    char *inlined = cfx_inlined_names(call, "`, called by `");
    const char *text = inlined ? cf_text(a, "called by `%s`", inlined) : "";
    if (inlined) f = caller_of(f);
    free(inlined);
    for (int depth = 0; f && depth < DEEPEST; depth++, f = caller_of(f))
        text = cf_text(a, "%s%scalled by `%s`", text, *text ? ", " : "", l_shown(f));
    return text;
}

static void tell(cf_job *job, LLVMValueRef call, LLVMValueRef f) {
    cf_report(job->sink, CF_NOTE, l_place(call), l_shown(l_function_of(call)),
              "`%s` has neither a body nor a rule here, either (%s): where a derivative goes through it, it "
              "needs one",
              l_shown(f), way_to(job->arena, call));
}

void cf_tell_missing(cf_job *job, cf_names *told) {
    unsigned n = 0;
    for (LLVMValueRef g = LLVMGetFirstFunction(job->module); g; g = LLVMGetNextFunction(g)) {
        if (!is_users(g)) continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(g); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                LLVMValueRef f = lacking(job, i);
                if (!f || cf_names_get(told, l_shown(f))) continue;
                cf_names_put(job->arena, told, l_shown(f), job);
                if (n++ < MOST) tell(job, i, f);
            }
    }
    if (n > MOST)
        cf_report(job->sink, CF_NOTE, (cf_place){NULL, 0, 0}, NULL, "%u more functions have neither",
                  n - MOST);
}
