/* Whole programs inside contexts, and descriptors that are not the user's own. */
#ifndef CF_PROGRAM_H
#define CF_PROGRAM_H
#include "request/request.h"

/* Attribute of constructors that stay outside of every context. */
#define CF_OUTSIDE "cf-outside"

/* Adds a descriptor (include/cofactor/descriptor.h), as a macro of ours would have left it. */
void cf_descriptor_add(LLVMModuleRef m, const char *kind, const char *words, cf_place place,
                       LLVMValueRef primal, LLVMValueRef provided);
/* The words of a descriptor of that kind; NULL: it is none. Not ended by 0. */
const char *cf_descriptor_words(LLVMValueRef global, const char *kind, size_t *length);

#endif
