/* Parameters of the source: clang passes a complex number or a small struct in several parameters of the function.
 *
 * In:     a function as clang made it, not optimised
 * Out:    which of its parameters are one parameter of the source, and where in that each lies
 *
 * Idea: clang stores such pieces, one by one, into one object: a parameter whose only use is a store at an offset into an
 * alloca. Neighbours that go to the same object are one parameter. In optimised code nothing shows that they were one, and
 * each is a parameter of its own. */
#include "llvm/l.h"
#include "request/request.h"

typedef struct piece {
    LLVMValueRef object; /* NULL: the parameter is no piece */
    uint64_t offset;
} piece;

static piece piece_of(LLVMValueRef parameter) {
    LLVMUseRef use = LLVMGetFirstUse(parameter);
    if (!use || LLVMGetNextUse(use)) return (piece){0};
    LLVMValueRef store = LLVMGetUser(use);
    if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != parameter) return (piece){0};
    LLVMValueRef p = LLVMGetOperand(store, 1);
    if (!LLVMIsAGetElementPtrInst(p) || LLVMGetNumOperands(p) != 3) return (piece){0};
    LLVMValueRef object = LLVMGetOperand(p, 0), zero = LLVMGetOperand(p, 1), k = LLVMGetOperand(p, 2);
    LLVMTypeRef t = LLVMGetGEPSourceElementType(p);
    if (!LLVMIsAAllocaInst(object) || !LLVMIsAConstantInt(zero) || !LLVMIsAConstantInt(k)) return (piece){0};
    if (!LLVMIsNull(zero) || LLVMGetTypeKind(t) != LLVMStructTypeKind) return (piece){0};
    LLVMModuleRef m = l_module_of(store);
    unsigned n = (unsigned)LLVMConstIntGetZExtValue(k);
    return (piece){object, LLVMOffsetOfElement(LLVMGetModuleDataLayout(m), t, n)};
}

bool cf_is_piece(LLVMValueRef parameter) { return piece_of(parameter).object != NULL; }

void cf_find_pieces(cf_arena *a, LLVMValueRef f, cf_pieces *out) {
    unsigned n = LLVMCountParams(f);
    unsigned *first = CF_ARRAY(a, unsigned, n + 1), *group = CF_ARRAY(a, unsigned, n + 1);
    uint64_t *offset = CF_ARRAY(a, uint64_t, n + 1);
    LLVMTypeRef *object = CF_ARRAY(a, LLVMTypeRef, n + 1);
    *out = (cf_pieces){0, first, group, offset, object};
    LLVMValueRef last = NULL;
    for (unsigned i = 0; i < n; i++) {
        piece p = LLVMIsDeclaration(f) ? (piece){0} : piece_of(LLVMGetParam(f, i));
        if (!p.object || p.object != last) first[out->n++] = i;
        last = p.object;
        group[i] = out->n - 1;
        offset[i] = p.offset;
        if (first[out->n - 1] != i) object[out->n - 1] = LLVMGetAllocatedType(p.object);
    }
    first[out->n] = n;
}

/* ---- integers with numbers in them ---- */

static bool has_number(LLVMTargetDataRef d, LLVMTypeRef t, uint64_t at, uint64_t from, uint64_t to) {
    if (at >= to || at + LLVMABISizeOfType(d, t) <= from) return false;
    switch (LLVMGetTypeKind(t)) {
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (has_number(d, LLVMStructGetTypeAtIndex(t, i), at + LLVMOffsetOfElement(d, t, i), from, to))
                return true;
        return false;
    case LLVMArrayTypeKind: {
        LLVMTypeRef e = LLVMGetElementType(t);
        for (uint64_t i = 0; i < LLVMGetArrayLength2(t); i++)
            if (has_number(d, e, at + i * LLVMABISizeOfType(d, e), from, to)) return true;
        return false;
    }
    default: return l_is_number_type(t);
    }
}

bool cf_piece_mixes(LLVMValueRef f, const cf_pieces *p, unsigned i) {
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f, i)), object = p->object[p->group[i]];
    LLVMTargetDataRef d = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
    if (!l_is_integer_type(t)) return false;
    if (!LLVMGetStructName(object)) return true; /* not the type of the source */
    return has_number(d, object, 0, p->offset[i], p->offset[i] + LLVMABISizeOfType(d, t));
}
