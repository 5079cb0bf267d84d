/* Context: a program inside the meaning that a user's hooks and overrides give it (include/cofactor/context.h).
 *
 * In:     a function, a context: what its hooks and overrides are for, its policy
 * Out:    a clone with the context as a parameter, whose calls go to overrides, or to clones in the same context
 * Needs:  the module as the front end left it: there stand the calls and operations that the user wrote
 * Keeps:  every function of the program              Breaks: nothing
 *
 * Idea: what nothing matches is left as it is. Reach (context_reach.c) says which functions hold, or call one that
 * holds, an event that something matches; only these are cloned. A clone has the context pointer as a parameter more:
 * the first, or the second where the first is where a struct is returned (sret).
 *
 *     context_what.c    the text after a hook's context, read and matched
 *     context_intrinsic.c   what intrinsics stand for
 *     context_form.c    the prototypes of hooks and overrides
 *     context_hidden.c  what was added for a context within this one
 *     context_reach.c   which functions change
 *     context_site.c    the records of places
 *     context_event.c   calls of hooks around one instruction
 *     context_line.c    the event `line`
 *     context_operation.c, context_call.c   what becomes of operations and calls
 *     context.c         the domain: keys, parameters, requests */
#ifndef CF_CONTEXT_H
#define CF_CONTEXT_H
#include "dub/dub.h"
#include <llvm-c/Core.h>

/* Bits of an operation's opcode (context_what.c). */
typedef enum cf_class {
    CF_CLASS_FP = 1,
    CF_CLASS_INT = 2,
    CF_CLASS_COMPARE = 4,
    CF_CLASS_CAST = 8,
    CF_CLASS_BRANCH = 16,
    CF_CLASS_MEMORY = 32,
    CF_CLASS_OP = 64,
} cf_class;

/* What a hook or an override is for. */
typedef struct cf_what {
    const char *text; /* as the user wrote it */
    enum {
        CF_WHAT_FUNCTION,
        CF_WHAT_CALL,
        CF_WHAT_OPCODE,
        CF_WHAT_CLASS,
        CF_WHAT_LINE,
        CF_WHAT_CALLBACK
    } kind;
    const char *name; /* FUNCTION: its name; CALL: globs, or NULL for all; OPCODE */
    unsigned classes; /* CLASS; OPCODE: those that it belongs to */
    const char *type, *in, *file;
    int body; /* 0 any, 1 with, -1 without */
    int site; /* whether the second parameter is the site: 0 not said, 1 yes, -1 no */
} cf_what;

typedef enum cf_hook_kind {
    CF_HOOK_PRE,
    CF_HOOK_POST,
    CF_HOOK_PRE_ANY,
    CF_HOOK_POST_ANY,
    CF_HOOK_OVERDUB,
    CF_HOOK_ENTER,
} cf_hook_kind;

typedef struct cf_hook {
    cf_hook_kind kind;
    LLVMValueRef function;
    cf_what what;
    cf_place place;
    bool matched, reported;
    const char
        *missed; /* the first event that it is for but for its prototype, and what would fit; or NULL */
    int marked; /* whether cf_recurse is used in it: 0 not looked yet, 1 yes, 2 it depends on what was called, -1 no */
} cf_hook;

typedef struct cf_context {
    const char *name, *unit;  /* unit: the file that says it; NULL: unknown */
    struct cf_context *first; /* what it is a copy of: one header in several units; NULL: none */
    const char *words;        /* of the policy */
    cf_place place;
    bool declared, asked;
    CF_VEC(cf_hook) hook;
    CF_VEC(LLVMValueRef) spare; /* more copies of these functions, of units that were linked */
    LLVMValueRef begin, end;    /* of whole programs; or NULL */
    uint64_t size;              /* bytes of the context when there is no `begin` */
    /* policy */
    bool bodyless_error, strict, optional;
    unsigned depth; /* 0: no limit */
    const char *exclude, *exclude_file, *only, *only_file, *from;
    /* what was made */
    CF_VEC(LLVMValueRef) site;  /* records, by id */
    CF_VEC(LLVMValueRef) table; /* variables that CF_SITES declares */
    cf_domain domain;           /* its callbacks and names */
    LLVMValueRef entry;         /* the function of the request in work */
    CF_VEC(LLVMValueRef) root;  /* the functions of the requests in work */
    CF_VEC(LLVMValueRef) next;  /* functions that overrides stand in front of; keys have their places here */
    cf_map program, changes, pointed; /* context_reach.c */
    CF_VEC(LLVMValueRef) caller;      /* functions of one call, only made to be cloned */
    cf_map shown;                     /* function → its name as the user knows it; type → LLVM's text of it */
    cf_map why;                       /* function → why it cannot be cloned; empty: it can */
} cf_context;

/* Where the context is among the parameters of a function inside, and of hooks and overrides: behind the place for a
 * struct result. */
unsigned cf_context_at(LLVMValueRef f);

/* ---- what ---- */

/* Reads the text of a hook: a name, or a quoted expression. NULL, or what is wrong with it. */
const char *cf_what_read(cf_arena *a, const char *text, cf_what *out);
/* Whether it is only for what goes elsewhere, so that nothing comes behind it. */
bool cf_what_ends_block(const cf_what *w);
/* Whether a name matches one of some globs, separated by commas. */
bool cf_globs(const char *globs, const char *name);
const char *cf_type_text(cf_job *job, cf_context *c, LLVMTypeRef t);

/* How a C function's prototype differs from that of the intrinsic that stands for it. */
typedef enum cf_spelling {
    CF_SPELLED_ALIKE,
    CF_SPELLED_MEMORY,             /* memcpy, memmove: three operands, returns the first */
    CF_SPELLED_BYTES,              /* memset: the same, and the byte is an int */
    CF_SPELLED_ABS,                /* abs, labs: one operand */
    CF_SPELLED_RESULT_AND_ADDRESS, /* frexp, modf: the second result goes to an address */
    CF_SPELLED_ADDRESSES,          /* sincos: both do */
} cf_spelling;

/* One thing that happens in a program, as hooks see it. */
typedef struct cf_happening {
    LLVMValueRef at; /* instruction of the function that is cloned */
    bool call, line;
    bool callback;       /* the call is one by the library */
    bool machine;        /* a call of what Cofactor made for itself: nothing is for it */
    const char *what;    /* the called function's name; an operation's */
    const char *also;    /* another name of the called function, or NULL */
    LLVMValueRef callee; /* the function called, when it is known */
    unsigned classes;
    LLVMTypeRef type;   /* see `type=` in include/cofactor/context.h */
    LLVMTypeRef result; /* of calls and operations; void when there is none */
    LLVMTypeRef operand[64];
    unsigned n;
    const char *names;    /* of a line: its variables */
    cf_spelling spelling; /* of an intrinsic */
} cf_happening;

/* Describes a call or operation. False when it is nothing that hooks can be for. */
bool cf_happening_of(cf_job *job, cf_context *c, LLVMValueRef at, cf_happening *out);
/* The same of a call of an intrinsic. */
bool cf_intrinsic_happening(cf_job *job, cf_context *c, LLVMValueRef at, cf_happening *out);
/* The C function that an intrinsic stands for, or NULL. */
const char *cf_intrinsic_name(cf_job *job, LLVMValueRef f);
/* An operation by its name, and its classes. NULL: there is none. */
const char *cf_opcode_named(const char *name, unsigned *classes);
/* One half of a multiplication and addition that may be fused. */
void cf_happening_half(cf_happening *h, LLVMValueRef fused, LLVMOpcode op);
bool cf_is_fused(LLVMValueRef at);
/* Whether a hook is for it: what it says, and its prototype. Reports a prototype that fits nothing. */
bool cf_hook_matches(cf_job *job, cf_context *c, cf_hook *h, const cf_happening *e);
/* Whether anything of the context is; hooks: or only overrides. */
bool cf_any_matches(cf_job *job, cf_context *c, const cf_happening *e, bool hooks);
/* Within a context in another one, calls have arguments that nobody wrote: the inner context, and what is used to look a
 * pointer up. Each call says which, as a text of 0 and 1. They are no operands. */
bool cf_is_hidden(LLVMValueRef call, unsigned i);
void cf_hide(LLVMValueRef call, const char *which);
/* Of `made`, that stands for `call` and has the context more, at a place, and perhaps more at its end. */
void cf_hide_arguments(cf_job *job, LLVMValueRef call, LLVMValueRef made, unsigned at);
/* A call, in a function that is Cofactor's own, that is an event all the same: of an override, through a pointer. */
void cf_show_call(LLVMValueRef call);
bool cf_is_shown(LLVMValueRef call);
/* Whether hooks and overrides work at a call, in a body where they do or not. */
bool cf_works_at(const cf_context *c, LLVMValueRef call, bool works, bool active);
/* The same of the parameters of a clone, for pointers to it. at: of the context. */
void cf_hide_parameter(cf_job *job, LLVMValueRef from, LLVMValueRef to, unsigned at);
bool cf_is_hidden_parameter(LLVMValueRef f, unsigned i);
/* Of a call through a pointer: the pointer. now: the call as it is in the clone. */
LLVMValueRef cf_pointer_called(LLVMValueRef at, LLVMValueRef now);
bool cf_is_through(LLVMValueRef at, LLVMValueRef called);
/* Whether a function was made by Cofactor for its own ends: nothing in it is an event. */
bool cf_is_machine(LLVMValueRef f);
/* The override for a function, where the call `at` reaches it through a pointer; NULL: it has none. *site: it takes the
 * site. */
cf_hook *cf_override_of_pointed(cf_job *job, cf_context *c, LLVMValueRef at, LLVMValueRef f, bool *site);
/* Whether that may depend on the place of the call, not only on the function. */
bool cf_overrides_by_place(const cf_context *c);

/* Whether a hook is for lines. */
bool cf_wants_lines(const cf_context *c);

/* The parts of a hook's or override's parameters. */
typedef struct cf_form {
    unsigned context; /* index of the context */
    bool site;
    unsigned first, n; /* the rest: operands, or result and operands */
    bool result;       /* the first of the rest is the result */
    bool fits;
    bool unclear; /* it cannot be told whether the second parameter is the site */
} cf_form;
cf_form cf_form_of(const cf_hook *h, const cf_happening *e);
/* A prototype that does not fit what it names outright is a mistake; else it selects. */
void cf_report_misfit(cf_job *job, const cf_context *c, cf_hook *h, const cf_happening *e);
/* Keeps what it would have to be, for the case that the hook matches nothing at all. */
void cf_note_miss(cf_job *job, cf_context *c, cf_hook *h, const cf_happening *e);
void cf_report_unclear(cf_job *job, const cf_context *c, cf_hook *h, const cf_happening *e);

/* Whether the prototype of a hook or override can fit what it is for at all. */
bool cf_hook_may_fit(const cf_hook *h);

const char *cf_shown_name(cf_job *job, cf_context *c, LLVMValueRef f);
const char *cf_file_of(LLVMValueRef at);

/* ---- reach ---- */

bool cf_is_hook(const cf_context *c, LLVMValueRef f);
/* Why a function cannot be brought into a context; NULL: it can. */
const char *cf_why_not(cf_job *job, cf_context *c, LLVMValueRef f);
/* Whether a function is left as it is by the policy. */
bool cf_excluded(cf_job *job, cf_context *c, LLVMValueRef f);
/* Whether a pointer of the program may point to a function that goes inside: not to one that only hooks and overrides
 * know. */
bool cf_may_be_target(cf_job *job, cf_context *c, LLVMValueRef f);
/* Whether hooks and overrides work in the body of a function, that is entered with them working or not (from=). */
bool cf_works_in(cf_job *job, cf_context *c, LLVMValueRef f, bool *active);
/* Whether a function, or anything that it may call, changes in the context. */
bool cf_changes(cf_dub *d, cf_context *c, LLVMValueRef f, bool hooks, bool active);
/* Whether any function of this type that pointers may point to does. */
bool cf_type_changes(cf_dub *d, cf_context *c, LLVMTypeRef t, bool hooks, bool active);
/* The functions that have an override where this call reaches them through a pointer, and the overrides. Calls for which
 * they must be the same get the same object. */
typedef struct cf_overridden {
    LLVMValueRef function;
    cf_hook *hook;
    bool site;
} cf_overridden;
typedef CF_VEC(cf_overridden) cf_pointed;
const cf_pointed *cf_overrides_through(cf_dub *d, cf_context *c, LLVMValueRef call);
/* The function that calls the i-th callback of a library function f back. */
LLVMValueRef cf_caller_of(cf_job *job, cf_context *c, LLVMValueRef f, unsigned i);
/* A call that cf_recurse, cf_recurse_in or cf_next stands for. */
bool cf_is_mark(LLVMValueRef call);
/* That of cf_recurse, cf_recurse_in or cf_next whose result a call calls; NULL: it calls something else. */
LLVMValueRef cf_mark_called(LLVMValueRef call);
/* The function that it names; NULL: none, it is cf_next. */
LLVMValueRef cf_recursed(LLVMValueRef mark);

/* ---- making ---- */

/* A body in work. */
typedef struct cf_within {
    cf_context *context;
    LLVMValueRef pointer; /* the context in this function */
    bool hooks;           /* pre and post hooks are wanted */
    bool active;          /* hooks and overrides work, for callees (from=) */
    bool body_works;      /* … in this body */
    bool works;           /* … at the instruction in work */
    unsigned depth;       /* left, counted from 1; 0: no limit */
    bool guest;           /* this is an override or a hook: only what cf_recurse marks is inside */
    LLVMValueRef next;    /* the function that this override stands in front of; or NULL */
    cf_happening now;     /* the call in work */
    LLVMValueRef operands[64];
    LLVMValueRef entering;                  /* the context that the callee gets */
    cf_hook *overriding;                    /* what it goes to */
    bool recursing;                         /* it is marked by cf_recurse */
    LLVMValueRef values, slot;              /* room for cf_value */
    CF_VEC(LLVMValueRef) gone;              /* instructions of the clone to erase */
    CF_VEC(struct cf_variable *) variables; /* context_line.c */
    bool searched;
    unsigned hooked, overridden, inside, outside; /* how many, for those who ask */
} cf_within;

/* The record of a place. */
LLVMValueRef cf_site(cf_body *b, const cf_happening *e);
/* Puts the records where CF_SITES wants them. To be called once, when all requests of the module are done. */
void cf_sites_finish(cf_job *job, cf_context *c);

/* Hooks in front of and behind an instruction. The builder stands there. `post` returns what replaces the result. */
void cf_event_pre(cf_body *b, const cf_happening *e, LLVMValueRef *operands);
LLVMValueRef cf_event_post(cf_body *b, const cf_happening *e, LLVMValueRef *operands, LLVMValueRef result);
/* Its arguments, at most 80; how many. */
unsigned cf_event_arguments(cf_body *b, cf_hook *h, const cf_happening *e, LLVMValueRef *operands,
                            LLVMValueRef result, LLVMValueRef *args);
/* A call of a hook or override; the builder stands where it goes. result may be NULL. */
LLVMValueRef cf_event_call(cf_body *b, cf_hook *h, const cf_happening *e, LLVMValueRef *operands,
                           LLVMValueRef result);
/* The override for something, or NULL. */
cf_hook *cf_override_for(cf_body *b, const cf_happening *e);
/* The function of a hook or override to call from here. called: in whose place, or NULL. */
LLVMValueRef cf_context_target(cf_body *b, cf_hook *h, LLVMValueRef called);
/* A line that begins. */
void cf_event_line(cf_body *b, LLVMValueRef i);

typedef struct cf_in_request {
    cf_context *context;
    LLVMValueRef function, provided;
    bool entry, hooks;
    cf_place place;
} cf_in_request;
/* Gives the provided function its body. False after an error was reported. */
bool cf_context_provide(cf_job *job, const cf_in_request *r);
/* After the requests of one job: removes what was made only to be cloned, and forgets what is known of functions. */
void cf_context_clear(cf_context *c);

#endif
