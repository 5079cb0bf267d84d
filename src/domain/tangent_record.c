/* Forward mode: recording. The walk of forward mode over a function, with the pointers that it puts beside pointers, tells a
 * checked request which numbers the primal reads and writes (runtime/record.c). There are no tangents.
 *
 * In:     a function being made by the domain "record"
 * Out:    calls of __cf_record_… beside its accesses of memory that has a shadow
 * Keeps:  what the function computes               Breaks: nothing */
#include "contents/numbers.h"
#include "domain/tangent_body.h"
#include "runtime/place.h"

static LLVMValueRef hook(cf_job *job, const char *name, LLVMTypeRef *types, unsigned n) {
    LLVMValueRef f = LLVMGetNamedFunction(job->module, name);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(job->context);
    return f ? f : LLVMAddFunction(job->module, name, LLVMFunctionType(nothing, types, n, false));
}

static void call_hook(cf_job *job, LLVMBuilderRef builder, const char *name, LLVMValueRef *args, unsigned n) {
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < n; i++) types[i] = LLVMTypeOf(args[i]);
    l_call(builder, hook(job, name, types, n), args, n, "");
}

static void tell(cf_body *b, const char *name, LLVMValueRef *args, unsigned n) {
    call_hook(b->job, b->builder, name, args, n);
}

/* Pointers of the default address space alone have a table. */
static bool has_shadow(cf_body *b, LLVMValueRef p) {
    return cf_recording(b) && cf_beside(b, p, 0) && !LLVMGetPointerAddressSpace(LLVMTypeOf(p));
}

static LLVMValueRef moved(cf_body *b, LLVMValueRef p, uint64_t bytes) {
    return bytes ? l_offset(b->builder, p, l_i64(b->job->context, bytes), "") : p;
}

static int kind_of(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind: return CF_PLACE_FLOAT;
    case LLVMDoubleTypeKind: return CF_PLACE_DOUBLE;
    case LLVMX86_FP80TypeKind: return CF_PLACE_LONG_DOUBLE;
    default: return -1;
    }
}

/* An access of `t` at old pointer p + offset: each number in it; the rest is filled when it is written. */
static void note_access(cf_body *b, LLVMValueRef p, uint64_t offset, LLVMTypeRef t, uint64_t count,
                        bool write) {
    LLVMModuleRef m = b->job->module;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(m);
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMVectorTypeKind) {
        note_access(b, p, offset, LLVMGetElementType(t), count * LLVMGetVectorSize(t), write);
    } else if (kind == LLVMArrayTypeKind) {
        uint64_t n = LLVMGetArrayLength2(t), size = l_size(m, LLVMGetElementType(t));
        for (uint64_t i = 0; i < n; i++)
            note_access(b, p, offset + i * size, LLVMGetElementType(t), 1, write);
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            note_access(b, p, offset + LLVMOffsetOfElement(layout, t, i), LLVMStructGetTypeAtIndex(t, i), 1,
                        write);
    } else {
        LLVMContextRef c = b->job->context;
        LLVMValueRef at = moved(b, cf_now(b, p), offset), shadow = moved(b, cf_beside(b, p, 0), offset);
        if (kind_of(t) >= 0)
            tell(b, write ? "__cf_record_write" : "__cf_record_read",
                 (LLVMValueRef[]){at, shadow, l_i64(c, (uint64_t)kind_of(t)), l_i64(c, count)}, 4);
        else if (write)
            tell(b, "__cf_record_fill",
                 (LLVMValueRef[]){at, shadow, l_i64(c, count * LLVMStoreSizeOfType(layout, t))}, 3);
    }
}

/* What an access of v moves: the number that an integer carries. */
static LLVMTypeRef content(cf_body *b, LLVMValueRef v) {
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMTypeRef number = l_is_integer_type(t) ? cf_number_in(b->job, v) : NULL;
    return number ? number : t;
}

void cf_record_load(cf_body *b, LLVMValueRef i) {
    LLVMValueRef p = LLVMGetOperand(i, 0), to = cf_beside(b, i, 0);
    if (!has_shadow(b, p)) return;
    if (l_is_pointer_type(LLVMTypeOf(i)) && to && to != cf_now(b, i))
        tell(b, "__cf_record_lead", (LLVMValueRef[]){cf_now(b, p), cf_beside(b, p, 0), to}, 3);
    note_access(b, p, 0, content(b, i), 1, false);
}

void cf_record_store(cf_body *b, LLVMValueRef i) {
    LLVMValueRef v = LLVMGetOperand(i, 0), p = LLVMGetOperand(i, 1);
    if (has_shadow(b, p)) note_access(b, p, 0, content(b, v), 1, true);
}

void cf_record_atomic(cf_body *b, LLVMValueRef i) {
    LLVMValueRef p = LLVMGetOperand(i, 0), v = LLVMGetOperand(i, LLVMIsAAtomicRMWInst(i) ? 1 : 2);
    if (!has_shadow(b, p)) return;
    note_access(b, p, 0, LLVMTypeOf(v), 1, false);
    note_access(b, p, 0, LLVMTypeOf(v), 1, true);
}

void cf_record_copy(cf_body *b, LLVMValueRef p, LLVMValueRef from, LLVMValueRef size) {
    if (!has_shadow(b, p)) return;
    LLVMTypeRef pointer = LLVMTypeOf(p), i64 = LLVMInt64TypeInContext(b->job->context);
    bool known = has_shadow(b, from);
    LLVMValueRef args[] = {cf_now(b, p), cf_beside(b, p, 0), known ? cf_now(b, from) : l_zero(pointer),
                           known ? cf_beside(b, from, 0) : l_zero(pointer),
                           LLVMBuildZExtOrBitCast(b->builder, size, i64, "")};
    tell(b, "__cf_record_copy", args, 5);
}

void cf_record_fill(cf_body *b, LLVMValueRef p, LLVMValueRef size) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(b->job->context);
    if (!has_shadow(b, p)) return;
    tell(
        b, "__cf_record_fill",
        (LLVMValueRef[]){cf_now(b, p), cf_beside(b, p, 0), LLVMBuildZExtOrBitCast(b->builder, size, i64, "")},
        3);
}

void cf_record_fresh(cf_body *b, LLVMValueRef shadow, LLVMValueRef size) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(b->job->context);
    if (!cf_recording(b) || LLVMGetPointerAddressSpace(LLVMTypeOf(shadow))) return;
    tell(b, "__cf_record_fresh", (LLVMValueRef[]){shadow, LLVMBuildZExtOrBitCast(b->builder, size, i64, "")},
         2);
}

void cf_record_global(cf_job *job, LLVMBuilderRef b, LLVMValueRef shadow, LLVMValueRef size) {
    if (LLVMIsThreadLocal(shadow)) {
        LLVMTypeRef t = LLVMTypeOf(shadow);
        shadow = l_call(b, l_intrinsic(job->module, "llvm.threadlocal.address", &t, 1), &shadow, 1, "");
    }
    call_hook(job, b, "__cf_record_fresh", (LLVMValueRef[]){shadow, size}, 2);
}

void cf_record_gone(cf_body *b, LLVMValueRef p) {
    if (has_shadow(b, p)) tell(b, "__cf_record_gone", (LLVMValueRef[]){cf_now(b, p), cf_beside(b, p, 0)}, 2);
}

void cf_record_pass(cf_body *b, LLVMValueRef p) {
    if (!cf_recording(b)) return;
    LLVMTypeRef pointer = LLVMTypeOf(p);
    bool known = has_shadow(b, p);
    LLVMValueRef none = l_zero(pointer);
    tell(b, "__cf_record_pass",
         (LLVMValueRef[]){known ? cf_now(b, p) : none, known ? cf_beside(b, p, 0) : none}, 2);
}

void cf_record_receive(cf_body *b) {
    LLVMValueRef f = b->clone.from;
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    if (!cf_recording(b)) return;
    LLVMPositionBuilderBefore(b->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(b->clone.to)));
    if (b->clone.outer) LLVMSetCurrentDebugLocation2(b->builder, b->clone.outer);
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        LLVMValueRef p = LLVMGetParam(f, i);
        LLVMAttributeRef byval = LLVMGetEnumAttributeAtIndex(f, i + 1, kind);
        if (!byval || !has_shadow(b, p)) continue;
        uint64_t size = l_size(b->job->module, LLVMGetTypeAttributeValue(byval));
        tell(b, "__cf_record_receive",
             (LLVMValueRef[]){cf_now(b, p), cf_beside(b, p, 0), l_i64(b->job->context, size)}, 3);
    }
}
