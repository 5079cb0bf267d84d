/* A job: one private module in which derivatives are made. Every function of the engine gets it first. */
#ifndef CF_JOB_H
#define CF_JOB_H
#include "support/arena.h"
#include "support/diag.h"
#include "support/map.h"
#include <llvm-c/Types.h>
#include <stdbool.h>

/* Which requests are checked (CF_CHECK). */
typedef enum cf_check_which { CF_CHECK_AS_SAID, CF_CHECK_NONE, CF_CHECK_ALL } cf_check_which;

typedef struct cf_options {
    bool explain;   /* report what was active, cached, reloaded, recomputed and logged, as remarks */
    bool no_verify; /* skip the LLVM verifier over what was made */
    cf_check_which check;
    bool no_inline; /* calls of the program stay calls: for tests of pairs, which inlining makes rare */
    bool
        whole_program; /* the module is the whole program (the link of full LTO): no other unit provides anything */
} cf_options;

typedef struct cf_job {
    cf_arena *arena; /* freed by whoever made the job */
    cf_sink *sink;
    LLVMContextRef context;
    LLVMModuleRef module; /* the private module; the job's functions change it */
    cf_options options;
    cf_names made; /* derivatives made so far: text of the key -> function (or pair) */
    bool strict_rounding, strict_exceptions; /* the program may change or look at them (ir/strict.c) */
    struct cf_rules *rules;                  /* see known/rules.h */
    struct cf_ctypes *ctypes;                /* see ir/ctype.h */
    struct cf_globals *globals;              /* see analysis/globals.h */
    struct cf_evidence *evidence;            /* see contents/evidence.c */
    struct cf_puns *puns;                    /* see contents/puns.h */
    struct cf_twins *twins;                  /* see dub/twin.h */
    struct cf_writers *writers;              /* see reverse/writers.c */
    cf_map writing;                          /* answers, analysis/clobber.c */
    struct cf_kept *kept;                    /* see analysis/kept.h */
    signed char steep;                       /* cf_meets_steep: 1 yes, -1 no, 0 not asked */
} cf_job;

#endif
