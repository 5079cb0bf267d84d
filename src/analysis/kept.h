/* Numbers that a mutable global keeps from one request to the next. Globals are neither inputs nor outputs of a request, so that
 * what is read before the request has written it is a constant there, even if an earlier call computed it from the same
 * inputs: a table of results, the start of an iteration. Where that can be seen, there is a warning. */
#ifndef CF_KEPT_H
#define CF_KEPT_H
#include "ir/job.h"

/* While derivatives are made, each mode tells: the functions that requests begin with; loads of numbers on whose derivative the
 * result may depend; stores of numbers that depend on the inputs. */
void cf_kept_root(cf_job *job, LLVMValueRef function);
void cf_kept_load(cf_job *job, LLVMValueRef load);
void cf_kept_store(cf_job *job, LLVMValueRef store);
/* What the requests reach; whether a number that depends on the inputs is stored in a global, by its name. */
void cf_kept_reach(cf_job *job, cf_map *reached);
bool cf_kept_stores(cf_job *job, LLVMValueRef global);
/* The program says that it is meant (CF_KEPT). */
void cf_kept_allow(cf_job *job, LLVMValueRef global);

/* Warns once for each global of which some request may read a number before it has written it, and writes one. */
void cf_kept_warn(cf_job *job);

#endif
