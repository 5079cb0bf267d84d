/* Known functions: what functions without a body do to memory, and whether their result carries a derivative.
 * A table over the C library, the C++ run-time library and LLVM's intrinsics. Derivative rules are elsewhere
 * (rules.h). */
#ifndef CF_KNOWN_H
#define CF_KNOWN_H
#include "support/arena.h"
#include <llvm-c/Types.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum cf_known_kind {
    CF_KNOWN_INACTIVE = 1, /* neither the result nor what it writes carries a derivative; may do I/O */
    CF_KNOWN_ZERO,   /* a pure function whose result has derivative 0 or is no number: floor, lround, isnan */
    CF_KNOWN_ALLOC,  /* returns new memory of `size` bytes, uninitialised */
    CF_KNOWN_ZALLOC, /* the same, zeroed */
    CF_KNOWN_REALLOC,        /* moves block `pointer` to `size` bytes */
    CF_KNOWN_POSIX_MEMALIGN, /* stores new memory of `size` bytes through `pointer` */
    CF_KNOWN_STRDUP, /* returns a new copy of the text (bytes) at `pointer`, at most `size` bytes if that is
                        known */
    CF_KNOWN_FREE,   /* frees block `pointer` */
    CF_KNOWN_COPY, /* copies `size` bytes from argument `source` to argument `pointer` (may overlap: memmove)
                    */
    CF_KNOWN_SET,  /* sets `size` bytes at `pointer` to the byte in argument `source` */
    CF_KNOWN_NORETURN,  /* does not come back: exit, abort, __assert_fail, longjmp */
    CF_KNOWN_EXCEPTION, /* part of C++ exception handling: __cxa_throw and the like */
} cf_known_kind;

/* How many bytes. Argument numbers count from 0. */
typedef enum cf_size_kind {
    CF_SIZE_NONE = 0,
    CF_SIZE_FIXED,   /* a bytes */
    CF_SIZE_ARG,     /* argument a */
    CF_SIZE_PRODUCT, /* argument a times argument b */
    CF_SIZE_TIMES,   /* argument a times b bytes */
    CF_SIZE_TEXT,    /* the C string that stands there after the call, with its end */
    CF_SIZE_SCAN,    /* as the scanf format in argument a says: cf_known_scan */
    CF_SIZE_UNKNOWN,
} cf_size_kind;

typedef struct cf_size {
    uint8_t kind; /* cf_size_kind */
    uint8_t a, b;
} cf_size;

enum { CF_NO_ARG = -1 };
enum {
    CF_WRITES_POINTER =
        1, /* what is written is a pointer into the object of argument 0 (strtod), or a new one (getline) */
    CF_WRITES_REST = 2, /* this argument and all after it (scanf) */
};

/* Bytes that the function writes behind one of its pointer arguments, when that is not NULL. */
typedef struct cf_write {
    int8_t pointer; /* argument, or CF_NO_ARG: row ends */
    uint8_t flags;
    cf_size size;
} cf_write;

enum {
    CF_KNOWN_CALLBACK = 1, /* calls a function that it is given: argument `source` */
    CF_KNOWN_THROWS = 2,   /* may unwind */
    CF_KNOWN_ERRNO = 4,    /* may write errno and nothing else of its own */
    CF_KNOWN_STATIC =
        8, /* returns memory of its own (getenv, localtime, strerror) that carries no derivative */
    CF_KNOWN_PRECISIONS = 32, /* the row is for the name with f and l at its end, too */
    CF_KNOWN_PREFIX = 16,     /* the row is for every name that begins like this */
    CF_KNOWN_OWN =
        64, /* an allocator of the program's or of a library, not of libc: what it gives only its fellow frees */
};

enum { CF_KNOWN_WRITES = 3 };

typedef struct cf_known {
    const char *name;
    uint8_t kind;  /* cf_known_kind */
    uint8_t flags; /* CF_KNOWN_ */
    cf_size size;
    int8_t pointer, source, align; /* arguments, or CF_NO_ARG */
    int8_t returns;                /* the result points into the object of this argument, or CF_NO_ARG */
    cf_write write[CF_KNOWN_WRITES];
} cf_known;

/* The row of a function by name, or NULL. Intrinsics: with or without the types at the end of the name. */
const cf_known *cf_known_name(const char *name);

/* The row of a callee: of a declaration only. A function with a body is what its body says. Beside the table, a function
 * that is marked (CF_ALLOCATES), and those that LLVM's attributes (allocsize, allockind) say allocate or free. */
const cf_known *cf_known_of(LLVMValueRef callee);

/* A text attribute of a function that allocates or frees: what cf_allocator_mark returns. */
#define CF_ALLOCATES "cf-allocates"
/* Which arguments are the size: by the attribute alloc_size, else the only integer. NULL: that is not told. */
const char *cf_allocator_mark(cf_arena *a, LLVMValueRef make);
/* The block is the only pointer, else the last one. NULL: there is none. */
const char *cf_deallocator_mark(cf_arena *a, LLVMValueRef release);

/* What to do about a function without a body that stands for something larger (OpenMP, threads, MPI, BLAS), said in the
 * user's terms; NULL for others. */
const char *cf_known_way_out(const char *name);

/* Whether a callee (or NULL) is an intrinsic that computes with bits of integers, which may be bits of numbers: moves them,
 * or chooses among them. */
bool cf_mixes_bits(LLVMValueRef callee);

/* Sizes of what a scanf format stores, in the order of the arguments: bytes[i], 0 for a text of unknown
 * length. Returns how many conversions store something (bytes gets at most max). */
unsigned cf_known_scan(const char *format, unsigned *bytes, unsigned max);

#endif
