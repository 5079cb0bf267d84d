/* Forward mode: functions with variable arguments.
 *
 * Idea: their clones have none. The caller lays the arguments out in an area of memory, as a calling convention lays
 * them out on the stack, and passes its address and those of areas laid out alike that hold tangents and shadows. In
 * the clone va_start makes a va_list that says that all registers are used up and that the stack is the area; what the
 * front end made of va_arg reads it from there, and what is beside it from the shadow of the va_list. */
#include "domain/tangent_body.h"

typedef enum abi { ABI_UNKNOWN, ABI_X86_64, ABI_AARCH64, ABI_POINTER } abi;

static abi abi_of(LLVMModuleRef m) {
    const char *triple = LLVMGetTarget(m);
    bool apple = strstr(triple, "apple") || strstr(triple, "darwin"), windows = strstr(triple, "windows");
    if (l_begins(triple, "x86_64") && !windows) return ABI_X86_64;
    if ((l_begins(triple, "aarch64") || l_begins(triple, "arm64")) && !windows)
        return apple ? ABI_POINTER : ABI_AARCH64;
    return ABI_UNKNOWN;
}

bool cf_has_varargs(LLVMTypeRef type) { return LLVMIsFunctionVarArg(type); }

/* The type of what is passed: of an aggregate that is passed by value, that of the aggregate. */
static LLVMTypeRef passed(LLVMValueRef call, unsigned i) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return byval ? LLVMGetTypeAttributeValue(byval) : LLVMTypeOf(LLVMGetOperand(call, i));
}

/* A copy is aligned as the call says, which its type need not show. */
static uint64_t alignment(cf_body *b, LLVMValueRef call, unsigned i, LLVMTypeRef t) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef said =
        t == LLVMTypeOf(LLVMGetOperand(call, i)) ? NULL : LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    uint64_t align = said ? LLVMGetEnumAttributeValue(said)
                          : LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(b->job->module), t);
    return align < 8 ? 8 : align;
}

/* Where argument i of the call lies in an area of which `top` bytes are used. */
static uint64_t place(cf_body *b, LLVMValueRef call, unsigned i, uint64_t *top) {
    LLVMTypeRef t = passed(call, i);
    uint64_t align = alignment(b, call, i, t), at = (*top + align - 1) & ~(align - 1);
    *top = at + ((l_size(b->job->module, t) + 7) & ~UINT64_C(7));
    return at;
}

static void put(cf_body *b, LLVMValueRef area, uint64_t at, LLVMTypeRef t, LLVMValueRef v) {
    LLVMValueRef to = l_offset(b->builder, area, l_i64(b->job->context, at), "");
    if (LLVMTypeOf(v) == t)
        LLVMSetAlignment(LLVMBuildStore(b->builder, v, to), 8);
    else
        LLVMBuildMemCpy(b->builder, to, 8, v, 1, l_i64(b->job->context, l_size(b->job->module, t)));
}

static void fill_areas(cf_body *b, LLVMValueRef call, LLVMValueRef *area) {
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    uint64_t top = 0;
    for (unsigned i = fixed; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef v = LLVMGetOperand(call, i);
        LLVMTypeRef t = passed(call, i);
        uint64_t at = place(b, call, i, &top);
        put(b, area[0], at, t, cf_now(b, v));
        for (unsigned k = 0; k < b->key.width; k++) {
            bool memory = t != LLVMTypeOf(v);
            LLVMValueRef beside = memory ? cf_beside(b, v, k) : cf_beside_or_none(b, v, k);
            put(b, area[k + 1], at, t, beside && !(memory && cf_flags(b, v) & CF_MIXED) ? beside : l_zero(t));
        }
    }
}

/* A function that passes its own variable arguments on, whatever they are. */
static bool passes_on(cf_body *b, LLVMValueRef call, cf_values *args) {
    if (!cf_is_musttail(call)) return false;
    cf_push(b->job->arena, args, cf_state(b)->arguments);
    for (unsigned k = 0; k < b->key.width; k++) cf_push(b->job->arena, args, cf_state(b)->area[k]);
    return true;
}

void cf_marshal_varargs(cf_body *b, LLVMValueRef call, cf_values *args) {
    if (passes_on(b, call, args)) return;
    if (abi_of(b->job->module) == ABI_UNKNOWN)
        cf_body_error(b, call, "variable arguments cannot be differentiated for this target");
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    uint64_t size = 0, align = 16;
    for (unsigned i = fixed; i < LLVMGetNumArgOperands(call); i++) {
        uint64_t own = alignment(b, call, i, passed(call, i));
        if (own > align) align = own;
        place(b, call, i, &size);
    }
    LLVMTypeRef t = LLVMArrayType2(LLVMInt8TypeInContext(b->job->context), size + 8);
    LLVMValueRef *area = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width + 1);
    for (unsigned k = 0; k <= b->key.width; k++) {
        area[k] = l_slot(b->builder, t, "arguments");
        LLVMSetAlignment(area[k], (unsigned)align);
        cf_push(b->job->arena, args, area[k]);
    }
    fill_areas(b, call, area);
}

static void store_at(cf_body *b, LLVMValueRef list, unsigned offset, LLVMValueRef v) {
    LLVMBuildStore(b->builder, v, l_offset(b->builder, list, l_i64(b->job->context, offset), ""));
}

/* A va_list whose arguments are all in `area`. */
static void make_list(cf_body *b, LLVMValueRef list, LLVMValueRef area) {
    LLVMContextRef c = b->job->context;
    enum { GENERAL_USED = 48, FLOATING_USED = 176 };
    switch (abi_of(b->job->module)) {
    case ABI_X86_64: /* { gp_offset, fp_offset, overflow_arg_area, reg_save_area } */
        store_at(b, list, 0, l_i32(c, GENERAL_USED));
        store_at(b, list, 4, l_i32(c, FLOATING_USED));
        store_at(b, list, 8, area);
        store_at(b, list, 16, area);
        break;
    case ABI_AARCH64: /* { stack, gr_top, vr_top, gr_offs, vr_offs }; offsets from 0 on mean: used up */
        for (unsigned at = 0; at < 24; at += 8) store_at(b, list, at, area);
        store_at(b, list, 24, l_i32(c, 0));
        store_at(b, list, 28, l_i32(c, 0));
        break;
    default: store_at(b, list, 0, area);
    }
}

void cf_tangent_va_start(cf_body *b, LLVMValueRef call) {
    cf_tangent_state *s = cf_state(b);
    LLVMValueRef list = LLVMGetOperand(call, 0), now = cf_now(b, call);
    make_list(b, cf_now(b, list), s->arguments);
    for (unsigned k = 0; k < b->key.width; k++) {
        LLVMValueRef shadow = cf_beside(b, list, k);
        if (shadow) make_list(b, shadow, s->area[k]);
    }
    LLVMInstructionEraseFromParent(now);
}
