/* Twin: shadows of globals and of the constants that name them.
 *
 * In:     globals of job->module
 * Out:    a shadow global per active global and direction, made when it is asked for
 * Needs:  cf_global_active
 *
 * The shadow of global g in direction 0 is called cf_shadow_g, in direction k cf_shadow_g_k. It has g's type, is
 * thread-local where g is, and begins as 0, save that pointers begin as the shadows of what g's pointers point to. The
 * shadow of an external global is external (weak_odr), so that all units of a program, and the user, mean one object;
 * that of a local one is local. A constant that holds pointers to such globals has a local, constant shadow. */
#ifndef CF_TWIN_H
#define CF_TWIN_H
#include "ir/job.h"

/* Whether a constant is, or is made from, the address of something that has a shadow. */
bool cf_twin_has(cf_job *job, LLVMValueRef constant);

/* The shadow of a constant in direction k: pointers to (parts of) shadows, inside an aggregate the
 * pointer itself where there is none; numbers 0. NULL when cf_twin_has says no. */
LLVMValueRef cf_twin_of(cf_job *job, LLVMValueRef constant, unsigned k);

/* Builds code that gives every shadow that function f reaches its first state, as a request finds it when it begins.
 * Returns whether there are any; with b NULL that alone. */
bool cf_twin_reset(cf_job *job, LLVMBuilderRef b, LLVMValueRef f);
/* The same; `also` (or NULL) builds more for each of them. */
bool cf_twin_reset_and(cf_job *job, LLVMBuilderRef b, LLVMValueRef f,
                       void (*also)(cf_job *job, LLVMBuilderRef b, LLVMValueRef shadow, LLVMValueRef size));

#endif
