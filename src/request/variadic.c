/* Functions with variable arguments, without them.
 *
 * In:     the private module, before it is prepared; rules of the user's
 * Out:    for each function that reads its variable arguments and is called, a local one that takes the address of an area
 *         of memory instead; calls of the one became calls of the other. So variable arguments are memory, which both
 *         modes follow
 * Keeps:  the functions themselves, whose address may be taken; functions with derivative rules of the user's
 * Breaks: views
 *
 * Idea: the caller lays the arguments out as a calling convention lays them out on the stack. va_start makes a va_list
 * that says that all registers are used up and that the stack is the area; what the front end made of va_arg reads them
 * from there, and so do the library's functions (vfprintf).
 *
 * A call through a pointer goes to a function of its own, which compares the pointer with the functions that it may lead
 * to. */
#include "dub/dub.h"
#include "ir/clone.h"
#include "known/rules.h"
#include "llvm/l.h"
#include "llvm/records.h"
#include "request/request.h"

typedef enum abi { ABI_UNKNOWN, ABI_X86_64, ABI_AARCH64, ABI_POINTER } abi;

static abi abi_of(LLVMModuleRef m) {
    const char *triple = LLVMGetTarget(m);
    bool apple = strstr(triple, "apple") || strstr(triple, "darwin"), windows = strstr(triple, "windows");
    if (l_begins(triple, "x86_64") && !windows) return ABI_X86_64;
    if ((l_begins(triple, "aarch64") || l_begins(triple, "arm64")) && !windows)
        return apple ? ABI_POINTER : ABI_AARCH64;
    return ABI_UNKNOWN;
}

typedef struct variadics {
    cf_job *job;
    abi abi;
    cf_map listed;  /* function → its copy that takes an area; itself: there is none */
    cf_map through; /* functions that call through a pointer */
    LLVMBuilderRef b;
} variadics;

static LLVMTypeRef pointer(const variadics *x) { return LLVMPointerTypeInContext(x->job->context, 0); }

/* ---- lists ---- */

static LLVMValueRef part(const variadics *x, LLVMValueRef list, unsigned offset) {
    return l_offset(x->b, list, l_i64(x->job->context, offset), "");
}

/* The parts of a va_list: their types and where they are. */
typedef struct list_form {
    unsigned n, offset[5];
    bool address[5]; /* else a number of 32 bits */
} list_form;

static list_form form_of(abi abi) {
    switch (abi) {
    case ABI_X86_64: /* gp_offset, fp_offset, overflow_arg_area, reg_save_area */
        return (list_form){4, {0, 4, 8, 16}, {false, false, true, true}};
    case ABI_AARCH64: /* stack, gr_top, vr_top, gr_offs, vr_offs */
        return (list_form){5, {0, 8, 16, 24, 28}, {true, true, true, false, false}};
    default: return (list_form){1, {0}, {true}};
    }
}

/* What the numbers of a list say when all registers are used up: on x86-64 how much of them was read, else 0. */
static unsigned used_up(abi abi, unsigned k) {
    enum { GENERAL = 48, FLOATING = 176 };
    return abi == ABI_X86_64 ? (k ? FLOATING : GENERAL) : 0;
}

/* A list whose arguments are all in `area`. */
static void make_list(const variadics *x, LLVMValueRef list, LLVMValueRef area) {
    list_form form = form_of(x->abi);
    for (unsigned k = 0; k < form.n; k++) {
        LLVMValueRef v = form.address[k] ? area : l_i32(x->job->context, used_up(x->abi, k));
        LLVMBuildStore(x->b, v, part(x, list, form.offset[k]));
    }
}

/* Part by part, so that it is told which are pointers. */
static void copy_list(const variadics *x, LLVMValueRef to, LLVMValueRef from) {
    list_form form = form_of(x->abi);
    for (unsigned k = 0; k < form.n; k++) {
        LLVMTypeRef t = form.address[k] ? pointer(x) : LLVMInt32TypeInContext(x->job->context);
        LLVMValueRef v = LLVMBuildLoad2(x->b, t, part(x, from, form.offset[k]), "");
        LLVMBuildStore(x->b, v, part(x, to, form.offset[k]));
    }
}

/* area: NULL in a function that makes no list of its own. */
static void replace_lists(variadics *x, LLVMValueRef f, LLVMValueRef area) {
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef callee = LLVMIsACallInst(i) ? l_callee(i) : NULL;
            bool start = callee && area && l_is_intrinsic_of(callee, "llvm.va_start");
            bool copy = callee && l_is_intrinsic_of(callee, "llvm.va_copy");
            if (!start && !copy && !(callee && l_is_intrinsic_of(callee, "llvm.va_end"))) continue;
            l_before(x->b, i);
            LLVMSetCurrentDebugLocation2(x->b, LLVMInstructionGetDebugLoc(i));
            if (start) make_list(x, LLVMGetOperand(i, 0), area);
            if (copy) copy_list(x, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
            LLVMInstructionEraseFromParent(i);
        }
}

/* ---- functions ---- */

/* A call that passes the variable arguments of its function on, whatever they are. */
static bool passes_on(LLVMValueRef i) {
    return cf_is_musttail(i) && LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i));
}

static bool can_list(variadics *x, LLVMValueRef f, cf_map *asked);

static bool can_pass_on(variadics *x, LLVMValueRef call, cf_map *asked) {
    LLVMValueRef f = l_callee(call);
    return f && l_function_type(f) == LLVMGetCalledFunctionType(call) && can_list(x, f, asked);
}

/* Whether a function reads, or hands on to one that reads, its variable arguments in a way that an area can take. */
static bool can_list(variadics *x, LLVMValueRef f, cf_map *asked) {
    const cf_rule *rule = cf_rule_of(x->job, f);
    if (!LLVMIsFunctionVarArg(l_function_type(f)) || LLVMIsDeclaration(f)) return false;
    if (rule && rule->kind != CF_RULE_INACTIVE) return false;
    if (cf_map_get(asked, f)) return true; /* on the way */
    cf_map_put(x->job->arena, asked, f, f);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (passes_on(i) && !can_pass_on(x, i, asked)) return false;
    return true;
}

/* The type of a function, or of a call, with `last` behind its fixed parameters. */
static LLVMTypeRef with_last(variadics *x, LLVMTypeRef type, LLVMTypeRef last) {
    unsigned n = LLVMCountParamTypes(type);
    LLVMTypeRef *t = CF_ARRAY(x->job->arena, LLVMTypeRef, n + 1);
    LLVMGetParamTypes(type, t);
    t[n] = last;
    return LLVMFunctionType(LLVMGetReturnType(type), t, n + 1, false);
}

static LLVMValueRef *arguments_of(variadics *x, LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMValueRef *a = CF_ARRAY(x->job->arena, LLVMValueRef, n + 2);
    for (unsigned i = 0; i < n; i++) a[i] = LLVMGetOperand(call, i);
    return a;
}

/* Puts a call of `callee`, whose first n parameters are the call's, in the place of a call. */
static void replace_call(variadics *x, LLVMValueRef call, LLVMValueRef callee, LLVMValueRef *a, unsigned n) {
    LLVMValueRef made =
        cf_call_instead(x->b, call, l_function_type(callee), callee, a, LLVMCountParams(callee));
    for (unsigned i = 0; i <= n; i++) cf_keep_call_attributes(call, i, made, i);
    if (!l_is_void_type(LLVMTypeOf(call))) LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
}

static LLVMValueRef listed(variadics *x, LLVMValueRef f);

/* Calls that pass on what they were given pass on the area. */
static void hand_on(variadics *x, LLVMValueRef made, LLVMValueRef area) {
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(made); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!passes_on(i)) continue;
            unsigned n = LLVMGetNumArgOperands(i);
            LLVMValueRef *a = arguments_of(x, i), callee = listed(x, l_callee(i));
            a[n] = area;
            replace_call(x, i, callee, a, n);
        }
}

static LLVMValueRef declare_listed(variadics *x, LLVMValueRef f) {
    LLVMValueRef made = cf_clone_declare(x->job, f, cf_text(x->job->arena, "%s.listed", l_name(f)),
                                         with_last(x, l_function_type(f), pointer(x)));
    if (l_has_text(f, "cf-keep")) cf_rules_add_custom(x->job, made, CF_RULE_INACTIVE, NULL, NULL);
    return made;
}

static void fill_listed(variadics *x, LLVMValueRef f, LLVMValueRef made) {
    unsigned n = LLVMCountParams(f);
    cf_clone c;
    cf_clone_begin(&c, x->job, f, made);
    for (unsigned k = 0; k < n; k++) {
        LLVMValueRef p = LLVMGetParam(f, k);
        cf_map_put(x->job->arena, &c.values, p, LLVMGetParam(made, k));
        l_set_name(LLVMGetParam(made, k), l_name(p));
        cf_keep_attributes(f, k + 1, made, k + 1);
    }
    cf_clone_body(&c);
    cf_clone_end(&c);
    l_remove_text(made, "cf-made"); /* it is to be prepared like any function of the program */
    replace_lists(x, made, LLVMGetParam(made, n));
    hand_on(x, made, LLVMGetParam(made, n));
}

/* NULL: it takes no list. */
static LLVMValueRef listed(variadics *x, LLVMValueRef f) {
    LLVMValueRef made = cf_map_get(&x->listed, f);
    if (!made) {
        made = can_list(x, f, &(cf_map){0}) ? declare_listed(x, f) : f;
        cf_map_put(x->job->arena, &x->listed, f, made);
        if (made != f) fill_listed(x, f, made);
    }
    return made == f ? NULL : made;
}

/* ---- areas ---- */

static LLVMTypeRef passed(LLVMValueRef call, unsigned i) {
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef byval = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    return byval ? LLVMGetTypeAttributeValue(byval) : LLVMTypeOf(LLVMGetOperand(call, i));
}

static uint64_t alignment(const variadics *x, LLVMValueRef call, unsigned i) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAttributeRef told = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
    uint64_t align = LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(x->job->module), passed(call, i));
    if (l_has_call(call, i + 1, "byval") && told) align = LLVMGetEnumAttributeValue(told);
    return align < 8 ? 8 : align;
}

/* The variable arguments of a call as one structure, with what lies between them. */
typedef struct area {
    LLVMTypeRef type;
    unsigned *field; /* by argument, from the first variable one on */
    uint64_t align;
} area;

static area area_of(variadics *x, LLVMValueRef call, unsigned first) {
    unsigned n = LLVMGetNumArgOperands(call), m = 0;
    area a = {.field = CF_ARRAY(x->job->arena, unsigned, n + 1), .align = 16};
    LLVMTypeRef *t = CF_ARRAY(x->job->arena, LLVMTypeRef, 2 * n + 1),
                byte = LLVMInt8TypeInContext(x->job->context);
    uint64_t top = 0;
    for (unsigned i = first; i < n; i++) {
        uint64_t align = alignment(x, call, i), at = (top + align - 1) & ~(align - 1);
        if (at > top) t[m++] = LLVMArrayType2(byte, at - top);
        a.field[i - first] = m;
        t[m++] = passed(call, i);
        top = at + l_size(x->job->module, passed(call, i));
        if (align > a.align) a.align = align;
    }
    a.type = LLVMStructTypeInContext(x->job->context, t, m, true);
    return a;
}

/* Lays out the variable arguments of a call, where the builder is. */
static LLVMValueRef lay_out(variadics *x, LLVMValueRef call, LLVMValueRef *argument, unsigned first) {
    unsigned n = LLVMGetNumArgOperands(call);
    if (n == first) return LLVMConstNull(pointer(x));
    area a = area_of(x, call, first);
    LLVMValueRef slot = l_slot(x->b, a.type, "arguments");
    LLVMSetAlignment(slot, (unsigned)a.align);
    for (unsigned i = first; i < n; i++) {
        LLVMValueRef to = LLVMBuildStructGEP2(x->b, a.type, slot, a.field[i - first], "");
        if (l_has_call(call, i + 1, "byval"))
            LLVMBuildMemCpy(x->b, to, 8, argument[i], 1,
                            l_i64(x->job->context, l_size(x->job->module, passed(call, i))));
        else
            LLVMSetAlignment(LLVMBuildStore(x->b, argument[i], to), 8);
    }
    return slot;
}

/* ---- calls ---- */

static void list_direct(variadics *x, LLVMValueRef call, LLVMValueRef f) {
    unsigned fixed = LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
    LLVMValueRef *a = arguments_of(x, call);
    l_before(x->b, call);
    LLVMSetCurrentDebugLocation2(x->b, LLVMInstructionGetDebugLoc(call));
    a[fixed] = lay_out(x, call, a, fixed);
    replace_call(x, call, f, a, fixed);
}

/* ---- calls through pointers ---- */

static void finish(variadics *x, LLVMValueRef result) {
    l_is_void_type(LLVMTypeOf(result)) ? LLVMBuildRetVoid(x->b) : LLVMBuildRet(x->b, result);
}

static LLVMValueRef again(variadics *x, LLVMValueRef call, LLVMTypeRef type, LLVMValueRef f, LLVMValueRef *a,
                          unsigned n) {
    LLVMValueRef made = LLVMBuildCall2(x->b, type, f, a, n, "");
    LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(call));
    for (unsigned i = 0; i <= LLVMGetNumArgOperands(call) && i <= n; i++)
        cf_keep_call_attributes(call, i, made, i);
    return made;
}

/* A pointer without a prototype is called with `...` behind its arguments: it may lead to a function without that. */
static bool may_lead_to(LLVMValueRef call, LLVMValueRef f) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    bool plain = LLVMGetNumArgOperands(call) == LLVMCountParamTypes(type);
    return l_function_type(f) == type || (plain && cf_may_call(type, l_function_type(f)));
}

/* if (pointer == &f) return f(…); … return pointer(…); */
static void fill_through(variadics *x, LLVMValueRef call, LLVMValueRef through) {
    LLVMContextRef c = x->job->context;
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    unsigned n = LLVMGetNumArgOperands(call), fixed = LLVMCountParamTypes(type);
    LLVMValueRef *own = CF_ARRAY(x->job->arena, LLVMValueRef, n + 1),
                 *a = CF_ARRAY(x->job->arena, LLVMValueRef, n + 1);
    LLVMGetParams(through, own);
    LLVMPositionBuilderAtEnd(x->b, LLVMAppendBasicBlockInContext(c, through, ""));
    LLVMSetCurrentDebugLocation2(x->b, NULL);
    for (LLVMValueRef f = LLVMGetFirstFunction(x->job->module); f; f = LLVMGetNextFunction(f)) {
        if (l_is_intrinsic(f) || !may_lead_to(call, f) || !l_is_taken(f)) continue;
        LLVMBasicBlockRef yes = LLVMAppendBasicBlockInContext(c, through, ""),
                          no = LLVMAppendBasicBlockInContext(c, through, "");
        LLVMBuildCondBr(x->b, LLVMBuildICmp(x->b, LLVMIntEQ, own[n], f, ""), yes, no);
        LLVMPositionBuilderAtEnd(x->b, yes);
        LLVMValueRef list = listed(x, f);
        LLVMPositionBuilderAtEnd(x->b, yes);
        for (unsigned i = 0; i < n; i++) a[i] = own[i];
        if (list) a[fixed] = lay_out(x, call, own, fixed);
        finish(x, list ? again(x, call, l_function_type(list), list, a, fixed + 1)
                       : again(x, call, l_function_type(f), f, a, n));
        LLVMPositionBuilderAtEnd(x->b, no);
    }
    finish(x, again(x, call, type, own[n], own, n));
}

/* The parameters of a function are passed as a call passes its arguments. */
static void pass_as_call(LLVMValueRef call, LLVMValueRef f) {
    static const char *const names[] = {"byval", "sret", "align", "zeroext", "signext"};
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
            unsigned kind = LLVMGetEnumAttributeKindForName(names[k], strlen(names[k]));
            LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, kind);
            if (a) LLVMAddAttributeAtIndex(f, i + 1, a);
        }
}

static void list_through(variadics *x, LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMTypeRef *t = CF_ARRAY(x->job->arena, LLVMTypeRef, n + 1);
    for (unsigned i = 0; i < n; i++) t[i] = LLVMTypeOf(LLVMGetOperand(call, i));
    t[n] = pointer(x);
    LLVMValueRef through =
        LLVMAddFunction(x->job->module, "cf.variadic", LLVMFunctionType(LLVMTypeOf(call), t, n + 1, false));
    LLVMSetLinkage(through, LLVMInternalLinkage);
    cf_map_put(x->job->arena, &x->through, through, through);
    pass_as_call(call, through);
    fill_through(x, call, through);
    LLVMValueRef *a = arguments_of(x, call);
    a[n] = LLVMGetCalledValue(call);
    replace_call(x, call, through, a, n);
}

/* ---- the module ---- */

static void list_call(variadics *x, LLVMValueRef call) {
    LLVMTypeRef type = LLVMGetCalledFunctionType(call);
    LLVMValueRef f = l_callee(call);
    if (!LLVMIsFunctionVarArg(type) || LLVMIsAInlineAsm(LLVMGetCalledValue(call)) || cf_is_musttail(call))
        return;
    if (!f) {
        list_through(x, call);
    } else if (l_function_type(f) == type) {
        LLVMValueRef made = listed(x, f);
        if (made) list_direct(x, call, made);
    }
}

static void list_calls(variadics *x, LLVMValueRef f) {
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) list_call(x, i);
        }
}

void cf_list_variadics(cf_job *job) {
    variadics x = {.job = job, .abi = abi_of(job->module), .b = LLVMCreateBuilderInContext(job->context)};
    bool records = l_records_begin(job->module);
    /* Functions that are made stand behind those that call them. */
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f && x.abi; f = LLVMGetNextFunction(f)) {
        if (l_has_text(f, "cf-made") || cf_map_get(&x.through, f)) continue;
        list_calls(&x, f);
        replace_lists(&x, f, NULL);
    }
    l_records_end(job->module, records);
    LLVMDisposeBuilder(x.b);
}
