/* Code that is not here: what the derivative takes for granted of it, and says so. */
#ifndef CF_UNSEEN_H
#define CF_UNSEEN_H
#include "ir/job.h"

/* Warns of calls of functions without a body that can know the name or the address of a global while this holds numbers that
 * depend on the inputs of a request, and of bodies in whose place the linker may take another one. After the derivatives of
 * the round are made; `user` is the module of the program. */
void cf_unseen_warn(cf_job *job, LLVMModuleRef user);

#endif
