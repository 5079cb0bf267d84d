/* Strict floating point (-frounding-math, -ffp-model=strict, #pragma STDC FENV_ACCESS ON) in what is differentiated.
 *
 * In:     a function of the private module
 * Out:    each constrained operation is the plain operation, each constrained function the plain function; what the program may
 *         do to the environment is noted in the job
 * Keeps:  the user's own function, which is not this one
 *
 * A derivative is computed with the rounding mode that holds when it is called, and promises nothing about floating-point
 * exceptions. Plain operations may move across a change of the mode, and those of the derivative raise exceptions too: what
 * changes the one or asks for the others is refused (request/limits.c). */
#include "ir/strict.h"
#include "llvm/l.h"

static const char prefix[] = "llvm.experimental.constrained.";

/* "fadd" of llvm.experimental.constrained.fadd.f64. */
static bool is(const char *name, const char *what) {
    size_t n = strlen(what);
    return !strncmp(name, what, n) && (!name[n] || name[n] == '.');
}

static LLVMOpcode opcode_of(const char *name) {
    static const struct {
        const char *name;
        LLVMOpcode op;
    } rows[] = {
        {"fadd", LLVMFAdd},     {"fsub", LLVMFSub},     {"fmul", LLVMFMul},       {"fdiv", LLVMFDiv},
        {"frem", LLVMFRem},     {"fpext", LLVMFPExt},   {"fptrunc", LLVMFPTrunc}, {"sitofp", LLVMSIToFP},
        {"uitofp", LLVMUIToFP}, {"fptosi", LLVMFPToSI}, {"fptoui", LLVMFPToUI},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (is(name, rows[i].name)) return rows[i].op;
    return 0;
}

static bool says(LLVMValueRef metadata, const char *what) {
    unsigned length = 0;
    const char *said = LLVMIsAMDString(metadata) ? LLVMGetMDString(metadata, &length) : "";
    return strlen(what) == length && !memcmp(what, said, length);
}

/* The predicate is metadata: "oeq", "ult", … False: it is none of them. */
static bool read_predicate(LLVMValueRef call, LLVMRealPredicate *out) {
    static const char *const names[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                        "uno",   "ueq", "ugt", "uge", "ult", "ule", "une", "true"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (says(LLVMGetOperand(call, 2), names[i])) return *out = (LLVMRealPredicate)i, true;
    return false;
}

/* llvm.sqrt of llvm.experimental.constrained.sqrt; numbers alone are its arguments. NULL: there is none. */
static LLVMValueRef plain_function(LLVMBuilderRef b, LLVMValueRef call, const char *name) {
    char base[64];
    LLVMTypeRef types[2] = {LLVMTypeOf(call)};
    unsigned n = 0;
    bool rounds = is(name, "lrint") || is(name, "llrint") || is(name, "lround") || is(name, "llround");
    LLVMValueRef a[4];
    while (n < 3 && n < LLVMGetNumArgOperands(call) && !LLVMIsAMDString(LLVMGetOperand(call, n)) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, n))) != LLVMMetadataTypeKind) {
        a[n] = LLVMGetOperand(call, n);
        n++;
    }
    snprintf(base, sizeof base, "llvm.%.*s", (int)strcspn(name, "."), name);
    unsigned id = LLVMLookupIntrinsicID(base, strlen(base));
    if (!id || !n) return NULL;
    bool two = rounds || is(name, "powi") || is(name, "ldexp");
    if (rounds) types[1] = LLVMTypeOf(a[0]);
    if (two && !rounds) types[1] = LLVMTypeOf(a[1]);
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(l_module_of(call), id, types, two ? 2 : 1);
    return f ? l_call(b, f, a, n, "") : NULL;
}

static LLVMValueRef plain(LLVMBuilderRef b, LLVMValueRef call) {
    const char *name = l_name(l_callee(call)) + strlen(prefix);
    LLVMValueRef x = LLVMGetOperand(call, 0), y = LLVMGetOperand(call, 1);
    LLVMOpcode op = opcode_of(name);
    LLVMRealPredicate predicate;
    if (is(name, "fcmp") || is(name, "fcmps"))
        return read_predicate(call, &predicate) ? LLVMBuildFCmp(b, predicate, x, y, "") : NULL;
    if (!op) return plain_function(b, call, name);
    return LLVMTypeOf(x) == LLVMTypeOf(call) && l_is_number_type(LLVMTypeOf(y))
               ? LLVMBuildBinOp(b, op, x, y, "")
               : LLVMBuildCast(b, op, x, LLVMTypeOf(call), "");
}

/* What the program may do to the floating-point environment: the last arguments are "round.dynamic" unless the rounding mode
 * is the default, and "fpexcept.strict" if exceptions are looked at. */
static void note(cf_job *job, LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMValueRef exceptions = LLVMGetOperand(call, n - 1);
    job->strict_exceptions |= says(exceptions, "fpexcept.strict");
    job->strict_rounding |= n > 1 && says(LLVMGetOperand(call, n - 2), "round.dynamic");
}

void cf_make_plain(cf_job *job, LLVMValueRef f) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) continue;
            LLVMValueRef callee = l_callee(i);
            l_remove_call(i, (unsigned)LLVMAttributeFunctionIndex, "strictfp");
            if (!callee || !l_begins(l_name(callee), prefix)) continue;
            note(job, i);
            l_before(b, i);
            LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
            LLVMValueRef made = plain(b, i);
            if (!made) continue; /* the modes say that they do not know it */
            LLVMReplaceAllUsesWith(i, made);
            LLVMInstructionEraseFromParent(i);
        }
    l_remove_f(f, "strictfp");
    LLVMDisposeBuilder(b);
}
