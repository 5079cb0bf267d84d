/* Intrinsics and instructions of one processor, and reductions, as operations that every processor has. */
#ifndef CF_PORTABLE_H
#define CF_PORTABLE_H
#include "ir/job.h"

/* Rewrites f, where it has such operations; what it computes stays the same. What no row of the tables knows stays as
 * it is. clean: the passes that tidy up, where something was rewritten. */
void cf_make_portable(cf_job *job, LLVMValueRef f, void *clean);

/* A row of a table: calls of intrinsics whose names begin with these words. */
typedef struct cf_portable {
    const char *name;
    /* Builds in front of the call what it computes, or what it stores. NULL: this call stays. */
    LLVMValueRef (*make)(LLVMBuilderRef b, LLVMValueRef call, int how);
    int how;
} cf_portable;

/* x86.c, assembly.c */
const cf_portable *cf_portable_x86(LLVMValueRef callee);
LLVMValueRef cf_portable_assembly(LLVMBuilderRef b, LLVMValueRef call);

#endif
