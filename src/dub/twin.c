#include "dub/twin.h"
#include "analysis/globals.h"
#include "llvm/l.h"
#include <ctype.h>

/* The name that the user gave a global. A private module gives local symbols others (request/private.c). */
static const char *user_name(LLVMValueRef g, bool *local) {
    static const char prefix[] = "__cf_local_";
    const char *name = l_name(g);
    LLVMLinkage linkage = LLVMGetLinkage(g);
    *local = linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
    if (!l_begins(name, prefix)) return name;
    *local = true;
    const char *rest = name + strlen(prefix);
    while (isdigit((unsigned char)*rest)) rest++;
    return *rest == '_' ? rest + 1 : name;
}

static const char *shadow_name(cf_job *job, LLVMValueRef g, unsigned k, bool *local) {
    const char *name = user_name(g, local);
    return k ? cf_text(job->arena, "cf_shadow_%s_%u", name, k) : cf_text(job->arena, "cf_shadow_%s", name);
}

static bool leads(cf_job *job, LLVMValueRef c, int depth) {
    if (depth > 32 || LLVMIsAFunction(c) || LLVMIsABlockAddress(c)) return false;
    if (LLVMIsAGlobalAlias(c)) return leads(job, LLVMAliasGetAliasee(c), depth + 1);
    if (LLVMIsAGlobalVariable(c)) {
        if (!cf_global_active(job, c)) return false;
        return !LLVMIsGlobalConstant(c) ||
               (LLVMGetInitializer(c) && leads(job, LLVMGetInitializer(c), depth + 1));
    }
    if (LLVMIsAConstantDataArray(c) || LLVMIsAConstantDataVector(c)) return false;
    for (int i = 0; i < LLVMGetNumOperands(c); i++) {
        LLVMValueRef o = LLVMGetOperand(c, (unsigned)i);
        if (LLVMIsAConstant(o) && leads(job, o, depth + 1)) return true;
    }
    return false;
}

bool cf_twin_has(cf_job *job, LLVMValueRef constant) {
    return LLVMIsAConstant(constant) && leads(job, constant, 0);
}

/* ---- the shadow of a global ---- */

static void set_linkage(LLVMValueRef g, LLVMValueRef shadow, bool local) {
    bool constant = LLVMIsGlobalConstant(g);
    LLVMSetLinkage(shadow, local || constant ? LLVMInternalLinkage : LLVMWeakODRLinkage);
    LLVMSetGlobalConstant(shadow, constant);
    LLVMSetThreadLocalMode(shadow, LLVMGetThreadLocalMode(g));
    LLVMSetAlignment(shadow, LLVMGetAlignment(g));
}

static LLVMValueRef shadow_of_global(cf_job *job, LLVMValueRef g, unsigned k) {
    const char *key = cf_text(job->arena, "shadow %u %p", k, (void *)g);
    LLVMValueRef shadow = cf_names_get(&job->made, key);
    if (shadow) return shadow;
    bool local;
    const char *name = shadow_name(job, g, k, &local);
    LLVMTypeRef t = LLVMGlobalGetValueType(g);
    shadow = local ? NULL : LLVMGetNamedGlobal(job->module, name);
    if (!shadow)
        shadow = LLVMAddGlobalInAddressSpace(job->module, t, name, LLVMGetPointerAddressSpace(LLVMTypeOf(g)));
    cf_names_put(job->arena, &job->made, key, shadow);
    if (LLVMGetInitializer(shadow)) return shadow; /* the user's own */
    LLVMValueRef init = LLVMGetInitializer(g), twin = init ? cf_twin_of(job, init, k) : NULL;
    LLVMSetInitializer(shadow, twin ? twin : l_zero(t));
    set_linkage(g, shadow, local);
    return shadow;
}

/* ---- constants ---- */

static LLVMValueRef part(cf_job *job, LLVMValueRef c, unsigned k) {
    LLVMValueRef twin = cf_twin_of(job, c, k);
    if (!twin && l_is_pointer_type(LLVMTypeOf(c))) return c;
    return twin ? twin : l_zero(LLVMTypeOf(c));
}

static LLVMValueRef of_aggregate(cf_job *job, LLVMValueRef c, unsigned k) {
    LLVMTypeRef t = LLVMTypeOf(c);
    unsigned n = (unsigned)LLVMGetNumOperands(c);
    LLVMValueRef *parts = CF_ARRAY(job->arena, LLVMValueRef, n + 1);
    for (unsigned i = 0; i < n; i++) parts[i] = part(job, LLVMGetOperand(c, i), k);
    if (LLVMIsAConstantArray(c)) return LLVMConstArray2(LLVMGetElementType(t), parts, n);
    if (LLVMIsAConstantVector(c)) return LLVMConstVector(parts, n);
    return LLVMGetStructName(t) ? LLVMConstNamedStruct(t, parts, n)
                                : LLVMConstStructInContext(job->context, parts, n, LLVMIsPackedStruct(t));
}

static LLVMValueRef of_expression(cf_job *job, LLVMValueRef c, unsigned k) {
    LLVMValueRef base = cf_twin_of(job, LLVMGetOperand(c, 0), k);
    LLVMTypeRef t = LLVMTypeOf(c);
    unsigned n = (unsigned)LLVMGetNumOperands(c);
    if (!base) return NULL;
    LLVMValueRef *rest = CF_ARRAY(job->arena, LLVMValueRef, n);
    for (unsigned i = 1; i < n; i++) rest[i - 1] = LLVMGetOperand(c, i);
    switch (LLVMGetConstOpcode(c)) {
    case LLVMGetElementPtr:
        return LLVMConstGEPWithNoWrapFlags(LLVMGetGEPSourceElementType(c), base, rest, n - 1,
                                           LLVMGEPGetNoWrapFlags(c));
    case LLVMPtrToInt: return LLVMConstPtrToInt(base, t);
    case LLVMIntToPtr: return LLVMConstIntToPtr(base, t);
    case LLVMAddrSpaceCast: return LLVMConstAddrSpaceCast(base, t);
    case LLVMBitCast: return LLVMConstBitCast(base, t);
    case LLVMAdd: return LLVMConstAdd(base, rest[0]);
    case LLVMSub: return LLVMConstSub(base, rest[0]);
    default: return NULL;
    }
}

LLVMValueRef cf_twin_of(cf_job *job, LLVMValueRef constant, unsigned k) {
    if (LLVMIsAGlobalAlias(constant)) return cf_twin_of(job, LLVMAliasGetAliasee(constant), k);
    if (!cf_twin_has(job, constant)) return NULL;
    if (LLVMIsAGlobalVariable(constant)) return shadow_of_global(job, constant, k);
    if (LLVMIsAConstantExpr(constant)) return of_expression(job, constant, k);
    return of_aggregate(job, constant, k);
}
