/* Enzyme's names as requests: calls of __enzyme_autodiff… and __enzyme_fwddiff…, in C and C++.
 *
 * In:     the user's module, not optimised yet
 * Out:    for each such call a request of a new local function, and a call of that function in its place
 * Breaks: functions that are always inlined are inlined if calls depend on their arguments
 *
 * Arguments are read by enzyme_words.c. Returned are, in order: the value, if enzyme_primal_return asks for it; in forward
 * mode the tangents of a floating result; in reverse mode the adjoints of `out` arguments. */
#include "request/enzyme.h"
#include "analysis/key.h"
#include "llvm/cfx.h"
#include "llvm/l.h"

/* ---- the new call ---- */

static LLVMValueRef new_slot(const cf_enzyme *s, LLVMTypeRef t) {
    LLVMValueRef slot = l_slot(s->b, t, "");
    LLVMBuildStore(s->b, l_zero(t), slot);
    return slot;
}

/* `width` of t: in a slot that holds 0, or the shadows that are given. */
static LLVMValueRef many(const cf_enzyme *s, LLVMTypeRef t, LLVMValueRef *shadow) {
    unsigned width = s->request.width;
    LLVMValueRef slot = new_slot(s, width > 1 ? LLVMArrayType2(t, width) : t);
    for (unsigned k = 0; shadow && k < width; k++)
        LLVMBuildStore(s->b, shadow[k], l_element(s->b, t, slot, l_i64(s->context, k), ""));
    return slot;
}

/* A struct by value in reverse mode: shadow pointers in it, or room for its adjoints. */
static LLVMValueRef object(const cf_enzyme *s, unsigned first) {
    const cf_pieces *p = &s->request.pieces;
    unsigned group = p->group[first];
    LLVMValueRef slot = new_slot(s, p->object[group]);
    for (unsigned i = first; s->shadow[first] && i < p->first[group + 1]; i++)
        LLVMBuildStore(s->b, s->shadow[i][0], l_offset(s->b, slot, l_i64(s->context, p->offset[i]), ""));
    return slot;
}

/* The argument for one part of the signature. *out: where an adjoint, a tangent or the value will be. */
static LLVMValueRef pass(const cf_enzyme *s, const cf_part *p, LLVMValueRef *out) {
    const cf_request *r = &s->request;
    unsigned i = p->parameter;
    LLVMTypeRef result = l_return_type(r->primal);
    switch (p->role) {
    case CF_ROLE_PRIMAL: return s->value[i];
    case CF_ROLE_SEED: return r->width > 1 ? many(s, result, NULL) : l_zero(p->type);
    case CF_ROLE_VALUE: return *out = new_slot(s, result);
    case CF_ROLE_TANGENT: return *out = many(s, result, NULL);
    default: break;
    }
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(r->primal, i));
    bool by_value = r->width == 1 && (r->mode == CF_MODE_FORWARD || !cf_in_pieces(r, i));
    if (s->shadow[i] && by_value) return s->shadow[i][0];
    LLVMValueRef slot = cf_in_pieces(r, i) ? object(s, i) : many(s, t, s->shadow[i]);
    if (!s->shadow[i]) *out = slot;
    return slot;
}

/* Calls the provided function, like the original by call or invoke, and leaves the builder behind it. */
static LLVMValueRef emit_call(cf_enzyme *s, LLVMValueRef *args, unsigned n) {
    LLVMValueRef f = s->request.provided;
    if (!LLVMIsAInvokeInst(s->call)) return l_call(s->b, f, args, n, "");
    LLVMBasicBlockRef here = LLVMGetInstructionParent(s->call), normal = LLVMGetNormalDest(s->call);
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(s->context, normal, "");
    LLVMValueRef made =
        LLVMBuildInvoke2(s->b, l_function_type(f), f, args, n, next, LLVMGetUnwindDest(s->call), "");
    for (LLVMValueRef i = LLVMGetFirstInstruction(normal); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
            if (LLVMGetIncomingBlock(i, k) == here) cfx_phi_set_block(i, k, next);
    LLVMPositionBuilderAtEnd(s->b, next);
    LLVMPositionBuilderBefore(s->b, LLVMBuildBr(s->b, normal));
    return made;
}

static void declare(cf_enzyme *s, const cf_signature *sig) {
    LLVMTypeRef *t = CF_ARRAY(s->arena, LLVMTypeRef, sig->n + 1);
    for (unsigned i = 0; i < sig->n; i++) t[i] = sig->part[i].type;
    const char *name = cf_text(s->arena, "%s.%s", l_name(s->request.primal),
                               s->request.mode == CF_MODE_FORWARD ? "fwddiff" : "autodiff");
    s->request.provided = LLVMAddFunction(s->module, name, LLVMFunctionType(sig->result, t, sig->n, 0));
    s->request.internal = true;
}

static LLVMValueRef from_slot(const cf_enzyme *s, LLVMValueRef slot) {
    return LLVMBuildLoad2(s->b, LLVMGetAllocatedType(slot), slot, "");
}

/* All that the call returns, in order. `made` is the new call's result, slot[i] where part i of its signature is. */
static unsigned results(const cf_enzyme *s, LLVMValueRef made, const cf_signature *sig, LLVMValueRef *slot,
                        LLVMValueRef *result) {
    unsigned n = 0;
    bool forward = s->request.mode == CF_MODE_FORWARD, several = s->request.width > 1;
    LLVMValueRef value = made, tangent = NULL;
    if (forward && !several) value = NULL, tangent = l_is_void_type(sig->result) ? NULL : made;
    for (unsigned i = 0; i < sig->n; i++) {
        if (slot[i] && sig->part[i].role == CF_ROLE_VALUE) value = from_slot(s, slot[i]);
        if (slot[i] && sig->part[i].role == CF_ROLE_TANGENT) tangent = from_slot(s, slot[i]);
    }
    if (s->primal_return) result[n++] = value;
    if (tangent && !s->const_return) result[n++] = tangent;
    for (unsigned i = 0; i < sig->n; i++)
        if (slot[i] && sig->part[i].role == CF_ROLE_SHADOW) result[n++] = from_slot(s, slot[i]);
    return n;
}

static bool replace(cf_enzyme *s) {
    cf_signature sig = cf_signature_of(s->arena, &s->request);
    declare(s, &sig);
    LLVMValueRef *args = CF_ARRAY(s->arena, LLVMValueRef, sig.n + 1);
    LLVMValueRef *slot = CF_ARRAY(s->arena, LLVMValueRef, sig.n + 1);
    for (unsigned i = 0; i < sig.n; i++) args[i] = pass(s, &sig.part[i], &slot[i]);
    LLVMValueRef made = emit_call(s, args, sig.n);
    LLVMValueRef *result = CF_ARRAY(s->arena, LLVMValueRef, sig.n + 2);
    return cf_deliver_enzyme(s, result, results(s, made, &sig, slot, result));
}

/* ---- the module ---- */

const char *cf_enzyme_name(const char *name) {
    static const char begins[] = "__enzyme_";
    const char *at = strstr(name, begins);
    bool whole = at && (at == name || (l_begins(name, "_Z") && at[-1] >= '0' && at[-1] <= '9'));
    return whole ? at + strlen(begins) : NULL;
}

bool cf_is_enzyme(LLVMValueRef f) { return LLVMIsDeclaration(f) && cf_enzyme_name(l_name(f)); }

static bool serve(cf_arena *a, LLVMModuleRef m, cf_sink *sink, LLVMValueRef call, cf_requests *out) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    const char *name = l_name(LLVMGetCalledValue(call)), *kind = cf_enzyme_name(name);
    bool forward = l_begins(kind, "fwddiff"), ok;
    cf_place place = l_place(call);
    cf_enzyme s = {.arena = a, .sink = sink, .module = m, .context = c, .call = call, .place = place};
    s.request.mode = forward ? CF_MODE_FORWARD : CF_MODE_REVERSE;
    s.request.place = place;
    s.b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderBefore(s.b, call);
    LLVMSetCurrentDebugLocation2(s.b, LLVMInstructionGetDebugLoc(call));
    if (LLVMGetNumArgOperands(call) && l_has_call(call, 1, "sret")) s.returned = LLVMGetOperand(call, 0);
    if (forward || l_begins(kind, "autodiff"))
        ok = cf_read_enzyme_words(&s, s.returned ? 1 : 0) && replace(&s);
    else
        ok = CF_ENZYME_FAIL(&s,
                            "`%s` is not supported: of Enzyme's names Cofactor reads __enzyme_autodiff and "
                            "__enzyme_fwddiff; the macros of <cofactor/ad.h> ask for the rest",
                            name);
    LLVMDisposeBuilder(s.b);
    if (!ok) return false;
    cf_push(a, &out->request, s.request);
    LLVMInstructionEraseFromParent(call);
    return true;
}

static bool any_enzyme(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (cf_is_enzyme(f)) return true;
    return false;
}

typedef CF_VEC(LLVMValueRef) values;

/* The calls of a function, in the order of its text. */
static void find_calls(cf_arena *a, LLVMValueRef f, values *calls) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) continue;
            LLVMValueRef callee = LLVMGetCalledValue(i);
            if (LLVMIsAFunction(callee) && cf_is_enzyme(callee)) cf_push(a, calls, i);
        }
}

static values all_calls(cf_arena *a, LLVMModuleRef m) {
    values calls = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) find_calls(a, f, &calls);
    return calls;
}

/* ---- wrappers ---- */

/* A call whose function or words are known once the functions around it are inlined. */
static bool is_in_wrapper(const values *calls) {
    for (size_t i = 0; i < calls->n; i++) {
        LLVMValueRef call = calls->at[i];
        unsigned first = LLVMGetNumArgOperands(call) && l_has_call(call, 1, "sret");
        if (LLVMGetNumArgOperands(call) <= first) continue;
        LLVMValueRef f = cf_enzyme_resolved(LLVMGetOperand(call, first));
        if (l_has_f(l_function_of(call), "alwaysinline") || !LLVMIsAFunction(l_without_aliases(f)))
            return true;
    }
    return false;
}

/* Tuples of words and arguments become values; instcombine undoes that small ones travel as one integer. */
static void take_apart(LLVMValueRef f) {
    bool plain = l_has_f(f, "optnone");
    l_remove_f(f, "optnone");
    cfx_run_on_function(f, "sroa<preserve-cfg>,early-cse,instcombine,sroa<preserve-cfg>,instcombine");
    if (plain) l_add_f(f, "optnone");
}

static void inline_wrappers(cf_arena *a, LLVMModuleRef m) {
    char *error = l_run_passes(m, "always-inline");
    if (error) LLVMDisposeErrorMessage(error);
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) {
        values calls = {0};
        find_calls(a, f, &calls);
        if (calls.n) take_apart(f);
    }
}

bool cf_read_enzyme(cf_arena *a, LLVMModuleRef m, cf_sink *sink, const cf_options *options,
                    cf_requests *out) {
    bool any = any_enzyme(m), ok = true, waits = !options->whole_program && cf_awaits_link(m);
    if ((any || out->request.n || waits) && !cf_read_enzyme_globals(a, m, sink, waits, out)) return false;
    if (!any) return true;
    values calls = all_calls(a, m);
    if (is_in_wrapper(&calls)) {
        inline_wrappers(a, m);
        calls = all_calls(a, m);
    }
    for (size_t i = 0; i < calls.n; i++) ok &= serve(a, m, sink, calls.at[i], out);
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (cf_is_enzyme(f) && !LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
    }
    return ok;
}
