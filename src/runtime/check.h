/* Checked requests: the derivative of a call is compared with the other mode and with differences, on the program's own
 * data. This and check.c, check_run.c, record.c are compiled to bitcode and linked into programs that ask for it (CF_CHECK);
 * they use libc and Linux's fork alone.
 *
 * One call of a checked function goes like this. The numbers that the primal reads and writes behind its `dup` arguments are
 * found by running it once with a note of every access (record.c): no sizes are needed, and what is not touched is not
 * looked at. These are the *places*. Then the primal, the forward and the reverse derivative are evaluated at them
 * (check_run.c). Every evaluation runs in a child process, which has a copy of all memory: what it writes, frees or prints is
 * gone with it. At last the call itself runs.
 *
 * What is compared: for directions v at the places that are read and weights w at those that are written, forward mode
 * gives <w, J v>, reverse mode <J'w, v>, central differences of the primal along v both. */
#ifndef CF_CHECK_RUNTIME_H
#define CF_CHECK_RUNTIME_H
#include "runtime/place.h"
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of a place. */
enum {
    CF_PLACE_READ = 1,     /* the primal uses what it held before the call */
    CF_PLACE_WRITTEN = 2,  /* the primal leaves a number of its own there */
    CF_PLACE_RESULT = 4,   /* it is the result */
    CF_PLACE_UNCLEAR = 8,  /* numbers of two kinds overlap here: neither varied nor weighed */
    CF_PLACE_LOCAL = 16,   /* the primal's own memory (record.c) */
    CF_PLACE_POINTER = 32, /* it held a pointer before the call (record.c) */
};

/* Facts about a checked function, made by request/checked.c, and its state: one per function, for all threads. */
typedef struct cf_checked {
    const char *place;            /* "f.c:12" */
    const char *name, *primal;    /* of the functions */
    const char *suspects;         /* lines about rules that the primal uses; may be empty */
    const char *const *arguments; /* per parameter of the source: its name, or "" */
    uint64_t width, flags;
    uint64_t calls;    /* so far */
    uint64_t told;     /* a disagreement was reported */
    uint64_t left_out; /* and that a call was not checked */
} cf_checked;

typedef struct cf_spot {
    char *at, *shadow;
    uint64_t offset;   /* from what the last pointer on the way leads to */
    uint64_t via;      /* where that pointer lies, from what the one before leads to */
    uint32_t depth;    /* pointers in memory on the way from the argument */
    uint16_t argument; /* of the source, from 1; 0 unknown */
    uint8_t kind, flags;
} cf_spot;

/* What a child tells its parent, in memory that both see. */
typedef struct cf_told {
    int done;
    long double sum, scale; /* of a product, and of the absolute values of its terms */
    double most;            /* of the adjoints, by absolute value */
    double largest[];       /* per argument and for the result: of what is written */
} cf_told;

enum { CF_CHECK_BASES = 64 };

typedef struct cf_check {
    cf_checked *of;
    const char *site; /* of the call; or NULL */
    uint64_t call, direction;
    cf_spot *places;
    size_t n, room;
    double *v, *w; /* per place: direction and weight */
    struct {
        char *at; /* kept, so that the optimiser sees that what it points to may change */
        char *shadow;
        uint64_t argument, depth, via;
    } bases[CF_CHECK_BASES]; /* arguments that are pointers */
    size_t n_bases;
    uint16_t itself; /* an argument that is given as its own shadow; 0: none */
    cf_told *told;
    unsigned char *odd; /* per place, in memory that both see: what is written there is no finite number */
    unsigned char
        *changed; /* the same: what is only read loses its tangent, as something unseen writes to it */
    size_t told_size, n_arguments;
    /* the evaluation under way */
    int what, pipe;
    size_t from, to;  /* places that are varied */
    long double step; /* of the primal */
    int blank;        /* with neither directions nor weights */
    double extra;     /* adjoints of places that are only read, before the call */
    jmp_buf out;
    int coarse; /* a number of type float takes part */
    int late;   /* the last evaluation took too long */
} cf_check;

/* What the environment says (COFACTOR_CHECKED). */
typedef struct cf_check_settings {
    uint64_t calls;   /* of each function, that are checked */
    unsigned seconds; /* that an evaluation may take */
    int verbose, go_on, read;
} cf_check_settings;
extern cf_check_settings __cf_check_settings;

/* ---- called by the checked function ---- */

/* NULL: this call is not checked. */
cf_check *__cf_check_begin(cf_checked *of, uint64_t n_arguments);
/* Which of several directions is checked. */
uint64_t __cf_check_direction(const cf_check *c);
/* An argument that is a number (count of them, side by side), or the result (argument 0): where it and its companion are, and the
 * object that it is part of. */
void __cf_check_number(cf_check *c, char *at, char *shadow, uint64_t kind, uint64_t count, uint64_t argument,
                       char *object);
/* An argument that is a pointer, or one inside an argument (depth 1, and its offset there). */
void __cf_check_base(cf_check *c, char *at, char *shadow, uint64_t argument, uint64_t depth, uint64_t via);
/* Compares and reports. Returns CF_RUN_NOTHING in the program itself; in each child what it has to evaluate. */
int __cf_check_run(cf_check *c);
/* A child is done. */
_Noreturn void __cf_check_done(cf_check *c);
/* An exception leaves the evaluation. */
_Noreturn void __cf_check_left(void);
/* Where the next call of a checked function in this thread stands in the source. */
extern _Thread_local const char *__cf_check_site;
/* A check is under way, here or in the process that forked this one. */
extern _Thread_local int __cf_check_busy;

/* ---- called by the recording (domain/tangent_record.c). p and its shadow; where they are the same, there is none ---- */

/* `count` numbers are read, or written. */
void __cf_record_read(char *p, char *shadow, uint64_t kind, uint64_t count);
void __cf_record_write(char *p, char *shadow, uint64_t kind, uint64_t count);
/* A pointer is read, whose shadow is `to`. */
void __cf_record_lead(char *p, char *shadow, char *to);
/* Anything else is written. */
void __cf_record_fill(char *p, char *shadow, uint64_t bytes);
/* from may be NULL: it has no shadow. */
void __cf_record_copy(char *p, char *shadow, char *from, char *from_shadow, uint64_t bytes);
/* An object begins: a variable, a block, the shadow of a global. */
void __cf_record_fresh(char *shadow, uint64_t bytes);
/* A block is about to be freed. */
void __cf_record_gone(char *p, char *shadow);
/* An object is passed by value; the function that was called finds it as its parameter. */
void __cf_record_pass(char *from, char *from_shadow);
void __cf_record_receive(char *p, char *shadow, uint64_t bytes);

/* ---- among these files ---- */

void __cf_record_begin(const cf_check *c);
/* Writes the places that the program sees to a pipe. */
void __cf_record_send(int pipe);

/* Bytes of a number in memory. */
size_t __cf_place_bytes(unsigned kind);
long double __cf_place_get(unsigned kind, const char *p);
void __cf_place_set(unsigned kind, char *p, long double x);

/* check_run.c: evaluates in a child, and returns what it told; NULL: it ended otherwise than by returning. */
const cf_told *__cf_check_evaluate(cf_check *c, int what);
/* Finds the places. */
int __cf_check_record(cf_check *c);

#endif
