/* What a user asks for. Every way to ask (descriptor, __enzyme_ names, command line, library) yields this struct. */
#ifndef CF_REQUEST_H
#define CF_REQUEST_H
#include "domain/context.h"
#include "ir/job.h"
#include "support/diag.h"
#include "support/vec.h"
#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum cf_mode { CF_MODE_FORWARD, CF_MODE_REVERSE, CF_MODE_IDENTITY, CF_MODE_CONTEXT } cf_mode;

/* Parameters of the source (pieces.c). A struct or a complex number may stand in several parameters of the IR. */
typedef struct cf_pieces {
    unsigned n;             /* parameters of the source */
    const unsigned *first;  /* n + 1 of them: the first parameter of each in the IR, and how many there are */
    const unsigned *group;  /* by parameter of the IR: that of the source */
    const uint64_t *offset; /* by parameter of the IR: where it lies in that of the source */
    const LLVMTypeRef
        *object; /* by parameter of the source: what it is in memory; NULL for one in one piece */
} cf_pieces;

typedef struct cf_request {
    cf_mode mode;
    LLVMValueRef primal;   /* the function to differentiate */
    LLVMValueRef provided; /* the declared function that gets a body */
    const uint8_t *arg;    /* CF_ARG_ flags (analysis/key.h), one per IR parameter of the primal */
    unsigned n;
    cf_pieces pieces; /* of the primal */
    unsigned width;
    bool seed, value, consume;
    cf_context *context; /* CF_MODE_CONTEXT; of the words the next two */
    bool entry, nohooks;
    LLVMLinkage linkage; /* of the body; set by cf_run_requests */
    bool internal;       /* the body is for this module alone, whatever the primal's linkage */
    bool record;         /* forward: no tangents, but a note of what is read and written (checked.h) */
    const char *checked; /* the name of `provided`, whose calls are to be checked; or NULL */
    cf_place place;
} cf_request;

/* A rule of the user's own for `function` (include/cofactor/ad.h). */
typedef enum cf_custom_kind {
    CF_CUSTOM_FORWARD,
    CF_CUSTOM_REVERSE,
    CF_CUSTOM_INACTIVE,
    CF_CUSTOM_ALLOCATOR, /* rule: what frees what function allocates */
} cf_custom_kind;
typedef struct cf_custom {
    cf_custom_kind kind;
    LLVMValueRef function, rule; /* rule: NULL for CF_CUSTOM_INACTIVE */
    const char *reads;           /* per parameter 'c': a pointer to const; NULL where that is not known */
    cf_place place;
} cf_custom;

/* All that one module asks for, in the order of its text. Handles belong to that module. */
typedef struct cf_requests {
    CF_VEC(cf_request) request;
    CF_VEC(cf_custom) custom;
    CF_VEC(LLVMValueRef) kept; /* globals (CF_KEPT) */
    CF_VEC(cf_context *) context;
    CF_VEC(cf_context *) program; /* main is to run inside of these, the first is the innermost */
    cf_place program_place;
} cf_requests;

/* Everything from a request to a body, for a whole module: reads its descriptors and __enzyme_ calls, adds `extra`,
 * and gives every provided function a body. Descriptors are gone afterwards. False when an error was reported; the
 * module is valid then, and functions that could not be provided trap. Handles of provided functions are stale
 * afterwards: look them up by name. */
bool cf_run_requests(LLVMModuleRef user, cf_sink *sink, const cf_options *options, const cf_request *extra,
                     size_t n_extra);
/* Whether a module asks for anything; a quick look. */
bool cf_has_requests(LLVMModuleRef m);
/* Whether a request of its module provides this function. */
bool cf_is_requested(LLVMValueRef f);

/* A request by words (include/cofactor/ad.h), for the command and the library. Declares the function `name` in the
 * primal's module with the type that the words ask for. False after an error was reported at `place`. */
bool cf_request_make(cf_arena *a, cf_sink *sink, cf_mode mode, LLVMValueRef primal, const char *words,
                     const char *name, cf_place place, cf_request *out);

/* ---- inside this folder ---- */

/* Readers. False after an error was reported. */
bool cf_read_descriptors(cf_arena *a, LLVMModuleRef m, cf_sink *sink, const cf_options *options,
                         cf_requests *out);
bool cf_read_enzyme(cf_arena *a, LLVMModuleRef m, cf_sink *sink, const cf_options *options, cf_requests *out);
/* The prelink of full LTO: the program is seen again, as a whole, when it is linked. */
bool cf_awaits_link(LLVMModuleRef m);

/* The text of a pointer to a constant string; NULL when it is none. */
const char *cf_constant_text(cf_arena *a, LLVMValueRef p);

/* Contexts (contexts.c). The annotations are gone afterwards. */
bool cf_read_contexts(cf_arena *a, LLVMModuleRef m, cf_sink *sink, cf_requests *out);
bool cf_has_contexts(LLVMModuleRef m);
/* One for contexts that units say alike: copies of a header. To be called when all is read but the requests. */
void cf_merge_contexts(cf_arena *a, cf_requests *all);
/* The context of a name that a unit means: its own, else any. NULL: there is none. */
cf_context *cf_context_meant(cf_requests *all, const char *name, const char *unit);
/* Takes the unit off the words that a macro left. NULL: nobody says which. The words become a copy without it. */
const char *cf_take_unit(cf_arena *a, const char **words);
/* The words of CF_CONTEXT. */
bool cf_read_policy(cf_arena *a, cf_sink *sink, cf_requests *all, const char *words, cf_place place);
/* The words of CF_IN, for a request whose primal and place are set. */
bool cf_read_in_words(cf_arena *a, cf_sink *sink, cf_requests *all, const char *words, cf_request *r);
/* Mistakes in hooks and overrides that show without a request. */
void cf_check_contexts(LLVMModuleRef m, cf_sink *sink, const cf_requests *all);
/* When all bodies are made: warnings of hooks that match nothing, tables of sites, marks of cf_recurse. */
void cf_finish_contexts(cf_job *job, cf_requests *all);

/* Whether a function is one of Enzyme's, called to ask for something. */
bool cf_is_enzyme(LLVMValueRef f);

/* Parses the words of a request whose mode, primal and place are set. */
bool cf_parse_words(cf_arena *a, cf_sink *sink, const char *words, cf_request *r);

/* Checks a request: what the primal is, and the type of the provided function. `descriptor` (or NULL) may carry the
 * C prototypes of both in its debug information. */
bool cf_check_request(cf_arena *a, cf_sink *sink, const cf_request *r, LLVMValueRef descriptor);
/* Which parameters of f are one parameter of the source. */
void cf_find_pieces(cf_arena *a, LLVMValueRef f, cf_pieces *out);
/* Whether a parameter is stored into a part of an object, and used for nothing else. */
bool cf_is_piece(LLVMValueRef parameter);
/* Whether piece i, an integer, has numbers in it, as far as is known. */
bool cf_piece_mixes(LLVMValueRef f, const cf_pieces *p, unsigned i);
/* Whether the parameter of the source to which parameter i of the IR belongs stands in several. */
static inline bool cf_in_pieces(const cf_request *r, unsigned i) {
    return r->pieces.n && r->pieces.object[r->pieces.group[i]];
}
/* The number of that parameter of the source, from 1. */
static inline unsigned cf_shown_parameter(const cf_request *r, unsigned i) {
    return (r->pieces.n ? r->pieces.group[i] : i) + 1;
}
/* The part that looks at the primal alone. */
bool cf_check_primal(cf_sink *sink, const cf_request *r);
bool cf_check_custom(cf_arena *a, cf_sink *sink, const cf_custom *c);

/* Calls have the types of the functions that they call, where C allows that these differ (fit.c). */
void cf_fit_calls(cf_job *job);
/* Calls of functions with variable arguments hand them over in memory (variadic.c). */
void cf_list_variadics(cf_job *job);
/* Whether the prepared private module holds only what the modes can follow. False after an error was reported. */
bool cf_check_program(cf_job *job, bool reverse);

/* Notes on all functions of a failed round that have neither a body nor a rule, but for those in `told`. */
void cf_tell_missing(cf_job *job, cf_names *told);

/* What a parameter of the provided function is. */
typedef enum cf_role { CF_ROLE_PRIMAL, CF_ROLE_SHADOW, CF_ROLE_SEED, CF_ROLE_VALUE, CF_ROLE_TANGENT } cf_role;
typedef struct cf_part {
    cf_role role;
    unsigned
        parameter; /* of the primal's IR: PRIMAL, SHADOW; SEED: the element of a result in several parts */
    bool more;     /* belongs to the same parameter of the source as the part before it */
    LLVMTypeRef type;
} cf_part;
typedef struct cf_signature {
    cf_part *part;
    unsigned n;
    LLVMTypeRef result; /* a reverse request may return void instead */
} cf_signature;
/* The signature that a request asks of its provided function. */
cf_signature cf_signature_of(cf_arena *a, const cf_request *r);

/* The private module (private.c). */
typedef struct cf_private cf_private;
cf_private *cf_private_make(cf_arena *a, LLVMModuleRef user, const cf_requests *all,
                            const cf_request *requests, size_t n);
LLVMModuleRef cf_private_module(const cf_private *p);
/* The copy of a function of the user's module. */
LLVMValueRef cf_private_copy(const cf_private *p, LLVMValueRef user_function);
/* Everything that the user's module defines becomes a declaration in the private one: what stays was made. */
void cf_private_cut(cf_private *p);
/* Links the private module back and restores names and linkage. False: the linker refused, and said so. */
bool cf_private_return(cf_private *p);
/* Throws the private module away and restores names and linkage. */
void cf_private_discard(cf_private *p);

/* Writes the body of one provided function in the private module; handles of r are the private module's. False after
 * an error was reported; nothing of the body stands then. */
bool cf_provide(cf_job *job, const cf_request *r);

#endif
