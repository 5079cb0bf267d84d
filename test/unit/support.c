/* Memory, vectors, maps, bit sets, messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "support/arena.h"
#include "support/bits.h"
#include "support/diag.h"
#include "support/map.h"
#include "support/vec.h"

static int open_arena(void **state) {
    *state = cf_arena_new();
    return 0;
}
static int close_arena(void **state) {
    cf_arena_free(*state);
    return 0;
}

static void memory_is_zeroed_aligned_and_stays(void **state) {
    cf_arena *a = *state;
    enum { PIECES = 3000 };
    static unsigned char *piece[PIECES];
    for (size_t i = 0; i < PIECES; i++) {
        size_t size = i % 1000 == 999 ? 5 << 20 : i % 777;
        piece[i] = cf_alloc(a, size);
        assert_int_equal((uintptr_t)piece[i] % _Alignof(max_align_t), 0);
        for (size_t k = 0; k < size; k++) assert_int_equal(piece[i][k], 0);
        memset(piece[i], (int)(i % 255 + 1), size);
    }
    for (size_t i = 0; i < PIECES; i++)
        for (size_t k = 0; k < i % 777 && i % 1000 != 999; k++) assert_int_equal(piece[i][k], i % 255 + 1);
}

/* What ends the process with status 1 and this message. */
static void ends(void (*act)(cf_arena *), const char *message) {
    int pipes[2];
    assert_int_equal(pipe(pipes), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(pipes[1], 2);
        static cf_arena *a; /* reachable at exit */
        act(a = cf_arena_new());
        _exit(0);
    }
    close(pipes[1]);
    char text[256] = "";
    FILE *in = fdopen(pipes[0], "r");
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    assert_string_equal(text, message);
}

static void huge(cf_arena *a) { cf_alloc(a, SIZE_MAX); }
static void huge_array(cf_arena *a) { CF_ARRAY(a, uint64_t, SIZE_MAX / 8 + 2); }

static void sizes_beyond_memory_end_the_process(void **state) {
    (void)state;
    ends(huge, "cofactor: out of memory\n");
    ends(huge_array, "cofactor: out of memory\n");
}

static void text_is_formatted_and_copied(void **state) {
    cf_arena *a = *state;
    assert_string_equal(cf_text(a, "%s has %d", "f", 12), "f has 12");
    assert_string_equal(cf_text(a, "%s", ""), "");
    char *big = cf_text(a, "%100000d", 7);
    assert_int_equal(strlen(big), 100000);
    assert_int_equal(big[99999], '7');
    assert_string_equal(cf_copy_text(a, "abcdef", 3), "abc");
    assert_string_equal(cf_copy_text(a, NULL, 0), "");
}

static void vectors_grow_and_keep_their_elements(void **state) {
    cf_arena *a = *state;
    CF_VEC(int) v = {0};
    for (int i = 0; i < 1000; i++) cf_push(a, &v, i * i);
    assert_int_equal(v.n, 1000);
    for (int i = 0; i < 1000; i++) assert_int_equal(v.at[i], i * i);

    CF_VEC(size_t) own = {0};
    for (int i = 0; i < 100; i++) cf_push(a, &own, own.n ? own.at[own.n - 1] + own.n : 0);
    assert_int_equal(own.at[99], 99 * 100 / 2);

    struct point {
        int x, y;
    };
    CF_VEC(struct point) points = {0};
    cf_push(a, &points, (struct point){3, 4});
    assert_int_equal(points.at[0].y, 4);
}

static void maps_find_what_was_put(void **state) {
    cf_arena *a = *state;
    static char keys[1 << 20];
    cf_map m = {0};
    assert_null(cf_map_get(&m, keys));
    for (size_t i = 0; i < 5000; i++) cf_map_put(a, &m, keys + i * 208, keys + i);
    for (size_t i = 0; i < 5000; i += 2) cf_map_put(a, &m, keys + i * 208, keys + i + 1);
    assert_int_equal(m.n, 5000);
    for (size_t i = 0; i < 5000; i++) {
        assert_ptr_equal(cf_map_get(&m, keys + i * 208), keys + (i % 2 ? i : i + 1));
        assert_null(cf_map_get(&m, keys + i * 208 + 8));
    }
    assert_null(cf_map_get(&m, NULL));

    size_t seen = 0;
    const void *key;
    void *value;
    cf_bits once = cf_bits_new(a, 5000);
    for (size_t i = 0; cf_map_next(&m, &i, &key, &value); seen++) {
        size_t k = (size_t)((const char *)key - keys) / 208;
        assert_true(cf_set_bit(&once, k));
        assert_ptr_equal(value, keys + (k % 2 ? k : k + 1));
    }
    assert_int_equal(seen, 5000);
}

/* Addresses of one place in pages, slabs and mappings share their low bits: they must not share a hash. */
static void maps_are_not_slow_for_regular_addresses(void **state) {
    cf_arena *a = *state;
    for (int shift = 3; shift <= 30; shift++) {
        cf_map m = {0};
        for (uintptr_t i = 1; i <= 1000; i++) cf_map_put(a, &m, (void *)(i << shift), &m);
        size_t longest = 0, run = 0;
        for (size_t i = 0; i < m.capacity; i++) {
            run = m.keys[i] ? run + 1 : 0;
            if (run > longest) longest = run;
        }
        assert_in_range(longest, 1, 150);
    }
}

static void names_are_copied_and_found(void **state) {
    cf_arena *a = *state;
    cf_names m = {0};
    assert_null(cf_names_get(&m, "sin"));
    static int values[3000];
    char name[32];
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "name%d", i);
        cf_names_put(a, &m, name, values + i);
    }
    cf_names_put(a, &m, "", values);
    for (int i = 0; i < 3000; i++) {
        snprintf(name, sizeof name, "name%d", i);
        assert_ptr_equal(cf_names_get(&m, name), values + i);
    }
    assert_ptr_equal(cf_names_get(&m, ""), values);
    assert_null(cf_names_get(&m, "name3000"));
    cf_names_put(a, &m, "name7", NULL);
    assert_null(cf_names_get(&m, "name7"));
    assert_int_equal(m.n, 3001);
}

static void bits_are_set_joined_and_cleared(void **state) {
    cf_arena *a = *state;
    for (size_t n = 1; n < 200; n++) {
        cf_bits x = cf_bits_new(a, n), y = cf_bits_new(a, n);
        for (size_t i = 0; i < n; i += 3) assert_true(cf_set_bit(&x, i));
        assert_false(cf_set_bit(&x, 0));
        assert_true(cf_set_bit(&y, n - 1));
        assert_int_equal(cf_bits_join(&x, &y), (n - 1) % 3 != 0);
        assert_false(cf_bits_join(&x, &y));
        for (size_t i = 0; i < n; i++) assert_int_equal(cf_bit(&x, i), i % 3 == 0 || i == n - 1);
        cf_clear_bit(&x, n - 1);
        assert_false(cf_bit(&x, n - 1));
        cf_bits_clear(&x);
        for (size_t i = 0; i < n; i++) assert_false(cf_bit(&x, i));
    }
}

/* The sink's counter, and what a callback sees. */
static cf_message last;
static char last_text[64];
static void keep(void *user, const cf_message *m) {
    ++*(int *)user;
    last = *m;
    snprintf(last_text, sizeof last_text, "%s", m->text);
}

static void reports_reach_the_sink(void **state) {
    (void)state;
    int calls = 0;
    cf_sink sink = {keep, &calls, 0};
    cf_report(&sink, CF_WARNING, (cf_place){0}, NULL, "a warning");
    cf_report(&sink, CF_ERROR, (cf_place){"f.c", 3, 4}, "f", "%d words, not %s", 2, "three");
    assert_int_equal(calls, 2);
    assert_int_equal(sink.errors, 1);
    assert_string_equal(last_text, "2 words, not three");
    assert_string_equal(last.function, "f");
    assert_int_equal(last.place.column, 4);
}

/* What cf_print_message writes for a message. */
static const char *printed(cf_arena *a, cf_message m) {
    FILE *to = tmpfile();
    fflush(stderr);
    int saved = dup(2);
    dup2(fileno(to), 2);
    cf_print_message(NULL, &m);
    fflush(stderr);
    dup2(saved, 2);
    close(saved);
    char *text = cf_alloc(a, 4096);
    rewind(to);
    text[fread(text, 1, 4095, to)] = 0;
    fclose(to);
    return text;
}

static void messages_show_the_line_and_a_caret(void **state) {
    cf_arena *a = *state;
    char file[] = "/tmp/cofactor-XXXXXX";
    FILE *out = fdopen(mkstemp(file), "w");
    fputs("first\n", out);
    for (int i = 0; i < 3000; i++) fputc('x', out);
    fputs("\n\tx = f(y);\r\n/* \xc3\xa9 */ z\nlast", out);
    fclose(out);
    assert_string_equal(printed(a, (cf_message){CF_ERROR, {file, 3, 6}, "g", "no"}),
                        cf_text(a, "%s:3:6: error: no\n    3 | \tx = f(y);\n      | \t    ^\n", file));
    assert_string_equal(
        printed(a, (cf_message){CF_WARNING, {file, 4, 10}, NULL, "w"}),
        cf_text(a, "%s:4:10: warning: w\n    4 | /* \xc3\xa9 */ z\n      |         ^\n", file));
    assert_string_equal(printed(a, (cf_message){CF_NOTE, {file, 5, 0}, NULL, "n"}),
                        cf_text(a, "%s:5: note: n\n    5 | last\n", file));
    assert_string_equal(printed(a, (cf_message){CF_ERROR, {file, 1, 99}, NULL, "n"}),
                        cf_text(a, "%s:1:99: error: n\n    1 | first\n      |      ^\n", file));
    assert_string_equal(printed(a, (cf_message){CF_ERROR, {file, 2, 1}, NULL, "long"}),
                        cf_text(a, "%s:2:1: error: long\n", file));
    assert_string_equal(printed(a, (cf_message){CF_ERROR, {file, 6, 1}, NULL, "past"}),
                        cf_text(a, "%s:6:1: error: past\n", file));
    unlink(file);
}

static void messages_without_a_readable_file(void **state) {
    cf_arena *a = *state;
    assert_string_equal(printed(a, (cf_message){CF_ERROR, {0}, NULL, "no file"}),
                        "cofactor: error: no file\n");
    assert_string_equal(printed(a, (cf_message){CF_ERROR, {0}, "f", "no file"}),
                        "cofactor: error: no file (in f)\n");
    assert_string_equal(printed(a, (cf_message){CF_REMARK, {"/nowhere/x.c", 2, 1}, "f", "r"}),
                        "/nowhere/x.c:2:1: remark: r\n");
    assert_string_equal(printed(a, (cf_message){CF_ERROR, {"/", 1, 1}, NULL, "r"}), "/:1:1: error: r\n");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, open_arena, close_arena)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(memory_is_zeroed_aligned_and_stays),
        TEST(sizes_beyond_memory_end_the_process),
        TEST(text_is_formatted_and_copied),
        TEST(vectors_grow_and_keep_their_elements),
        TEST(maps_find_what_was_put),
        TEST(maps_are_not_slow_for_regular_addresses),
        TEST(names_are_copied_and_found),
        TEST(bits_are_set_joined_and_cleared),
        TEST(reports_reach_the_sink),
        TEST(messages_show_the_line_and_a_caret),
        TEST(messages_without_a_readable_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
