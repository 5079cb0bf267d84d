/* Activity: which values and objects lie on a path from a varied input to a useful output. */
#ifndef CF_ACTIVITY_H
#define CF_ACTIVITY_H
#include "analysis/key.h"
#include "ir/view.h"
#include "support/bits.h"

typedef struct cf_activity cf_activity;

/* The activity of a function's values when it is called as `key` says, for reverse mode (forward mode asks for less:
 * domain/varied.h). Errors are not reported here. */
cf_activity *cf_activity_of(cf_job *job, const cf_view *view, const cf_key *key);

/* The value is a number (or integer bits that hold one) on an active path: it has a tangent, an adjoint. */
bool cf_is_active(const cf_activity *a, cf_id value);
/* The value depends on an input, whether or not an output depends on it. */
bool cf_is_varied(const cf_activity *a, cf_id value);
/* Some object that this pointer (or these bits) may point to has a shadow. */
bool cf_has_shadow(const cf_activity *a, cf_id value);
/* It has a shadow, and may also point to an object that has none (a `const` argument, a constant): then its shadow is
 * the pointer itself. */
bool cf_is_mixed(const cf_activity *a, cf_id value);
/* It may point into an argument that was called `const`. */
bool cf_is_const_argument(const cf_activity *a, cf_id value);
/* Memory behind the pointer may hold active numbers. */
bool cf_memory_active(const cf_activity *a, cf_id pointer);
/* Memory behind the pointer holds pointers to objects with a shadow. */
bool cf_memory_has_pointers(const cf_activity *a, cf_id pointer);
/* A call that has to be differentiated: something active goes in or out. */
bool cf_call_active(const cf_activity *a, cf_id call);
/* The flags (CF_ARG_ of key.h) with which a call passes argument k. */
uint8_t cf_call_flags(const cf_activity *a, cf_id call, unsigned k);

#endif
