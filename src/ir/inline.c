/* Inlining: calls of small functions, and of functions that are called in one place only.
 *
 * In:     job->module, simplified so far that the number of instructions means something
 * Out:    the same with fewer calls
 * Keeps:  functions with the attribute "cf-keep" and those that call themselves, directly or not, are called as before
 * Breaks: every view
 *
 * Idea: strongly connected components of the direct calls (Tarjan), which come out callees first. So a callee has its
 * final size when its callers are looked at, and what was inlined is not looked at again. The derivative of an inlined
 * function needs no frame of its own on the tape, and its memory is the caller's.
 */
#include "ir/inline.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "support/vec.h"

/* Instructions. A leaf of user code with a few loops stays below SMALL. LARGEST bounds the time of the passes that
 * follow, some of which are quadratic. By as much as GROWTH and half of what it had at first the whole module may grow,
 * so that time stays linear in the size of the program; but what is TINY (accessors, what C++ wraps around things) goes
 * in all the same. */
enum { SMALL = 300, LARGEST = 20000, GROWTH = 4000, TINY = 60 };

typedef struct node {
    LLVMValueRef function;
    CF_VEC(LLVMValueRef) calls; /* of functions defined here */
    unsigned size, callers;     /* instructions; places that call it */
    unsigned index, low, next; /* Tarjan's: order of discovery from 1, lowest reached, next call to look at */
    bool waiting, suitable, recursive;
} node;

typedef struct graph {
    cf_job *job;
    cf_map nodes; /* function -> node */
    CF_VEC(node *) path, component;
    bool (*into)(LLVMValueRef);
    unsigned found;
    uint64_t budget; /* instructions by which the module may still grow */
    bool rules_only; /* calls of the program stay */
} graph;

static bool is_call(LLVMValueRef i) { return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i); }

static node *callee_node(const graph *g, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    return f ? cf_map_get(&g->nodes, f) : NULL;
}

/* ---- what may be inlined ---- */

/* Another definition may replace it when the program is linked. */
static bool is_replaceable(LLVMValueRef f) {
    switch (LLVMGetLinkage(f)) {
    case LLVMWeakAnyLinkage:
    case LLVMLinkOnceAnyLinkage:
    case LLVMExternalWeakLinkage:
    case LLVMCommonLinkage: return true;
    default: return false;
    }
}

static bool is_unsuitable_instruction(LLVMValueRef i) {
    if (LLVMIsAAllocaInst(i))
        return !LLVMIsConstant(LLVMGetOperand(i, 0)) ||
               LLVMGetInstructionParent(i) != LLVMGetEntryBasicBlock(l_function_of(i));
    if (LLVMIsAIndirectBrInst(i) || LLVMGetInstructionOpcode(i) == LLVMCallBr) return true;
    if (!is_call(i)) return false;
    if (LLVMIsACallInst(i) && LLVMGetTailCallKind(i) == LLVMTailCallKindMustTail) return true;
    LLVMValueRef f = l_callee(i);
    return f && (l_has_f(f, "returns_twice") || l_is_intrinsic_of(f, "llvm.va_start") ||
                 l_is_intrinsic_of(f, "llvm.localescape"));
}

static bool has_suitable_body(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_unsuitable_instruction(i)) return false;
    return true;
}

static bool is_suitable(LLVMValueRef f) {
    static const char *const never[] = {"noinline", "naked", "presplitcoroutine", "strictfp",
                                        "returns_twice"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (l_has_f(f, never[i])) return false;
    return !l_has_text(f, "cf-keep") && !l_has_text(f, "cf-prepared") && !l_has_text(f, "cf-made") &&
           !is_replaceable(f) && !LLVMIsFunctionVarArg(l_function_type(f)) && has_suitable_body(f);
}

/* Whether each word of a list stands in another one; words are parted by commas. */
static bool has_all_words(const char *all, size_t n, const char *words, size_t m) {
    for (size_t at = 0, length; at < m; at += length + 1) {
        const char *comma = memchr(words + at, ',', m - at);
        length = comma ? (size_t)(comma - words) - at : m - at;
        size_t from = 0;
        for (; from + length <= n; from++) {
            bool begins = from == 0 || all[from - 1] == ',',
                 ends = from + length == n || all[from + length] == ',';
            if (begins && ends && !memcmp(all + from, words + at, length)) break;
        }
        if (from + length > n) return false;
    }
    return true;
}

/* Code for one processor may not run, or not compile, in a function for another one: the caller's has at least the features
 * of the callee's. */
static bool is_same_target(LLVMValueRef caller, LLVMValueRef callee) {
    LLVMAttributeRef cpu = l_get_text(callee, "target-cpu"), features = l_get_text(callee, "target-features");
    if (cpu && cpu != l_get_text(caller, "target-cpu")) return false; /* attributes are unique in a context */
    LLVMAttributeRef have = l_get_text(caller, "target-features");
    if (!features || features == have) return true;
    unsigned n = 0, m = 0;
    const char *words = LLVMGetStringAttributeValue(features, &m);
    const char *all = have ? LLVMGetStringAttributeValue(have, &n) : "";
    return has_all_words(all, n, words, m);
}

static bool is_of_rules(const char *name) { return l_begins(name, "__cf_") && !l_begins(name, L_LOCAL); }

/* Marks are not differentiated: who calls them must be seen (request/limits.c). */
static bool is_of_marks(const char *name) { return strstr(name, "__cf_marks_"); }

static bool should_inline(const graph *g, const node *caller, LLVMValueRef call, const node *callee) {
    if (!callee || !callee->suitable || callee->recursive || callee == caller) return false;
    if (g->rules_only && !is_of_rules(l_name(callee->function))) return false;
    if (LLVMGetCalledValue(call) != callee->function || is_of_marks(l_name(callee->function))) return false;
    if (LLVMGetCalledFunctionType(call) != l_function_type(callee->function)) return false;
    if (LLVMGetInstructionCallConv(call) != LLVMGetFunctionCallConv(callee->function)) return false;
    /* Places of the callee could not be told in the caller. */
    if (LLVMGetSubprogram(caller->function) && LLVMGetSubprogram(callee->function) &&
        !LLVMInstructionGetDebugLoc(call))
        return false;
    if (!is_same_target(caller->function, callee->function)) return false;
    bool asked = l_has_f(callee->function, "alwaysinline");
    bool once = callee->callers == 1 && LLVMGetLinkage(callee->function) == LLVMInternalLinkage;
    bool small = callee->size <= TINY || (callee->size <= SMALL && callee->size <= g->budget);
    return (asked || once || small) && caller->size + callee->size <= LARGEST;
}

/* ---- the graph ---- */

static void add_nodes(graph *g) {
    for (LLVMValueRef f = LLVMGetFirstFunction(g->job->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || l_has_text(f, "cf-made")) continue;
        node *n = CF_NEW(g->job->arena, node);
        n->function = f;
        n->suitable = is_suitable(f);
        cf_map_put(g->job->arena, &g->nodes, f, n);
    }
}

static void add_calls(graph *g, node *n) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(n->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!is_call(i)) {
                n->size++;
                continue;
            }
            LLVMValueRef f = l_callee(i);
            if (!f || !l_is_marker(f)) n->size++;
            node *callee = callee_node(g, i);
            if (!callee) continue;
            callee->callers++;
            cf_push(g->job->arena, &n->calls, i);
        }
}

static void inline_calls(graph *g, node *n) {
    if (g->into && !g->into(n->function)) return;
    for (size_t i = 0; i < n->calls.n; i++) {
        LLVMValueRef call = n->calls.at[i];
        const node *callee = callee_node(g, call);
        if (!should_inline(g, n, call, callee) || !cfx_inline(call)) continue;
        n->size += callee->size;
        if (callee->size > TINY) g->budget -= callee->size < g->budget ? callee->size : g->budget;
    }
}

/* The component whose first node is n is complete: it is all that was found since. */
static void finish_component(graph *g, node *n) {
    size_t begin = g->component.n;
    while (g->component.at[--begin] != n) {
    }
    bool several = g->component.n - begin > 1;
    for (size_t i = begin; i < g->component.n; i++) {
        g->component.at[i]->recursive |= several;
        g->component.at[i]->waiting = false;
    }
    for (size_t i = begin; i < g->component.n; i++) inline_calls(g, g->component.at[i]);
    g->component.n = begin;
}

static void enter(graph *g, node *n) {
    n->index = n->low = ++g->found;
    n->waiting = true;
    cf_push(g->job->arena, &g->path, n);
    cf_push(g->job->arena, &g->component, n);
}

static void lower(node *n, unsigned to) {
    if (to < n->low) n->low = to;
}

/* By an explicit stack: chains of calls may be long. */
static void visit(graph *g, node *first) {
    enter(g, first);
    while (g->path.n) {
        node *n = g->path.at[g->path.n - 1];
        if (n->next < n->calls.n) {
            node *callee = callee_node(g, n->calls.at[n->next++]);
            n->recursive |= callee == n;
            if (!callee->index)
                enter(g, callee);
            else if (callee->waiting)
                lower(n, callee->index);
            continue;
        }
        g->path.n--;
        if (g->path.n) lower(g->path.at[g->path.n - 1], n->low);
        if (n->low == n->index) finish_component(g, n);
    }
}

void cf_inline_small(cf_job *job, bool (*into)(LLVMValueRef)) {
    graph g = {.job = job, .into = into, .budget = GROWTH, .rules_only = job->options.no_inline};
    add_nodes(&g);
    CF_VEC(node *) all = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
        node *n = cf_map_get(&g.nodes, f);
        if (!n) continue;
        add_calls(&g, n);
        g.budget += n->size / 2;
        cf_push(job->arena, &all, n);
    }
    for (size_t i = 0; i < all.n; i++)
        if (!all.at[i]->index) visit(&g, all.at[i]);
}
