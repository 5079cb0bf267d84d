/* The result of one call of Enzyme's: values in order, into what the call's own type is.
 *
 * In:     the values; the call, which still stands
 * Out:    its uses are replaced, or the memory that the caller gave for the result is written
 *
 * Idea: a struct, in registers or in memory, and structs within it, are the numbers, integers and pointers in them with
 * their offsets: as many are wanted as are there, in the same order. Floating numbers are converted where they differ. */
#include "llvm/l.h"
#include "request/enzyme.h"

typedef struct leaf {
    LLVMTypeRef type;
    uint64_t offset;
} leaf;
typedef CF_VEC(leaf) leaves;

static void find_leaves(const cf_enzyme *s, LLVMTypeRef t, uint64_t at, leaves *out) {
    LLVMTargetDataRef d = LLVMGetModuleDataLayout(s->module);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            find_leaves(s, LLVMStructGetTypeAtIndex(t, i), at + LLVMOffsetOfElement(d, t, i), out);
    } else if (kind == LLVMArrayTypeKind || kind == LLVMVectorTypeKind) {
        LLVMTypeRef e = LLVMGetElementType(t);
        uint64_t n = kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(t) : LLVMGetVectorSize(t);
        for (uint64_t i = 0; i < n; i++) find_leaves(s, e, at + i * LLVMABISizeOfType(d, e), out);
    } else {
        cf_push(s->arena, out, ((leaf){t, at}));
    }
}

/* NULL: the types do not fit. Of integers only a truth value is widened: the sign of others is not known. */
static LLVMValueRef converted(const cf_enzyme *s, LLVMValueRef v, LLVMTypeRef t) {
    LLVMTypeRef from = LLVMTypeOf(v);
    if (from == t) return v;
    if (l_is_float_type(from) && l_is_float_type(t)) return LLVMBuildFPCast(s->b, v, t, "");
    if (l_is_integer_type(from) && l_is_integer_type(t) && LLVMGetIntTypeWidth(from) == 1)
        return LLVMBuildZExt(s->b, v, t, "");
    return NULL;
}

static LLVMValueRef at(const cf_enzyme *s, LLVMValueRef p, uint64_t offset) {
    return offset ? l_offset(s->b, p, l_i64(s->context, offset), "") : p;
}

/* The values as one in memory, and what is in it. */
static LLVMValueRef collect(const cf_enzyme *s, LLVMValueRef *result, unsigned n, leaves *out) {
    LLVMTypeRef *t = CF_ARRAY(s->arena, LLVMTypeRef, n);
    for (unsigned i = 0; i < n; i++) t[i] = LLVMTypeOf(result[i]);
    LLVMTypeRef all = LLVMStructTypeInContext(s->context, t, n, 0);
    LLVMValueRef slot = l_slot(s->b, all, "");
    for (unsigned i = 0; i < n; i++)
        LLVMBuildStore(s->b, result[i], LLVMBuildStructGEP2(s->b, all, slot, i, ""));
    find_leaves(s, all, 0, out);
    return slot;
}

/* The type in memory that the caller gives for the result. */
static LLVMTypeRef type_in_memory(const cf_enzyme *s) {
    unsigned kind = LLVMGetEnumAttributeKindForName("sret", strlen("sret"));
    return LLVMGetTypeAttributeValue(LLVMGetCallSiteEnumAttribute(s->call, 1, kind));
}

static bool wrong_result(const cf_enzyme *s, size_t want, size_t have) {
    return CF_ENZYME_FAIL(s,
                          "this call returns something else than the derivatives asked for: its type has %zu "
                          "value%s, they are %zu%s",
                          want, want == 1 ? "" : "s", have, want == have ? " of other types" : "");
}

bool cf_deliver_enzyme(cf_enzyme *s, LLVMValueRef *result, unsigned n) {
    LLVMTypeRef want = s->returned ? type_in_memory(s) : LLVMTypeOf(s->call);
    if (l_is_void_type(want)) return true;
    if (!n && !s->returned && !LLVMGetFirstUse(s->call)) return true;
    if (!n)
        return CF_ENZYME_FAIL(s, "the result of this call is used, but the derivatives asked for are not "
                                 "returned: they go to the shadows; say enzyme_primal_return for the value "
                                 "of the function");
    leaves from = {0}, to = {0};
    LLVMValueRef have = collect(s, result, n, &from),
                 slot = s->returned ? s->returned : l_slot(s->b, want, "");
    find_leaves(s, want, 0, &to);
    if (from.n != to.n) return wrong_result(s, to.n, from.n);
    for (size_t i = 0; i < to.n; i++) {
        LLVMValueRef v = LLVMBuildLoad2(s->b, from.at[i].type, at(s, have, from.at[i].offset), "");
        v = converted(s, v, to.at[i].type);
        if (!v) return wrong_result(s, to.n, from.n);
        LLVMBuildStore(s->b, v, at(s, slot, to.at[i].offset));
    }
    if (!s->returned) LLVMReplaceAllUsesWith(s->call, LLVMBuildLoad2(s->b, want, slot, ""));
    return true;
}
