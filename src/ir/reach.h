/* What code reaches: through calls, through addresses that it names, through the initializers of what it names. */
#ifndef CF_REACH_H
#define CF_REACH_H
#include "support/arena.h"
#include "support/map.h"
#include <llvm-c/Types.h>

/* Adds to `seen` a global value (NULL: none), all that its code calls or names, and what these name. */
void cf_reach(cf_arena *a, LLVMValueRef root, cf_map *seen);

#endif
