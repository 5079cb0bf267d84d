/* Memory for one job: taken in pieces, given back all at once. */
#ifndef CF_ARENA_H
#define CF_ARENA_H
#include <stdarg.h>
#include <stddef.h>

typedef struct cf_arena cf_arena;

cf_arena *cf_arena_new(void);
void cf_arena_free(cf_arena *a);

/* Zeroed memory, aligned for any type, alive until the arena is freed. Never NULL: out of memory ends the process. */
void *cf_alloc(cf_arena *a, size_t bytes);
#define CF_NEW(a, T) ((T *)cf_alloc((a), sizeof(T)))
#define CF_ARRAY(a, T, n) ((T *)cf_alloc_array((a), (size_t)(n), sizeof(T)))
void *cf_alloc_array(cf_arena *a, size_t n, size_t element);

/* Formatted text in the arena. */
char *cf_text(cf_arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *cf_vtext(cf_arena *a, const char *format, va_list args);
/* length bytes of s, and a 0 after them. */
char *cf_copy_text(cf_arena *a, const char *s, size_t length);

#endif
