/* What memory holds. With arguments a filter for the tests of test/types: `types IN.ll` (- is standard input) prints a
 * line for both pointers of every memcpy and memmove, for every memset, and for every load and store of an integer;
 * `types prepared IN.ll` prepares the module first. Without: layouts of types. */
#include "contents/types.h"
#include "ir/prepare.h"
#include "llvm/l.h"
#include <llvm-c/IRReader.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cf_sink sink = {.report = cf_print_message};

static cf_job *new_job(void) {
    cf_arena *a = cf_arena_new();
    cf_job *job = CF_NEW(a, cf_job);
    job->arena = a;
    job->sink = &sink;
    job->context = LLVMContextCreate();
    return job;
}

/* ---- the filter ---- */

static void print_type(LLVMTypeRef t) {
    char *text = LLVMPrintTypeToString(t);
    fputs(text, stdout);
    LLVMDisposeMessage(text);
}

static void print_layout(const cf_layout *l) {
    if (!l->known) fputs(" unknown", stdout);
    for (size_t i = 0; i < l->n; i++) {
        putchar(' ');
        if (l->field[i].kind == CF_FIELD_OTHER)
            fputs("other", stdout);
        else
            print_type(l->field[i].type);
        printf("@%" PRIu64, l->field[i].offset);
    }
    if (l->stride) printf(" every %" PRIu64, l->stride);
    putchar('\n');
}

static void print_access(cf_job *job, LLVMValueRef i, const char *what, LLVMValueRef pointer,
                         uint64_t bytes) {
    LLVMValueRef f = l_function_of(i);
    cf_layout l;
    cf_layout_of(job, f, i, pointer, bytes, &l);
    printf("%s %s", l_name(f), what);
    print_layout(&l);
}

static void print_instruction(cf_job *job, LLVMValueRef i) {
    LLVMValueRef f = LLVMIsACallInst(i) ? l_callee(i) : NULL;
    if (f && l_begins(l_name(f), "llvm.mem")) {
        LLVMValueRef n = LLVMGetOperand(i, 2);
        uint64_t bytes = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
        print_access(job, i, "to", LLVMGetOperand(i, 0), bytes);
        if (!l_begins(l_name(f), "llvm.memset")) print_access(job, i, "from", LLVMGetOperand(i, 1), bytes);
    } else if (LLVMIsALoadInst(i) && l_is_integer_type(LLVMTypeOf(i))) {
        print_access(job, i, "load", LLVMGetOperand(i, 0), l_size(job->module, LLVMTypeOf(i)));
    } else if (LLVMIsAStoreInst(i) && l_is_integer_type(LLVMTypeOf(LLVMGetOperand(i, 0)))) {
        print_access(job, i, "store", LLVMGetOperand(i, 1),
                     l_size(job->module, LLVMTypeOf(LLVMGetOperand(i, 0))));
    }
}

static int filter(int argc, char **argv) {
    LLVMMemoryBufferRef text;
    char *message = NULL;
    const char *name = argv[argc - 1];
    cf_job *job = new_job();
    if ((strcmp(name, "-") ? LLVMCreateMemoryBufferWithContentsOfFile(name, &text, &message)
                           : LLVMCreateMemoryBufferWithSTDIN(&text, &message)) ||
        LLVMParseIRInContext(job->context, text, &job->module, &message)) {
        fprintf(stderr, "%s\n", message);
        return 1;
    }
    if (argc > 2 && !cf_prepare(job)) return 1;
    for (LLVMValueRef f = LLVMGetFirstFunction(job->module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                print_instruction(job, i);
    return 0;
}

/* ---- layouts of types ---- */

static void check_field(const cf_layout *l, size_t i, uint64_t offset, cf_field_kind kind) {
    assert_true(i < l->n);
    assert_int_equal(l->field[i].offset, offset);
    assert_int_equal(l->field[i].kind, kind);
}

static void fields_of_a_struct(void **state) {
    (void)state;
    cf_job *job = new_job();
    LLVMContextRef c = job->context;
    LLVMTargetDataRef data = LLVMCreateTargetData("e-m:e-i64:64-f80:128-n8:16:32:64-S128");
    LLVMTypeRef d = LLVMDoubleTypeInContext(c), p = LLVMPointerTypeInContext(c, 0),
                i = LLVMInt32TypeInContext(c);
    LLVMTypeRef inner = LLVMStructTypeInContext(c, (LLVMTypeRef[]){i, p}, 2, 0);
    LLVMTypeRef t = LLVMStructTypeInContext(
        c, (LLVMTypeRef[]){LLVMArrayType2(d, 2), inner, LLVMFloatTypeInContext(c)}, 3, 0);
    cf_layout l;
    cf_layout_of_type(job->arena, data, t, &l);
    assert_true(l.known);
    assert_int_equal(l.stride, 0);
    assert_int_equal(l.n, 6);
    check_field(&l, 0, 0, CF_FIELD_FLOAT);
    check_field(&l, 1, 8, CF_FIELD_FLOAT);
    check_field(&l, 2, 16, CF_FIELD_OTHER);
    check_field(&l, 3, 24, CF_FIELD_POINTER);
    check_field(&l, 4, 32, CF_FIELD_FLOAT);
    check_field(&l, 5, 36, CF_FIELD_OTHER);
    assert_ptr_equal(l.field[4].type, LLVMFloatTypeInContext(c));
    LLVMDisposeTargetData(data);
    LLVMContextDispose(job->context);
    cf_arena_free(job->arena);
}

static void arrays_have_one_field(void **state) {
    (void)state;
    cf_job *job = new_job();
    LLVMContextRef c = job->context;
    LLVMTargetDataRef data = LLVMCreateTargetData("e-m:e-i64:64-f80:128-n8:16:32:64-S128");
    LLVMTypeRef array = LLVMArrayType2(LLVMArrayType2(LLVMX86FP80TypeInContext(c), 1000), 1000);
    cf_layout l;
    cf_layout_of_type(job->arena, data, array, &l);
    assert_true(l.known);
    assert_int_equal(l.n, 1);
    assert_int_equal(l.stride, 16);
    check_field(&l, 0, 0, CF_FIELD_FLOAT);
    cf_layout_of_type(job->arena, data, LLVMArrayType2(LLVMInt8TypeInContext(c), 64), &l);
    assert_true(l.known);
    assert_int_equal(l.n, 1);
    check_field(&l, 0, 0, CF_FIELD_OTHER);
    LLVMDisposeTargetData(data);
    LLVMContextDispose(job->context);
    cf_arena_free(job->arena);
}

int main(int argc, char **argv) {
    if (argc > 1) return filter(argc, argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_a_struct),
        cmocka_unit_test(arrays_have_one_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
