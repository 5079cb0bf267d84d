/* The private module: a copy of all that the requested primals reach, in which derivatives are made.
 *
 * In:    the user's module, requests and rules of the user's
 * Keeps: the user's module; while the private module lives, its reached local symbols are external under temporary
 *        names, so that both modules mean the same object by one name
 *
 * Route: cf_private_make copies (what is not reached stays out); the engine works in the copy; cf_private_cut turns
 * everything that the user's module defines into a declaration, so that what was made is left; cf_private_return links
 * that into the user's module, where the names lead back to the originals. */
#include "ir/prepare.h"
#include "ir/reach.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "request/request.h"
#include <stdio.h>

/* A local symbol of the user's module and what it was. */
typedef struct local {
    LLVMValueRef value;
    const char *name;
    LLVMLinkage linkage;
} local;

struct cf_private {
    cf_arena *arena;
    LLVMModuleRef user, module;
    cf_map reached;  /* global values of the user's module that the roots reach */
    cf_names wanted; /* names that stay declared in the copy though nothing there uses them */
    CF_VEC(local) locals;
};

/* ---- what pointers may point to ---- */

/* The type of a function that a call by a type with `...` may be one of, when the pointer has no prototype. */
static LLVMTypeRef plain_type(cf_arena *a, LLVMTypeRef t) {
    unsigned n = LLVMCountParamTypes(t);
    LLVMTypeRef *param = CF_ARRAY(a, LLVMTypeRef, n + 1);
    LLVMGetParamTypes(t, param);
    return LLVMFunctionType(LLVMGetReturnType(t), param, n, false);
}

/* The types of functions that reached code calls through pointers. */
static void indirect_types(cf_arena *a, LLVMValueRef f, cf_map *types) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) continue;
            LLVMTypeRef t = LLVMGetCalledFunctionType(i);
            if (l_callee(i) || LLVMIsAInlineAsm(LLVMGetCalledValue(i))) continue;
            cf_map_put(a, types, t, t);
            if (LLVMIsFunctionVarArg(t)) cf_map_put(a, types, plain_type(a, t), t);
        }
}

/* A function of which the caller of a request may pass the address: it is reached, too, when something reached calls
 * functions of its type through pointers. */
static bool reach_targets(cf_private *p, cf_map *targets) {
    cf_map types = {0};
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(p->user); f; f = LLVMGetNextFunction(f))
        if (cf_map_get(&p->reached, f)) indirect_types(p->arena, f, &types);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->user); types.n && f; f = LLVMGetNextFunction(f)) {
        if (l_is_intrinsic(f) || cf_map_get(targets, f) || !cf_map_get(&types, l_function_type(f)) ||
            !l_is_taken(f))
            continue;
        cf_map_put(p->arena, targets, f, f);
        cf_reach(p->arena, f, &p->reached);
        any = true;
    }
    return any;
}

static void mark_targets(cf_private *p, const cf_map *targets) {
    const void *key;
    void *f;
    for (size_t i = 0; cf_map_next(targets, &i, &key, &f);) {
        LLVMValueRef copy = LLVMGetNamedFunction(p->module, l_name(f));
        if (copy) l_add_text(copy, L_TAKEN, "");
    }
}

/* ---- local symbols ---- */

/* What has no name is known in its module alone, whatever its linkage. */
static bool is_local(LLVMValueRef v) { return l_is_local(v) || !*l_name(v); }

static void make_external(cf_private *p, LLVMValueRef v) {
    local l = {v, cf_copy_text(p->arena, l_name(v), strlen(l_name(v))), LLVMGetLinkage(v)};
    cf_push(p->arena, &p->locals, l);
    l_set_name(v, cf_text(p->arena, L_LOCAL "%zu_%s", p->locals.n, l.name));
    LLVMSetLinkage(v, LLVMExternalLinkage);
}

static void restore(cf_private *p) {
    for (size_t i = 0; i < p->locals.n; i++) {
        local *l = &p->locals.at[i];
        l_set_name(l->value, l->name);
        LLVMSetLinkage(l->value, l->linkage);
    }
}

/* In the order of the module, so that the same input gives the same output. */
static void externalise(cf_private *p) {
#define EACH(first, next)                                                                                    \
    for (LLVMValueRef v = first(p->user); v; v = next(v))                                                    \
        if (is_local(v) && cf_map_get(&p->reached, v)) make_external(p, v);
    EACH(LLVMGetFirstGlobal, LLVMGetNextGlobal)
    EACH(LLVMGetFirstFunction, LLVMGetNextFunction)
    EACH(LLVMGetFirstGlobalAlias, LLVMGetNextGlobalAlias)
    EACH(LLVMGetFirstGlobalIFunc, LLVMGetNextGlobalIFunc)
#undef EACH
}

/* ---- the copy ---- */

static bool keep(void *user, LLVMValueRef v) {
    return cf_map_get(&((cf_private *)user)->reached, v) != NULL && !LLVMIsAGlobalIFunc(v);
}

static bool is_superfluous(const cf_private *p, LLVMValueRef v) {
    return LLVMIsDeclaration(v) && cfx_is_unused(v) && !cf_names_get(&p->wanted, l_name(v));
}

/* Lists of the whole program (llvm.used, constructors, annotations) belong to the user's module alone. */
static void drop_lists(LLVMModuleRef m) {
    LLVMValueRef next;
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = next) {
        next = LLVMGetNextGlobal(g);
        if (l_begins(l_name(g), "llvm.") && cfx_is_unused(g)) LLVMDeleteGlobal(g);
    }
    LLVMSetModuleInlineAsm2(m, "", 0);
}

static void drop_superfluous(const cf_private *p) {
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstGlobalIFunc(p->module); v; v = next) {
        next = LLVMGetNextGlobalIFunc(v);
        cfx_is_unused(v) ? cfx_erase_global(v) : (void)cfx_make_declaration(v);
    }
    for (LLVMValueRef v = LLVMGetFirstGlobal(p->module); v; v = next) {
        next = LLVMGetNextGlobal(v);
        if (is_superfluous(p, v)) LLVMDeleteGlobal(v);
    }
    for (LLVMValueRef v = LLVMGetFirstFunction(p->module); v; v = next) {
        next = LLVMGetNextFunction(v);
        if (is_superfluous(p, v)) LLVMDeleteFunction(v);
    }
}

static bool is_assembly(LLVMValueRef v) {
    LLVMValueRef f = l_without_aliases(v);
    return f && LLVMIsAFunction(f) && !LLVMIsDeclaration(f) && l_has_f(f, "naked");
}

/* The body of a naked function is assembly that returns by itself and finds its arguments where it knows them to be: as
 * far as can be followed, there is no body. The attribute stays, for messages. */
static void close_assembly(LLVMModuleRef m) {
    LLVMValueRef next;
    for (LLVMValueRef a = LLVMGetFirstGlobalAlias(m); a; a = next) {
        next = LLVMGetNextGlobalAlias(a);
        bool naked = is_assembly(a);
        LLVMValueRef f = naked ? cfx_make_declaration(a) : NULL;
        if (f) l_add_f(f, "naked");
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (is_assembly(f)) cfx_make_declaration(f);
}

/* Code at -O0 asks not to be optimised; derivatives are made from simplified code at every level. A function with a
 * rule of the user's must stay a call. */
static void open_to_passes(cf_private *p, const cf_requests *all) {
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        l_remove_f(f, "optnone");
        l_remove_f(f, "noinline");
    }
    for (size_t i = 0; i < all->custom.n; i++) {
        LLVMValueRef f = cf_private_copy(p, all->custom.at[i].function);
        if (!f || all->custom.at[i].kind == CF_CUSTOM_ALLOCATOR) continue;
        l_add_text(f, "cf-keep", "");
    }
}

/* Reverse mode over what was made in a round before, and the rules that it calls: that is code of the program by now, to be
 * prepared like any, so that its loops (those of a reverse sweep, too) count up. */
static void open_made(cf_private *p, const cf_request *requests, size_t n) {
    bool reverse = false;
    for (size_t i = 0; i < n; i++) reverse |= requests[i].mode == CF_MODE_REVERSE;
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); reverse && f; f = LLVMGetNextFunction(f))
        if (l_has_text(f, "cf-made") || l_has_text(f, "cf-prepared")) cf_unprepare(f);
}

/* What is local to the user's module is local to the copy, too, though under its temporary name. */
static void close_locals(cf_private *p) {
    for (size_t i = 0; i < p->locals.n; i++) {
        const char *name = l_name(p->locals.at[i].value);
        LLVMValueRef v = LLVMGetNamedFunction(p->module, name);
        if (!v) v = LLVMGetNamedGlobal(p->module, name);
        if (!v) v = LLVMGetNamedGlobalAlias(p->module, name, strlen(name));
        if (v && !LLVMIsDeclaration(v)) LLVMSetLinkage(v, LLVMInternalLinkage);
    }
}

static void want(cf_private *p, LLVMValueRef f) { cf_names_put(p->arena, &p->wanted, l_name(f), f); }

cf_private *cf_private_make(cf_arena *a, LLVMModuleRef user, const cf_requests *all,
                            const cf_request *requests, size_t n) {
    cf_private *p = CF_NEW(a, cf_private);
    p->arena = a;
    p->user = user;
    for (size_t i = 0; i < n; i++) cf_reach(a, requests[i].primal, &p->reached);
    for (size_t i = 0; i < all->custom.n; i++) {
        cf_reach(a, all->custom.at[i].function, &p->reached);
        cf_reach(a, all->custom.at[i].rule, &p->reached);
    }
    cf_map targets = {0};
    while (reach_targets(p, &targets)) continue;
    externalise(p);
    for (size_t i = 0; i < n; i++) want(p, requests[i].provided), want(p, requests[i].primal);
    for (size_t i = 0; i < all->custom.n; i++) {
        want(p, all->custom.at[i].function);
        if (all->custom.at[i].rule) want(p, all->custom.at[i].rule);
    }
    const void *key;
    void *target;
    for (size_t i = 0; cf_map_next(&targets, &i, &key, &target);) want(p, target);
    p->module = cfx_clone_module(user, keep, p);
    drop_lists(p->module);
    drop_superfluous(p);
    close_assembly(p->module);
    open_to_passes(p, all);
    open_made(p, requests, n);
    close_locals(p);
    mark_targets(p, &targets);
    return p;
}

LLVMModuleRef cf_private_module(const cf_private *p) { return p->module; }

LLVMValueRef cf_private_copy(const cf_private *p, LLVMValueRef user_function) {
    return LLVMGetNamedFunction(p->module, l_name(user_function));
}

/* ---- the way back ---- */

/* Whether the user's module defines this value. A local one of the user's has a temporary name here; any other local value
 * was made or linked in, whatever it is called. */
static bool user_defines(const cf_private *p, LLVMValueRef v) {
    const char *name = l_name(v);
    if (l_is_local(v) && !l_begins(name, L_LOCAL)) return false;
    LLVMValueRef u = LLVMGetNamedFunction(p->user, name);
    if (!u) u = LLVMGetNamedGlobal(p->user, name);
    if (!u) return LLVMGetNamedGlobalAlias(p->user, name, strlen(name)) != NULL;
    return !LLVMIsDeclaration(u);
}

/* What was made for a local symbol is named after it, not after its temporary name. */
static void name_made(cf_private *p, LLVMValueRef v) {
    if (LLVMGetLinkage(v) != LLVMInternalLinkage || !strstr(l_name(v), L_LOCAL)) return;
    char *name = cf_copy_text(p->arena, l_name(v), strlen(l_name(v)));
    l_show_names(name);
    l_set_name(v, name);
}

void cf_private_cut(cf_private *p) {
    LLVMValueRef next;
    for (LLVMValueRef v = LLVMGetFirstGlobalAlias(p->module); v; v = next) {
        next = LLVMGetNextGlobalAlias(v);
        if (user_defines(p, v)) cfx_make_declaration(v);
    }
    for (LLVMValueRef v = LLVMGetFirstFunction(p->module); v; v = LLVMGetNextFunction(v))
        if (!LLVMIsDeclaration(v) && user_defines(p, v)) cfx_make_declaration(v);
    for (LLVMValueRef v = LLVMGetFirstGlobal(p->module); v; v = LLVMGetNextGlobal(v))
        if (!LLVMIsDeclaration(v) && user_defines(p, v)) cfx_make_declaration(v);
    p->wanted = (cf_names){0};
    drop_superfluous(p);
    for (LLVMValueRef v = LLVMGetFirstFunction(p->module); v; v = LLVMGetNextFunction(v)) name_made(p, v);
    for (LLVMValueRef v = LLVMGetFirstGlobal(p->module); v; v = LLVMGetNextGlobal(v)) name_made(p, v);
}

bool cf_private_return(cf_private *p) {
    bool ok = cfx_link_back(p->user, p->module);
    p->module = NULL;
    restore(p);
    return ok;
}

void cf_private_discard(cf_private *p) {
    LLVMDisposeModule(p->module);
    p->module = NULL;
    restore(p);
}
