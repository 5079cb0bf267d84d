/* The tape, natively, with memory that can run out. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "cofactor/tape.h"

/* malloc and free of the tape alone: counted, and refused above a size or after a number of calls. */
static size_t live, mallocs, refuse_above = SIZE_MAX, refuse_after = SIZE_MAX;
static void *counted_malloc(size_t bytes) {
    mallocs++;
    if (bytes > refuse_above || mallocs > refuse_after) return NULL;
    live++;
    return (malloc)(bytes);
}
static void counted_free(void *p) {
    live -= p != NULL;
    (free)(p);
}
#define malloc(n) counted_malloc(n)
#define free(p) counted_free(p)
#include "runtime/tape.c"
#undef malloc
#undef free

static size_t ended_peak, wanted;
static jmp_buf escape;
static bool escapes;
void cofactor_tape_ended(size_t peak) { ended_peak = peak; }
void cofactor_out_of_memory(size_t bytes) {
    wanted = bytes;
    if (escapes) longjmp(escape, 1);
}

static int reset(void **state) {
    (void)state;
    live = mallocs = ended_peak = wanted = 0;
    refuse_above = refuse_after = SIZE_MAX;
    escapes = false;
    return 0;
}

static void pushes_in_the_first_chunk_need_no_heap(void **state) {
    (void)state;
    char first[512];
    cf_tape t;
    __cf_tape_begin(&t, first, sizeof first);
    char *a = __cf_tape_push(&t, 1), *b = __cf_tape_push(&t, 17), *c = __cf_tape_push(&t, 16);
    assert_true(a >= first && c + 16 <= first + sizeof first);
    assert_int_equal((uintptr_t)a % 16, 0);
    assert_ptr_equal(b, a + 16);
    assert_ptr_equal(c, b + 32);
    assert_ptr_equal(__cf_tape_peek(&t, 16), c);
    __cf_tape_release(&t, c);
    assert_ptr_equal(__cf_tape_peek(&t, 17), b);
    __cf_tape_release(&t, a);
    assert_ptr_equal(__cf_tape_push(&t, 8), a);
    assert_int_equal(mallocs, 0);
    __cf_tape_end(&t);
    assert_int_equal(ended_peak, 0);
}

static void first_chunk_may_have_any_alignment_and_size(void **state) {
    (void)state;
    _Alignas(16) char room[160];
    for (size_t offset = 0; offset < 16; offset++) {
        for (size_t size = 0; size + offset <= sizeof room; size++) {
            memset(room, 7, sizeof room);
            cf_tape t;
            __cf_tape_begin(&t, room + offset, size);
            char *p[12];
            for (int i = 0; i < 12; i++) memset(p[i] = __cf_tape_push(&t, 16), i, 16);
            for (int i = 12; i-- > 0;) {
                assert_ptr_equal(__cf_tape_peek(&t, 16), p[i]);
                for (int k = 0; k < 16; k++) assert_int_equal(p[i][k], i);
                __cf_tape_release(&t, p[i]);
            }
            for (size_t i = 0; i < sizeof room; i++)
                if (i < offset || i >= offset + size) assert_int_equal(room[i], 7);
            __cf_tape_end(&t);
            assert_int_equal(live, 0);
        }
    }
}

static void a_tape_without_first_chunk(void **state) {
    (void)state;
    cf_tape t;
    __cf_tape_begin(&t, NULL, 0);
    char *empty = __cf_tape_push(&t, 0);
    assert_non_null(empty);
    double *x = __cf_tape_push(&t, sizeof *x);
    *x = 3;
    __cf_tape_release(&t, empty);
    assert_ptr_equal(__cf_tape_push(&t, 0), empty);
    __cf_tape_end(&t);
    assert_int_equal(live, 0);
}

enum { RECORDS = 20000 };
static size_t record_size(size_t i) { return i % 97 == 0 ? i % 5000 * 41 : i % 61; }

/* Everything that was pushed is found again, in reverse order, at the same address. */
static void records_survive_across_chunks(void **state) {
    (void)state;
    char first[1000];
    cf_tape t;
    __cf_tape_begin(&t, first, sizeof first);
    static char *at[RECORDS];
    for (size_t i = 0; i < RECORDS; i++) {
        at[i] = __cf_tape_push(&t, record_size(i));
        assert_int_equal((uintptr_t)at[i] % 16, 0);
        memset(at[i], (int)(i % 251), record_size(i));
    }
    assert_true(mallocs > 3 && mallocs < 40);
    for (size_t i = RECORDS; i-- > 0;) {
        char *p = __cf_tape_peek(&t, record_size(i));
        assert_ptr_equal(p, at[i]);
        for (size_t k = 0; k < record_size(i); k++) assert_int_equal((unsigned char)p[k], i % 251);
        __cf_tape_release(&t, p);
    }
    assert_ptr_equal(t.chunk, NULL);
    assert_int_equal(live, 1); /* the spare chunk */
    __cf_tape_end(&t);
    assert_int_equal(live, 0);
}

static void one_release_goes_back_over_many_chunks(void **state) {
    (void)state;
    char first[256];
    cf_tape t;
    __cf_tape_begin(&t, first, sizeof first);
    char *low = __cf_tape_push(&t, 100), *mark = NULL;
    memset(low, 9, 100);
    for (int i = 0; i < 1000; i++) {
        char *p = __cf_tape_push(&t, 4096);
        if (i == 500) mark = p;
    }
    __cf_tape_release(&t, mark);
    assert_ptr_equal(__cf_tape_push(&t, 4096), mark);
    __cf_tape_release(&t, low);
    assert_ptr_equal(t.chunk, NULL);
    assert_int_equal(low[99], 9);
    assert_ptr_equal(__cf_tape_push(&t, 100), low);
    __cf_tape_end(&t);
    assert_int_equal(live, 0);
}

static void empty_records_at_the_border_of_chunks(void **state) {
    (void)state;
    cf_tape t;
    char first[64];
    __cf_tape_begin(&t, first, sizeof first);
    while (t.top < t.end) __cf_tape_push(&t, 16);
    char *border = __cf_tape_push(&t, 0);
    char *next = __cf_tape_push(&t, 48);
    assert_ptr_equal(next, t.start);
    char *after = __cf_tape_push_array(&t, 0, 8);
    assert_ptr_equal(__cf_tape_peek(&t, 0), after);
    __cf_tape_release(&t, after);
    assert_ptr_equal(__cf_tape_peek(&t, 48), next);
    __cf_tape_release(&t, next);
    assert_ptr_equal(__cf_tape_peek(&t, 0), border);
    __cf_tape_release(&t, border);
    __cf_tape_end(&t);
}

/* A loop that pushes and releases over the border of a chunk keeps its chunk. */
static void the_spare_chunk_saves_calls_of_malloc(void **state) {
    (void)state;
    cf_tape t;
    __cf_tape_begin(&t, NULL, 0);
    char *a = __cf_tape_push(&t, 65536);
    for (int i = 0; i < 100; i++) __cf_tape_release(&t, __cf_tape_push(&t, 1000));
    assert_int_equal(mallocs, 2);
    __cf_tape_release(&t, a);
    __cf_tape_end(&t);
    assert_int_equal(live, 0);
}

static void bytes_and_peak_are_counted(void **state) {
    (void)state;
    cf_tape t;
    __cf_tape_begin(&t, NULL, 0);
    char *a = __cf_tape_push(&t, 1 << 20);
    assert_in_range(t.bytes, 1 << 20, (1 << 20) + 64);
    char *b = __cf_tape_push(&t, 3 << 20);
    size_t most = t.bytes;
    assert_in_range(most, 4 << 20, (4 << 20) + 128);
    __cf_tape_release(&t, b);
    __cf_tape_release(&t, a);
    assert_in_range(t.bytes, 3 << 20, (3 << 20) + 64); /* the spare: the larger one */
    assert_int_equal(t.peak, most);
    __cf_tape_end(&t);
    assert_int_equal(ended_peak, most);
    assert_int_equal(t.bytes, 0);
}

static void freed_blocks_live_until_the_end(void **state) {
    (void)state;
    cf_tape t;
    __cf_tape_begin(&t, NULL, 0);
    enum { BLOCKS = 500 };
    int *block[BLOCKS];
    for (int i = 0; i < BLOCKS; i++) {
        block[i] = counted_malloc(sizeof(int));
        *block[i] = i;
        __cf_tape_defer(&t, block[i], i % 3 ? counted_malloc(8) : NULL);
    }
    __cf_tape_defer(&t, NULL, NULL);
    for (int i = 0; i < BLOCKS; i++) assert_int_equal(*block[i], i);
    assert_true(live > BLOCKS);
    __cf_tape_end(&t);
    assert_int_equal(live, 0);
}

static void end_leaves_an_empty_tape(void **state) {
    (void)state;
    char first[128];
    cf_tape t;
    __cf_tape_begin(&t, first, sizeof first);
    __cf_tape_push(&t, 100000);
    __cf_tape_end(&t);
    __cf_tape_end(&t);
    assert_int_equal(live, 0);
}

/* Where a doubled chunk cannot be had, one of the needed size will do. */
static void scarce_memory_gets_a_smaller_chunk(void **state) {
    (void)state;
    cf_tape t;
    __cf_tape_begin(&t, NULL, 0);
    refuse_above = 5000;
    char *p = __cf_tape_push(&t, 4000);
    memset(p, 1, 4000);
    assert_int_equal(wanted, 0);
    __cf_tape_end(&t);
}

static void the_handler_may_leave(void **state) {
    (void)state;
    cf_tape t;
    __cf_tape_begin(&t, NULL, 0);
    escapes = true;
    refuse_after = 0;
    if (!setjmp(escape)) {
        __cf_tape_push(&t, 1000);
        fail();
    }
    assert_int_equal(wanted, 1008);
    if (!setjmp(escape)) {
        __cf_tape_defer(&t, NULL, NULL);
        fail();
    }
    if (!setjmp(escape)) {
        __cf_tape_push_array(&t, SIZE_MAX / 8 + 1, 8);
        fail();
    }
    assert_int_equal(wanted, SIZE_MAX);
    if (!setjmp(escape)) {
        __cf_tape_push_array(&t, SIZE_MAX / 8, 8);
        fail();
    }
    assert_true(wanted >= SIZE_MAX - 8);
    __cf_tape_end(&t);
}

/* Runs what ends the process in a child; its message on stderr. */
static void dies(void (*act)(cf_tape *), const char *message) {
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], 2);
        cf_tape t;
        __cf_tape_begin(&t, NULL, 0);
        signal(SIGABRT, SIG_DFL);
        act(&t);
        _exit(0);
    }
    close(ends[1]);
    char text[4096] = "";
    FILE *in = fdopen(ends[0], "r");
    text[fread(text, 1, sizeof text - 1, in)] = 0;
    fclose(in);
    int status;
    waitpid(child, &status, 0);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    assert_non_null(strstr(text, message));
}

static void exhaust(cf_tape *t) {
    __cf_tape_push(t, 100000);
    refuse_after = 0;
    __cf_tape_push(t, 1 << 20);
}
static void release_twice(cf_tape *t) {
    char *a = __cf_tape_push(t, 16), *b = __cf_tape_push(t, 1 << 20);
    __cf_tape_release(t, a);
    __cf_tape_release(t, b + 16);
}

static void no_memory_ends_the_program_with_a_message(void **state) {
    (void)state;
    dies(exhaust,
         "cofactor: out of memory: the tape of a gradient holds 100032 bytes and needs 1048576 more\n");
    dies(release_twice, "the tape was released out of order");
}

#define TEST(f) cmocka_unit_test_setup(f, reset)
int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(pushes_in_the_first_chunk_need_no_heap),
        TEST(first_chunk_may_have_any_alignment_and_size),
        TEST(a_tape_without_first_chunk),
        TEST(records_survive_across_chunks),
        TEST(one_release_goes_back_over_many_chunks),
        TEST(empty_records_at_the_border_of_chunks),
        TEST(the_spare_chunk_saves_calls_of_malloc),
        TEST(bytes_and_peak_are_counted),
        TEST(freed_blocks_live_until_the_end),
        TEST(end_leaves_an_empty_tape),
        TEST(scarce_memory_gets_a_smaller_chunk),
        TEST(the_handler_may_leave),
        TEST(no_memory_ends_the_program_with_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
