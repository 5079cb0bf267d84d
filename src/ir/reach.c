/* What code reaches.
 *
 * In:     a global value
 * Out:    it and what it leads to, in a map
 * Keeps:  everything
 *
 * Idea: a walk with a list of work over operands; constants without operands lead nowhere. */
#include "ir/reach.h"
#include "llvm/l.h"
#include "support/vec.h"

typedef struct walk {
    cf_arena *arena;
    cf_map *seen; /* globals and other constants */
    CF_VEC(LLVMValueRef) work;
} walk;

static void visit(walk *w, LLVMValueRef v) {
    if (!v || !LLVMIsAConstant(v) || cf_map_get(w->seen, v)) return;
    if (!LLVMIsAGlobalValue(v) && !LLVMIsABlockAddress(v) && LLVMGetNumOperands(v) == 0) return;
    cf_map_put(w->arena, w->seen, v, v);
    cf_push(w->arena, &w->work, v);
}

static void visit_operands(walk *w, LLVMValueRef v) {
    int n = LLVMGetNumOperands(v);
    for (int i = 0; i < n; i++) {
        LLVMValueRef o = LLVMGetOperand(v, (unsigned)i);
        if (o) visit(w, o);
    }
}

static void visit_function(walk *w, LLVMValueRef f) {
    if (LLVMHasPersonalityFn(f)) visit(w, LLVMGetPersonalityFn(f));
    if (LLVMHasPrefixData(f)) visit(w, LLVMGetPrefixData(f));
    if (LLVMHasPrologueData(f)) visit(w, LLVMGetPrologueData(f));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            visit_operands(w, i);
}

static void visit_all(walk *w) {
    while (w->work.n) {
        LLVMValueRef v = w->work.at[--w->work.n];
        if (LLVMIsAFunction(v))
            visit_function(w, v);
        else if (LLVMIsABlockAddress(v))
            visit(w, LLVMGetBlockAddressFunction(v));
        else if (LLVMIsAGlobalAlias(v))
            visit(w, LLVMAliasGetAliasee(v));
        else if (LLVMIsAGlobalIFunc(v))
            visit(w, LLVMGetGlobalIFuncResolver(v));
        else if (LLVMIsAGlobalVariable(v))
            visit(w, LLVMGetInitializer(v));
        else
            visit_operands(w, v);
    }
}

void cf_reach(cf_arena *a, LLVMValueRef root, cf_map *seen) {
    walk w = {.arena = a, .seen = seen};
    visit(&w, root);
    visit_all(&w);
}
