#include "support/map.h"
#include <assert.h>
#include <stdint.h>
#include <string.h>

/* Both tables: open addressing, a power of two of places, at most half full. */

static size_t pointer_place(const void *key, size_t capacity) {
    uint64_t x = (uint64_t)(uintptr_t)key >> 4;
    return (size_t)((x * 0x9E3779B97F4A7C15u) >> 32) & (capacity - 1);
}

static size_t find(const cf_map *m, const void *key) {
    size_t i = pointer_place(key, m->capacity);
    while (m->keys[i] && m->keys[i] != key) i = (i + 1) & (m->capacity - 1);
    return i;
}

void *cf_map_get(const cf_map *m, const void *key) { return m->capacity ? m->values[find(m, key)] : NULL; }

static void grow(cf_arena *a, cf_map *m) {
    cf_map old = *m;
    m->capacity = old.capacity ? old.capacity * 2 : 32;
    m->keys = CF_ARRAY(a, const void *, m->capacity);
    m->values = CF_ARRAY(a, void *, m->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        if (!old.keys[i]) continue;
        size_t j = find(m, old.keys[i]);
        m->keys[j] = old.keys[i];
        m->values[j] = old.values[i];
    }
}

void cf_map_put(cf_arena *a, cf_map *m, const void *key, void *value) {
    assert(key);
    if (m->n * 2 >= m->capacity) grow(a, m);
    size_t i = find(m, key);
    m->n += !m->keys[i];
    m->keys[i] = key;
    m->values[i] = value;
}

bool cf_map_next(const cf_map *m, size_t *i, const void **key, void **value) {
    for (; *i < m->capacity; ++*i) {
        if (!m->keys[*i]) continue;
        *key = m->keys[*i];
        *value = m->values[(*i)++];
        return true;
    }
    return false;
}

/* FNV-1a, 64 bits. */
static size_t text_place(const char *key, size_t capacity) {
    uint64_t h = 0xcbf29ce484222325u;
    for (; *key; key++) h = (h ^ (unsigned char)*key) * 0x100000001b3u;
    return (size_t)(h ^ h >> 32) & (capacity - 1);
}

static size_t find_name(const cf_names *m, const char *key) {
    size_t i = text_place(key, m->capacity);
    while (m->keys[i] && strcmp(m->keys[i], key)) i = (i + 1) & (m->capacity - 1);
    return i;
}

void *cf_names_get(const cf_names *m, const char *key) {
    return m->capacity ? m->values[find_name(m, key)] : NULL;
}

static void grow_names(cf_arena *a, cf_names *m) {
    cf_names old = *m;
    m->capacity = old.capacity ? old.capacity * 2 : 32;
    m->keys = CF_ARRAY(a, char *, m->capacity);
    m->values = CF_ARRAY(a, void *, m->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        if (!old.keys[i]) continue;
        size_t j = find_name(m, old.keys[i]);
        m->keys[j] = old.keys[i];
        m->values[j] = old.values[i];
    }
}

void cf_names_put(cf_arena *a, cf_names *m, const char *key, void *value) {
    if (m->n * 2 >= m->capacity) grow_names(a, m);
    size_t i = find_name(m, key);
    if (!m->keys[i]) {
        m->keys[i] = cf_copy_text(a, key, strlen(key));
        m->n++;
    }
    m->values[i] = value;
}
