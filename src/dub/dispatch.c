/* Tables from functions to their clones, for calls through pointers.
 *
 * In:     a key but for the function, the type of the functions
 * Out:    a function of the module that finds the clone by the address
 * Keeps:  the functions                              Breaks: nothing
 *
 * Idea: few functions are compared one by one, which the optimiser sees through. Many stand in a constant array that is
 * searched; where each was found is kept in a small cache by the address, a single number, so that threads may share it. */
#include "dub/dub.h"
#include "llvm/l.h"

const cf_values *cf_taken(cf_dub *d) {
    if (d->searched) return &d->taken;
    d->searched = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(d->job->module); f; f = LLVMGetNextFunction(f))
        if (!l_is_intrinsic(f) && l_is_taken(f)) cf_push(d->job->arena, &d->taken, f);
    return &d->taken;
}

bool cf_may_call(LLVMTypeRef called, LLVMTypeRef function) {
    if (called == function) return true;
    unsigned n = LLVMCountParamTypes(function);
    LLVMTypeRef x[64], y[64];
    if (!LLVMIsFunctionVarArg(called) || LLVMIsFunctionVarArg(function) || n > 64) return false;
    if (n != LLVMCountParamTypes(called) || LLVMGetReturnType(called) != LLVMGetReturnType(function))
        return false;
    LLVMGetParamTypes(called, x);
    LLVMGetParamTypes(function, y);
    return !n || !memcmp(x, y, n * sizeof *x);
}

/* A function that does nothing but call one without a body. */
static LLVMValueRef body_for(cf_dub *d, LLVMValueRef f) {
    const char *text = cf_text(d->job->arena, "body for %p", (void *)f);
    LLVMValueRef made = cf_dub_recall(d, text);
    if (made) return made;
    LLVMTypeRef type = l_function_type(f);
    made = cf_clone_declare(d->job, f, l_name(f), type);
    cf_dub_remember(d, text, made);
    cf_dub_forward(d, made, f);
    return made;
}

/* The clone of a function that a pointer may point to; NULL when none can be made. */
static LLVMValueRef clone_of_taken(cf_dub *d, const cf_key *like, LLVMValueRef f) {
    cf_key key = *like;
    key.function = f;
    if (d->domain->reaches) return d->domain->reaches(d, &key) ? cf_dub_function(d, &key) : NULL;
    if (LLVMIsFunctionVarArg(l_function_type(f))) return NULL;
    if (LLVMIsDeclaration(f)) {
        if (!d->domain->callable || !d->domain->callable(d, f)) return NULL;
        key.function = body_for(d, f);
    }
    bool was = d->soft;
    d->soft = true;
    LLVMValueRef made = cf_dub_function(d, &key);
    d->soft = was;
    return made;
}

enum { FEW = 8, CACHE = 64 };

typedef struct pair {
    LLVMValueRef function, clone;
} pair;

typedef struct table {
    cf_dub *dub;
    LLVMContextRef context;
    LLVMValueRef made;
    LLVMBuilderRef b;
    CF_VEC(pair) pairs;
} table;

static LLVMBasicBlockRef block(table *t, const char *name) {
    return LLVMAppendBasicBlockInContext(t->context, t->made, name);
}

static LLVMTypeRef pointer(table *t) { return LLVMPointerTypeInContext(t->context, 0); }

/* There is no clone. Without a text the caller knows what to do. */
static void build_miss(table *t) {
    if (!t->dub->domain->natively) {
        LLVMBasicBlockRef end = block(t, "end"), back = block(t, "back");
        LLVMBuildCondBr(t->b, LLVMBuildIsNull(t->b, LLVMGetParam(t->made, 1), ""), back, end);
        LLVMPositionBuilderAtEnd(t->b, end);
        cf_build_end(t->dub->job, t->b, LLVMGetParam(t->made, 1), LLVMGetParam(t->made, 2));
        LLVMPositionBuilderAtEnd(t->b, back);
    }
    LLVMBuildRet(t->b, LLVMConstNull(pointer(t)));
}

static void compare_each(table *t) {
    for (size_t i = 0; i < t->pairs.n; i++) {
        pair *p = &t->pairs.at[i];
        LLVMValueRef same = LLVMBuildICmp(t->b, LLVMIntEQ, LLVMGetParam(t->made, 0), p->function, "");
        LLVMBasicBlockRef yes = block(t, "found"), no = block(t, "next");
        LLVMBuildCondBr(t->b, same, yes, no);
        LLVMPositionBuilderAtEnd(t->b, yes);
        LLVMBuildRet(t->b, p->clone);
        LLVMPositionBuilderAtEnd(t->b, no);
    }
    build_miss(t);
}

/* ---- many ---- */

static LLVMTypeRef entry_type(table *t) {
    return LLVMStructTypeInContext(t->context, (LLVMTypeRef[]){pointer(t), pointer(t)}, 2, false);
}

static LLVMValueRef local(table *t, LLVMValueRef init, bool constant, const char *name) {
    LLVMValueRef g = LLVMAddGlobal(t->dub->job->module, LLVMTypeOf(init), name);
    LLVMSetInitializer(g, init);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, constant);
    return g;
}

static LLVMValueRef entries(table *t) {
    LLVMValueRef *all = CF_ARRAY(t->dub->job->arena, LLVMValueRef, t->pairs.n);
    for (size_t i = 0; i < t->pairs.n; i++)
        all[i] = LLVMConstStructInContext(
            t->context, (LLVMValueRef[]){t->pairs.at[i].function, t->pairs.at[i].clone}, 2, false);
    return local(t, LLVMConstArray2(entry_type(t), all, t->pairs.n), true, "cf.entries");
}

static LLVMValueRef field(table *t, LLVMValueRef all, LLVMValueRef i, unsigned which) {
    LLVMValueRef at = l_element(t->b, entry_type(t), all, i, "");
    return LLVMBuildLoad2(t->b, pointer(t), LLVMBuildStructGEP2(t->b, entry_type(t), at, which, ""), "");
}

static LLVMValueRef is_entry(table *t, LLVMValueRef all, LLVMValueRef i) {
    return LLVMBuildICmp(t->b, LLVMIntEQ, field(t, all, i, 0), LLVMGetParam(t->made, 0), "");
}

/* Where in the cache an address is kept. */
static LLVMValueRef cache_cell(table *t, LLVMValueRef cache) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(t->context), i32 = LLVMInt32TypeInContext(t->context);
    LLVMValueRef a = LLVMBuildPtrToInt(t->b, LLVMGetParam(t->made, 0), i64, "");
    LLVMValueRef low = LLVMBuildLShr(t->b, a, l_i64(t->context, 4), "");
    LLVMValueRef high = LLVMBuildLShr(t->b, a, l_i64(t->context, 10), "");
    LLVMValueRef h = LLVMBuildAnd(t->b, LLVMBuildXor(t->b, low, high, ""), l_i64(t->context, CACHE - 1), "");
    return l_element(t->b, i32, cache, h, "");
}

static LLVMValueRef load_cell(table *t, LLVMValueRef cell) {
    LLVMValueRef v = LLVMBuildLoad2(t->b, LLVMInt32TypeInContext(t->context), cell, "");
    LLVMSetOrdering(v, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(v, 4);
    return LLVMBuildZExt(t->b, v, LLVMInt64TypeInContext(t->context), "");
}

static void store_cell(table *t, LLVMValueRef i, LLVMValueRef cell) {
    LLVMValueRef v = LLVMBuildTrunc(t->b, i, LLVMInt32TypeInContext(t->context), "");
    LLVMValueRef s = LLVMBuildStore(t->b, v, cell);
    LLVMSetOrdering(s, LLVMAtomicOrderingMonotonic);
    LLVMSetAlignment(s, 4);
}

static void search(table *t) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(t->context), i32 = LLVMInt32TypeInContext(t->context);
    LLVMValueRef all = entries(t),
                 cache = local(t, LLVMConstNull(LLVMArrayType2(i32, CACHE)), false, "cf.cache");
    LLVMBasicBlockRef entry = LLVMGetInsertBlock(t->b), loop = block(t, "search"), next = block(t, "next");
    LLVMBasicBlockRef found = block(t, "found"), miss = block(t, "miss"), hit = block(t, "hit");
    LLVMValueRef cell = cache_cell(t, cache), kept = load_cell(t, cell);
    LLVMBuildCondBr(t->b, is_entry(t, all, kept), hit, loop);
    LLVMPositionBuilderAtEnd(t->b, hit);
    LLVMBuildRet(t->b, field(t, all, kept, 1));
    LLVMPositionBuilderAtEnd(t->b, loop);
    LLVMValueRef i = LLVMBuildPhi(t->b, i64, "i");
    LLVMBuildCondBr(t->b, is_entry(t, all, i), found, next);
    LLVMPositionBuilderAtEnd(t->b, next);
    LLVMValueRef more = LLVMBuildAdd(t->b, i, l_i64(t->context, 1), "");
    LLVMValueRef end = LLVMBuildICmp(t->b, LLVMIntEQ, more, l_i64(t->context, t->pairs.n), "");
    LLVMBuildCondBr(t->b, end, miss, loop);
    LLVMAddIncoming(i, (LLVMValueRef[]){l_i64(t->context, 0), more}, (LLVMBasicBlockRef[]){entry, next}, 2);
    LLVMPositionBuilderAtEnd(t->b, found);
    store_cell(t, i, cell);
    LLVMBuildRet(t->b, field(t, all, i, 1));
    LLVMPositionBuilderAtEnd(t->b, miss);
    build_miss(t);
}

static void begin_table(table *t) {
    LLVMTypeRef p = pointer(t), i64 = LLVMInt64TypeInContext(t->context);
    t->made = LLVMAddFunction(t->dub->job->module,
                              cf_text(t->dub->job->arena, "cf.targets%s", t->dub->domain->suffix),
                              LLVMFunctionType(p, (LLVMTypeRef[]){p, p, i64}, 3, false));
    LLVMSetLinkage(t->made, LLVMInternalLinkage);
    if (!t->dub->domain->natively) l_add_text(t->made, "cf-made", "");
}

static void end_table(table *t) {
    t->b = LLVMCreateBuilderInContext(t->context);
    LLVMPositionBuilderAtEnd(t->b, block(t, "entry"));
    (t->pairs.n > FEW ? search : compare_each)(t);
    LLVMDisposeBuilder(t->b);
}

LLVMValueRef cf_dispatch(cf_dub *d, const cf_key *like, LLVMTypeRef type) {
    const char *name = cf_dub_key_text(d, " table", like, type);
    LLVMValueRef known = cf_dub_recall(d, name);
    if (known) return known;
    table t = {.dub = d, .context = d->job->context};
    begin_table(&t);
    cf_dub_remember(d, name, t.made);
    const cf_values *taken = cf_taken(d);
    for (size_t i = 0; i < taken->n; i++) {
        LLVMValueRef f = taken->at[i], clone = NULL;
        bool fits = d->domain->natively ? cf_may_call(type, l_function_type(f)) : l_function_type(f) == type;
        if (fits) clone = clone_of_taken(d, like, f);
        if (clone) cf_push(d->job->arena, &t.pairs, ((pair){f, clone}));
    }
    end_table(&t);
    return t.made;
}

LLVMValueRef cf_dispatch_set(cf_dub *d, const cf_values *functions) {
    table t = {.dub = d, .context = d->job->context};
    begin_table(&t);
    for (size_t i = 0; i < functions->n; i++)
        cf_push(d->job->arena, &t.pairs, ((pair){functions->at[i], functions->at[i]}));
    end_table(&t);
    return t.made;
}
