/* Hash maps from pointers and from texts to pointers. Tuned for LLVM handles: keys are aligned addresses, most
 * maps hold one function's values, nothing is ever removed. */
#ifndef CF_MAP_H
#define CF_MAP_H
#include "support/arena.h"
#include <stdbool.h>

typedef struct cf_map {
    const void **keys;
    void **values;
    size_t n, capacity;
} cf_map;

/* The value of a key, or NULL. */
void *cf_map_get(const cf_map *m, const void *key);
/* Sets the value of a key, replacing an older one. The key is not NULL. */
void cf_map_put(cf_arena *a, cf_map *m, const void *key, void *value);
/* Every entry, in unspecified order, while nothing is put: for (size_t i = 0; cf_map_next(m, &i, &k, &v);) */
bool cf_map_next(const cf_map *m, size_t *i, const void **key, void **value);

/* Map from texts to pointers. Keys are copied. */
typedef struct cf_names {
    char **keys;
    void **values;
    size_t n, capacity;
} cf_names;
void *cf_names_get(const cf_names *m, const char *key);
void cf_names_put(cf_arena *a, cf_names *m, const char *key, void *value);

#endif
