/* Records of the places where hooks run: constants of type cf_site (include/cofactor/context.h). */
#include "domain/context.h"
#include "llvm/l.h"

static LLVMValueRef text(cf_job *job, const char *s) {
    const char *key = cf_text(job->arena, "text %s", s);
    LLVMValueRef known = cf_names_get(&job->made, key);
    if (known) return known;
    LLVMValueRef init = LLVMConstStringInContext2(job->context, s, strlen(s), false);
    LLVMValueRef g = LLVMAddGlobal(job->module, LLVMTypeOf(init), "cf.text");
    LLVMSetInitializer(g, init);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(g, true);
    LLVMSetUnnamedAddress(g, LLVMGlobalUnnamedAddr);
    cf_names_put(job->arena, &job->made, key, g);
    return g;
}

static LLVMTypeRef site_type(LLVMContextRef c) {
    LLVMTypeRef p = LLVMPointerTypeInContext(c, 0), i = LLVMInt32TypeInContext(c);
    LLVMTypeRef fields[] = {p, p, p, p, p, i, i, i, i, i, i, LLVMInt64TypeInContext(c)};
    return LLVMStructTypeInContext(c, fields, sizeof fields / sizeof *fields, false);
}

static unsigned lanes_of(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

static uint64_t bytes_of(cf_body *b, LLVMTypeRef t) {
    return LLVMTypeIsSized(t) ? (LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(b->job->module), t) + 7) / 8
                              : 0;
}

static LLVMValueRef make_site(cf_body *b, cf_context *c, const cf_happening *e, const char *key) {
    LLVMContextRef k = b->job->context;
    cf_place at = l_place(e->at);
    unsigned event = e->callback ? 3 : e->line ? 2 : e->call ? 0 : 1;
    bool sized = e->type && LLVMTypeIsSized(e->type);
    const char *function = cf_shown_name(b->job, c, b->clone.from);
    if (l_begins(function, "cf.")) function = ""; /* nobody wrote it */
    LLVMValueRef fields[] = {
        text(b->job, function),
        text(b->job, e->what),
        text(b->job, at.file ? at.file : ""),
        text(b->job, e->type ? cf_type_text(b->job, c, e->type) : ""),
        text(b->job, e->names ? e->names : ""),
        l_i32(k, at.line),
        l_i32(k, at.column),
        l_i32(k, (uint32_t)c->site.n),
        l_i32(k, event),
        l_i32(k, e->n),
        l_i32(k, sized ? lanes_of(e->type) : 1),
        l_i64(k, sized ? bytes_of(b, e->type) : 0),
    };
    LLVMValueRef g =
        LLVMAddGlobal(b->job->module, site_type(k), cf_text(b->job->arena, "cf.site.%s", c->name));
    LLVMSetInitializer(g, LLVMConstStructInContext(k, fields, sizeof fields / sizeof *fields, false));
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, true);
    cf_push(b->job->arena, &c->site, g);
    cf_names_put(b->job->arena, &b->job->made, key, g);
    return g;
}

/* One place has one record, for all hooks in front of it and behind it, in all clones of its function. */
LLVMValueRef cf_site(cf_body *b, const cf_happening *e) {
    cf_context *c = ((cf_within *)b->state)->context;
    const char *key = cf_text(b->job->arena, "site %p %p %d %s", (void *)c, (void *)e->at, e->line, e->what);
    LLVMValueRef known = cf_names_get(&b->job->made, key);
    return known ? known : make_site(b, c, e, key);
}

static LLVMValueRef constant_array(cf_job *job, LLVMTypeRef t, LLVMValueRef *all, size_t n,
                                   const char *name) {
    LLVMValueRef array = LLVMConstArray2(t, all, n), g = LLVMAddGlobal(job->module, LLVMTypeOf(array), name);
    LLVMSetInitializer(g, array);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, true);
    return g;
}

static void fill_table(cf_job *job, LLVMValueRef table, LLVMValueRef sites, size_t n, LLVMValueRef functions,
                       size_t n_functions) {
    LLVMValueRef old = LLVMGetInitializer(table);
    LLVMTypeRef t = old ? LLVMTypeOf(old) : NULL;
    if (!t || LLVMGetTypeKind(t) != LLVMStructTypeKind || LLVMCountStructElementTypes(t) != 4) return;
    LLVMValueRef none = LLVMConstNull(LLVMPointerTypeInContext(job->context, 0));
    LLVMValueRef fields[4] = {sites ? sites : none, functions ? functions : none,
                              l_i32(job->context, (uint32_t)n), l_i32(job->context, (uint32_t)n_functions)};
    const char *name = LLVMGetStructName(t);
    LLVMSetInitializer(table, name ? LLVMConstNamedStruct(t, fields, 4)
                                   : LLVMConstStructInContext(job->context, fields, 4, false));
}

/* All records once more, in one array. Functions go on naming their own ones alone: LLVM walks whatever a function
 * names, for each function anew, and would walk the whole array. */
static LLVMValueRef gather(cf_job *job, cf_context *c) {
    LLVMValueRef *all = CF_ARRAY(job->arena, LLVMValueRef, c->site.n);
    for (size_t i = 0; i < c->site.n; i++) all[i] = LLVMGetInitializer(c->site.at[i]);
    return constant_array(job, site_type(job->context), all, c->site.n,
                          cf_text(job->arena, "cf.sites.%s", c->name));
}

/* The functions of the program whose address is taken, with their names. */
static LLVMValueRef name_functions(cf_job *job, cf_context *c, size_t *n) {
    LLVMTypeRef p = LLVMPointerTypeInContext(job->context, 0);
    LLVMTypeRef t = LLVMStructTypeInContext(job->context, (LLVMTypeRef[]){p, p}, 2, false);
    cf_values all = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
        if (l_is_intrinsic(f) || l_begins(l_name(f), "__cf_") || l_has_text(f, "cf-name") || !l_is_taken(f))
            continue;
        LLVMValueRef fields[2] = {f, text(job, cf_shown_name(job, c, f))};
        cf_push(job->arena, &all, LLVMConstStructInContext(job->context, fields, 2, false));
    }
    *n = all.n;
    return all.n ? constant_array(job, t, all.at, all.n, "cf.functions") : NULL;
}

void cf_sites_finish(cf_job *job, cf_context *c) {
    if (!c->table.n) return;
    size_t n = 0;
    LLVMValueRef functions = name_functions(job, c, &n), sites = c->site.n ? gather(job, c) : NULL;
    for (size_t i = 0; i < c->table.n; i++) fill_table(job, c->table.at[i], sites, c->site.n, functions, n);
    c->table.n = 0;
}
