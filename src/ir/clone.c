#include "ir/clone.h"
#include "ir/constants.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "llvm/records.h"
#include <assert.h>

/* ---- debug locations ---- */

/* A subprogram for `to`, in the compile unit and file of `from`'s. */
static LLVMMetadataRef subprogram(cf_clone *c, LLVMMetadataRef of) {
    const char *name = l_name(c->to);
    size_t length = strlen(name);
    LLVMMetadataRef file = LLVMDIScopeGetFile(of);
    unsigned line = LLVMDISubprogramGetLine(of);
    LLVMMetadataRef type = LLVMDIBuilderCreateSubroutineType(c->debug, file, NULL, 0, LLVMDIFlagZero);
    LLVMMetadataRef made = LLVMDIBuilderCreateFunction(c->debug, file, name, length, name, length, file, line,
                                                       type, true, true, line, LLVMDIFlagArtificial, true);
    LLVMValueRef parts[16];
    LLVMValueRef old = LLVMMetadataAsValue(c->job->context, of);
    if (LLVMGetMDNodeNumOperands(old) > 16) return made;
    LLVMGetMDNodeOperands(old, parts);
    enum { UNIT = 5 }; /* the operand that holds the compile unit */
    LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(c->job->context, made), UNIT,
                                 LLVMValueAsMetadata(parts[UNIT]));
    return made;
}

void cf_clone_begin(cf_clone *c, cf_job *job, LLVMValueRef from, LLVMValueRef to) {
    *c = (cf_clone){.job = job, .from = from, .to = to};
    LLVMMetadataRef old = LLVMGetSubprogram(from);
    if (!old) {
        LLVMGlobalEraseMetadata(to, l_kind(job->context, "dbg")); /* of a declaration */
        return;
    }
    c->debug = LLVMCreateDIBuilderDisallowUnresolved(job->module);
    bool declared = LLVMGetSubprogram(to) != NULL;
    LLVMMetadataRef own =
        declared ? cfx_make_subprogram(to, from, LLVMDISubprogramGetLine(old)) : subprogram(c, old);
    LLVMSetSubprogram(to, own);
    c->outer = LLVMDIBuilderCreateDebugLocation(job->context, LLVMDISubprogramGetLine(old), 0, own, NULL);
}

void cf_clone_end(cf_clone *c) {
    if (!c->debug) return;
    LLVMDIBuilderFinalize(c->debug);
    LLVMDisposeDIBuilder(c->debug);
    c->debug = NULL;
}

LLVMMetadataRef cf_clone_location(cf_clone *c, LLVMMetadataRef old) {
    if (!old || !c->outer) return old;
    LLVMMetadataRef made = cf_map_get(&c->locations, old);
    if (made) return made;
    LLVMMetadataRef at = LLVMDILocationGetInlinedAt(old);
    made = LLVMDIBuilderCreateDebugLocation(c->job->context, LLVMDILocationGetLine(old),
                                            LLVMDILocationGetColumn(old), LLVMDILocationGetScope(old),
                                            at ? cf_clone_location(c, at) : c->outer);
    cf_map_put(c->job->arena, &c->locations, old, made);
    return made;
}

/* ---- values ---- */

static void put(cf_clone *c, LLVMValueRef old, LLVMValueRef made) {
    cf_map_put(c->job->arena, &c->values, old, made);
}

LLVMBasicBlockRef cf_clone_block(cf_clone *c, LLVMBasicBlockRef old) {
    return LLVMValueAsBasicBlock(cf_map_get(&c->values, LLVMBasicBlockAsValue(old)));
}

static LLVMValueRef clone_constant(cf_clone *c, LLVMValueRef k);

static bool is_old_block(void *clone, LLVMValueRef part) {
    return LLVMIsABlockAddress(part) && LLVMGetBlockAddressFunction(part) == ((cf_clone *)clone)->from;
}

/* Does this constant name a block of the old function? */
static bool names_block(cf_clone *c, LLVMValueRef k) {
    return cf_any_part(c->job->arena, k, is_old_block, c);
}

/* A table of blocks: a local constant gets a copy that names the new blocks. */
static LLVMValueRef clone_table(cf_clone *c, LLVMValueRef g) {
    LLVMLinkage linkage = LLVMGetLinkage(g);
    LLVMValueRef init = LLVMGetInitializer(g);
    put(c, g, g);
    if (!init || !names_block(c, init)) return g;
    if (!l_is_local(g) || !LLVMIsGlobalConstant(g)) {
        cf_report(
            c->job->sink, CF_ERROR, l_place(c->from), l_name(c->from),
            "`%s` is a table of labels that may change, so that a copy of %s would jump into %s itself; "
            "declare the table `const` (static void *const table[])",
            l_name(g), l_name(c->from), l_name(c->from));
        return g;
    }
    LLVMValueRef copy = LLVMAddGlobal(c->job->module, LLVMGlobalGetValueType(g), "blocks");
    put(c, g, copy);
    LLVMSetLinkage(copy, linkage);
    LLVMSetGlobalConstant(copy, true);
    LLVMSetAlignment(copy, LLVMGetAlignment(g));
    LLVMSetInitializer(copy, clone_constant(c, init));
    return copy;
}

static LLVMValueRef rebuild_expression(LLVMValueRef k, LLVMValueRef *o, unsigned n) {
    switch (LLVMGetConstOpcode(k)) {
    case LLVMGetElementPtr:
        return LLVMConstGEPWithNoWrapFlags(LLVMGetGEPSourceElementType(k), o[0], o + 1, n - 1,
                                           LLVMGEPGetNoWrapFlags(k));
    case LLVMPtrToInt: return LLVMConstPtrToInt(o[0], LLVMTypeOf(k));
    case LLVMIntToPtr: return LLVMConstIntToPtr(o[0], LLVMTypeOf(k));
    case LLVMTrunc: return LLVMConstTrunc(o[0], LLVMTypeOf(k));
    case LLVMSub: return LLVMConstSub(o[0], o[1]);
    case LLVMAdd: return LLVMConstAdd(o[0], o[1]);
    default: return k;
    }
}

static LLVMValueRef rebuild_constant(cf_clone *c, LLVMValueRef k, LLVMValueRef *o, unsigned n) {
    LLVMTypeRef t = LLVMTypeOf(k);
    if (LLVMIsAConstantArray(k)) return LLVMConstArray2(LLVMGetElementType(t), o, n);
    if (LLVMIsAConstantVector(k)) return LLVMConstVector(o, n);
    if (LLVMIsAConstantStruct(k))
        return LLVMGetStructName(t) ? LLVMConstNamedStruct(t, o, n)
                                    : LLVMConstStructInContext(c->job->context, o, n, LLVMIsPackedStruct(t));
    return LLVMIsAConstantExpr(k) ? rebuild_expression(k, o, n) : k;
}

static LLVMValueRef clone_constant(cf_clone *c, LLVMValueRef k) {
    LLVMValueRef made = cf_map_get(&c->values, k);
    if (made) return made;
    if (LLVMIsABlockAddress(k)) {
        if (LLVMGetBlockAddressFunction(k) != c->from) return k;
        return LLVMBlockAddress(c->to, cf_clone_block(c, LLVMGetBlockAddressBasicBlock(k)));
    }
    if (LLVMIsAGlobalVariable(k)) return clone_table(c, k);
    int n = LLVMIsAGlobalValue(k) ? 0 : LLVMGetNumOperands(k);
    if (n <= 0) return k;
    LLVMValueRef *parts = CF_ARRAY(c->job->arena, LLVMValueRef, n);
    bool changed = false;
    for (int i = 0; i < n; i++) {
        LLVMValueRef part = LLVMGetOperand(k, (unsigned)i);
        parts[i] = clone_constant(c, part);
        changed |= parts[i] != part;
    }
    made = changed ? rebuild_constant(c, k, parts, (unsigned)n) : k;
    put(c, k, made);
    return made;
}

/* A metadata operand: of debug intrinsics. A list of several values has no accessor, the variable is lost there. */
static LLVMValueRef clone_metadata_operand(cf_clone *c, LLVMValueRef v) {
    LLVMMetadataRef m = LLVMValueAsMetadata(v);
    LLVMValueRef inner;
    switch (LLVMGetMetadataKind(m)) {
    case LLVMLocalAsMetadataMetadataKind:
        LLVMGetMDNodeOperands(v, &inner);
        return LLVMMetadataAsValue(c->job->context, LLVMValueAsMetadata(cf_clone_value(c, inner)));
    case LLVMDIArgListMetadataKind:
        inner = LLVMGetPoison(LLVMInt64TypeInContext(c->job->context));
        return LLVMMetadataAsValue(c->job->context, LLVMValueAsMetadata(inner));
    default: return v;
    }
}

LLVMValueRef cf_clone_value(cf_clone *c, LLVMValueRef old) {
    LLVMValueRef made = cf_map_get(&c->values, old);
    if (made) return made;
    if (LLVMGetTypeKind(LLVMTypeOf(old)) == LLVMMetadataTypeKind) return clone_metadata_operand(c, old);
    return LLVMIsAConstant(old) ? clone_constant(c, old) : old;
}

/* ---- metadata of instructions ---- */

/* The metadata of a loop is a node of its own that names itself and holds source locations. */
static LLVMMetadataRef clone_loop(cf_clone *c, LLVMMetadataRef node) {
    LLVMContextRef context = c->job->context;
    LLVMValueRef value = LLVMMetadataAsValue(context, node);
    unsigned n = LLVMGetMDNodeNumOperands(value);
    if (!n) return node;
    LLVMValueRef *parts = CF_ARRAY(c->job->arena, LLVMValueRef, n);
    LLVMMetadataRef *made = CF_ARRAY(c->job->arena, LLVMMetadataRef, n);
    LLVMGetMDNodeOperands(value, parts);
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0);
    made[0] = self;
    for (unsigned i = 1; i < n; i++) {
        made[i] = parts[i] ? LLVMValueAsMetadata(parts[i]) : NULL;
        if (made[i] && LLVMGetMetadataKind(made[i]) == LLVMDILocationMetadataKind)
            made[i] = cf_clone_location(c, made[i]);
    }
    LLVMMetadataRef loop = LLVMMDNodeInContext2(context, made, n);
    LLVMMetadataReplaceAllUsesWith(self, loop);
    return loop;
}

static void clone_metadata(cf_clone *c, LLVMValueRef made) {
    LLVMContextRef context = c->job->context;
    unsigned loop = l_kind(context, "llvm.loop"), assign = l_kind(context, "DIAssignID");
    size_t n;
    LLVMValueMetadataEntry *e = LLVMInstructionGetAllMetadataOtherThanDebugLoc(made, &n);
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(e, i);
        /* An assignment's identity belongs to one function, and none can be made here. */
        if (kind == assign) LLVMSetMetadata(made, kind, NULL);
        if (kind != loop) continue;
        LLVMMetadataRef node = clone_loop(c, LLVMValueMetadataEntriesGetMetadata(e, i));
        LLVMSetMetadata(made, kind, LLVMMetadataAsValue(context, node));
    }
    LLVMDisposeValueMetadataEntries(e);
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(made);
    if (at && c->outer) LLVMInstructionSetDebugLoc(made, cf_clone_location(c, at));
}

static void copy_metadata(cf_clone *c, LLVMValueRef from, LLVMValueRef to) {
    size_t n;
    LLVMValueMetadataEntry *e = LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &n);
    for (unsigned i = 0; i < n; i++)
        LLVMSetMetadata(to, LLVMValueMetadataEntriesGetKind(e, i),
                        LLVMMetadataAsValue(c->job->context, LLVMValueMetadataEntriesGetMetadata(e, i)));
    LLVMDisposeValueMetadataEntries(e);
    LLVMInstructionSetDebugLoc(to, LLVMInstructionGetDebugLoc(from));
}

/* Whether a debug expression takes several values; printing one costs no more than its own text. */
static bool takes_several(cf_clone *c, LLVMMetadataRef expression) {
    static char no, yes;
    void *known = cf_map_get(&c->expressions, expression);
    if (known) return known == &yes;
    char *text = LLVMPrintValueToString(LLVMMetadataAsValue(c->job->context, expression));
    bool several = strstr(text, "DW_OP_LLVM_arg") != NULL;
    LLVMDisposeMessage(text);
    cf_map_put(c->job->arena, &c->expressions, expression, several ? &yes : &no);
    return several;
}

static void clone_records(cf_clone *c, LLVMValueRef old, LLVMValueRef made) {
    if (!c->outer) return;
    for (l_record_ref r = l_first_record(old); r; r = l_next_record(r)) {
        l_record one;
        if (!l_read_record(r, &one)) continue;
        if (!one.value || takes_several(c, one.expression)) {
            one.value = LLVMGetPoison(LLVMInt64TypeInContext(c->job->context));
            one.expression = LLVMDIBuilderCreateExpression(c->debug, NULL, 0);
        } else {
            one.value = cf_clone_value(c, one.value);
        }
        one.location = cf_clone_location(c, one.location);
        l_add_record(c->debug, &one, made);
    }
}

/* ---- instructions ---- */

void cf_copy_fast_math(LLVMValueRef from, LLVMValueRef to) {
    if (LLVMCanValueUseFastMathFlags(from) && LLVMCanValueUseFastMathFlags(to))
        LLVMSetFastMathFlags(to, LLVMGetFastMathFlags(from));
}

static bool is_assign(LLVMValueRef i) {
    return L_VERSION < 21 && LLVMIsACallInst(i) && LLVMIsAFunction(LLVMGetCalledValue(i)) &&
           l_begins(l_name(LLVMGetCalledValue(i)), "llvm.dbg.assign");
}

/* llvm.dbg.assign needs an identity that cannot be made; its first three operands are a llvm.dbg.value. */
static LLVMValueRef build_plain_record(cf_clone *c, LLVMBuilderRef b, LLVMValueRef i) {
    LLVMValueRef f = l_intrinsic(c->job->module, "llvm.dbg.value", NULL, 0);
    LLVMValueRef args[3] = {LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), LLVMGetOperand(i, 2)};
    LLVMValueRef made = LLVMBuildCall2(b, l_function_type(f), f, args, 3, "");
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(i));
    return made;
}

static LLVMValueRef build_instruction(cf_clone *c, LLVMBuilderRef b, LLVMValueRef i) {
    if (is_assign(i)) return build_plain_record(c, b, i);
    LLVMValueRef made;
    if (LLVMIsAPHINode(i)) {
        made = LLVMBuildPhi(b, LLVMTypeOf(i), "");
        cf_copy_fast_math(i, made);
        copy_metadata(c, i, made);
    } else {
        made = LLVMInstructionClone(i);
        LLVMInsertIntoBuilder(b, made);
    }
    size_t length;
    const char *name = LLVMGetValueName2(i, &length);
    if (length) LLVMSetValueName2(made, name, length);
    return made;
}

static void exchange_operands(cf_clone *c, LLVMValueRef old, LLVMValueRef made) {
    if (LLVMIsAPHINode(old)) {
        for (unsigned i = 0, n = LLVMCountIncoming(old); i < n; i++) {
            LLVMValueRef v = cf_clone_value(c, LLVMGetIncomingValue(old, i));
            LLVMBasicBlockRef from = cf_clone_block(c, LLVMGetIncomingBlock(old, i));
            LLVMAddIncoming(made, &v, &from, 1);
        }
        return;
    }
    for (unsigned i = 0, n = (unsigned)LLVMGetNumOperands(made); i < n; i++) {
        LLVMValueRef v = LLVMGetOperand(made, i), w = v ? cf_clone_value(c, v) : v;
        if (v != w) LLVMSetOperand(made, i, w);
    }
}

void cf_clone_body(cf_clone *c) {
    LLVMContextRef context = c->job->context;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(c->from); k; k = LLVMGetNextBasicBlock(k)) {
        LLVMBasicBlockRef made = LLVMAppendBasicBlockInContext(context, c->to, LLVMGetBasicBlockName(k));
        put(c, LLVMBasicBlockAsValue(k), LLVMBasicBlockAsValue(made));
    }
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(c->from); k; k = LLVMGetNextBasicBlock(k)) {
        LLVMPositionBuilderAtEnd(b, cf_clone_block(c, k));
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
            put(c, i, build_instruction(c, b, i));
    }
    LLVMDisposeBuilder(b);
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(c->from); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef made = cf_map_get(&c->values, i);
            exchange_operands(c, i, made);
            clone_metadata(c, made);
            clone_records(c, i, made);
        }
}

/* ---- calls of another function in the place of a call ---- */

bool cf_is_musttail(LLVMValueRef call) {
    return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

LLVMValueRef cf_call_instead(LLVMBuilderRef b, LLVMValueRef call, LLVMTypeRef type, LLVMValueRef callee,
                             LLVMValueRef *args, unsigned n) {
    unsigned bundles = LLVMGetNumOperandBundles(call);
    LLVMOperandBundleRef *kept = bundles ? malloc(bundles * sizeof *kept) : NULL;
    for (unsigned i = 0; i < bundles; i++) kept[i] = LLVMGetOperandBundleAtIndex(call, i);
    LLVMValueRef made;
    if (LLVMIsAInvokeInst(call)) {
        LLVMPositionBuilderAtEnd(b, LLVMGetInstructionParent(call));
        made = LLVMBuildInvokeWithOperandBundles(b, type, callee, args, n, LLVMGetNormalDest(call),
                                                 LLVMGetUnwindDest(call), kept, bundles, "");
    } else {
        assert(LLVMIsACallInst(call));
        l_after(b, call);
        made = LLVMBuildCallWithOperandBundles(b, type, callee, args, n, kept, bundles, "");
        cf_copy_fast_math(call, made);
    }
    for (unsigned i = 0; i < bundles; i++) LLVMDisposeOperandBundle(kept[i]);
    free(kept);
    LLVMSetInstructionCallConv(made, LLVMIsAFunction(callee) ? LLVMGetFunctionCallConv(callee)
                                                             : LLVMGetInstructionCallConv(call));
    LLVMInstructionSetDebugLoc(made, LLVMInstructionGetDebugLoc(call));
    return made;
}
