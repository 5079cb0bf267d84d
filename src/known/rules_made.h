/* Bodies for LLVM's intrinsics that return several results in a struct: sincos, sincospi, modf, frexp. C functions
 * cannot have their types, so the bodies are built here, out of pieces from src/rules. For rules.c. */
#ifndef CF_RULES_MADE_H
#define CF_RULES_MADE_H
#include "ir/job.h"

/* Names (without suffix, NULL at the end) of the functions of src/rules that the body of f calls, or NULL when f is no
 * such intrinsic. */
const char *const *cf_made_pieces(LLVMValueRef f);

/* The type of f's argument. */
LLVMTypeRef cf_made_type(LLVMValueRef f);

/* A function of f's type called `name`, whose pieces are in job->module. NULL: one is missing (half, bfloat). */
LLVMValueRef cf_made_body(cf_job *job, LLVMValueRef f, const char *name, const char *suffix);

#endif
