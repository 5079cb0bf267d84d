/* What a constant is made of.
 *
 * In:     a constant
 * Out:    its parts, each once
 * Needs:  nothing                      Keeps: everything
 *
 * Constants without operands of their own (numbers) are many and short; they are not remembered. */
#include "ir/constants.h"
#include "llvm/l.h"
#include "support/vec.h"

static bool is_leaf(LLVMValueRef c) {
    return LLVMIsAGlobalValue(c) || LLVMIsABlockAddress(c) || !LLVMGetNumOperands(c);
}

bool cf_any_part(cf_arena *a, LLVMValueRef constant, bool (*ask)(void *user, LLVMValueRef part), void *user) {
    if (!constant || !LLVMIsAConstant(constant)) return false;
    if (is_leaf(constant)) return ask(user, constant);
    cf_map seen = {0};
    CF_VEC(LLVMValueRef) work = {0};
    cf_push(a, &work, constant);
    while (work.n) {
        LLVMValueRef c = work.at[--work.n];
        if (!LLVMIsAConstant(c) || cf_map_get(&seen, c)) continue;
        if (ask(user, c)) return true;
        if (is_leaf(c)) continue;
        cf_map_put(a, &seen, c, c);
        for (int k = 0; k < LLVMGetNumOperands(c); k++) cf_push(a, &work, LLVMGetOperand(c, (unsigned)k));
    }
    return false;
}
