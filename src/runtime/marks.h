/* Marks: what the bytes of shadows hold, where the compiler cannot tell. Used by generated code, in one thread.
 *
 * Bytes move without a type: by memcpy, by loops over char, through integers. Then the shadow itself says what it holds,
 * byte by byte, by who wrote there:
 *
 * - Forward sweep. A shadow pointer that is stored is marked (POINTER). A copy of bytes copies marked bytes, and takes the
 *   marks of all others at its destination away. Bytes from outside the gradient, which nobody marked, may be either a pointer
 *   or what the caller had there: they are copied as MAYBE.
 * - Reverse sweep. Adjoints of memory are kept here, beside the shadow, each with its kind (float, double, long double) at
 *   the address of its shadow. The reverse of a typed load adds one, the reverse of a typed store takes it. The reverse of a copy
 *   moves what is in its destination to its source. Where a copy cuts through a number, its adjoint becomes a ticket, and
 *   each byte a reference to it; when all bytes lie in order again, they are a number again.
 * - Bytes of the shadow that are not marked and not 0 are an adjoint too, of a kind that is not known yet: a seed of the
 *   caller's, or what a rule has left. It takes the kind of the store that gets it.
 *
 * At the end all adjoints go into the shadows.
 *
 * Addresses are those of shadows. An address of NULL is an object without a shadow. Integers in registers that carry bits
 * have a home: the address of a slot plus 2^63, where no shadow lies. `site` names the place in the program, for messages. */
#ifndef CF_MARKS_H
#define CF_MARKS_H
#include "runtime/tape.h"
#include <stdint.h>

/* --- reverse sweep --- */

/* v = *p: adds the adjoint of v to that of the number at `at`. */
void __cf_marks_add_float(cf_tape *t, char *at, float bar);
void __cf_marks_add_double(cf_tape *t, char *at, double bar);
void __cf_marks_add_long_double(cf_tape *t, char *at, long double bar);
/* *p = v: returns the adjoint of the number at `at`, which is 0 from then on. */
float __cf_marks_take_float(cf_tape *t, char *at, const char *site);
double __cf_marks_take_double(cf_tape *t, char *at, const char *site);
long double __cf_marks_take_long_double(cf_tape *t, char *at, const char *site);
/* Something without derivative was stored there. */
void __cf_marks_forget(cf_tape *t, char *at, size_t bytes);
/* `bytes` bytes were copied from the object of `to` to that of `from`: the adjoints at `from` move to `to`. */
void __cf_marks_move(cf_tape *t, char *to, char *from, size_t bytes);
/* The integer whose home this is was computed by arithmetic: an adjoint here ends the program with a message. */
void __cf_marks_lose(cf_tape *t, char *home, size_t bytes, const char *site);
/* The object at `at` begins here: what is known of its bytes goes. */
void __cf_marks_clear(cf_tape *t, char *at, size_t bytes);
/* All adjoints go into the shadows: a rule of the user's is about to read them there. */
void __cf_marks_flush(cf_tape *t);
/* The same; nothing is remembered. Before __cf_tape_end. */
void __cf_marks_end(cf_tape *t);
/* The adjoint at a home as bytes at `to`, 0 where there is none; and the other way round. */
void __cf_marks_leave(cf_tape *t, char *to, char *home, size_t bytes);
void __cf_marks_enter(cf_tape *t, char *home, char *from, size_t bytes);

/* --- forward sweep --- */

/* Pointers lie at `at` + offset, and every `stride` bytes (0: once) within `bytes`, where there is not 0. */
void __cf_marks_see(cf_tape *t, char *at, size_t offset, size_t bytes, size_t stride);
/* realloc that keeps the old block until the tape ends; `follow`: pointers in the shadow are copied. */
void *__cf_marks_realloc(cf_tape *t, void *old, void *old_shadow, size_t bytes, void **new_shadow,
                         int follow);
/* The 8 bytes at `at` are a pointer. */
void __cf_marks_pointer(cf_tape *t, char *at);
/* Something else than a pointer is stored there. */
void __cf_marks_other(cf_tape *t, char *at, size_t bytes);
/* The shadow of a copy of bytes, which may overlap. */
void __cf_marks_copy(cf_tape *t, char *to, char *from, size_t bytes, const char *site);
/* Of up to 8 bytes: a mask of those that are of pointers (0xFF each), or may be (0x01). */
uint64_t __cf_marks_mask(cf_tape *t, char *at, size_t bytes);
/* Stores the bytes of a pointer that went through an integer, with such a mask. */
void __cf_marks_put(cf_tape *t, char *at, uint64_t value, uint64_t mask, size_t bytes, const char *site);

#endif
