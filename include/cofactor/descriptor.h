/* What requests leave in a compiled unit, for all headers of Cofactor: a constant in a section of its own that Cofactor
 * reads and deletes. Its typed pointers keep both functions alive and carry their prototypes into debug information. */
#ifndef COFACTOR_DESCRIPTOR_H
#define COFACTOR_DESCRIPTOR_H

#define CF_CAT_(a, b) a##b
#define CF_CAT(a, b) CF_CAT_(a, b)

#ifdef __APPLE__
#define CF_SECTION_ "__DATA,cofactor"
#else
#define CF_SECTION_ "cofactor"
#endif

/* &* takes a function and a pointer to one alike: the latter is how C++ names an overload. */
#define CF_REQUEST_(cf_k, cf_n, cf_f, cf_w)                                                                  \
    static const struct {                                                                                    \
        int version, line;                                                                                   \
        const char *kind, *words, *file;                                                                     \
        __typeof__(&*(cf_f)) primal;                                                                         \
        __typeof__(&*(cf_n)) request;                                                                        \
    } CF_CAT(cf_request_, cf_n) __attribute__((used, section(CF_SECTION_))) = {                              \
        1, __LINE__, cf_k, cf_w, __FILE__, &*(cf_f), &*(cf_n)}

/* One that names no function. */
#define CF_STATEMENT_(cf_k, cf_id, cf_w)                                                                     \
    static const struct {                                                                                    \
        int version, line;                                                                                   \
        const char *kind, *words, *file;                                                                     \
        const void *primal, *request;                                                                        \
    } cf_id __attribute__((used, section(CF_SECTION_))) = {1, __LINE__, cf_k, cf_w, __FILE__, 0, 0}

#endif
