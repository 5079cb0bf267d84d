/* Known functions: the table, and how a name is looked up.
 *
 * Adding a row to known_table.inc changes nothing else; rows stand in the order of their names (bytes). Words of a row:
 *
 *   ZERO(name, flags)                       pure; derivative 0
 *   INSIDE(name, a)                         pure; returns a pointer into the object of argument a
 *   INACTIVE(name)                          writes nothing that a program reads; no derivative
 *   STATIC(name)                            the same, returns memory of its own
 *   WRITES(name, flags, returns, w, w, w)   inactive, and writes: returns is an argument that the result points into
 *   MEMORY(name, kind, size, pointer, align)
 *   COPY(name, to, from, returns)           size in argument 2
 *   SET(name, byte, size, returns)          pointer is argument 0; without byte: zeros
 *   NORETURN(name, flags), EXCEPTION(name)
 *   CALLBACK(name, f, returns, w)           calls what argument f points to
 *   PREFIX(name, returns, w)                every name that begins so; inactive
 *
 * Writes: TO(a, size) behind argument a; POINTER(a) a pointer behind argument a; REST(a, size) behind argument a and
 * all that follow; END. Sizes: FIXED(bytes) ARG(a) PRODUCT(a, b) TIMES(a, bytes) TEXT SCAN(a) UNKNOWN NO_SIZE. */
#include "known/known.h"
#include "llvm/l.h"

#define NO_SIZE {CF_SIZE_NONE, 0, 0}
#define FIXED(bytes) {CF_SIZE_FIXED, (bytes), 0}
#define ARG(a) {CF_SIZE_ARG, (a), 0}
#define PRODUCT(a, b) {CF_SIZE_PRODUCT, (a), (b)}
#define TIMES(a, bytes) {CF_SIZE_TIMES, (a), (bytes)}
#define TEXT {CF_SIZE_TEXT, 0, 0}
#define SCAN(a) {CF_SIZE_SCAN, (a), 0}
#define UNKNOWN {CF_SIZE_UNKNOWN, 0, 0}

#define END {CF_NO_ARG, 0, NO_SIZE}
#define TO(a, ...) {(a), 0, __VA_ARGS__}
#define REST(a, ...) {(a), CF_WRITES_REST, __VA_ARGS__}
#define POINTER(a) {(a), CF_WRITES_POINTER, FIXED(sizeof(void *))}

#define NONE CF_NO_ARG
#define ZERO(name, flags)                                                                                    \
    {                                                                                                        \
        name, CF_KNOWN_ZERO, flags, NO_SIZE, NONE, NONE, NONE, NONE, { END, END, END }                       \
    }
#define INSIDE(name, a)                                                                                      \
    {                                                                                                        \
        name, CF_KNOWN_ZERO, 0, NO_SIZE, NONE, NONE, NONE, a, { END, END, END }                              \
    }
#define INACTIVE(name) WRITES(name, 0, NONE, END, END, END)
#define STATIC(name) WRITES(name, CF_KNOWN_STATIC, NONE, END, END, END)
#define WRITES(name, flags, returns, ...)                                                                    \
    {                                                                                                        \
        name, CF_KNOWN_INACTIVE, flags, NO_SIZE, NONE, NONE, NONE, returns, { __VA_ARGS__ }                  \
    }
#define MEMORY(name, kind, size, pointer, align)                                                             \
    {                                                                                                        \
        name, kind, 0, size, pointer, NONE, align, NONE, { END, END, END }                                   \
    }
#define COPY(name, to, from, returns)                                                                        \
    {                                                                                                        \
        name, CF_KNOWN_COPY, 0, ARG(2), to, from, NONE, returns, { TO(to, ARG(2)), END, END }                \
    }
#define SET(name, byte, size, returns)                                                                       \
    {                                                                                                        \
        name, CF_KNOWN_SET, 0, ARG(size), 0, byte, NONE, returns, { TO(0, ARG(size)), END, END }             \
    }
#define NORETURN(name, flags)                                                                                \
    {                                                                                                        \
        name, CF_KNOWN_NORETURN, flags, NO_SIZE, NONE, NONE, NONE, NONE, { END, END, END }                   \
    }
#define EXCEPTION(name)                                                                                      \
    {                                                                                                        \
        name, CF_KNOWN_EXCEPTION, CF_KNOWN_THROWS, NO_SIZE, NONE, NONE, NONE, NONE, { END, END, END }        \
    }
#define CALLBACK(name, f, returns, ...)                                                                      \
    {                                                                                                        \
        name, CF_KNOWN_INACTIVE, CF_KNOWN_CALLBACK, NO_SIZE, NONE, f, NONE, returns, {                       \
            __VA_ARGS__, END, END                                                                            \
        }                                                                                                    \
    }
#define PREFIX(name, returns, ...)                                                                           \
    {                                                                                                        \
        name, CF_KNOWN_INACTIVE, CF_KNOWN_PREFIX, NO_SIZE, NONE, NONE, NONE, returns, {                      \
            __VA_ARGS__, END, END                                                                            \
        }                                                                                                    \
    }

static const cf_known table[] = {
#include "known/known_table.inc"
};
enum { ROWS = sizeof table / sizeof *table };

/* ---- looking up ---- */

static int compare(const char *name, size_t n, const char *row) {
    int order = strncmp(name, row, n);
    return order ? order : row[n] ? -1 : 0;
}

/* The row with the name of n bytes. */
static const cf_known *exact(const char *name, size_t n) {
    size_t low = 0, high = ROWS;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = compare(name, n, table[middle].name);
        if (order == 0) return &table[middle];
        order < 0 ? (high = middle) : (low = middle + 1);
    }
    return NULL;
}

/* llvm.memcpy.p0.p0.i64: words are taken from the end until a row is left. */
static const cf_known *intrinsic(const char *name) {
    for (size_t n = strlen(name); n > strlen("llvm."); n--) {
        if (name[n] && name[n] != '.') continue;
        const cf_known *row = exact(name, n);
        if (row) return row;
    }
    return NULL;
}

/* The longest row for all names that begin like this one. */
static const cf_known *by_prefix(const char *name) {
    const cf_known *best = NULL;
    for (size_t i = 0; i < ROWS; i++)
        if (table[i].flags & CF_KNOWN_PREFIX && l_begins(name, table[i].name) &&
            (!best || strlen(best->name) < strlen(table[i].name)))
            best = &table[i];
    return best;
}

const cf_known *cf_known_name(const char *name) {
    size_t n = strlen(name);
    if (l_begins(name, "llvm.")) return intrinsic(name);
    const cf_known *row = exact(name, n);
    if (row) return row;
    if (n > 1 && (name[n - 1] == 'f' || name[n - 1] == 'l') && (row = exact(name, n - 1)) &&
        row->flags & CF_KNOWN_PRECISIONS)
        return row;
    return l_begins(name, "_Z") || l_begins(name, "__") ? by_prefix(name) : NULL;
}

/* ---- allocators that are not of libc ---- */

#define OWN(kind, size, pointer)                                                                             \
    {                                                                                                        \
        "(allocator)", kind, CF_KNOWN_OWN, size, pointer, NONE, NONE, NONE, { END, END, END }                \
    }
#define EIGHT(row) {row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)}
#define SIZED(a) OWN(CF_KNOWN_ALLOC, ARG(a), NONE)
#define FREES(p) OWN(CF_KNOWN_FREE, NO_SIZE, p)
#define PRODUCTS(a)                                                                                          \
    {OWN(CF_KNOWN_ALLOC, PRODUCT(a, 0), NONE), OWN(CF_KNOWN_ALLOC, PRODUCT(a, 1), NONE),                     \
     OWN(CF_KNOWN_ALLOC, PRODUCT(a, 2), NONE), OWN(CF_KNOWN_ALLOC, PRODUCT(a, 3), NONE),                     \
     OWN(CF_KNOWN_ALLOC, PRODUCT(a, 4), NONE), OWN(CF_KNOWN_ALLOC, PRODUCT(a, 5), NONE),                     \
     OWN(CF_KNOWN_ALLOC, PRODUCT(a, 6), NONE), OWN(CF_KNOWN_ALLOC, PRODUCT(a, 7), NONE)}

enum { MOST_ARGS = 8 };
static const cf_known sized[MOST_ARGS] = EIGHT(SIZED), frees[MOST_ARGS] = EIGHT(FREES);
static const cf_known products[MOST_ARGS][MOST_ARGS] = EIGHT(PRODUCTS);

/* Numbers of the arguments of `alloc_size`; *b is MOST_ARGS where there is no second. */
static bool alloc_size(LLVMValueRef f, unsigned *a, unsigned *b) {
    LLVMAttributeRef said = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "allocsize");
    uint64_t both = said ? LLVMGetEnumAttributeValue(said) : UINT32_MAX;
    *a = (unsigned)(both >> 32);
    *b = (unsigned)both == UINT32_MAX ? MOST_ARGS : (unsigned)both;
    return said && *a < MOST_ARGS && *b <= MOST_ARGS;
}

static const cf_known *row_of_size(unsigned a, unsigned b) {
    return b < MOST_ARGS ? &products[a][b] : &sized[a];
}

/* "s1": the size is argument 1; "p01": it is the product of 0 and 1; "f0": argument 0 is freed. */
static const cf_known *row_of_mark(LLVMAttributeRef mark) {
    unsigned n;
    const char *s = LLVMGetStringAttributeValue(mark, &n);
    if (s[0] == 'f') return &frees[s[1] - '0'];
    return row_of_size((unsigned)(s[1] - '0'), s[0] == 'p' ? (unsigned)(s[2] - '0') : MOST_ARGS);
}

/* The parameter that is freed or moved, as LLVM has it; MOST_ARGS: none. */
static unsigned block_parameter(LLVMValueRef f) {
    for (unsigned k = 0; k < LLVMCountParams(f) && k < MOST_ARGS; k++)
        if (l_has(f, k + 1, "allocptr")) return k;
    return MOST_ARGS;
}

static const cf_known *row_of_attributes(LLVMValueRef f) {
    enum { ALLOC = 1, REALLOC = 2, FREE = 4 }; /* of allockind */
    LLVMAttributeRef said = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "allockind");
    uint64_t kind = said ? LLVMGetEnumAttributeValue(said) : 0;
    unsigned a, b, p = block_parameter(f);
    if (kind & FREE) return p < MOST_ARGS ? &frees[p] : NULL;
    if (kind & REALLOC || !l_is_pointer_type(l_return_type(f)) || !alloc_size(f, &a, &b)) return NULL;
    return kind & ALLOC || l_has(f, LLVMAttributeReturnIndex, "noalias") ? row_of_size(a, b) : NULL;
}

const char *cf_allocator_mark(cf_arena *a, LLVMValueRef make) {
    unsigned first, second, n = LLVMCountParams(make), sizes = 1;
    if (!l_is_pointer_type(l_return_type(make))) return NULL;
    if (!alloc_size(make, &first, &second)) {
        sizes = 0;
        for (unsigned k = 0; k < n; k++)
            if (l_is_integer_type(LLVMTypeOf(LLVMGetParam(make, k)))) first = k, sizes++;
    }
    if (sizes != 1 || first >= MOST_ARGS) return NULL;
    return second < MOST_ARGS ? cf_text(a, "p%u%u", first, second) : cf_text(a, "s%u", first);
}

const char *cf_deallocator_mark(cf_arena *a, LLVMValueRef release) {
    unsigned n = LLVMCountParams(release);
    for (unsigned k = n; k-- > 0;)
        if (l_is_pointer_type(LLVMTypeOf(LLVMGetParam(release, k))) && k < MOST_ARGS)
            return cf_text(a, "f%u", k);
    return NULL;
}

const cf_known *cf_known_of(LLVMValueRef callee) {
    if (!LLVMIsAFunction(callee) || !LLVMIsDeclaration(callee)) return NULL;
    LLVMAttributeRef mark = l_get_text(callee, CF_ALLOCATES);
    if (mark) return row_of_mark(mark);
    const cf_known *row = cf_known_name(l_name(callee));
    return row || l_is_intrinsic(callee) ? row : row_of_attributes(callee);
}

bool cf_mixes_bits(LLVMValueRef callee) {
    static const char *const names[] = {
        "llvm.bswap",
        "llvm.bitreverse",
        "llvm.fshl",
        "llvm.fshr",
        "llvm.abs",
        "llvm.smax",
        "llvm.smin",
        "llvm.umax",
        "llvm.umin",
        "llvm.vector.reduce.and",
        "llvm.vector.reduce.or",
        "llvm.vector.reduce.xor",
        "llvm.vector.reduce.smax",
        "llvm.vector.reduce.smin",
        "llvm.vector.reduce.umax",
        "llvm.vector.reduce.umin",
    };
    if (!callee || !l_is_intrinsic(callee)) return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (l_is_intrinsic_of(callee, names[i])) return true;
    return false;
}

/* ---- scanf formats ---- */

/* Bytes of what a conversion stores with this length modifier; 0: a text without a width. */
static unsigned stored(char conversion, const char *modifier, unsigned width) {
    bool longer = *modifier == 'l' || *modifier == 'L' || *modifier == 'q' || *modifier == 'j' ||
                  *modifier == 'z' || *modifier == 't';
    switch (conversion) {
    case 'a':
    case 'e':
    case 'f':
    case 'g':
    case 'A':
    case 'E':
    case 'F':
    case 'G': return *modifier == 'L' ? sizeof(long double) : longer ? sizeof(double) : sizeof(float);
    case 'c': return width ? width : 1;
    case 's':
    case '[': return *modifier == 'l' ? 0 : width ? width + 1 : 0;
    case 'p': return sizeof(void *);
    default: break;
    }
    if (*modifier == 'h') return modifier[1] == 'h' ? 1 : 2;
    return longer ? 8 : 4;
}

/* Past the set of %[set]. */
static const char *skip_set(const char *s) {
    if (*s == '^') s++;
    if (*s == ']') s++;
    while (*s && *s != ']') s++;
    return *s ? s + 1 : s;
}

unsigned cf_known_scan(const char *format, unsigned *bytes, unsigned max) {
    unsigned n = 0;
    for (const char *s = format; *s;) {
        if (*s++ != '%') continue;
        if (*s == '%') {
            s++;
            continue;
        }
        bool skip = *s == '*';
        unsigned width = 0;
        for (s += skip; *s >= '0' && *s <= '9'; s++) width = width * 10 + (unsigned)(*s - '0');
        char modifier[3] = "";
        for (unsigned i = 0; *s && strchr("hlLqjzt", *s); s++)
            if (i < 2) modifier[i++] = *s;
        if (!*s) break;
        char conversion = *s++;
        if (conversion == '[') s = skip_set(s);
        if (skip) continue;
        if (n < max) bytes[n] = stored(conversion, modifier, width);
        n++;
    }
    return n;
}

const char *cf_known_way_out(const char *name) {
#define THREADS                                                                                              \
    "threads that the program starts inside are not differentiated: request the function that each of them " \
    "runs "                                                                                                  \
    "(several threads may take gradients at once), or give the function around this a rule"
#define MPI                                                                                                  \
    "messages of MPI are not differentiated: give the function that sends them a rule (docs/requests.md)"
#define BLAS                                                                                                 \
    "BLAS and LAPACK are not differentiated without their source: link it (--link), or give the function "   \
    "that calls "                                                                                            \
    "them a rule (docs/requests.md)"
    static const struct {
        const char *begin, *text;
    } rows[] = {
        {"__kmpc_", "this is an OpenMP region, and these are not differentiated: compile this file without "
                    "-fopenmp (the derivative "
                    "is that of one thread), or request the function that one thread runs"},
        {"GOMP_",
         "this is an OpenMP region of gcc, and these are not differentiated: compile without -fopenmp"},
        {"omp_", "functions of OpenMP have no derivative: compile this file without -fopenmp"},
        {"pthread_create", THREADS},
        {"thrd_create", THREADS},
        {"_ZNSt6thread", THREADS},
        {"MPI_", MPI},
        {"PMPI_", MPI},
        {"cblas_", BLAS},
        {"LAPACKE_", BLAS},
    };
#undef THREADS
#undef MPI
#undef BLAS
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (l_begins(name, rows[i].begin)) return rows[i].text;
    return NULL;
}
