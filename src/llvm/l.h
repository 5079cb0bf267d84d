/* Thin helpers over llvm-c, and the only C that knows about versions of LLVM (19 and 22).
 *
 * Names: l_… . Nothing here keeps state. Texts that are returned belong to LLVM and live as long as the
 * value. */
#ifndef CF_L_H
#define CF_L_H
#include "support/diag.h"
#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Error.h>
#include <llvm-c/Orc.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <llvm/Config/llvm-config.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define L_VERSION LLVM_VERSION_MAJOR

/* ---- names, contexts, places ---- */

static inline const char *l_name(LLVMValueRef v) {
    size_t n;
    const char *s = LLVMGetValueName2(v, &n);
    return s ? s : "";
}
static inline void l_set_name(LLVMValueRef v, const char *name) { LLVMSetValueName2(v, name, strlen(name)); }
static inline bool l_begins(const char *s, const char *with) { return strncmp(s, with, strlen(with)) == 0; }
static inline bool l_ends(const char *s, const char *with) {
    size_t n = strlen(s), m = strlen(with);
    return n >= m && strcmp(s + n - m, with) == 0;
}
/* While the private module lives (request/private.c), local symbols have temporary names: this, a number, `_` and their
 * own name. */
#define L_LOCAL "__cf_local_"
/* Takes temporary names in a text back to the user's, in place. */
static inline void l_show_names(char *text) {
    for (char *at = text; (at = strstr(at, L_LOCAL));) {
        const char *rest = at + strlen(L_LOCAL);
        rest += strspn(rest, "0123456789");
        rest += *rest == '_';
        memmove(at, rest, strlen(rest) + 1);
    }
}
/* The name of a value as the user knows it. */
static inline const char *l_shown(LLVMValueRef v) {
    const char *name = l_name(v);
    if (!l_begins(name, L_LOCAL)) return name;
    name += strlen(L_LOCAL);
    name += strspn(name, "0123456789");
    return *name == '_' ? name + 1 : name;
}
static inline LLVMContextRef l_context(LLVMValueRef v) { return LLVMGetTypeContext(LLVMTypeOf(v)); }
static inline LLVMValueRef l_function_of(LLVMValueRef inst) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(inst));
}
static inline LLVMModuleRef l_module_of(LLVMValueRef inst) {
    return LLVMGetGlobalParent(l_function_of(inst));
}

/* The file of a value's debug information as a path that can be opened from here: clang stores what the current folder
 * and the path have in common apart. The text belongs to the context. */
static inline const char *l_file(LLVMValueRef v) {
    unsigned length = 0, directory_length = 0;
    const char *file = LLVMGetDebugLocFilename(v, &length);
    if (!file || !length) return NULL;
    const char *directory = LLVMGetDebugLocDirectory(v, &directory_length);
    if (file[0] == '/' || !directory || !directory_length || access(file, R_OK) == 0) return file;
    char path[4096];
    int n = snprintf(path, sizeof path, "%.*s/%.*s", (int)directory_length, directory, (int)length, file);
    if (n < 0 || (size_t)n >= sizeof path) return file;
    LLVMContextRef c = l_context(v);
    return LLVMGetMDString(LLVMMetadataAsValue(c, LLVMMDStringInContext2(c, path, (size_t)n)), &length);
}

/* A context that the JIT may share with its maker. It owns *context; end it by LLVMOrcDisposeThreadSafeContext. */
static inline LLVMOrcThreadSafeContextRef l_shared_context(LLVMContextRef *context) {
#if L_VERSION >= 21
    *context = LLVMContextCreate();
    return LLVMOrcCreateNewThreadSafeContextFromLLVMContext(*context);
#else
    LLVMOrcThreadSafeContextRef shared = LLVMOrcCreateNewThreadSafeContext();
    *context = LLVMOrcThreadSafeContextGetContext(shared);
    return shared;
#endif
}

/* The place of an instruction, function or global variable from its debug information. Without that, no
 * place. */
static inline cf_place l_place(LLVMValueRef v) {
    cf_place place = {NULL, 0, 0};
    if (LLVMIsAInstruction(v) && !LLVMInstructionGetDebugLoc(v)) return place;
    if (LLVMIsAFunction(v) && !LLVMGetSubprogram(v)) return place;
    if (!LLVMIsAInstruction(v) && !LLVMIsAFunction(v) && !LLVMIsAGlobalVariable(v)) return place;
    place.file = l_file(v);
    if (!place.file) return place;
    place.line = LLVMGetDebugLocLine(v);
    place.column = LLVMIsAInstruction(v) ? LLVMGetDebugLocColumn(v) : 0;
    return place;
}

/* ---- types ---- */

/* A floating scalar: half, bfloat, float, double, x86_fp80, fp128. */
static inline bool l_is_float_type(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMX86_FP80TypeKind:
    case LLVMFP128TypeKind:
    case LLVMPPC_FP128TypeKind: return true;
    default: return false;
    }
}
static inline bool l_is_pointer_type(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMPointerTypeKind; }
static inline bool l_is_void_type(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMVoidTypeKind; }
static inline bool l_is_integer_type(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMIntegerTypeKind; }
static inline bool l_is_vector_type(LLVMTypeRef t) { return LLVMGetTypeKind(t) == LLVMVectorTypeKind; }
static inline bool l_is_aggregate_type(LLVMTypeRef t) {
    return LLVMGetTypeKind(t) == LLVMStructTypeKind || LLVMGetTypeKind(t) == LLVMArrayTypeKind;
}
/* A number in the sense of docs/architecture.md: floating scalar, vector of them, or a non-empty struct or
 * array of nothing but numbers. */
static inline bool l_is_number_type(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMVectorTypeKind: return l_is_float_type(LLVMGetElementType(t));
    case LLVMArrayTypeKind: return LLVMGetArrayLength2(t) && l_is_number_type(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (!l_is_number_type(LLVMStructGetTypeAtIndex(t, i))) return false;
        return LLVMCountStructElementTypes(t) > 0;
    default: return l_is_float_type(t);
    }
}
/* The type of a function's value (a function handle's own type is `ptr`). */
static inline LLVMTypeRef l_function_type(LLVMValueRef f) { return LLVMGlobalGetValueType(f); }
static inline LLVMTypeRef l_return_type(LLVMValueRef f) {
    return LLVMGetReturnType(LLVMGlobalGetValueType(f));
}
/* A vector whose length is not known before the program runs, or an aggregate with one in it. */
static inline bool l_is_scalable_type(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMScalableVectorTypeKind: return true;
    case LLVMArrayTypeKind: return l_is_scalable_type(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (l_is_scalable_type(LLVMStructGetTypeAtIndex(t, i))) return true;
        return false;
    default: return false;
    }
}
/* Bytes that a value of a type takes in an array; 0 when that is not known here. */
static inline uint64_t l_size(LLVMModuleRef m, LLVMTypeRef t) {
    if (!LLVMTypeIsSized(t) || l_is_scalable_type(t)) return 0;
    return LLVMABISizeOfType(LLVMGetModuleDataLayout(m), t);
}

/* ---- constants ---- */

static inline LLVMValueRef l_i1(LLVMContextRef c, bool b) {
    return LLVMConstInt(LLVMInt1TypeInContext(c), b, 0);
}
static inline LLVMValueRef l_i8(LLVMContextRef c, uint8_t i) {
    return LLVMConstInt(LLVMInt8TypeInContext(c), i, 0);
}
static inline LLVMValueRef l_i32(LLVMContextRef c, uint32_t i) {
    return LLVMConstInt(LLVMInt32TypeInContext(c), i, 0);
}
static inline LLVMValueRef l_i64(LLVMContextRef c, uint64_t i) {
    return LLVMConstInt(LLVMInt64TypeInContext(c), i, 0);
}
static inline LLVMValueRef l_zero(LLVMTypeRef t) { return LLVMConstNull(t); }
/* A number in every component of a floating scalar or vector. */
static inline LLVMValueRef l_all(LLVMTypeRef t, double value) {
    if (LLVMGetTypeKind(t) != LLVMVectorTypeKind) return LLVMConstReal(t, value);
    unsigned n = LLVMGetVectorSize(t);
    LLVMValueRef *all = malloc(n * sizeof *all);
    for (unsigned i = 0; all && i < n; i++) all[i] = LLVMConstReal(LLVMGetElementType(t), value);
    LLVMValueRef v = LLVMConstVector(all, n);
    free(all);
    return v;
}
static inline LLVMValueRef l_one(LLVMTypeRef t) { return l_all(t, 1.0); }
static inline bool l_is_constant(LLVMValueRef v) { return LLVMIsAConstant(v) != NULL; }
static inline bool l_is_zero(LLVMValueRef v) { return LLVMIsAConstant(v) && LLVMIsNull(v); }
/* The text of a pointer to a constant string, without the 0 at its end, and its length. NULL when it is none. LLVM keeps an
 * empty string as zeros, which llvm-c must not be asked for as a text. */
static inline const char *l_text(LLVMValueRef p, size_t *length) {
    LLVMValueRef init = LLVMIsAGlobalVariable(p) ? LLVMGetInitializer(p) : NULL;
    *length = 0;
    if (init && LLVMIsAConstantAggregateZero(init)) return "";
    if (!init || !LLVMIsAConstantDataSequential(init) || !LLVMIsConstantString(init)) return NULL;
    const char *s = LLVMGetAsString(init, length);
    if (*length && !s[*length - 1]) --*length;
    return s;
}
/* What an alias stands for; anything else is what it is. */
static inline LLVMValueRef l_without_aliases(LLVMValueRef v) {
    while (v && LLVMIsAGlobalAlias(v)) v = LLVMAliasGetAliasee(v);
    return v;
}

/* ---- switch: case values left the operand list in LLVM 22 ---- */

static inline unsigned l_switch_cases(LLVMValueRef sw) { return LLVMGetNumSuccessors(sw) - 1; }
/* The value of case i, counted from 0; its block is LLVMGetSuccessor(sw, i + 1), the default
 * LLVMGetSuccessor(sw, 0). */
static inline LLVMValueRef l_switch_value(LLVMValueRef sw, unsigned i) {
#if L_VERSION >= 22
    return LLVMGetSwitchCaseValue(sw, i + 1);
#else
    return LLVMGetOperand(sw, 2 * (i + 1));
#endif
}

/* ---- calls ---- */

/* The function that a call calls: through aliases; NULL when it is indirect or inline assembly. */
static inline LLVMValueRef l_callee(LLVMValueRef call) {
    LLVMValueRef f = l_without_aliases(LLVMGetCalledValue(call));
    return f && LLVMIsAFunction(f) ? f : NULL;
}
static inline bool l_is_intrinsic(LLVMValueRef f) { return LLVMIsAFunction(f) && LLVMGetIntrinsicID(f) != 0; }
/* True for `llvm.sin.f64` asked for "llvm.sin": the base name, whatever types follow. */
static inline bool l_is_intrinsic_of(LLVMValueRef f, const char *base) {
    size_t n = strlen(base);
    const char *name = l_name(f);
    return strncmp(name, base, n) == 0 && (name[n] == '.' || name[n] == 0);
}
/* x * y + z as one operation. */
static inline bool l_is_multiply_add(LLVMValueRef f) {
    return l_is_intrinsic_of(f, "llvm.fmuladd") || l_is_intrinsic_of(f, "llvm.fma");
}
/* Only this module knows its name. */
static inline bool l_is_local(LLVMValueRef global) {
    LLVMLinkage l = LLVMGetLinkage(global);
    return l == LLVMInternalLinkage || l == LLVMPrivateLinkage;
}
/* The linker may take another definition of the name, which need not do the same. */
static inline bool l_is_replaceable(LLVMValueRef global) {
    LLVMLinkage l = LLVMGetLinkage(global);
    return l == LLVMWeakAnyLinkage || l == LLVMLinkOnceAnyLinkage;
}
/* Attribute of functions in the private module whose address the user's module takes somewhere. */
#define L_TAKEN "cf-taken"
/* Whether a pointer may point to a function: it is used otherwise than to be called. */
static inline bool l_is_taken(LLVMValueRef f) {
    if (LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, L_TAKEN, strlen(L_TAKEN)))
        return true;
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) return true;
        if (LLVMGetCalledValue(user) != f) return true;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == f) return true;
    }
    return false;
}
/* A constant integer of any width whose value fits into 64 bits. */
static inline bool l_small_constant(LLVMValueRef v, uint64_t *value) {
    if (!LLVMIsAConstantInt(v)) return false;
    LLVMTypeRef t = LLVMTypeOf(v), word = LLVMInt64TypeInContext(LLVMGetTypeContext(t));
    bool wide = LLVMGetIntTypeWidth(t) > 64;
    *value = LLVMConstIntGetZExtValue(wide ? LLVMConstTrunc(v, word) : v);
    return !wide || LLVMConstInt(t, *value, false) == v;
}
/* Debug and other intrinsics that do nothing when the program runs. */
static inline bool l_is_marker(LLVMValueRef f) {
    const char *n = l_name(f);
    return l_begins(n, "llvm.dbg.") || l_begins(n, "llvm.assume") || l_begins(n, "llvm.donothing") ||
           l_begins(n, "llvm.experimental.noalias.scope.decl") || l_begins(n, "llvm.sideeffect") ||
           l_begins(n, "llvm.pseudoprobe");
}
static inline LLVMValueRef l_call(LLVMBuilderRef b, LLVMValueRef f, LLVMValueRef *args, unsigned n,
                                  const char *name) {
    LLVMValueRef call = LLVMBuildCall2(b, l_function_type(f), f, args, n, name);
    LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(f));
    return call;
}
/* The declaration of an intrinsic by base name ("llvm.sin") for the types that it is overloaded by. NULL:
 * unknown. */
static inline LLVMValueRef l_intrinsic(LLVMModuleRef m, const char *base, LLVMTypeRef *types, size_t n) {
    unsigned id = LLVMLookupIntrinsicID(base, strlen(base));
    return id ? LLVMGetIntrinsicDeclaration(m, id, types, n) : NULL;
}
/* llvm.lifetime.start/end of an alloca: its size is an argument before LLVM 22. */
static inline LLVMValueRef l_lifetime(LLVMBuilderRef b, bool start, LLVMValueRef slot) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    LLVMTypeRef t = LLVMTypeOf(slot);
    LLVMValueRef f = l_intrinsic(m, start ? "llvm.lifetime.start" : "llvm.lifetime.end", &t, 1);
#if L_VERSION >= 22
    return l_call(b, f, &slot, 1, "");
#else
    return l_call(b, f, (LLVMValueRef[]){l_i64(l_context(slot), UINT64_MAX), slot}, 2, "");
#endif
}
/* The slot of a call of llvm.lifetime.start/end. */
static inline LLVMValueRef l_lifetime_slot(LLVMValueRef call) {
    return LLVMGetOperand(call, L_VERSION >= 22 ? 0 : 1);
}

/* Loads and stores of vectors where a vector of conditions says so, in memory that is aligned for bytes. Alignments are
 * arguments before LLVM 22. */
static inline LLVMValueRef l_masked(LLVMBuilderRef b, const char *base, LLVMTypeRef *types,
                                    LLVMValueRef *args, unsigned align_at) {
    LLVMModuleRef m = LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInsertBlock(b)));
    LLVMValueRef f = l_intrinsic(m, base, types, 2), all[4];
    unsigned n = 0;
    for (unsigned i = 0; i < 3; i++) {
        if (i == align_at && L_VERSION < 22) all[n++] = l_i32(LLVMGetTypeContext(types[0]), 1);
        all[n++] = args[i];
    }
    return l_call(b, f, all, n, "");
}
static inline LLVMValueRef l_masked_load(LLVMBuilderRef b, LLVMValueRef p, LLVMValueRef mask,
                                         LLVMValueRef other) {
    LLVMTypeRef t[] = {LLVMTypeOf(other), LLVMTypeOf(p)};
    return l_masked(b, "llvm.masked.load", t, (LLVMValueRef[]){p, mask, other}, 1);
}
static inline LLVMValueRef l_masked_store(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef p,
                                          LLVMValueRef mask) {
    LLVMTypeRef t[] = {LLVMTypeOf(v), LLVMTypeOf(p)};
    return l_masked(b, "llvm.masked.store", t, (LLVMValueRef[]){v, p, mask}, 2);
}
static inline LLVMValueRef l_masked_gather(LLVMBuilderRef b, LLVMValueRef p, LLVMValueRef mask,
                                           LLVMValueRef other) {
    LLVMTypeRef t[] = {LLVMTypeOf(other), LLVMTypeOf(p)};
    return l_masked(b, "llvm.masked.gather", t, (LLVMValueRef[]){p, mask, other}, 1);
}
static inline LLVMValueRef l_masked_scatter(LLVMBuilderRef b, LLVMValueRef v, LLVMValueRef p,
                                            LLVMValueRef mask) {
    LLVMTypeRef t[] = {LLVMTypeOf(v), LLVMTypeOf(p)};
    return l_masked(b, "llvm.masked.scatter", t, (LLVMValueRef[]){v, p, mask}, 2);
}

/* What an instruction does, in a word of LLVM's: its opcode, or the name of what it calls. Into a buffer. */
static inline const char *l_operation_name(LLVMValueRef i, char *name, size_t size) {
    LLVMValueRef f = LLVMIsACallInst(i) ? l_callee(i) : NULL;
    if (f) {
        snprintf(name, size, "%s", l_shown(f));
        return name;
    }
    char *text = LLVMPrintValueToString(i), *equals = strstr(text, " = ");
    const char *word = equals ? equals + 3 : text + strspn(text, " ");
    snprintf(name, size, "%.*s", (int)strcspn(word, " "), word);
    LLVMDisposeMessage(text);
    return name;
}

/* ---- attributes, by name. `at`: LLVMAttributeReturnIndex (0), LLVMAttributeFunctionIndex, 1 + parameter
 * ---- */

static inline LLVMAttributeRef l_attribute(LLVMContextRef c, const char *name, uint64_t value) {
    return LLVMCreateEnumAttribute(c, LLVMGetEnumAttributeKindForName(name, strlen(name)), value);
}
static inline void l_add(LLVMValueRef f, unsigned at, const char *name, uint64_t value) {
    LLVMAddAttributeAtIndex(f, at, l_attribute(l_context(f), name, value));
}
static inline void l_add_type(LLVMValueRef f, unsigned at, const char *name, LLVMTypeRef t) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(f, at, LLVMCreateTypeAttribute(l_context(f), kind, t));
}
static inline void l_add_text(LLVMValueRef f, const char *name, const char *value) {
    LLVMAddAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(l_context(f), name, (unsigned)strlen(name), value,
                                                      (unsigned)strlen(value)));
}
static inline LLVMAttributeRef l_get(LLVMValueRef f, unsigned at, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return kind ? LLVMGetEnumAttributeAtIndex(f, at, kind) : NULL;
}
static inline bool l_has(LLVMValueRef f, unsigned at, const char *name) { return l_get(f, at, name) != NULL; }
static inline void l_remove(LLVMValueRef f, unsigned at, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    if (kind) LLVMRemoveEnumAttributeAtIndex(f, at, kind);
}
static inline LLVMAttributeRef l_get_text(LLVMValueRef f, const char *name) {
    return LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, name,
                                         (unsigned)strlen(name));
}
static inline bool l_has_text(LLVMValueRef f, const char *name) { return l_get_text(f, name) != NULL; }
static inline void l_remove_text(LLVMValueRef f, const char *name) {
    LLVMRemoveStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, name, (unsigned)strlen(name));
}
/* Of the function as a whole. */
static inline bool l_has_f(LLVMValueRef f, const char *name) {
    return l_has(f, (unsigned)LLVMAttributeFunctionIndex, name);
}
static inline void l_add_f(LLVMValueRef f, const char *name) {
    l_add(f, (unsigned)LLVMAttributeFunctionIndex, name, 0);
}
static inline void l_remove_f(LLVMValueRef f, const char *name) {
    l_remove(f, (unsigned)LLVMAttributeFunctionIndex, name);
}
/* The same for call sites. */
static inline void l_add_call(LLVMValueRef call, unsigned at, const char *name, uint64_t value) {
    LLVMAddCallSiteAttribute(call, at, l_attribute(l_context(call), name, value));
}
static inline bool l_has_call(LLVMValueRef call, unsigned at, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    return kind && LLVMGetCallSiteEnumAttribute(call, at, kind);
}
static inline void l_remove_call(LLVMValueRef call, unsigned at, const char *name) {
    unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    if (kind) LLVMRemoveCallSiteEnumAttribute(call, at, kind);
}
/* The callee keeps no copy of the pointer: `nocapture`, `captures(none)` from LLVM 21. `parameter` counts
 * from 0. */
static inline bool l_is_nocapture(LLVMValueRef f, unsigned parameter) {
#if L_VERSION >= 21
    LLVMAttributeRef a = l_get(f, parameter + 1, "captures");
    return a && LLVMGetEnumAttributeValue(a) == 0;
#else
    return l_has(f, parameter + 1, "nocapture");
#endif
}
static inline void l_add_nocapture(LLVMValueRef f, unsigned parameter) {
    l_add(f, parameter + 1, L_VERSION >= 21 ? "captures" : "nocapture", 0);
}
static inline void l_remove_nocapture(LLVMValueRef f, unsigned parameter) {
    l_remove(f, parameter + 1, L_VERSION >= 21 ? "captures" : "nocapture");
}

/* ---- metadata ---- */

static inline unsigned l_kind(LLVMContextRef c, const char *name) {
    return LLVMGetMDKindIDInContext(c, name, (unsigned)strlen(name));
}
static inline LLVMValueRef l_metadata(LLVMValueRef inst, const char *name) {
    return LLVMGetMetadata(inst, l_kind(l_context(inst), name));
}
static inline void l_set_metadata(LLVMValueRef inst, const char *name, LLVMValueRef node) {
    LLVMSetMetadata(inst, l_kind(l_context(inst), name), node);
}

/* In debug information: the operands of a type node begin with what all types have (file, scope, name; its size
 * and offset too from LLVM 21 on). This one is the first of its own: base type, or the list of a function's types. */
#define L_DI_TYPE_PARTS (L_VERSION >= 21 ? 5u : 3u)

/* ---- building ---- */

/* In front of an instruction, after its debug records. */
static inline void l_before(LLVMBuilderRef b, LLVMValueRef inst) { LLVMPositionBuilderBefore(b, inst); }
/* In front of whatever follows an instruction that is neither phi nor terminator. */
static inline void l_after(LLVMBuilderRef b, LLVMValueRef inst) {
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(inst));
}
/* In front of the first instruction of a block that is no phi; at its end when there is none. */
static inline void l_at_start(LLVMBuilderRef b, LLVMBasicBlockRef block) {
    LLVMValueRef i = LLVMGetFirstInstruction(block);
    while (i && LLVMIsAPHINode(i)) i = LLVMGetNextInstruction(i);
    i ? LLVMPositionBuilderBefore(b, i) : LLVMPositionBuilderAtEnd(b, block);
}
/* In front of everything in a block that is not empty, debug records included: where phis go. */
static inline void l_at_top(LLVMBuilderRef b, LLVMBasicBlockRef block) {
    LLVMPositionBuilderBeforeInstrAndDbgRecords(b, LLVMGetFirstInstruction(block));
}
/* A slot in the entry block of the function that the builder is in; the builder stays where it is. */
static inline LLVMValueRef l_slot(LLVMBuilderRef b, LLVMTypeRef t, const char *name) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(b);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
    LLVMBuilderRef own = LLVMCreateBuilderInContext(LLVMGetTypeContext(t));
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    first ? LLVMPositionBuilderBefore(own, first) : LLVMPositionBuilderAtEnd(own, entry);
    LLVMValueRef slot = LLVMBuildAlloca(own, t, name);
    LLVMDisposeBuilder(own);
    return slot;
}
/* p + bytes. */
static inline LLVMValueRef l_offset(LLVMBuilderRef b, LLVMValueRef p, LLVMValueRef bytes, const char *name) {
    return LLVMBuildGEP2(b, LLVMInt8TypeInContext(l_context(p)), p, &bytes, 1, name);
}
/* &p[i] of elements t. */
static inline LLVMValueRef l_element(LLVMBuilderRef b, LLVMTypeRef t, LLVMValueRef p, LLVMValueRef i,
                                     const char *name) {
    return LLVMBuildGEP2(b, t, p, &i, 1, name);
}

/* ---- running LLVM's passes over a module ---- */

/* `passes` as for `opt -passes=`. NULL when it went well, else a text to free with LLVMDisposeErrorMessage.
 */
static inline char *l_run_passes(LLVMModuleRef m, const char *passes) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMErrorRef error = LLVMRunPasses(m, passes, NULL, options);
    LLVMDisposePassBuilderOptions(options);
    return error ? LLVMGetErrorMessage(error) : NULL;
}
/* NULL when the module is valid, else a text to free with LLVMDisposeMessage. */
static inline char *l_verify(LLVMModuleRef m) {
    char *text = NULL;
    if (LLVMVerifyModule(m, LLVMReturnStatusAction, &text)) return text;
    LLVMDisposeMessage(text);
    return NULL;
}

#endif
