/* Attributes that a derivative may share with its primal.
 *
 * Idea: a list of what is allowed. Whatever promises something about the body (memory effects, returned, captures,
 * willreturn, noalias, …) is false for a body that does more, and LLVM deletes calls on the strength of it. */
#include "ir/clone.h"
#include "llvm/l.h"

static const char *const function_attributes[] = {
    "strictfp",         "null_pointer_is_valid",
    "noimplicitfloat",  "noredzone",
    "uwtable",          "ssp",
    "sspstrong",        "sspreq",
    "safestack",        "shadowcallstack",
    "vscale_range",     "alignstack",
    "sanitize_address", "sanitize_hwaddress",
    "sanitize_memory",  "sanitize_thread",
    "sanitize_memtag",  "fn_ret_thunk_extern",
    "nocf_check",
};

static const char *const function_texts[] = {
    "target-cpu",
    "target-features",
    "tune-cpu",
    "min-legal-vector-width",
    "prefer-vector-width",
    "frame-pointer",
    "stack-protector-buffer-size",
    "stackrealign",
    "probe-stack",
    "stack-probe-size",
    "no-stack-arg-probe",
    "target-abi",
    "use-soft-float",
    "denormal-fp-math",
    "denormal-fp-math-f32",
    "no-trapping-math",
    "no-signed-zeros-fp-math",
    "no-infs-fp-math",
    "no-nans-fp-math",
    "approx-func-fp-math",
    "unsafe-fp-math",
    "no-builtins",
    "branch-target-enforcement",
    "sign-return-address",
    "sign-return-address-key",
};

static const char *const value_attributes[] = {
    "zeroext", "signext", "inreg", "noundef", "align", "nest", "swiftself", "swifterror", "swiftasync",
};
/* Of a parameter; they name a type. */
static const char *const typed_attributes[] = {"byval", "sret", "inalloca", "preallocated", "byref"};

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void keep_of_function(LLVMValueRef from, LLVMValueRef to) {
    unsigned at = (unsigned)LLVMAttributeFunctionIndex;
    for (size_t i = 0; i < COUNT(function_attributes); i++) {
        LLVMAttributeRef a = l_get(from, at, function_attributes[i]);
        if (a) LLVMAddAttributeAtIndex(to, at, a);
    }
    for (size_t i = 0; i < COUNT(function_texts); i++) {
        const char *name = function_texts[i];
        LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(from, at, name, (unsigned)strlen(name));
        if (a) LLVMAddAttributeAtIndex(to, at, a);
    }
}

void cf_keep_attributes(LLVMValueRef from, unsigned i, LLVMValueRef to, unsigned j) {
    for (size_t k = 0; k < COUNT(value_attributes) + COUNT(typed_attributes); k++) {
        const char *name =
            k < COUNT(value_attributes) ? value_attributes[k] : typed_attributes[k - COUNT(value_attributes)];
        LLVMAttributeRef a = l_get(from, i, name);
        if (a) LLVMAddAttributeAtIndex(to, j, a);
    }
}

static LLVMAttributeRef call_attribute(LLVMValueRef call, unsigned i, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return kind ? LLVMGetCallSiteEnumAttribute(call, i, kind) : NULL;
}

void cf_keep_call_attributes(LLVMValueRef from, unsigned i, LLVMValueRef to, unsigned j) {
    for (size_t k = 0; k < COUNT(value_attributes) + COUNT(typed_attributes); k++) {
        const char *name =
            k < COUNT(value_attributes) ? value_attributes[k] : typed_attributes[k - COUNT(value_attributes)];
        LLVMAttributeRef a = call_attribute(from, i, name);
        if (a) LLVMAddCallSiteAttribute(to, j, a);
    }
}

void cf_pass_as_declared(LLVMValueRef from, LLVMValueRef call) {
    for (unsigned i = 0; i <= LLVMCountParams(from); i++)
        for (size_t k = 0; k < COUNT(value_attributes) + COUNT(typed_attributes); k++) {
            const char *name = k < COUNT(value_attributes) ? value_attributes[k]
                                                           : typed_attributes[k - COUNT(value_attributes)];
            LLVMAttributeRef a = l_get(from, i, name);
            if (a) LLVMAddCallSiteAttribute(call, i, a);
        }
}

static unsigned element_alignment(LLVMTargetDataRef data, LLVMTypeRef t) {
    unsigned least = LLVMABIAlignmentOfType(data, t);
    switch (LLVMGetTypeKind(t)) {
    case LLVMVectorTypeKind:
    case LLVMArrayTypeKind: return element_alignment(data, LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
            unsigned one = element_alignment(data, LLVMStructGetTypeAtIndex(t, i));
            if (one < least) least = one;
        }
        return least;
    default: return least;
    }
}

unsigned cf_shadow_alignment(LLVMValueRef access) {
    LLVMTypeRef t = LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
    unsigned own = LLVMGetAlignment(access),
             element = element_alignment(LLVMGetModuleDataLayout(l_module_of(access)), t);
    return own < element ? own : element;
}

void cf_forget_promises(LLVMValueRef copy) {
    unsigned tbaa = l_kind(l_context(copy), "tbaa");
    size_t n;
    LLVMValueMetadataEntry *e = LLVMInstructionGetAllMetadataOtherThanDebugLoc(copy, &n);
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(e, i);
        if (kind != tbaa) LLVMSetMetadata(copy, kind, NULL);
    }
    LLVMDisposeValueMetadataEntries(e);
}

void cf_clone_dress(LLVMValueRef from, LLVMValueRef f) {
    LLVMSetFunctionCallConv(f, LLVMGetFunctionCallConv(from));
    if (LLVMGetGC(from)) LLVMSetGC(f, LLVMGetGC(from));
    if (LLVMHasPersonalityFn(from)) LLVMSetPersonalityFn(f, LLVMGetPersonalityFn(from));
    if (LLVMGetSection(from) && *LLVMGetSection(from)) LLVMSetSection(f, LLVMGetSection(from));
    keep_of_function(from, f);
    l_add_text(f, "cf-made", "");
}

LLVMValueRef cf_clone_declare(cf_job *job, LLVMValueRef from, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMAddFunction(job->module, name, type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    cf_clone_dress(from, f);
    if (type != l_function_type(from)) return f;
    cf_keep_attributes(from, 0, f, 0);
    for (unsigned i = 0; i < LLVMCountParams(from); i++) {
        cf_keep_attributes(from, i + 1, f, i + 1);
        l_set_name(LLVMGetParam(f, i), l_name(LLVMGetParam(from, i)));
    }
    return f;
}
