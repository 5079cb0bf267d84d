#include "ir/lanes.h"
#include "llvm/l.h"

LLVMTypeRef cf_lane_type(LLVMTypeRef t) { return l_is_vector_type(t) ? LLVMGetElementType(t) : t; }

unsigned cf_lane_count(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMVectorTypeKind ? LLVMGetVectorSize(t) : 1;
}

LLVMTypeRef cf_lanes_of(LLVMTypeRef lane, unsigned n) { return n == 1 ? lane : LLVMVectorType(lane, n); }

static unsigned lane_bits(LLVMTypeRef lane) {
    switch (LLVMGetTypeKind(lane)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind: return 16;
    case LLVMFloatTypeKind: return 32;
    case LLVMDoubleTypeKind: return 64;
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(lane);
    default: return 0;
    }
}

unsigned cf_bit_count(LLVMTypeRef t) {
    if (LLVMGetTypeKind(t) == LLVMScalableVectorTypeKind) return 0;
    return lane_bits(cf_lane_type(t)) * cf_lane_count(t);
}

LLVMTypeRef cf_bits_type(LLVMTypeRef numbers) {
    LLVMTypeRef lane = cf_lane_type(numbers);
    if (!cf_bit_count(numbers) || l_is_integer_type(lane)) return NULL;
    LLVMTypeRef i = LLVMIntTypeInContext(LLVMGetTypeContext(lane), lane_bits(lane));
    return l_is_vector_type(numbers) ? LLVMVectorType(i, LLVMGetVectorSize(numbers)) : i;
}

LLVMValueRef cf_lane(LLVMBuilderRef b, LLVMValueRef v, unsigned i) {
    if (!l_is_vector_type(LLVMTypeOf(v))) return v;
    return LLVMBuildExtractElement(b, v, l_i32(l_context(v), i), "");
}

LLVMValueRef cf_with_lane(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef x, unsigned i) {
    if (!l_is_vector_type(LLVMTypeOf(v))) return x;
    return LLVMBuildInsertElement(b, v, x, l_i32(l_context(v), i), "");
}

LLVMValueRef cf_shuffle(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, const int *from, unsigned n) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(l_context(x));
    LLVMValueRef at[CF_MOST_LANES];
    for (unsigned i = 0; i < n && i < CF_MOST_LANES; i++)
        at[i] = from[i] < 0 ? LLVMGetPoison(i32) : l_i32(l_context(x), (uint32_t)from[i]);
    return LLVMBuildShuffleVector(b, x, y, LLVMConstVector(at, n), "");
}

LLVMValueRef cf_all_lanes(LLVMValueRef constant, unsigned n) {
    LLVMValueRef all[CF_MOST_LANES];
    if (n == 1) return constant;
    for (unsigned i = 0; i < n && i < CF_MOST_LANES; i++) all[i] = constant;
    return LLVMConstVector(all, n);
}

LLVMValueRef cf_mask_of_bits(LLVMBuilderRef b, LLVMValueRef bits, unsigned n) {
    LLVMTypeRef i1 = LLVMInt1TypeInContext(l_context(bits));
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(bits));
    int from[CF_MOST_LANES];
    for (unsigned i = 0; i < n && i < CF_MOST_LANES; i++) from[i] = (int)i;
    LLVMValueRef all = LLVMBuildBitCast(b, bits, LLVMVectorType(i1, width), "");
    return width == n ? all : cf_shuffle(b, all, LLVMGetPoison(LLVMTypeOf(all)), from, n);
}

LLVMValueRef cf_mask_of_signs(LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef bits = cf_bits_type(LLVMTypeOf(v));
    if (bits) v = LLVMBuildBitCast(b, v, bits, "");
    return LLVMBuildICmp(b, LLVMIntSLT, v, l_zero(LLVMTypeOf(v)), "");
}
