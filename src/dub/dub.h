/* Dub: the engine that makes clones of a program for a domain.
 *
 * In:     a function and a key (what is asked of its parameters and result)
 * Out:    a clone with the domain's meaning; calls in it go to clones of the callees
 * Needs:  job->module, valid
 * Keeps:  the functions cloned                      Breaks: nothing
 *
 * Idea: a worklist over (function, key). Each function's body is cloned as it is (ir/clone.h), then the domain
 * walks over the old instructions, those that define a value before those that use it (phis apart), and adds to
 * the clone what they mean: companions of values, other calls in the place of calls. A domain that leaves a
 * callback out leaves those instructions as they are. */
#ifndef CF_DUB_H
#define CF_DUB_H
#include "analysis/key.h"
#include "ir/clone.h"
#include "ir/job.h"
#include "support/vec.h"

typedef struct cf_dub cf_dub;
typedef struct cf_body cf_body;
typedef struct cf_domain cf_domain;

/* What becomes of a call. */
typedef enum cf_call_kind {
    CF_CALL_KEEP,     /* stays as it is, or the domain has dealt with it */
    CF_CALL_CLONE,    /* goes to the clone of key.function */
    CF_CALL_INDIRECT, /* goes to the clone, by the key, of whatever function the pointer is at run time */
    CF_CALL_LOOKUP,   /* the same; where there is no clone, the function itself is called */
} cf_call_kind;

typedef CF_VEC(LLVMValueRef) cf_values;

/* What is called in the place of a function that a pointer may point to: `instead` takes the arguments of a clone, but for
 * those in `without` (bits by their places in a call of the function), and behind the domain's own one, if `with_more`, one
 * more that the call hands over. */
typedef struct cf_detour {
    LLVMValueRef function, instead;
    bool with_more;
    uint64_t without;
} cf_detour;

/* The same detours are to be the same object: what is made for them is found by that. */
typedef struct cf_detours {
    CF_VEC(cf_detour) list;
    bool only; /* other functions are called as they are */
} cf_detours;

typedef struct cf_target {
    cf_call_kind kind;
    cf_key key;
    const cf_detours *detours; /* of LOOKUP; or NULL */
    LLVMValueRef more;         /* for those that want it; or NULL */
} cf_target;

struct cf_domain {
    const char *name;   /* in the keys of what is made */
    const char *suffix; /* of the names of clones */

    /* Type of the clone by `key` of a function of type `type` (key.function may be NULL: indirect calls). */
    LLVMTypeRef (*signature)(cf_dub *d, const cf_key *key, LLVMTypeRef type);
    /* Names and attributes of the clone's parameters. */
    void (*parameters)(cf_dub *d, const cf_key *key, LLVMValueRef from, LLVMValueRef to);
    /* Before the body is cloned: gives each old parameter its new value (cf_map_put in b->clone.values) and its
     * companion. */
    void (*begin)(cf_body *b);
    void (*end)(cf_body *b);

    /* An old instruction, whose copy (cf_now) the builder stands behind. */
    void (*phi)(cf_body *b, LLVMValueRef i);  /* declares companions; the builder stands before the copy */
    void (*fill)(cf_body *b, LLVMValueRef i); /* later: gives them their incoming values */
    void (*operation)(cf_body *b, LLVMValueRef i); /* whatever has no callback of its own */
    void (*load)(cf_body *b, LLVMValueRef i);
    void (*store)(cf_body *b, LLVMValueRef i);
    void (*allocate)(cf_body *b, LLVMValueRef i); /* alloca */
    void (*atomic)(cf_body *b, LLVMValueRef i);   /* atomicrmw, cmpxchg */
    void (*ret)(cf_body *b, LLVMValueRef i);      /* the builder stands in front of the copy */

    /* Calls and invokes. The builder of `resolve` stands in front of the copy. */
    cf_target (*resolve)(cf_body *b, LLVMValueRef call);
    /* Arguments of the call of a clone. */
    void (*marshal)(cf_body *b, LLVMValueRef call, const cf_key *key, cf_values *args);
    /* Takes the result of the new call apart: returns what stands for the old result, sets companions. */
    LLVMValueRef (*unmarshal)(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made);
    /* Attributes of the new call's arguments. */
    void (*arguments)(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMValueRef made);
    /* Whether a function without a body may be cloned by way of a body that calls it. */
    bool (*callable)(cf_dub *d, LLVMValueRef function);

    /* For CF_CALL_LOOKUP. Whether key->function, to which a pointer may point, has a clone by the key. */
    bool (*reaches)(cf_dub *d, cf_key *key);
    /* The arguments of a function itself, from the n ones of its clone. */
    void (*natively)(cf_dub *d, const cf_key *key, const LLVMValueRef *args, unsigned n, cf_values *out);
    /* Where the domain's own argument is among them. */
    unsigned (*own)(const cf_key *key);
    /* A call that was made to stand for `call`: of a clone, or of what a detour says. */
    void (*made)(cf_dub *d, const cf_key *key, LLVMValueRef call, LLVMValueRef made, bool detour);
};

struct cf_dub {
    cf_job *job;
    const cf_domain *domain;
    void *state; /* the domain's */
    CF_VEC(cf_body *) work;
    size_t done;
    bool soft; /* what is asked for now is only needed by what pointers may point to */
    bool failed;
    cf_map bodies;             /* clone → cf_body of this run */
    CF_VEC(const char *) made; /* keys in job->made of this run */
    cf_values taken;           /* functions whose address is taken */
    bool searched;             /* taken is filled */
};

/* One function being made. */
struct cf_body {
    cf_dub *dub;
    cf_job *job;
    cf_key key;
    cf_clone clone;
    LLVMBuilderRef builder;
    cf_map companions; /* old value → array of key.width new values */
    cf_values phis;
    bool soft; /* called through pointers alone: an error in it is a message when it runs */
    bool made;
    void *state; /* the domain's, for this function */
};

void cf_dub_begin(cf_dub *d, cf_job *job, const cf_domain *domain, void *state);
/* The clone of key->function, made now or earlier; its body may come later. The key is copied. */
LLVMValueRef cf_dub_function(cf_dub *d, const cf_key *key);
/* Makes a function of the program, declared with the signature of the key, the clone by it. */
void cf_dub_adopt(cf_dub *d, const cf_key *key, LLVMValueRef as);
/* Makes the bodies. False when something could not be made; reported then, and nothing of this run is found again. */
bool cf_dub_run(cf_dub *d);

/* Whether a call by a type may be one of a function of a type. They are the same; or the call is by a pointer without a
 * prototype, which is written with `...` behind its arguments. */
bool cf_may_call(LLVMTypeRef called, LLVMTypeRef function);

/* A table from functions to their clones, as a function of the module: `ptr (ptr target, ptr text, i64 length)`.
 * Of an unknown target it prints the text and ends the program; without a text it returns NULL. */
LLVMValueRef cf_dispatch(cf_dub *d, const cf_key *like, LLVMTypeRef type);
/* The same for a set of functions: what is found is the function itself; of an unknown one NULL. */
LLVMValueRef cf_dispatch_set(cf_dub *d, const cf_values *functions);

/* `R through(arguments of the clone by the key…, [more,] ptr target)`: calls what detours say for target, else the clone of
 * target, or, where there is none, target itself. type: of target; with its variable arguments those of `call`, which says
 * how they are passed. */
LLVMValueRef cf_through(cf_dub *d, const cf_target *t, LLVMTypeRef type, LLVMValueRef call,
                        const cf_values *args);
/* The functions whose address is taken. */
const cf_values *cf_taken(cf_dub *d);

/* ---- for domains ---- */

/* Puts a call of another function in the place of a call: by way of the domain's `arguments` and `unmarshal`. */
void cf_dub_call(cf_body *b, LLVMValueRef call, const cf_key *key, LLVMTypeRef type, LLVMValueRef callee,
                 const cf_values *args);

/* What stands in the clone for an old value. */
static inline LLVMValueRef cf_now(cf_body *b, LLVMValueRef old) { return cf_clone_value(&b->clone, old); }
/* Companions of an old instruction or parameter: key.width of them, or NULL. */
static inline LLVMValueRef *cf_companions(cf_body *b, LLVMValueRef old) {
    return (LLVMValueRef *)cf_map_get(&b->companions, old);
}
/* Gives an old value companions (copied). */
void cf_set_companions(cf_body *b, LLVMValueRef old, LLVMValueRef *companions);
/* Puts the builder in front of, or behind, a new instruction, with that one's source location. */
void cf_stand_before(cf_body *b, LLVMValueRef made);
void cf_stand_behind(cf_body *b, LLVMValueRef made);
/* "file:line:column: " or "in function …: ", for messages at run time. */
const char *cf_site_text(cf_body *b, LLVMValueRef at);
/* Builds write(2, text, length); abort(); and ends the block. */
void cf_build_end(cf_job *job, LLVMBuilderRef b, LLVMValueRef text, LLVMValueRef length);
/* Builds code that prints a text and ends the program when `bad`. */
void cf_refuse(cf_body *b, LLVMValueRef bad, LLVMValueRef text, size_t length);
/* Reports an error at an old instruction (NULL: at the function), and marks the run as failed. In a function that is
 * only called through pointers, which may never point to it, the program ends with the message instead, at the
 * builder. */
void cf_body_error(cf_body *b, LLVMValueRef at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- inside this folder ---- */

/* The text by which what is made for a key is found again; only by this run when it fails. */
const char *cf_dub_key_text(cf_dub *d, const char *what, const cf_key *key, const void *of);
void cf_dub_remember(cf_dub *d, const char *text, LLVMValueRef made);
LLVMValueRef cf_dub_recall(cf_dub *d, const char *text);
/* Gives f, which has no body, one that calls a function with the same parameters. */
void cf_dub_forward(cf_dub *d, LLVMValueRef f, LLVMValueRef to);

#endif
