/* Marks, natively: random programs of typed stores and loads, copies of bytes that overlap and cut numbers, bytes that go
 * through registers, and memory that holds numbers and pointers in turn. Adjoints are compared with those of the graph of
 * values; shadow pointers with the pointers. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>
#include "runtime/bulk.c"
#include "runtime/marks.c"
#include "runtime/tape.c"

void cofactor_tape_ended(size_t peak) { (void)peak; }
void cofactor_out_of_memory(size_t bytes) { (void)bytes; }

static uint64_t state;
static unsigned pick(unsigned n) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % n;
}

enum { SIZE = 56, MOST = 200, INPUTS = 3 };
typedef enum what {
    STORE,
    STORE_POINTER,
    STORE_OTHER,
    LOAD,
    LOAD_POINTER,
    COPY,
    TO_REGISTER,
    FROM_REGISTER
} what;
typedef struct operation {
    what what;
    unsigned at, from, size, value; /* value: stored, made by a load, or what a pointer points to */
    kind kind;
    double factor;
} operation;

/* What the program's memory holds: byte `index` of what step `step` stored. */
typedef struct byte {
    int step; /* -1: nothing */
    unsigned index;
} byte;

typedef struct program {
    operation op[MOST];
    unsigned n, n_values, parent[MOST];
    double factor[MOST], seed[MOST];
    byte memory[SIZE], reg[16];
    bool pointers;
} program;

static unsigned size_of(const operation *o) {
    return o->what == STORE_POINTER ? 8 : o->kind ? width[o->kind] : o->size;
}

static void note(program *p, unsigned at, unsigned size) {
    for (unsigned i = 0; i < size; i++) p->memory[at + i] = (byte){(int)p->n, i};
}

/* Where a whole stored value of a sort lies. */
static int find(const program *p, bool pointer, unsigned skip) {
    for (unsigned a = 0; a < SIZE; a++) {
        byte b = p->memory[(a + skip) % SIZE];
        unsigned at = (a + skip) % SIZE;
        if (b.step < 0 || b.index) continue;
        const operation *o = &p->op[b.step];
        if (o->what != (pointer ? STORE_POINTER : STORE) || at + size_of(o) > SIZE) continue;
        unsigned i = 0;
        while (i < size_of(o) && p->memory[at + i].step == b.step && p->memory[at + i].index == i) i++;
        if (i == size_of(o)) return (int)at;
    }
    return -1;
}

static void add_store(program *p) {
    operation o = {.what = STORE, .kind = (kind)(1 + pick(3)), .value = pick(p->n_values)};
    o.at = pick(SIZE - width[o.kind] + 1);
    note(p, o.at, width[o.kind]);
    p->op[p->n++] = o;
}

static void add_other(program *p, what w) {
    operation o = {.what = w, .size = w == STORE_POINTER ? 8 : 1u << pick(4), .value = pick(100)};
    o.at = pick(SIZE - o.size + 1);
    note(p, o.at, o.size);
    p->op[p->n++] = o;
}

static void add_load(program *p, bool pointer) {
    int at = find(p, pointer, pick(SIZE));
    if (at < 0) return;
    const operation *s = &p->op[p->memory[at].step];
    operation o = {
        .what = pointer ? LOAD_POINTER : LOAD, .at = (unsigned)at, .kind = s->kind, .value = s->value};
    if (!pointer) {
        p->parent[p->n_values] = s->value;
        p->factor[p->n_values] = 0.5 * (1 + pick(4));
        o.value = p->n_values++;
    }
    p->op[p->n++] = o;
}

static void add_copy(program *p) {
    operation o = {.what = COPY, .size = 1 + pick(24)};
    o.at = pick(SIZE - o.size + 1);
    o.from = pick(SIZE - o.size + 1);
    memmove(p->memory + o.at, p->memory + o.from, o.size * sizeof *p->memory);
    p->op[p->n++] = o;
}

/* t = *a; *a = *b; *b = t, in words. */
static void add_swap(program *p) {
    unsigned word = 1u << pick(4), words = 1 + pick(8 / word), n = word * words;
    unsigned a = pick(SIZE - n + 1), b = pick(SIZE - n + 1);
    if ((a > b ? a - b : b - a) < n || p->n + 3 * words > MOST - 4) return;
    for (unsigned k = 0; k < n; k += word) {
        p->op[p->n++] = (operation){.what = TO_REGISTER, .from = a + k, .size = word};
        memcpy(p->reg, p->memory + a + k, word * sizeof *p->reg);
        p->op[p->n++] = (operation){.what = COPY, .at = a + k, .from = b + k, .size = word};
        memmove(p->memory + a + k, p->memory + b + k, word * sizeof *p->reg);
        p->op[p->n++] = (operation){.what = FROM_REGISTER, .at = b + k, .size = word};
        memcpy(p->memory + b + k, p->reg, word * sizeof *p->reg);
    }
}

static void make_program(program *p, bool pointers) {
    memset(p, 0, sizeof *p);
    p->n_values = INPUTS;
    p->pointers = pointers;
    for (unsigned i = 0; i < SIZE; i++) p->memory[i].step = -1;
    for (unsigned i = 0, n = 5 + pick(60); i < n && p->n < MOST - 40 && p->n_values < MOST - 4; i++)
        switch (pick(12)) {
        case 0:
        case 1:
        case 2: add_store(p); break;
        case 3: add_other(p, pointers ? STORE_POINTER : STORE_OTHER); break;
        case 4: add_other(p, STORE_OTHER); break;
        case 5:
        case 6:
        case 7: add_load(p, false); break;
        case 8: add_load(p, true); break;
        case 9: add_swap(p); break;
        default: add_copy(p); break;
        }
    for (unsigned v = 0; v < p->n_values; v++) p->seed[v] = pick(2) ? 0 : 1 + pick(3);
}

static char *home(uint64_t *slot) { return (char *)((uintptr_t)slot + (UINT64_C(1) << 63)); }

static void forward(const program *p, cf_tape *t, char *twin, uint64_t *reg) {
    uint64_t mask = 0;
    for (unsigned i = 0; i < p->n; i++) {
        const operation *o = &p->op[i];
        switch (o->what) {
        case STORE: __cf_marks_other(t, twin + o->at, width[o->kind]); break;
        case STORE_OTHER: __cf_marks_other(t, twin + o->at, o->size); break;
        case STORE_POINTER: {
            uint64_t target = 1000 + o->value;
            __cf_marks_pointer(t, twin + o->at);
            memcpy(twin + o->at, &target, 8);
            break;
        }
        case LOAD_POINTER: {
            uint64_t got;
            memcpy(&got, twin + o->at, 8);
            assert_int_equal(got, 1000 + o->value);
            break;
        }
        case COPY: __cf_marks_copy(t, twin + o->at, twin + o->from, o->size, ""); break;
        case TO_REGISTER:
            mask = __cf_marks_mask(t, twin + o->from, o->size);
            memcpy(reg, twin + o->from, o->size);
            break;
        case FROM_REGISTER: __cf_marks_put(t, twin + o->at, *reg, mask, o->size, ""); break;
        default: break;
        }
    }
}

static double taken(cf_tape *t, char *at, kind k) {
    if (k == FLOAT) return (double)__cf_marks_take_float(t, at, "");
    return k == DOUBLE ? __cf_marks_take_double(t, at, "") : (double)__cf_marks_take_long_double(t, at, "");
}

static void put(cf_tape *t, char *at, kind k, double bar) {
    if (k == FLOAT) __cf_marks_add_float(t, at, (float)bar);
    if (k == DOUBLE) __cf_marks_add_double(t, at, bar);
    if (k == LONG_DOUBLE) __cf_marks_add_long_double(t, at, bar);
}

static void backward(const program *p, cf_tape *t, char *twin, uint64_t *reg, double *bar) {
    for (unsigned i = p->n; i-- > 0;) {
        const operation *o = &p->op[i];
        switch (o->what) {
        case STORE: bar[o->value] += taken(t, twin + o->at, o->kind); break;
        case STORE_OTHER:
        case STORE_POINTER: __cf_marks_forget(t, twin + o->at, o->size); break;
        case LOAD: put(t, twin + o->at, o->kind, p->factor[o->value] * bar[o->value]); break;
        case COPY: __cf_marks_move(t, twin + o->from, twin + o->at, o->size); break;
        case TO_REGISTER: __cf_marks_move(t, twin + o->from, home(reg), o->size); break;
        case FROM_REGISTER: __cf_marks_move(t, home(reg), twin + o->at, o->size); break;
        default: break;
        }
    }
}

/* Adjoints that the caller left at the numbers which are in memory at the end are seeds of unknown kind. */
static void seed_outputs(const program *p, char *twin, double *want) {
    for (unsigned skip = 0; skip < SIZE; skip++) {
        int at = find(p, false, skip);
        if (at != (int)skip) continue;
        const operation *o = &p->op[p->memory[at].step];
        double seed = 1 + pick(3);
        float f = (float)seed;
        if (o->kind == LONG_DOUBLE) continue;
        memcpy(twin + at, o->kind == FLOAT ? (void *)&f : (void *)&seed, width[o->kind]);
        want[o->value] += seed;
    }
}

static void run(unsigned first, unsigned n, bool pointers, bool seeded) {
    for (unsigned i = first; i < first + n; i++) {
        state = i * UINT64_C(1000003) + 17;
        static program p;
        make_program(&p, pointers);
        char twin[SIZE] = {0};
        double want[MOST], bar[MOST];
        uint64_t reg[1] = {0};
        memcpy(want, p.seed, sizeof want);
        memcpy(bar, p.seed, sizeof bar);
        if (seeded) seed_outputs(&p, twin, want);
        for (unsigned v = p.n_values; v-- > INPUTS;) want[p.parent[v]] += p.factor[v] * want[v];
        cf_tape t;
        __cf_tape_begin(&t, NULL, 0);
        if (pointers) forward(&p, &t, twin, reg); /* without pointers there is nothing to do in it */
        backward(&p, &t, twin, reg, bar);
        for (unsigned v = 0; v < INPUTS; v++)
            if (bar[v] != want[v]) fail_msg("program %u: adjoint %u is %g, not %g", i, v, bar[v], want[v]);
        __cf_marks_end(&t);
        __cf_tape_end(&t);
    }
}

static void test_numbers(void **s) { (void)s, run(0, 4000, false, false); }
static void test_pointers(void **s) { (void)s, run(100000, 4000, true, false); }
static void test_seeds(void **s) { (void)s, run(40000, 4000, false, true); }

/* Whatever arrives at an argument's shadow is added to what the caller had there. */
static void test_accumulates(void **s) {
    (void)s;
    cf_tape t;
    double x_bar[2] = {1, 2}, own[2] = {0};
    __cf_tape_begin(&t, NULL, 0);
    __cf_marks_add_double(&t, (char *)&own[1], 5);
    __cf_marks_move(&t, (char *)x_bar, (char *)own, sizeof own);
    __cf_marks_add_double(&t, (char *)&x_bar[1], 3);
    __cf_marks_end(&t);
    __cf_tape_end(&t);
    assert_true(x_bar[0] == 1 && x_bar[1] == 10);
}

static int status_of(void (*body)(cf_tape *)) {
    pid_t child = fork();
    if (!child) {
        cf_tape t;
        freopen("/dev/null", "w", stderr);
        __cf_tape_begin(&t, NULL, 0);
        body(&t);
        __cf_marks_end(&t);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static double cell;
static uint64_t slot;
static void half_is_stored(cf_tape *t) {
    __cf_marks_add_double(t, (char *)&cell, 1);
    __cf_marks_forget(t, (char *)&cell, 4);
    __cf_marks_take_double(t, (char *)&cell, "");
}
static void other_kind(cf_tape *t) {
    __cf_marks_add_float(t, (char *)&cell, 1);
    __cf_marks_take_double(t, (char *)&cell, "");
}
static void arithmetic(cf_tape *t) {
    __cf_marks_add_double(t, (char *)&cell, 1);
    __cf_marks_move(t, home(&slot), (char *)&cell, 8);
    __cf_marks_lose(t, home(&slot), 8, "");
}
static void arithmetic_without(cf_tape *t) {
    __cf_marks_add_double(t, (char *)&cell, 0);
    __cf_marks_move(t, home(&slot), (char *)&cell, 8);
    __cf_marks_lose(t, home(&slot), 8, "");
}

static void test_messages(void **s) {
    (void)s;
    assert_int_equal(status_of(half_is_stored), SIGABRT);
    assert_int_equal(status_of(other_kind), SIGABRT);
    assert_int_equal(status_of(arithmetic), SIGABRT);
    assert_int_equal(status_of(arithmetic_without), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_pointers), cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_accumulates), cmocka_unit_test(test_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
