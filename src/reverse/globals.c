/* Shadows of constants: of global variables and of addresses in them. */
#include "analysis/globals.h"
#include "analysis/types.h"
#include "reverse/sweep.h"

typedef struct shadows {
    CF_VEC(LLVMValueRef) made;
} shadows;

static shadows *shadows_of(cf_job *job) {
    shadows *x = cf_names_get(&job->made, "reverse shadows");
    if (x) return x;
    x = CF_NEW(job->arena, shadows);
    cf_names_put(job->arena, &job->made, "reverse shadows", x);
    return x;
}

static LLVMValueRef shadow_global(cf_sweep *s, LLVMValueRef g, unsigned k);

/* The constant with every active global in it replaced by its shadow. */
static LLVMValueRef with_shadows(cf_sweep *s, LLVMValueRef c, unsigned k, bool numbers_too) {
    LLVMTypeRef t = LLVMTypeOf(c);
    if (LLVMIsAGlobalVariable(c)) return cf_global_active(s->job, c) ? shadow_global(s, c, k) : c;
    if (LLVMIsAGlobalValue(c) || LLVMIsNull(c) || LLVMIsAUndefValue(c)) return c;
    if (LLVMIsAConstantExpr(c)) {
        unsigned n = (unsigned)LLVMGetNumOperands(c);
        LLVMValueRef base = with_shadows(s, LLVMGetOperand(c, 0), k, false);
        if (base == LLVMGetOperand(c, 0) || LLVMGetConstOpcode(c) != LLVMGetElementPtr) return c;
        LLVMValueRef *index = CF_ARRAY(s->arena, LLVMValueRef, n);
        for (unsigned i = 1; i < n; i++) index[i - 1] = LLVMGetOperand(c, i);
        return LLVMConstGEP2(LLVMGetGEPSourceElementType(c), base, index, n - 1);
    }
    bool composed = LLVMIsAConstantArray(c) || LLVMIsAConstantStruct(c);
    if (!composed) return numbers_too ? LLVMConstNull(t) : c;
    unsigned n = (unsigned)LLVMGetNumOperands(c);
    LLVMValueRef *part = CF_ARRAY(s->arena, LLVMValueRef, n + 1);
    for (unsigned i = 0; i < n; i++) part[i] = with_shadows(s, LLVMGetOperand(c, i), k, numbers_too);
    if (LLVMIsAConstantArray(c)) return LLVMConstArray2(LLVMGetElementType(t), part, n);
    if (LLVMGetStructName(t)) return LLVMConstNamedStruct(t, part, n);
    return LLVMConstStructInContext(s->job->context, part, n, LLVMIsPackedStruct(t));
}

/* cf_shadow_NAME: numbers 0, pointers to the shadows of what the primal's point to. */
static LLVMValueRef shadow_global(cf_sweep *s, LLVMValueRef g, unsigned k) {
    const char *name = cf_text(s->arena, k ? "cf_shadow_%s.%u" : "cf_shadow_%s", l_name(g), k);
    LLVMValueRef made = LLVMGetNamedGlobal(s->job->module, name);
    if (made) return made;
    LLVMTypeRef t = LLVMGlobalGetValueType(g);
    made = LLVMAddGlobal(s->job->module, t, name);
    bool local = LLVMGetLinkage(g) == LLVMInternalLinkage || LLVMGetLinkage(g) == LLVMPrivateLinkage;
    LLVMSetLinkage(made, local ? LLVMInternalLinkage : LLVMWeakODRLinkage);
    LLVMSetThreadLocalMode(made, LLVMGetThreadLocalMode(g));
    LLVMSetAlignment(made, LLVMGetAlignment(g));
    LLVMSetInitializer(made, LLVMConstNull(t));
    cf_push(s->arena, &shadows_of(s->job)->made, made);
    LLVMValueRef init = LLVMGetInitializer(g);
    if (init) LLVMSetInitializer(made, with_shadows(s, init, k, true));
    return made;
}

LLVMValueRef cf_constant_shadow(cf_sweep *s, LLVMValueRef c, unsigned k) {
    return l_is_pointer_type(LLVMTypeOf(c)) ? with_shadows(s, c, k, false) : c;
}

/* Sets the numbers in a block of type t to 0, and leaves its pointers. */
static void zero_numbers(cf_job *job, LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef p) {
    cf_layout l;
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(job->module);
    LLVMValueRef bytes = l_i64(job->context, l_size(job->module, t));
    cf_layout_of_type(job->arena, data, t, &l);
    bool pointers = false;
    for (size_t f = 0; f < l.n; f++) pointers |= l.field[f].kind == CF_FIELD_POINTER;
    if (!pointers) {
        LLVMBuildMemSet(b, p, l_i8(job->context, 0), bytes, 1);
        return;
    }
    for (size_t f = 0; f < l.n; f++) {
        if (l.field[f].kind != CF_FIELD_FLOAT) continue;
        LLVMValueRef off = l_i64(job->context, l.field[f].offset);
        LLVMValueRef a[] = {l_offset(b, p, off, ""), LLVMBuildSub(b, bytes, off, ""),
                            l_i64(job->context, l.stride ? l.stride : UINT64_C(1) << 48),
                            l_i64(job->context, l_size(job->module, l.field[f].type))};
        l_call(b, LLVMGetNamedFunction(job->module, "__cf_clear_field"), a, 4, "");
    }
}

bool cf_zero_globals(cf_job *job, LLVMValueRef joined) {
    shadows *x = shadows_of(job);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(joined));
    while (LLVMIsAAllocaInst(first)) first = LLVMGetNextInstruction(first);
    LLVMPositionBuilderBefore(b, first);
    for (size_t k = 0; k < x->made.n; k++)
        zero_numbers(job, b, LLVMGlobalGetValueType(x->made.at[k]), x->made.at[k]);
    LLVMDisposeBuilder(b);
    return true;
}
