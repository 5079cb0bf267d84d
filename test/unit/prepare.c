/* Preparation. With arguments a filter for the tests of test/prepare: `prepare IN.ll` (- is standard input) prints the
 * prepared module, `prepare twice IN.ll` prepares it twice; `prepare checked IN.ll` then lets every counted loop call
 * check_count(last, iteration) when it is left. Without: tests of what the view finds afterwards. */
#include "ir/prepare.h"
#include "ir/view.h"
#include "llvm/l.h"
#include <llvm-c/IRReader.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static cf_sink sink = {.report = cf_print_message};

static cf_job *job_of(LLVMMemoryBufferRef text) {
    cf_arena *a = cf_arena_new();
    cf_job *job = CF_NEW(a, cf_job);
    job->arena = a;
    job->sink = &sink;
    job->context = LLVMContextCreate();
    char *message = NULL;
    if (LLVMParseIRInContext(job->context, text, &job->module, &message)) {
        fprintf(stderr, "%s\n", message);
        exit(1);
    }
    return job;
}

static void end_job(cf_job *job) {
    LLVMDisposeModule(job->module);
    LLVMContextDispose(job->context);
    cf_arena_free(job->arena);
}

static cf_job *job_of_text(const char *text) {
    return job_of(LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "test"));
}

static const cf_view *prepared_view(cf_job *job, const char *name) {
    assert_true(cf_prepare(job));
    return cf_view_import(job, LLVMGetNamedFunction(job->module, name));
}

/* ---- what the view finds ---- */

static void counted_loop_has_constant_trips(void **state) {
    (void)state;
    cf_job *job =
        job_of_text("define double @f(ptr %p) {\n"
                    "entry:\n  br label %head\n"
                    "head:\n  %i = phi i32 [0, %entry], [%next, %body]\n"
                    "  %s = phi double [0.0, %entry], [%sum, %body]\n"
                    "  %more = icmp slt i32 %i, 17\n  br i1 %more, label %body, label %end\n"
                    "body:\n  %w = sext i32 %i to i64\n  %q = getelementptr double, ptr %p, i64 %w\n"
                    "  %x = load double, ptr %q\n  %sum = fadd double %s, %x\n"
                    "  %next = add nsw i32 %i, 1\n  br label %head\n"
                    "end:\n  ret double %s\n}\n");
    const cf_view *v = prepared_view(job, "f");
    assert_int_equal(v->n_loops, 1);
    assert_int_not_equal(v->loop[0].iv, CF_NONE);
    assert_int_not_equal(v->loop[0].last, CF_NONE);
    assert_int_equal(v->loop[0].trips, 17);
    /* The counter is gone: the sum is the only other phi. */
    const cf_block *h = &v->block[v->loop[0].header];
    unsigned phis = 0;
    for (cf_id i = h->first; i < h->end; i++) phis += v->value[i].op == LLVMPHI;
    assert_int_equal(phis, 2);
    end_job(job);
}

static void search_loop_is_not_counted(void **state) {
    (void)state;
    cf_job *job =
        job_of_text("define i64 @f(ptr %p, i64 %n) {\n"
                    "entry:\n  br label %head\n"
                    "head:\n  %i = phi i64 [0, %entry], [%next, %body]\n"
                    "  %more = icmp ult i64 %i, %n\n  br i1 %more, label %body, label %end\n"
                    "body:\n  %q = getelementptr double, ptr %p, i64 %i\n  %x = load double, ptr %q\n"
                    "  %next = add i64 %i, 1\n  %small = fcmp olt double %x, 1.0\n"
                    "  br i1 %small, label %end, label %head\n"
                    "end:\n  ret i64 %i\n}\n");
    const cf_view *v = prepared_view(job, "f");
    assert_int_equal(v->n_loops, 1);
    assert_int_not_equal(v->loop[0].iv, CF_NONE);
    assert_int_equal(v->loop[0].last, CF_NONE);
    for (unsigned e = 0; e < v->loop[0].n_exits; e++) {
        LLVMValueRef phi = LLVMGetFirstInstruction(v->block[v->loop[0].exit[e]].block);
        while (phi && LLVMIsAPHINode(phi) && !l_metadata(phi, "cf.exit")) phi = LLVMGetNextInstruction(phi);
        assert_non_null(phi);
        assert_true(LLVMIsAPHINode(phi) && LLVMGetIncomingValue(phi, 0) == v->value[v->loop[0].iv].value);
    }
    end_job(job);
}

static void irreducible_cycle_becomes_a_loop(void **state) {
    (void)state;
    cf_job *job =
        job_of_text("define double @f(double %x, i1 %c, i32 %n) {\n"
                    "entry:\n  br i1 %c, label %a, label %b\n"
                    "a:\n  %s = phi double [%x, %entry], [%u, %b]\n  %i = phi i32 [0, %entry], [%k, %b]\n"
                    "  %t = fmul double %s, %x\n  br label %b\n"
                    "b:\n  %r = phi double [%x, %entry], [%t, %a]\n  %j = phi i32 [1, %entry], [%i, %a]\n"
                    "  %u = fadd double %r, 1.0\n  %k = add i32 %j, 1\n"
                    "  switch i32 %k, label %a [ i32 9, label %end\n i32 8, label %end ]\n"
                    "end:\n  ret double %u\n}\n");
    const cf_view *v = prepared_view(job, "f");
    assert_false(v->irreducible);
    assert_true(v->n_loops > 0);
    for (cf_id l = 0; l < v->n_loops; l++) assert_int_not_equal(v->loop[l].iv, CF_NONE);
    end_job(job);
}

/* A function of 10,000 instructions in one loop, with branches. */
static void long_functions_take_less_than_a_second(void **state) {
    (void)state;
    size_t room = 1 << 20, n = 0;
    char *text = malloc(room);
    n += (size_t)snprintf(text + n, room - n,
                          "define double @f(ptr %%p, i32 %%m) {\nentry:\n  br label %%b0\n"
                          "b0:\n %%i = phi i32 [0,%%entry],[%%in,%%b1000]\n"
                          " %%s0 = phi double [0.0,%%entry],[%%s1000,%%b1000]\n"
                          " %%c0 = fcmp ogt double %%s0, 1.0\n"
                          " br i1 %%c0, label %%t0, label %%b1\n");
    for (int k = 0; k < 1000; k++) {
        n += (size_t)snprintf(
            text + n, room - n,
            "t%d:\n %%q%d = getelementptr double, ptr %%p, i32 %d\n %%l%d = load double, ptr %%q%d\n"
            " %%m%d = fmul double %%l%d, %%s%d\n store double %%m%d, ptr %%q%d\n br label %%b%d\n",
            k, k, k % 91, k, k, k, k, k, k, k, k + 1);
        n += (size_t)snprintf(
            text + n, room - n,
            "b%d:\n %%h%d = phi double [%%s%d,%%b%d],[%%m%d,%%t%d]\n %%s%d = fadd double %%h%d, 1.5\n"
            " %%c%d = fcmp ogt double %%s%d, %d.0\n",
            k + 1, k + 1, k, k, k, k, k + 1, k + 1, k + 1, k + 1, k);
        if (k < 999)
            n += (size_t)snprintf(text + n, room - n, " br i1 %%c%d, label %%t%d, label %%b%d\n", k + 1,
                                  k + 1, k + 2);
    }
    snprintf(text + n, room - n,
             " %%in = add i32 %%i, 1\n %%d = icmp eq i32 %%in, %%m\n br i1 %%d, label %%e, label %%b0\n"
             "e:\n ret double %%s1000\n}\n");
    cf_job *job = job_of_text(text);
    clock_t begin = clock();
    const cf_view *v = prepared_view(job, "f");
    double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    print_message("%u values: %.2f s\n", v->n_values, seconds);
    assert_int_equal(v->n_loops, 1);
    assert_true(seconds < 10.0); /* sanitizers and a busy machine included */
    end_job(job);
    free(text);
}

static void check_loop(cf_job *job, const cf_view *v, const cf_loop *l, LLVMValueRef check) {
    if (l->last == CF_NONE) return;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    for (unsigned e = 0; e < l->n_exits; e++) {
        const cf_block *exit = &v->block[l->exit[e]];
        if (!exit->can_return) continue;
        l_at_top(b, exit->block);
        LLVMValueRef phi = LLVMBuildPhi(b, LLVMInt64TypeInContext(job->context), "");
        LLVMValueRef iv = v->value[l->iv].value;
        for (unsigned i = 0; i < exit->n_preds; i++)
            LLVMAddIncoming(phi, &iv, &v->block[exit->pred[i]].block, 1);
        l_at_start(b, exit->block);
        LLVMSetCurrentDebugLocation2(b, NULL);
        LLVMBuildCall2(b, l_function_type(check), check, (LLVMValueRef[]){v->value[l->last].value, phi}, 2,
                       "");
    }
    LLVMDisposeBuilder(b);
}

static void check_counts(cf_job *job) {
    LLVMValueRef check = LLVMGetNamedFunction(job->module, "check_count");
    LLVMStripModuleDebugInfo(job->module);
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f) || f == check) continue;
        const cf_view *v = cf_view_import(job, f);
        for (cf_id l = 0; l < v->n_loops; l++) check_loop(job, v, &v->loop[l], check);
    }
}

static int filter(int argc, char **argv) {
    LLVMMemoryBufferRef text;
    char *message = NULL;
    const char *name = argv[argc - 1];
    if (strcmp(name, "-") ? LLVMCreateMemoryBufferWithContentsOfFile(name, &text, &message)
                          : LLVMCreateMemoryBufferWithSTDIN(&text, &message)) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    cf_job *job = job_of(text);
    if (!cf_prepare(job)) return 1;
    if (argc > 2 && !strcmp(argv[1], "checked")) check_counts(job);
    char *once = LLVMPrintModuleToString(job->module);
    if (argc > 2 && !strcmp(argv[1], "twice") &&
        (!cf_prepare(job) || strcmp(once, LLVMPrintModuleToString(job->module))))
        return 1;
    fputs(once, stdout);
    return 0;
}

int main(int argc, char **argv) {
    if (argc > 1) return filter(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counted_loop_has_constant_trips),
        cmocka_unit_test(search_loop_is_not_counted),
        cmocka_unit_test(irreducible_cycle_becomes_a_loop),
        cmocka_unit_test(long_functions_take_less_than_a_second),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
