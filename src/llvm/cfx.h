/* What llvm-c lacks, as plain C functions over llvm-c's handles. Implemented in cfx.cpp, the only C++ besides
 * the plugin's entry. Nothing here keeps state outside of what the caller holds. */
#ifndef CF_CFX_H
#define CF_CFX_H
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __cplusplus
extern "C" {
#endif

/* ---- messages ---- */

/* Hands an error or a warning to the diagnostic handler of the module's context (clang prints it with a caret).
 * file may be NULL (no place); line and column count from 1, 0 is unknown. Works without debug information. */
void cfx_diagnose(LLVMModuleRef m, bool error, const char *file, unsigned line, unsigned column,
                  const char *text);

/* ---- changes ---- */

/* Removes any global value (function, variable, alias, ifunc) that has no uses. LLVMDeleteGlobal crashes on
 * aliases. */
void cfx_erase_global(LLVMValueRef v);
/* Whether nothing uses a global value; constants that nothing uses either do not count, and are gone afterwards. */
bool cfx_is_unused(LLVMValueRef v);
/* Turns a definition into a declaration of the same name and type, and returns it (an alias or ifunc becomes
 * a new value that replaces it). Linkage becomes external; the value leaves its comdat. */
LLVMValueRef cfx_make_declaration(LLVMValueRef v);
/* A parameter of a made function, for debuggers. */
typedef struct cfx_parameter {
    unsigned of;        /* the parameter of the source of `like` that it belongs to, from 1; 0: its result */
    const char *ending; /* "x" and "_bar": "x_bar"; the whole name where `of` is 0 */
    bool to;            /* it points to what has that type */
    bool written;       /* it points to the same type, not const */
    bool skip;          /* nothing is said of it */
} cfx_parameter;
/* Gives the parameters of f names and types in its subprogram, made from those of `like`. One entry per parameter; those
 * that the program does not use may be left out. To be called when f has its first block and that is empty; location: where it begins. */
void cfx_describe_parameters(LLVMValueRef f, LLVMValueRef like, const cfx_parameter *p,
                             LLVMMetadataRef location);
/* Gives f a definition in debug information, in the unit of `like`, and returns it as a scope for locations in f.
 * What f was declared as is kept. NULL (and f has none) when `like` has no debug information. */
LLVMMetadataRef cfx_make_subprogram(LLVMValueRef f, LLVMValueRef like, unsigned line);
/* Removes from llvm.used and llvm.compiler.used the entries for which drop(user, entry) is true. */
void cfx_drop_used(LLVMModuleRef m, bool (*drop)(void *user, LLVMValueRef entry), void *user);
/* The same block as incoming block i of a phi, replaced. */
void cfx_phi_set_block(LLVMValueRef phi, unsigned i, LLVMBasicBlockRef block);
/* Replaces a direct call of a defined function by its body. False, and nothing changed: it cannot be done. */
bool cfx_inline(LLVMValueRef call);

/* ---- modules ---- */

/* A copy in the same context. Definitions for which keep(user, v) is false become declarations. Both modules
 * share compile units and subprograms, so that the copy's debug information fits when it is linked back. */
LLVMModuleRef cfx_clone_module(LLVMModuleRef m, bool (*keep)(void *user, LLVMValueRef v), void *user);
/* Links src, made by cfx_clone_module, back into the module that it was copied from; src is gone afterwards.
 * Declarations of dst that src defines get their bodies; handles of such declarations are stale. True when it
 * went well, else the context's diagnostic handler was told. */
bool cfx_link_back(LLVMModuleRef dst, LLVMModuleRef src);
/* Links from src only what dst needs (declared there, defined in src, and what that uses). src is gone
 * afterwards. */
bool cfx_link_needed(LLVMModuleRef dst, LLVMModuleRef src);
/* Runs a pipeline of function passes (text as for `opt -passes=`) over one function. False: the text is
 * wrong. */
bool cfx_run_on_function(LLVMValueRef f, const char *passes);

/* ---- analyses of one module ---- */

typedef struct cfx_analyses cfx_analyses;
cfx_analyses *cfx_analyses_new(LLVMModuleRef m);
void cfx_analyses_free(cfx_analyses *a);
/* To be called after f has changed. Erased functions must be forgotten before they are erased. */
void cfx_forget(cfx_analyses *a, LLVMValueRef f);

typedef enum cfx_alias_result {
    CFX_NO_ALIAS,
    CFX_MAY_ALIAS,
    CFX_PARTIAL_ALIAS,
    CFX_MUST_ALIAS
} cfx_alias_result;
/* How two ranges of memory lie in f. Sizes in bytes, negative when unknown. */
cfx_alias_result cfx_alias(cfx_analyses *a, LLVMValueRef f, LLVMValueRef p, int64_t np, LLVMValueRef q,
                           int64_t nq);
/* Whether inst reads (bit 0) or writes (bit 1) a range of memory. */
int cfx_modref(cfx_analyses *a, LLVMValueRef f, LLVMValueRef inst, LLVMValueRef p, int64_t np);
/* How often the back edge of a loop is taken before the loop is left from block `exiting`, when that is known exactly at
 * loop entry, expanded as code in front of `before`. NULL: unknown. The loop has been through loop-simplify. f may be
 * asked about other loops afterwards, then it is to be forgotten. */
LLVMValueRef cfx_trip_count(cfx_analyses *a, LLVMBasicBlockRef header, LLVMBasicBlockRef exiting,
                            LLVMValueRef before);
/* The object that a pointer points into, as far as its definition shows. */
LLVMValueRef cfx_underlying(LLVMValueRef p);

/* ---- debug information ---- */

/* The k-th local variable of the source that a pointer is the address of (*address), or the value of. NULL: no more. */
LLVMMetadataRef cfx_debug_variable(LLVMValueRef pointer, unsigned k, bool *address);
/* Where the variable of an assign record lives. NULL: another kind of record. record: LLVMDbgRecordRef. */
LLVMValueRef cfx_record_address(void *record);

/* The functions of the source that an instruction stands in, the innermost first, separated by `sep`: more than one where
 * calls were inlined. malloc; NULL without debug information. */
char *cfx_inlined_names(LLVMValueRef inst, const char *sep);
/* The name of a C++ function with its parameters, malloc; NULL: the name is none of C++. */
char *cfx_demangle(const char *name);

/* ---- code ---- */

/* Constructors go into .init_array, as clang puts them: their order is that of the list. */
void cfx_use_init_array(LLVMTargetMachineRef machine);

/* ---- JIT ---- */

/* Runs the static constructors of a JITDylib. lljit: LLVMOrcLLJITRef, dylib: LLVMOrcJITDylibRef. */
bool cfx_lljit_initialize(void *lljit, void *dylib);
/* Members of an archive are linked into a JITDylib as they are needed. False: it cannot be read. */
bool cfx_lljit_add_archive(void *lljit, void *dylib, const char *path);

#ifdef __cplusplus
}
#endif
#endif
