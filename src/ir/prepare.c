/* Preparation of the private module.
 *
 * In:     job->module, from any front end at any level of optimisation
 * Out:    the form that prepare.h describes
 * Needs:  attributes "cf-keep", "cf-made"
 * Breaks: every view; functions of the program keep their meaning
 *
 * Idea: what is simple in the primal is simple in its derivative, so LLVM's scalar passes run first. But none that
 * executes an operation on numbers where the program does not: `y != 0 ? x / y : 0` must stay a branch, because the
 * adjoint of a division that was speculated is 0 * inf. Hence no if-conversion, no hoisting of what is not executed
 * anyway, no instcombine (it makes selects), no vectorisers, and no integer copies of floats that were not there.
 */
#include "ir/prepare.h"
#include "ir/clone.h"
#include "ir/defined.h"
#include "ir/idioms.h"
#include "ir/inline.h"
#include "ir/labels.h"
#include "ir/normal.h"
#include "ir/parts.h"
#include "ir/portable.h"
#include "ir/powers.h"
#include "ir/strict.h"
#include "ir/view.h"
#include "llvm/l.h"
#include <ctype.h>

#define SIMPLIFY_CFG                                                                                         \
    "simplifycfg<no-speculate-blocks;bonus-inst-threshold=0;no-forward-switch-cond;no-switch-range-to-icmp;" \
    "no-switch-to-lookup;keep-loops;no-hoist-common-insts;no-sink-common-insts>"
#define SCALARS "sroa<preserve-cfg>,early-cse<memssa>," SIMPLIFY_CFG ",instsimplify"
#define LOOP_FORM "loop-simplify,lcssa"

/* So that sizes mean something when inlining is decided. */
static const char before_inlining[] = "lower-expect," SCALARS;
static const char after_inlining[] = SCALARS ",sccp,lower-constant-intrinsics," SIMPLIFY_CFG;
static const char tidy[] = SCALARS, tidy_in_loop_form[] = "instsimplify,adce," LOOP_FORM;
/* Rotated, a loop whose condition stands at its end executes its whole body in each iteration. So what is invariant can
 * leave it without speculation, and the number of iterations is that of the body. indvars widens counters to i64. */
static const char loops_and_memory[] = LOOP_FORM
    ",loop(loop-rotate),loop-mssa(licm<no-allowspeculation>),loop(indvars)," SIMPLIFY_CFG
    ",gvn,sroa<preserve-cfg>,early-cse<memssa>,sccp,dse,adce," LOOP_FORM
    ",loop-mssa(licm<no-allowspeculation>),instsimplify,adce," SIMPLIFY_CFG ",mergereturn," LOOP_FORM;
static const char loop_form[] = LOOP_FORM;
static const char make_reducible[] = "lower-switch,fix-irreducible," LOOP_FORM;

/* ---- which functions ---- */

/* Code of Cofactor's own that is linked in to be called, not to be differentiated: partial derivatives and the tape. */
static bool is_tool(const char *name) {
    static const char partial[] = "__cf_d", tape[] = "__cf_tape";
    return l_begins(name, tape) || (l_begins(name, partial) && isdigit((unsigned char)name[strlen(partial)]));
}

static bool is_to_prepare(LLVMValueRef f) {
    return !LLVMIsDeclaration(f) && !l_has_text(f, "cf-prepared") && !l_has_text(f, "cf-made") &&
           !l_has_f(f, "naked") && !l_has_f(f, "presplitcoroutine") && !is_tool(l_name(f));
}

static void for_each(cf_job *job, void (*step)(cf_job *, LLVMValueRef, void *), void *user) {
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (is_to_prepare(f)) step(job, f, user);
}

static bool is_any_prepared(cf_job *job) {
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        if (l_has_text(f, "cf-prepared") || l_has_text(f, "cf-made")) return true;
    return false;
}

/* ---- steps ---- */

static void strip_attributes(cf_job *job, LLVMValueRef f, void *user) {
    (void)job;
    (void)user;
    l_remove_f(f, "optnone");
    if (l_has_text(f, "cf-keep")) {
        l_remove_f(f, "alwaysinline");
        l_add_f(f, "noinline");
    } else {
        l_remove_f(f, "noinline");
    }
}

/* A call that must reuse its caller's frame stands right before a return, which passes would not keep: here it is a call
 * like others. One that also passes its caller's variable arguments on cannot be. */
static void loosen_tail_calls(cf_job *job, LLVMValueRef f, void *user) {
    (void)job;
    (void)user;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (cf_is_musttail(i) && !LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i)))
                LLVMSetTailCallKind(i, LLVMTailCallKindNone);
}

static void run_passes(cf_job *job, LLVMValueRef f, void *passes) {
    if (!cfx_run_on_function(f, passes))
        cf_report(
            job->sink, CF_ERROR, l_place(f), l_name(f),
            "this LLVM does not know one of the passes in '%s'; use the LLVM that Cofactor was built for",
            (const char *)passes);
}

static bool has_branch(LLVMValueRef f, LLVMOpcode kind) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        if (LLVMGetInstructionOpcode(LLVMGetBasicBlockTerminator(b)) == kind) return true;
    return false;
}

static bool has_loop_without_form(const cf_view *v) {
    for (cf_id l = 0; l < v->n_loops; l++)
        if (!cf_loop_has_form(v, l)) return true;
    return v->irreducible;
}

/* What LLVM could not bring into loops because it cannot split edges of a jump through a label. */
static void replace_computed_jumps(cf_job *job, LLVMValueRef f, void *user) {
    (void)user;
    if (!has_branch(f, LLVMIndirectBr) || !has_loop_without_form(cf_view_import(job, f))) return;
    cf_compare_labels(job, f);
    run_passes(job, f, (void *)(uintptr_t)loop_form);
}

static void remove_irreducible_cycles(cf_job *job, LLVMValueRef f, void *user) {
    (void)user;
    if (cf_view_import(job, f)->irreducible && !has_branch(f, LLVMIndirectBr) && !has_branch(f, LLVMCallBr))
        run_passes(job, f, (void *)(uintptr_t)make_reducible);
}

static void bring_into_normal_form(cf_job *job, LLVMValueRef f, void *analyses) {
    cf_normal_form(job, analyses, f);
    l_add_text(f, "cf-prepared", "");
}

static bool run_module_passes(cf_job *job, const char *passes) {
    char *message = l_run_passes(job->module, passes);
    if (!message) return true;
    cf_report(job->sink, CF_ERROR, (cf_place){0}, NULL, "LLVM passes '%s' failed: %s", passes, message);
    LLVMDisposeErrorMessage(message);
    return false;
}

/* A value that a rule stands for must not be replaced by the argument that is returned. */
static void forget_returned(cf_job *job, LLVMValueRef f, void *user) {
    (void)job;
    (void)user;
    if (!l_has_text(f, "cf-keep")) return;
    for (unsigned i = 0; i < LLVMCountParams(f); i++) l_remove(f, i + 1, "returned");
}

static bool verify(cf_job *job) {
    if (job->options.no_verify) return true;
    char *message = l_verify(job->module);
    if (!message) return true;
    cf_report(job->sink, CF_ERROR, (cf_place){0}, NULL,
              "the program is not valid LLVM IR, or preparing it went wrong (check the input with `opt "
              "-passes=verify`): %s",
              message);
    LLVMDisposeMessage(message);
    return false;
}

static void make_plain(cf_job *job, LLVMValueRef f, void *user) {
    (void)user;
    cf_make_plain(job, f);
}

bool cf_prepare(cf_job *job) {
    unsigned errors = job->sink->errors;
    /* Attributes of memory are inferred while all bodies are complete: at the first call. */
    bool first = !is_any_prepared(job);
    if (first && !run_module_passes(job, "inferattrs")) return false;
    for_each(job, strip_attributes, NULL);
    for_each(job, loosen_tail_calls, NULL);
    for_each(job, make_plain, NULL);
    for_each(job, run_passes, (void *)(uintptr_t)before_inlining);
    cf_inline_small(job, is_to_prepare);
    for_each(job, run_passes, (void *)(uintptr_t)after_inlining);
    if (first && !run_module_passes(job, "cgscc(function-attrs)")) return false;
    for_each(job, forget_returned, NULL);
    for_each(job, cf_make_portable, (void *)(uintptr_t)tidy);
    for_each(job, cf_expand_powers, NULL);
    for_each(job, cf_load_parts, NULL); /* when vectors that are variables are none in memory any more */
    for_each(job, run_passes, (void *)(uintptr_t)loops_and_memory);
    for_each(job, cf_read_idioms, (void *)(uintptr_t)tidy_in_loop_form);
    for_each(job, cf_define_numbers, NULL);
    for_each(job, replace_computed_jumps, NULL);
    for_each(job, remove_irreducible_cycles, NULL);
    cfx_analyses *analyses = cfx_analyses_new(job->module);
    for_each(job, bring_into_normal_form, analyses);
    cfx_analyses_free(analyses);
    return errors == job->sink->errors && verify(job);
}

void cf_unprepare(LLVMValueRef f) {
    static const char *const marks[] = {"cf.iv", "cf.last", "cf.exit", "cf.from"};
    LLVMContextRef c = l_context(f);
    l_remove_text(f, "cf-made");
    l_remove_text(f, "cf-prepared");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            for (size_t k = 0; k < sizeof marks / sizeof *marks; k++)
                if (l_metadata(i, marks[k])) LLVMSetMetadata(i, l_kind(c, marks[k]), NULL);
}
