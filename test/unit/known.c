/* The table of known functions: order, lookup by name in its spellings, sizes of what is written. */
#include "known/known.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static unsigned kind_of(const char *name) {
    const cf_known *row = cf_known_name(name);
    return row ? row->kind : 0;
}

/* Every row is found by its own name: so the table is in order and has no name twice. */
static void every_row_is_found(void **state) {
    (void)state;
    static const char *const names[] = {
#define ROW_NAME(name, ...) name
#define ZERO ROW_NAME
#define INSIDE ROW_NAME
#define INACTIVE(name) name
#define STATIC(name) name
#define WRITES ROW_NAME
#define MEMORY ROW_NAME
#define COPY ROW_NAME
#define SET ROW_NAME
#define NORETURN ROW_NAME
#define EXCEPTION(name) name
#define CALLBACK ROW_NAME
#define PREFIX ROW_NAME
#include "known/known_table.inc"
    };
    size_t n = sizeof names / sizeof *names;
    assert_true(n > 600);
    for (size_t i = 0; i < n; i++) {
        const cf_known *row = cf_known_name(names[i]);
        assert_non_null(row);
        assert_string_equal(row->name, names[i]);
        assert_int_not_equal(row->kind, 0);
        if (i) assert_true(strcmp(names[i - 1], names[i]) < 0);
    }
}

static void names_are_found_in_their_spellings(void **state) {
    (void)state;
    assert_int_equal(kind_of("floor"), CF_KNOWN_ZERO);
    assert_int_equal(kind_of("floorf"), CF_KNOWN_ZERO);
    assert_int_equal(kind_of("lroundl"), CF_KNOWN_ZERO);
    assert_int_equal(kind_of("llvm.floor.v4f64"), CF_KNOWN_ZERO);
    assert_int_equal(kind_of("llvm.memcpy.p0.p0.i64"), CF_KNOWN_COPY);
    assert_int_equal(kind_of("llvm.memcpy.inline.p0.p0.i64"), CF_KNOWN_COPY);
    assert_string_equal(cf_known_name("llvm.expect.with.probability.i64")->name,
                        "llvm.expect.with.probability");
    assert_int_equal(kind_of("llvm.lifetime.start.p0"), CF_KNOWN_INACTIVE);
    assert_int_equal(kind_of("_ZNSolsEd"), CF_KNOWN_INACTIVE);
    assert_int_equal(kind_of("_Znwm"), CF_KNOWN_ALLOC);
    assert_int_equal(kind_of("exit"), CF_KNOWN_NORETURN);
}

static void unknown_names_have_no_row(void **state) {
    (void)state;
    static const char *const names[] = {"sin",     "frexp",   "lgamma_r",     "",      "l",   "floorx",
                                        "mallocf", "printff", "llvm.sin.f64", "llvm.", "zzz", "_Z3foov",
                                        "memcp",   "memcpyy", "floorff"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) assert_int_equal(kind_of(names[i]), 0);
}

static void writes_say_argument_and_size(void **state) {
    (void)state;
    const cf_known *row = cf_known_name("fread");
    assert_int_equal(row->write[0].pointer, 0);
    assert_int_equal(row->write[0].size.kind, CF_SIZE_PRODUCT);
    assert_int_equal(row->write[0].size.a, 1);
    assert_int_equal(row->write[0].size.b, 2);
    assert_int_equal(row->write[1].pointer, CF_NO_ARG);
    row = cf_known_name("strtod");
    assert_int_equal(row->write[0].flags, CF_WRITES_POINTER);
    assert_int_equal(row->write[0].pointer, 1);
    row = cf_known_name("__isoc99_sscanf");
    assert_int_equal(row->write[0].flags, CF_WRITES_REST);
    assert_int_equal(row->write[0].pointer, 2);
    assert_int_equal(row->write[0].size.kind, CF_SIZE_SCAN);
    assert_int_equal(row->write[0].size.a, 1);
    row = cf_known_name("calloc");
    assert_int_equal(row->kind, CF_KNOWN_ZALLOC);
    assert_int_equal(row->size.kind, CF_SIZE_PRODUCT);
    row = cf_known_name("posix_memalign");
    assert_int_equal(row->pointer, 0);
    assert_int_equal(row->align, 1);
    assert_int_equal(row->size.a, 2);
    row = cf_known_name("memset");
    assert_int_equal(row->source, 1);
    assert_int_equal(row->returns, 0);
    row = cf_known_name("qsort");
    assert_int_equal(row->flags, CF_KNOWN_CALLBACK);
    assert_int_equal(row->source, 3);
}

static void scanf_formats_give_sizes(void **state) {
    (void)state;
    unsigned bytes[12] = {0};
    assert_int_equal(cf_known_scan("%d %lf,%f%%%Lf %*d%hhd %hd%ld", bytes, 12), 7);
    static const unsigned want[] = {4, 8, 4, 16, 1, 2, 8};
    for (size_t i = 0; i < 7; i++) assert_int_equal(bytes[i], want[i]);
    assert_int_equal(cf_known_scan("%s %9s %[^]x%] %5c%lg", bytes, 12), 5);
    static const unsigned texts[] = {0, 10, 0, 5, 8};
    for (size_t i = 0; i < 5; i++) assert_int_equal(bytes[i], texts[i]);
    assert_int_equal(cf_known_scan("%d%d%d", bytes, 1), 3);
    assert_int_equal(cf_known_scan("%", bytes, 12), 0);
    assert_int_equal(cf_known_scan("%[", bytes, 12), 1);
    assert_int_equal(cf_known_scan("%lllll", bytes, 12), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_is_found),        cmocka_unit_test(names_are_found_in_their_spellings),
        cmocka_unit_test(unknown_names_have_no_row), cmocka_unit_test(writes_say_argument_and_size),
        cmocka_unit_test(scanf_formats_give_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
