#include "dub/twin.h"
#include "analysis/globals.h"
#include "llvm/l.h"
#include "support/vec.h"

static const char *shadow_name(cf_job *job, LLVMValueRef g, unsigned k) {
    return cf_text(job->arena, k ? "cf_shadow_%s_%u" : "cf_shadow_%s", l_name(g), k);
}

struct cf_twins {
    cf_map leads;           /* constant → &yes or &no: cf_twin_has */
    cf_map is_made;         /* shadow → itself */
    CF_VEC(cf_map) shadows; /* per direction: global → shadow */
};

static char yes, no;

static struct cf_twins *twins_of(cf_job *job) {
    if (!job->twins) job->twins = CF_NEW(job->arena, struct cf_twins);
    return job->twins;
}

/* Whether something with a shadow is reached from a constant; `seen` are the constants looked at. */
static bool leads(cf_job *job, cf_map *seen, LLVMValueRef c) {
    if (LLVMIsAFunction(c) || LLVMIsABlockAddress(c) || cf_map_get(seen, c)) return false;
    if (LLVMIsAConstantDataArray(c) || LLVMIsAConstantDataVector(c)) return false;
    if (LLVMIsAGlobalVariable(c)) {
        if (!cf_global_active(job, c)) return false;
        if (!LLVMIsGlobalConstant(c)) return true;
        cf_map_put(job->arena, seen, c, c);
        return LLVMGetInitializer(c) && leads(job, seen, LLVMGetInitializer(c));
    }
    int n = LLVMGetNumOperands(c);
    if (n) cf_map_put(job->arena, seen, c, c);
    if (LLVMIsAGlobalAlias(c)) return leads(job, seen, LLVMAliasGetAliasee(c));
    for (int i = 0; i < n; i++) {
        LLVMValueRef o = LLVMGetOperand(c, (unsigned)i);
        if (LLVMIsAConstant(o) && leads(job, seen, o)) return true;
    }
    return false;
}

bool cf_twin_has(cf_job *job, LLVMValueRef constant) {
    bool leaf = !LLVMIsAGlobalValue(constant) && LLVMGetNumOperands(constant) == 0;
    if (leaf || !LLVMIsAConstant(constant)) return false;
    void *known = cf_map_get(&twins_of(job)->leads, constant);
    if (known) return known == &yes;
    cf_map seen = {0};
    bool has = leads(job, &seen, constant);
    cf_map_put(job->arena, &job->twins->leads, constant, has ? &yes : &no);
    return has;
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
    struct cf_twins *twins = twins_of(job);
    while (twins->shadows.n <= k) cf_push(job->arena, &twins->shadows, (cf_map){0});
    LLVMValueRef shadow = cf_map_get(&twins->shadows.at[k], g);
    if (shadow) return shadow;
    bool local = l_is_local(g);
    const char *name = shadow_name(job, g, k);
    LLVMTypeRef t = LLVMGlobalGetValueType(g);
    shadow = local ? NULL : LLVMGetNamedGlobal(job->module, name);
    if (!shadow)
        shadow = LLVMAddGlobalInAddressSpace(job->module, t, name, LLVMGetPointerAddressSpace(LLVMTypeOf(g)));
    cf_map_put(job->arena, &twins->shadows.at[k], g, shadow);
    cf_map_put(job->arena, &twins->is_made, shadow, shadow);
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

/* ---- the state of shadows when a request begins ---- */

typedef struct search {
    cf_job *job;
    cf_map seen;
    CF_VEC(LLVMValueRef) functions, shadows, constants;
} search;

static void look_at_one(search *s, LLVMValueRef v) {
    if (LLVMIsAFunction(v)) {
        cf_push(s->job->arena, &s->functions, v);
    } else if (LLVMIsAGlobalAlias(v)) {
        cf_push(s->job->arena, &s->constants, LLVMAliasGetAliasee(v));
    } else if (LLVMIsAGlobalVariable(v)) {
        if (!LLVMIsGlobalConstant(v) && cf_map_get(&twins_of(s->job)->is_made, v))
            cf_push(s->job->arena, &s->shadows, v);
        if (LLVMGetInitializer(v)) cf_push(s->job->arena, &s->constants, LLVMGetInitializer(v));
    } else if (!LLVMIsAGlobalValue(v) && !LLVMIsABlockAddress(v)) {
        for (int i = 0; i < LLVMGetNumOperands(v); i++)
            cf_push(s->job->arena, &s->constants, LLVMGetOperand(v, (unsigned)i));
    }
}

/* A constant, and all that it leads to: a list of statics may be long. */
static void look_at(search *s, LLVMValueRef v) {
    cf_push(s->job->arena, &s->constants, v);
    while (s->constants.n) {
        v = s->constants.at[--s->constants.n];
        if (!v || !LLVMIsAConstant(v)) continue;
        bool leaf = !LLVMIsAGlobalValue(v) && !LLVMGetNumOperands(v);
        if (leaf || cf_map_get(&s->seen, v)) continue;
        cf_map_put(s->job->arena, &s->seen, v, v);
        look_at_one(s, v);
    }
}

static void search_shadows(search *s, LLVMValueRef f) {
    look_at(s, f);
    for (size_t k = 0; k < s->functions.n; k++)
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->functions.at[k]); b;
             b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                for (int n = 0; n < LLVMGetNumOperands(i); n++) look_at(s, LLVMGetOperand(i, (unsigned)n));
}

/* A constant that holds what a shadow begins with. */
static LLVMValueRef first_state(cf_job *job, LLVMValueRef shadow) {
    LLVMValueRef g = LLVMAddGlobal(job->module, LLVMGlobalGetValueType(shadow), "cf.shadow.first");
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(g, true);
    LLVMSetInitializer(g, LLVMGetInitializer(shadow));
    return g;
}

bool cf_twin_reset(cf_job *job, LLVMBuilderRef b, LLVMValueRef f) {
    return cf_twin_reset_and(job, b, f, NULL);
}

bool cf_twin_reset_and(cf_job *job, LLVMBuilderRef b, LLVMValueRef f,
                       void (*also)(cf_job *job, LLVMBuilderRef b, LLVMValueRef shadow, LLVMValueRef size)) {
    search s = {.job = job};
    search_shadows(&s, f);
    for (size_t i = 0; b && i < s.shadows.n; i++) {
        LLVMValueRef shadow = s.shadows.at[i], init = LLVMGetInitializer(shadow);
        LLVMValueRef size = l_i64(job->context, l_size(job->module, LLVMGlobalGetValueType(shadow)));
        if (!init || LLVMIsNull(init))
            LLVMBuildMemSet(b, shadow, l_i8(job->context, 0), size, LLVMGetAlignment(shadow));
        else
            LLVMBuildMemCpy(b, shadow, LLVMGetAlignment(shadow), first_state(job, shadow), 1, size);
        if (also) also(job, b, shadow, size);
    }
    return s.shadows.n > 0;
}
