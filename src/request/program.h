/* Whole programs inside contexts, and descriptors that are not the user's own. */
#ifndef CF_PROGRAM_H
#define CF_PROGRAM_H
#include "request/request.h"

/* Attribute of constructors that stay outside of every context. */
#define CF_OUTSIDE "cf-outside"

/* What is asked for when programs are to run inside contexts (all->program): adds requests for main and for the
 * constructors and destructors of global objects. NULL after an error was reported. */
typedef struct cf_program cf_program;
cf_program *cf_program_ask(cf_arena *a, LLVMModuleRef m, cf_sink *sink, cf_requests *all);
/* Puts what was provided in the place of main, constructors and destructors. */
void cf_program_install(cf_program *p);

/* Adds a descriptor (include/cofactor/descriptor.h), as a macro of ours would have left it. */
void cf_descriptor_add(LLVMModuleRef m, const char *kind, const char *words, cf_place place,
                       LLVMValueRef primal, LLVMValueRef provided);
/* Makes all that the macros of <cofactor/context.h> left in m speak for a unit of this name. One that begins with CF_ALONE
 * has contexts that are no copies of others, whatever they look like. */
#define CF_ALONE "+"
void cf_descriptors_set_unit(LLVMModuleRef m, const char *unit);
/* The words of a descriptor of that kind; NULL: it is none. Not ended by 0. */
const char *cf_descriptor_words(LLVMValueRef global, const char *kind, size_t *length);

#endif
