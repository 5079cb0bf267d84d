#include "support/vec.h"
#include <string.h>

void *cf_vec_grow(cf_arena *a, const void *old, size_t *capacity, size_t element) {
    size_t before = *capacity;
    *capacity = before ? before * 2 : 8;
    void *grown = cf_alloc_array(a, *capacity, element);
    if (before) memcpy(grown, old, before * element);
    return grown;
}
