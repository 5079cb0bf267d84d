/* Rules: which are linked for a program, what is said about them, and that they inline into any caller. */
#include "known/rules.h"
#include "llvm/l.h"
#include <llvm-c/IRReader.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

typedef struct world {
    cf_job job;
    cf_sink sink;
} world;

/* A job over a module, with its rules linked. */
static void begin(world *w, const char *text) {
    *w = (world){0};
    w->sink.report = cf_print_message;
    w->job.arena = cf_arena_new();
    w->job.sink = &w->sink;
    w->job.context = LLVMContextCreate();
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, strlen(text), "program");
    char *message = NULL;
    if (LLVMParseIRInContext(w->job.context, buffer, &w->job.module, &message)) fail_msg("%s", message);
    LLVMSetTarget(w->job.module, "x86_64-unknown-linux-gnu");
}
static void check_valid(world *w) {
    char *message = l_verify(w->job.module);
    if (message) fail_msg("%s", message);
}
static void end(world *w) {
    check_valid(w);
    LLVMDisposeModule(w->job.module);
    LLVMContextDispose(w->job.context);
    cf_arena_free(w->job.arena);
}
static void link_rules(world *w) {
    assert_true(cf_rules_link(&w->job));
    check_valid(w);
}
static LLVMValueRef function(world *w, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(w->job.module, name);
    if (!f) fail_msg("no function %s", name);
    return f;
}
static const cf_rule *rule(world *w, const char *name) { return cf_rule_of(&w->job, function(w, name)); }

static void partials_of_c_functions(void **state) {
    (void)state;
    world w;
    begin(
        &w,
        "declare double @sin(double)\ndeclare float @powf(float, float)\ndeclare x86_fp80 @atan2l(x86_fp80, "
        "x86_fp80)\ndeclare double @jn(i32, double)\ndeclare double @nothing(double)\n"
        "define double @f(double %x, float %y, x86_fp80 %z) {\n %a = call double @sin(double %x)\n"
        " %b = call float @powf(float %y, float %y)\n %c = call x86_fp80 @atan2l(x86_fp80 %z, x86_fp80 %z)\n"
        " %d = call double @jn(i32 2, double %x)\n %e = call double @nothing(double %x)\n ret double "
        "%a\n}\n");
    link_rules(&w);
    const cf_rule *r = rule(&w, "sin");
    assert_int_equal(r->kind, CF_RULE_PARTIALS);
    assert_int_equal(r->n, 1);
    assert_int_equal(r->lanes, 0);
    assert_string_equal(l_name(r->partial[0]), "__cf_d0_sin");
    assert_true(cf_rule_reads(r, 0, 0));
    assert_false(cf_rule_reads(r, 0, 1));
    r = rule(&w, "powf");
    assert_int_equal(r->n, 2);
    assert_string_equal(l_name(r->partial[1]), "__cf_d1_powf");
    assert_true(cf_rule_reads(r, 1, 2));
    assert_int_equal(rule(&w, "atan2l")->n, 2);
    r = rule(&w, "jn");
    assert_null(r->partial[0]);
    assert_non_null(r->partial[1]);
    assert_null(rule(&w, "nothing"));
    end(&w);
}

static void rules_that_use_the_result_alone(void **state) {
    (void)state;
    world w;
    begin(&w,
          "declare double @llvm.exp.f64(double)\ndeclare double @tanh(double)\ndeclare double @sqrt(double)\n"
          "define double @f(double %x) {\n %a = call double @llvm.exp.f64(double %x)\n"
          " %b = call double @tanh(double %x)\n %c = call double @sqrt(double %x)\n ret double %a\n}\n");
    link_rules(&w);
    static const char *const names[] = {"llvm.exp.f64", "tanh", "sqrt"};
    for (int i = 0; i < 3; i++) {
        assert_false(cf_rule_reads(rule(&w, names[i]), 0, 0));
        assert_true(cf_rule_reads(rule(&w, names[i]), 0, 1));
    }
    end(&w);
}

static void intrinsics_and_vectors(void **state) {
    (void)state;
    world w;
    begin(
        &w,
        "declare <4 x double> @llvm.sqrt.v4f64(<4 x double>)\ndeclare float @llvm.minnum.f32(float, float)\n"
        "declare <2 x float> @llvm.powi.v2f32.i32(<2 x float>, i32)\n"
        "declare double @llvm.fmuladd.f64(double, double, double)\ndeclare double "
        "@llvm.ldexp.f64.i32(double, i32)\n"
        "declare half @llvm.sin.f16(half)\ndeclare double @llvm.floor.f64(double)\n"
        "define double @f(double %x, <4 x double> %v, float %y, <2 x float> %u, half %h) {\n"
        " %a = call <4 x double> @llvm.sqrt.v4f64(<4 x double> %v)\n"
        " %b = call float @llvm.minnum.f32(float %y, float %y)\n"
        " %c = call <2 x float> @llvm.powi.v2f32.i32(<2 x float> %u, i32 3)\n"
        " %d = call double @llvm.fmuladd.f64(double %x, double %x, double %x)\n"
        " %e = call double @llvm.ldexp.f64.i32(double %x, i32 3)\n %g = call half @llvm.sin.f16(half %h)\n"
        " %i = call double @llvm.floor.f64(double %x)\n %r = frem float %y, %y\n %q = frem <4 x double> %v, "
        "%v\n"
        " ret double %d\n}\n");
    link_rules(&w);
    const cf_rule *r = rule(&w, "llvm.sqrt.v4f64");
    assert_int_equal(r->lanes, 4);
    assert_string_equal(l_name(r->partial[0]), "__cf_d0_sqrt");
    assert_string_equal(l_name(rule(&w, "llvm.minnum.f32")->partial[1]), "__cf_d1_fminf");
    r = rule(&w, "llvm.powi.v2f32.i32");
    assert_int_equal(r->lanes, 2);
    assert_string_equal(l_name(r->partial[0]), "__cf_d0_llvm_powif");
    assert_null(r->partial[1]);
    assert_string_equal(l_name(rule(&w, "llvm.fmuladd.f64")->partial[2]), "__cf_d2_fma");
    assert_string_equal(l_name(rule(&w, "llvm.ldexp.f64.i32")->partial[0]), "__cf_d0_ldexp");
    assert_null(rule(&w, "llvm.sin.f16"));
    assert_null(rule(&w, "llvm.floor.f64"));
    unsigned operations = 0;
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function(&w, "f"));
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        r = cf_rule_of_operation(&w.job, i);
        if (!r) continue;
        assert_string_equal(l_name(r->partial[1]), operations ? "__cf_d1_fmod" : "__cf_d1_fmodf");
        assert_int_equal(r->lanes, operations ? 4 : 0);
        operations++;
    }
    assert_int_equal(operations, 2);
    end(&w);
}

static void bodies(void **state) {
    (void)state;
    world w;
    begin(&w, "declare double @frexp(double, ptr)\ndeclare { double, double } @llvm.modf.f64(double)\n"
              "declare { <2 x double>, <2 x double> } @llvm.sincos.v2f64(<2 x double>)\n"
              "declare { float, i32 } @llvm.frexp.f32.i32(float)\n"
              "define double @f(double %x, ptr %p, <2 x double> %v, float %y) {\n"
              " %a = call double @frexp(double %x, ptr %p)\n"
              " %b = call { double, double } @llvm.modf.f64(double %x)\n"
              " %c = call { <2 x double>, <2 x double> } @llvm.sincos.v2f64(<2 x double> %v)\n"
              " %d = call { float, i32 } @llvm.frexp.f32.i32(float %y)\n ret double %a\n}\n");
    link_rules(&w);
    const cf_rule *r = rule(&w, "frexp");
    assert_int_equal(r->kind, CF_RULE_BODY);
    assert_string_equal(l_name(r->body), "__cf_body_frexp");
    assert_false(LLVMIsDeclaration(r->body));
    /* What bodies call has rules too. */
    assert_int_equal(rule(&w, "ldexp")->kind, CF_RULE_PARTIALS);
    static const char *const names[] = {"llvm.modf.f64", "llvm.frexp.f32.i32"};
    for (int i = 0; i < 2; i++) {
        r = rule(&w, names[i]);
        assert_int_equal(r->kind, CF_RULE_BODY);
        assert_ptr_equal(l_function_type(r->body), l_function_type(function(&w, names[i])));
    }

    assert_int_equal(rule(&w, "llvm.sincos.v2f64")->kind, CF_RULE_BODY);
    assert_int_equal(rule(&w, "llvm.sin.v2f64")->lanes, 2);
    end(&w);
}

static void functions_of_the_program_have_no_rule(void **state) {
    (void)state;
    world w;
    begin(&w, "define double @sin(double %x) {\n ret double %x\n}\ndeclare i32 @cos(i32)\n"
              "define double @f(double %x) {\n %a = call double @sin(double %x)\n %b = call i32 @cos(i32 1)\n"
              " ret double %a\n}\n");
    link_rules(&w);
    assert_null(rule(&w, "sin"));
    assert_null(rule(&w, "cos"));
    end(&w);
}

static void custom_rules_come_first(void **state) {
    (void)state;
    world w;
    begin(&w, "define double @sin(double %x) {\n ret double %x\n}\ndeclare double @g(double, double)\n"
              "declare void @h(double, ptr, double)\ndeclare double @exp(double)\n"
              "define double @f(double %x) {\n %a = call double @sin(double %x)\n %b = call double "
              "@exp(double %a)\n"
              " ret double %b\n}\n");
    cf_rules_add_custom(&w.job, function(&w, "sin"), CF_RULE_CUSTOM, function(&w, "g"), NULL);
    cf_rules_add_custom(&w.job, function(&w, "sin"), CF_RULE_CUSTOM, NULL, function(&w, "h"));
    cf_rules_add_custom(&w.job, function(&w, "exp"), CF_RULE_INACTIVE, NULL, NULL);
    link_rules(&w);
    assert_true(l_has_text(function(&w, "sin"), "cf-keep"));
    assert_ptr_equal(rule(&w, "sin")->forward, function(&w, "g"));
    assert_ptr_equal(rule(&w, "sin")->reverse, function(&w, "h"));
    assert_int_equal(rule(&w, "exp")->kind, CF_RULE_INACTIVE);
    end(&w);
}

/* Calls the rule of `name` at the end of f, whatever f's attributes, and counts the calls left after inlining. */
static void rule_is_inlined(const char *attributes) {
    world w;
    char text[600];
    snprintf(text, sizeof text,
             "declare double @sin(double)\ndefine double @f(double %%x) #0 {\n %%a = call double @sin(double "
             "%%x)\n"
             " ret double %%a\n}\nattributes #0 = { %s }\n",
             attributes);
    begin(&w, text);
    link_rules(&w);
    LLVMValueRef f = function(&w, "f");
    LLVMValueRef ret = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(f));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(w.job.context);
    LLVMPositionBuilderBefore(b, ret);
    LLVMValueRef args[2] = {LLVMGetParam(f, 0), LLVMGetOperand(ret, 0)};
    LLVMSetOperand(ret, 0, l_call(b, rule(&w, "sin")->partial[0], args, 2, ""));
    LLVMDisposeBuilder(b);
    cf_rules_finish(&w.job);
    check_valid(&w);
    char *message = l_run_passes(w.job.module, "always-inline,globaldce");
    assert_null(message);
    unsigned functions = 0;
    for (LLVMValueRef g = LLVMGetFirstFunction(w.job.module); g; g = LLVMGetNextFunction(g))
        functions += !LLVMIsDeclaration(g);
    assert_int_equal(functions, 1);
    end(&w);
}

static void rules_inline_into_any_caller(void **state) {
    (void)state;
    rule_is_inlined("nounwind");
    rule_is_inlined("\"target-cpu\"=\"znver4\" \"target-features\"=\"+avx512f,+avx2,+fma\"");
    rule_is_inlined("\"target-cpu\"=\"x86-64\" \"target-features\"=\"+sse2\"");
    rule_is_inlined("optnone noinline");
    rule_is_inlined("\"denormal-fp-math\"=\"preserve-sign,preserve-sign\" \"no-nans-fp-math\"=\"true\"");
    rule_is_inlined("ssp uwtable \"frame-pointer\"=\"all\" \"no-builtins\"");
    rule_is_inlined("sanitize_address");
}

/* A declaration that a pass adds after the rules were linked. */
static void late_declarations_are_served(void **state) {
    (void)state;
    world w;
    begin(&w, "define double @f(double %x) {\n ret double %x\n}\n");
    link_rules(&w);
    LLVMTypeRef v = LLVMVectorType(LLVMDoubleTypeInContext(w.job.context), 2), args[2] = {v, v};
    LLVMValueRef max =
        LLVMAddFunction(w.job.module, "llvm.maxnum.v2f64", LLVMFunctionType(v, args, 2, false));
    const cf_rule *r = cf_rule_of(&w.job, max);
    assert_non_null(r);
    assert_int_equal(r->lanes, 2);
    assert_string_equal(l_name(r->partial[1]), "__cf_d1_fmax");
    assert_false(LLVMIsDeclaration(r->partial[1]));
    end(&w);
}

static void nothing_unused_is_left(void **state) {
    (void)state;
    world w;
    begin(&w, "declare double @pow(double, double)\ndefine double @f(double %x) {\n"
              " %a = call double @pow(double %x, double %x)\n ret double %a\n}\n");
    link_rules(&w);
    cf_rules_finish(&w.job);
    for (LLVMValueRef g = LLVMGetFirstFunction(w.job.module); g; g = LLVMGetNextFunction(g))
        assert_false(l_begins(l_name(g), "__cf_"));
    end(&w);
}

/* A second job over a module in which the first one left rules. */
static void a_later_job_links_afresh(void **state) {
    (void)state;
    world w;
    begin(&w, "declare double @lgamma(double)\ndefine double @f(double %x) {\n"
              " %a = call double @lgamma(double %x)\n ret double %a\n}\n");
    for (int round = 0; round < 2; round++) {
        w.job.rules = NULL;
        link_rules(&w);
        LLVMValueRef f = function(&w, "f");
        LLVMValueRef ret = LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(f));
        LLVMBuilderRef b = LLVMCreateBuilderInContext(w.job.context);
        LLVMPositionBuilderBefore(b, ret);
        LLVMValueRef args[2] = {LLVMGetParam(f, 0), LLVMGetOperand(ret, 0)};
        const cf_rule *r = rule(&w, "lgamma");
        assert_non_null(r);
        LLVMSetOperand(ret, 0, l_call(b, r->partial[0], args, 2, ""));
        LLVMDisposeBuilder(b);
        cf_rules_finish(&w.job);
        check_valid(&w);
        LLVMValueRef large = function(&w, "__cf_digamma");
        assert_int_equal(LLVMGetLinkage(large), LLVMLinkOnceODRLinkage);
        assert_int_equal(LLVMGetVisibility(large), LLVMHiddenVisibility);
    }
    assert_null(LLVMGetNamedFunction(w.job.module, "__cf_digamma.1"));
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partials_of_c_functions),
        cmocka_unit_test(rules_that_use_the_result_alone),
        cmocka_unit_test(intrinsics_and_vectors),
        cmocka_unit_test(bodies),
        cmocka_unit_test(functions_of_the_program_have_no_rule),
        cmocka_unit_test(custom_rules_come_first),
        cmocka_unit_test(rules_inline_into_any_caller),
        cmocka_unit_test(late_declarations_are_served),
        cmocka_unit_test(nothing_unused_is_left),
        cmocka_unit_test(a_later_job_links_afresh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
