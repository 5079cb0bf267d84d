/* Bodies of intrinsics with several results. The results are computed one by one, lane by lane. */
#include "known/rules_made.h"
#include "llvm/l.h"

/* The intrinsic and the function for each of its results: an intrinsic, or a piece of src/rules. */
static const struct made {
    const char *intrinsic;
    const char *result[2];
    const char *piece[3];
} made[] = {
    {"llvm.sincos", {"llvm.sin", "llvm.cos"}, {NULL}},
    {"llvm.sincospi", {"__cf_body_sinpi", "__cf_body_cospi"}, {"__cf_body_sinpi", "__cf_body_cospi"}},
    {"llvm.modf", {"__cf_body_llvm_modf_fraction", "llvm.trunc"}, {"__cf_body_llvm_modf_fraction"}},
    {"llvm.frexp",
     {"__cf_body_llvm_frexp_mantissa", "__cf_body_llvm_frexp_exponent"},
     {"__cf_body_llvm_frexp_mantissa", "__cf_body_llvm_frexp_exponent"}},
};

static const struct made *row_of(LLVMValueRef f) {
    for (size_t i = 0; i < sizeof made / sizeof *made; i++)
        if (l_is_intrinsic_of(f, made[i].intrinsic)) return &made[i];
    return NULL;
}

const char *const *cf_made_pieces(LLVMValueRef f) {
    const struct made *row = row_of(f);
    return row ? row->piece : NULL;
}

LLVMTypeRef cf_made_type(LLVMValueRef f) { return LLVMTypeOf(LLVMGetParam(f, 0)); }

/* Calls f for each lane of x; `to` is the type of the result. */
static LLVMValueRef by_lane(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef x, LLVMTypeRef to) {
    if (!l_is_vector_type(to)) return l_call(b, f, &x, 1, "");
    LLVMValueRef result = LLVMGetPoison(to);
    for (unsigned i = 0; i < LLVMGetVectorSize(to); i++) {
        LLVMValueRef at = l_i32(l_context(x), i), lane = LLVMBuildExtractElement(b, x, at, "");
        result = LLVMBuildInsertElement(b, result, l_call(b, f, &lane, 1, ""), at, "");
    }
    return result;
}

/* Result i of the row at x, or NULL. */
static LLVMValueRef result_of(cf_job *job, LLVMBuilderRef b, const char *name, const char *suffix,
                              LLVMValueRef x, LLVMTypeRef to) {
    LLVMTypeRef type = LLVMTypeOf(x);
    if (l_begins(name, "llvm.")) return l_call(b, l_intrinsic(job->module, name, &type, 1), &x, 1, "");
    LLVMValueRef f = LLVMGetNamedFunction(job->module, cf_text(job->arena, "%s%s", name, suffix));
    LLVMTypeRef scalar = l_is_vector_type(type) ? LLVMGetElementType(type) : type;
    if (!f || LLVMTypeOf(LLVMGetParam(f, 0)) != scalar) return NULL;
    return by_lane(b, f, x, to);
}

LLVMValueRef cf_made_body(cf_job *job, LLVMValueRef f, const char *name, const char *suffix) {
    const struct made *row = row_of(f);
    LLVMTypeRef type = l_return_type(f);
    LLVMValueRef body = LLVMAddFunction(job->module, name, l_function_type(f));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(job->context, body, ""));
    LLVMValueRef both = LLVMGetPoison(type);
    for (unsigned i = 0; i < 2 && both; i++) {
        LLVMTypeRef to = LLVMStructGetTypeAtIndex(type, i);
        LLVMValueRef result = result_of(job, b, row->result[i], suffix, LLVMGetParam(body, 0), to);
        both = result ? LLVMBuildInsertValue(b, both, result, i, "") : NULL;
    }
    if (both) LLVMBuildRet(b, both);
    LLVMDisposeBuilder(b);
    if (both) return body;
    LLVMDeleteFunction(body);
    return NULL;
}
