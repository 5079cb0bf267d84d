/* Writers: what can be undone of what the forward sweep does to memory. */
#ifndef CF_WRITERS_H
#define CF_WRITERS_H
#include "known/known.h"
#include "reverse/sweep.h"

/* Whether every object that a pointer may point into passes a test. The test is given a map for its own use. */
typedef bool cf_object_test(cf_sweep *s, LLVMValueRef object, cf_map *seen);
bool cf_all_objects(cf_sweep *s, LLVMValueRef pointer, cf_object_test *test);

/* Memory that nobody sees once the function has returned: its own allocations whose address does not get away. */
bool cf_is_private(cf_sweep *s, LLVMValueRef object, cf_map *seen);

/* A plain store, or a copy or setting of a block whose size is known before it runs. */
bool cf_is_plain_store(const cf_sweep *s, cf_id i);
bool cf_is_block_write(const cf_sweep *s, cf_id i, const cf_known **known);

/* A call of a function with a body all of whose writes can be undone. */
bool cf_is_undoable_call(cf_sweep *s, cf_id i);

/* Whether a writer may put pointers into memory that has a shadow: undoing it puts the primal's back, not the shadow's. */
bool cf_writes_pointers(cf_sweep *s, cf_id i);

/* Whether keeping what a function loads costs more than undoing what it and the like of it store. */
bool cf_loads_outweigh_stores(cf_job *job, LLVMValueRef f);

#endif
