/* Guards: made, known, and in the end lowered to comparisons.
 *
 * In:     a module with calls of guards
 * Out:    comparisons in their places
 * Needs:  that no derivative of this code is still to be made    Keeps: control flow
 *
 * Several guards that one factor decides are lowered together. A comparison that decides one thing alone becomes a mask on
 * x86, one that decides several becomes branches; and there are two comparisons with 0, equal and unequal. So up to two
 * guards in a block compare the factor. More of them compare the products with a floor: 0 where the factor is 0, minus
 * infinity elsewhere (NaN where it is NaN). `product > floor ? product : floor` is one instruction of most processors; where
 * the factor is 0 the product is 0 or NaN, and this is 0; elsewhere it is the product, but NaN becomes minus infinity. */
#include "ir/guards.h"
#include "llvm/l.h"
#include "support/arena.h"
#include "support/map.h"
#include "support/vec.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char prefix[] = "__cf_unless_zero.";

bool cf_is_guard(LLVMValueRef f) { return l_begins(l_name(f), prefix); }

unsigned cf_guard_factors(LLVMValueRef guard) { return LLVMGetNumArgOperands(guard) - 1; }

/* The name says how many factors there are, and of which types. */
static LLVMValueRef function_for(LLVMModuleRef m, LLVMTypeRef factor, unsigned n, LLVMTypeRef product) {
    char *a = LLVMPrintTypeToString(factor), *b = LLVMPrintTypeToString(product), name[128];
    snprintf(name, sizeof name, "%s%u.%s.%s", prefix, n, a, b);
    LLVMDisposeMessage(a);
    LLVMDisposeMessage(b);
    LLVMValueRef f = LLVMGetNamedFunction(m, name);
    if (f) return f;
    LLVMTypeRef *argument = malloc((n + 1) * sizeof *argument);
    if (!argument) abort();
    for (unsigned i = 0; i < n; i++) argument[i] = factor;
    argument[n] = product;
    f = LLVMAddFunction(m, name, LLVMFunctionType(product, argument, n + 1, 0));
    free(argument);
    static const char *const promise[] = {"memory", "nounwind", "willreturn",
                                          "nofree", "nosync",   "nocallback"};
    for (size_t i = 0; i < sizeof promise / sizeof *promise; i++) l_add_f(f, promise[i]);
    return f;
}

LLVMValueRef cf_unless_all_zero(LLVMBuilderRef b, LLVMValueRef *factor, unsigned n, LLVMValueRef product) {
    if (l_is_zero(product)) return product;
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    LLVMValueRef f = function_for(m, LLVMTypeOf(*factor), n, LLVMTypeOf(product));
    LLVMValueRef *argument = malloc((n + 1) * sizeof *argument);
    if (!argument) abort();
    memcpy(argument, factor, n * sizeof *argument);
    argument[n] = product;
    LLVMValueRef guard = l_call(b, f, argument, n + 1, "");
    free(argument);
    return guard;
}

LLVMValueRef cf_unless_zero(LLVMBuilderRef b, LLVMValueRef factor, LLVMValueRef product) {
    return cf_unless_all_zero(b, &factor, 1, product);
}

/* --- lowering ------------------------------------------------------------------------------------------------------------ */

/* Of functions of this many instructions LLVM's search for floating operations that can be made of integers (float2int)
 * takes time quadratic in the size of what hangs together before a comparison: it is cut off here. */
enum { LARGE = 1500 };

/* The guards of one factor in one block. */
typedef struct group {
    unsigned n, lowered;
    LLVMValueRef floor;
} group;

typedef struct lowering {
    cf_arena *arena;
    LLVMModuleRef module;
    LLVMBuilderRef b;
    bool large;
} lowering;

static LLVMValueRef compared(const lowering *l, LLVMValueRef x) {
    return l->large && !l_is_constant(x) ? LLVMBuildFreeze(l->b, x, "") : x;
}

static LLVMValueRef by_comparison(const lowering *l, LLVMValueRef factor, LLVMValueRef product,
                                  unsigned turn) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(product)), nothing = LLVMConstNull(LLVMTypeOf(factor));
    LLVMRealPredicate is = turn ? LLVMRealUNE : LLVMRealOEQ;
    LLVMValueRef c = LLVMBuildFCmp(l->b, is, compared(l, factor), nothing, "");
    return turn ? LLVMBuildSelect(l->b, c, product, zero, "") : LLVMBuildSelect(l->b, c, zero, product, "");
}

static LLVMValueRef floor_for(const lowering *l, LLVMValueRef factor) {
    LLVMTypeRef t = LLVMTypeOf(factor);
    factor = compared(l, factor);
    LLVMValueRef is_nan = LLVMBuildFCmp(l->b, LLVMRealUNO, factor, LLVMConstNull(t), "");
    return by_comparison(l, factor, LLVMBuildSelect(l->b, is_nan, factor, l_all(t, -INFINITY), ""), 1);
}

/* 80 bits count as less than 128. */
static unsigned width_of(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(l_is_vector_type(t) ? LLVMGetElementType(t) : t)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: return 16;
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    case LLVMX86_FP80TypeKind: return 80;
    default: return 128;
    }
}

static LLVMValueRef in_precision(const lowering *l, LLVMValueRef floor, LLVMTypeRef to) {
    LLVMTypeRef from = LLVMTypeOf(floor);
    if (from == to) return floor;
    bool wider = width_of(to) > width_of(from);
    return wider ? LLVMBuildFPExt(l->b, floor, to, "") : LLVMBuildFPTrunc(l->b, floor, to, "");
}

static LLVMValueRef by_floor(const lowering *l, group *g, LLVMValueRef factor, LLVMValueRef product) {
    if (!g->floor) g->floor = floor_for(l, factor);
    LLVMValueRef floor = in_precision(l, g->floor, LLVMTypeOf(product));
    LLVMValueRef c = LLVMBuildFCmp(l->b, LLVMRealOGT, compared(l, product), floor, "");
    return LLVMBuildSelect(l->b, c, product, floor, "");
}

/* The only factor; of several, the sum of their magnitudes, which is 0 where all are. */
static LLVMValueRef factor_of(const lowering *l, LLVMValueRef guard) {
    unsigned n = cf_guard_factors(guard);
    LLVMValueRef sum = LLVMGetOperand(guard, 0);
    LLVMTypeRef t = LLVMTypeOf(sum);
    LLVMValueRef fabs = l_intrinsic(l->module, "llvm.fabs", &t, 1);
    for (unsigned i = 0; n > 1 && i < n; i++) {
        LLVMValueRef x = LLVMGetOperand(guard, i), size = l_call(l->b, fabs, &x, 1, "");
        sum = i ? LLVMBuildFAdd(l->b, sum, size, "") : size;
    }
    return sum;
}

static void lower(const lowering *l, LLVMValueRef guard, group *g) {
    LLVMPositionBuilderBefore(l->b, guard);
    LLVMSetCurrentDebugLocation2(l->b, LLVMInstructionGetDebugLoc(guard));
    LLVMValueRef factor = factor_of(l, guard), product = LLVMGetOperand(guard, cf_guard_factors(guard));
    enum { MASKS = 2 };
    LLVMValueRef made =
        g->n > MASKS ? by_floor(l, g, factor, product) : by_comparison(l, factor, product, g->lowered++);
    LLVMReplaceAllUsesWith(guard, made);
    LLVMInstructionEraseFromParent(guard);
}

static void lower_block(const lowering *l, LLVMBasicBlockRef block) {
    cf_map groups = {0};
    CF_VEC(LLVMValueRef) guards = {0};
    CF_VEC(group *) of = {0};
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsACallInst(i) || !l_callee(i) || !cf_is_guard(l_callee(i))) continue;
        LLVMValueRef factor = LLVMGetOperand(i, 0);
        group *g = cf_guard_factors(i) == 1 ? cf_map_get(&groups, factor) : NULL;
        if (!g) {
            g = CF_NEW(l->arena, group);
            if (cf_guard_factors(i) == 1) cf_map_put(l->arena, &groups, factor, g);
        }
        g->n++;
        cf_push(l->arena, &guards, i);
        cf_push(l->arena, &of, g);
    }
    for (size_t i = 0; i < guards.n; i++) lower(l, guards.at[i], of.at[i]);
}

static bool is_large(LLVMValueRef f) {
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (++n > LARGE) return true;
    return false;
}

typedef CF_VEC(LLVMValueRef) functions;

/* Functions that name f, each once. */
static void add_users(cf_arena *a, LLVMValueRef f, cf_map *seen, functions *users) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        if (!LLVMIsAInstruction(LLVMGetUser(u))) continue;
        LLVMValueRef user = LLVMGetBasicBlockParent(LLVMGetInstructionParent(LLVMGetUser(u)));
        if (cf_map_get(seen, user)) continue;
        cf_map_put(a, seen, user, user);
        cf_push(a, users, user);
    }
}

static void lower_function(lowering *l, LLVMValueRef f) {
    l->large = is_large(f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) lower_block(l, b);
}

void cf_lower_guards(LLVMModuleRef m) {
    lowering l = {
        .arena = cf_arena_new(), .module = m, .b = LLVMCreateBuilderInContext(LLVMGetModuleContext(m))};
    cf_map seen = {0};
    functions users = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (cf_is_guard(f)) add_users(l.arena, f, &seen, &users);
    for (size_t i = 0; i < users.n; i++) lower_function(&l, users.at[i]);
    for (size_t i = 0; i < users.n; i++) {
        add_users(l.arena, users.at[i], &seen, &users);
        l_add_text(users.at[i], CF_LOWERED, "");
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(m), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (cf_is_guard(f) && !LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
    }
    LLVMDisposeBuilder(l.b);
    cf_arena_free(l.arena);
}
