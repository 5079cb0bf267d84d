/* Derivative rules: which function has one, and where its pieces are in the private module. Rules are C
 * (src/rules), embedded as bitcode; see "Rules" in docs/architecture.md. */
#ifndef CF_RULES_H
#define CF_RULES_H
#include "ir/job.h"

typedef enum cf_rule_kind {
    CF_RULE_PARTIALS, /* the derivative is the sum over k of partial[k] times the derivative of argument k */
    CF_RULE_BODY,     /* differentiate a call of `body` (same type) instead */
    CF_RULE_CUSTOM,   /* the user's: `forward`, `reverse` or both (include/cofactor/ad.h); NULL: not given */
    CF_RULE_INACTIVE, /* the user's: neither the result nor what is written carries a derivative */
} cf_rule_kind;

typedef struct cf_rule {
    cf_rule_kind kind;
    unsigned lanes; /* 0: scalar. Else arguments and result are vectors of this many, and the rule holds for
                     * each component (arguments that are scalar all the same, as the exponent of llvm.powi,
                     * are shared) */
    /* PARTIALS: n functions, by argument of f. Each takes the arguments of f and then its result, all scalar, and
     * returns a number of the type of f's (scalar) result, which is the argument's too. NULL: the argument is an
     * integer, or the derivative by it is 0 everywhere (the sign of copysign). */
    unsigned n;
    LLVMValueRef *partial;
    LLVMValueRef body;
    LLVMValueRef forward, reverse;
} cf_rule;

/* Gives job->rules, and links into job->module every rule that its declarations of functions need. To be
 * called once, after the private module is made and before cf_prepare. Returns false after reporting an
 * error. */
bool cf_rules_link(cf_job *job);

/* Names in C of all functions that have a built-in rule, each with a value that is not NULL. */
void cf_rules_names(cf_arena *a, LLVMContextRef c, cf_names *out);

/* The rule of a function that job->module calls (a declaration, an intrinsic, or a function with a rule of
 * the user's), or NULL. Stays valid until cf_rules_finish. */
const cf_rule *cf_rule_of(cf_job *job, LLVMValueRef callee);

/* The call's result is a pointer to memory that is nobody's here: of a function without a body that is known to hand out
 * memory of its own, or of which nothing is known, or that is inactive. It has no shadow. */
bool cf_gives_foreign(cf_job *job, LLVMValueRef call);

/* The rule of an instruction that is no call: frem, scalar or vector. NULL for every other. */
const cf_rule *cf_rule_of_operation(cf_job *job, LLVMValueRef instruction);

/* Whether partial function `partial` uses its parameter `parameter` (n: the result of f). What is not used
 * need not be kept for the reverse sweep; undef may be passed for it. */
bool cf_rule_reads(const cf_rule *rule, unsigned partial, unsigned parameter);

/* A rule of the user's for f: kind is CF_RULE_CUSTOM with the forward or the reverse function in its place
 * and the other one NULL, or CF_RULE_INACTIVE with both NULL. A second call adds the other
 * direction. f gets the attribute "cf-keep": preparation leaves calls of it alone. */
void cf_rules_add_custom(cf_job *job, LLVMValueRef f, cf_rule_kind kind, LLVMValueRef forward,
                         LLVMValueRef reverse);

/* Attribute of a function that is inactive: for each parameter 'c' where it is a pointer to const. */
#define CF_READS "cf-reads"
#define CF_INACTIVE_WRITES                                                                                   \
    "`%s` is inactive (CF_INACTIVE) and has no body here: what it writes behind argument %u, where there "   \
    "are "                                                                                                   \
    "derivatives, is not known; declare a pointer to const and compile with -g, or give the function a "     \
    "body "                                                                                                  \
    "or rules (CF_RULE_FORWARD, CF_RULE_REVERSE)"
/* Of a function whose variable arguments could not be made memory (request/variadic.c). */
#define CF_VARIADIC_LEFT                                                                                     \
    "an active value goes to `%s`, whose variable arguments cannot be followed here: it hands them on by a " \
    "tail call, or has a rule for one mode alone, or this target passes them in a way that is not known; "   \
    "pass an array, give it a rule for this mode, or declare it inactive (CF_INACTIVE)"
/* Whether a call of an inactive function without a body may write behind pointer argument k, as far as is known. */
bool cf_inactive_may_write(LLVMValueRef call, unsigned k);

/* While the job runs, rules have external linkage, so that no pass removes one that is still to be called.
 * This makes them local (large ones linkonce_odr, hidden) and removes those that nothing uses. To be called
 * when the last derivative is made, before job->module is linked into the user's. */
void cf_rules_finish(cf_job *job);

#endif
