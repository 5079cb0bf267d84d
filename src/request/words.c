/* The words of a request: one for each parameter of the primal in the source, then options (include/cofactor/ad.h).
 *
 * In:  the text, the primal          Out: flags per parameter, options in the request
 * Every mistake is one message at the request's place, with the right spelling where one is near. */
#include "analysis/key.h"
#include "llvm/l.h"
#include "request/request.h"
#include <stdio.h>

enum { MAX_WIDTH = 256 };

typedef struct parser {
    cf_arena *arena;
    cf_sink *sink;
    cf_request *r;
    uint8_t *arg;
    unsigned given; /* words for parameters so far */
    bool ok;
} parser;

static const char *const vocabulary[] = {"const", "dup", "seed", "value", "consume", "width="};

/* How many letters must change to get from a to b (at most `cap`). */
static unsigned distance(const char *a, const char *b, unsigned cap) {
    if (!*a || !*b) return (unsigned)(strlen(a) + strlen(b));
    if (*a == *b) return distance(a + 1, b + 1, cap);
    if (!cap) return 1;
    unsigned change = distance(a + 1, b + 1, cap - 1), drop = distance(a + 1, b, cap - 1);
    unsigned insert = distance(a, b + 1, cap - 1), least = change < drop ? change : drop;
    return 1 + (insert < least ? insert : least);
}

static const char *nearest(const char *word) {
    const char *best = NULL;
    unsigned least = 3;
    for (size_t i = 0; i < sizeof vocabulary / sizeof *vocabulary; i++) {
        unsigned d = distance(word, vocabulary[i], 3);
        if (d < least) least = d, best = vocabulary[i];
    }
    return best;
}

#define FAIL(p, ...)                                                                                         \
    ((p)->ok = false, cf_report((p)->sink, CF_ERROR, (p)->r->place, l_name((p)->r->primal), __VA_ARGS__))

static void unknown(parser *p, const char *word) {
    const char *near = nearest(word);
    if (near)
        FAIL(p, "unknown word `%s` in the request: did you mean `%s`?", word, near);
    else
        FAIL(
            p,
            "unknown word `%s` in the request: parameters are `const` or `dup`, options are `seed`, `value`, "
            "`consume` and `width=N`",
            word);
}

/* A parameter of the source that stands in several of the IR. */
static void pieces(parser *p, unsigned group) {
    const cf_pieces *all = &p->r->pieces;
    bool any = false;
    for (unsigned i = all->first[group]; i < all->first[group + 1]; i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(p->r->primal, i));
        if (cf_piece_mixes(p->r->primal, all, i))
            FAIL(
                p,
                "parameter %u of `%s` is a struct with numbers and integers that are passed in one register: "
                "request a function that takes a pointer to it",
                group + 1, l_name(p->r->primal));
        if (!l_is_pointer_type(t) && !l_is_number_type(t)) continue;
        p->arg[i] = CF_ARG_DUP;
        any = true;
    }
    if (!any)
        FAIL(p, "parameter %u of `%s` has no number and no pointer: say `const`", group + 1,
             l_name(p->r->primal));
}

static void parameter(parser *p, const char *word) {
    LLVMValueRef f = p->r->primal;
    unsigned group = p->given++;
    if (group >= p->r->pieces.n) return; /* counted, reported at the end */
    if (word[0] == 'c') return;
    if (p->r->pieces.object[group]) {
        pieces(p, group);
        return;
    }
    unsigned i = p->r->pieces.first[group];
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f, i));
    p->arg[i] = CF_ARG_DUP;
    if (l_is_pointer_type(t) || l_is_number_type(t)) return;
    FAIL(p, "parameter %u of `%s` is %s: only pointers and floating numbers can be `dup`; say `const`",
         group + 1, l_name(f),
         l_is_integer_type(t) ? "an integer" : "neither a pointer nor a floating number");
}

static void width(parser *p, const char *number) {
    char *end;
    unsigned long n = strtoul(number, &end, 10);
    if (!*number || *end || n < 1 || n > MAX_WIDTH)
        FAIL(p, "`width=%s` in the request: the width is a whole number from 1 to %d, as in `width=4`",
             number, MAX_WIDTH);
    else
        p->r->width = (unsigned)n;
}

static void only_in(parser *p, cf_mode mode, const char *word, bool *flag) {
    if (p->r->mode != mode)
        FAIL(p, "`%s` belongs to a %s request, this is a %s one", word,
             mode == CF_MODE_REVERSE ? "reverse" : "forward",
             mode == CF_MODE_REVERSE ? "forward" : "reverse");
    else if (*flag)
        FAIL(p, "`%s` stands twice in the request", word);
    *flag = true;
}

static void word(parser *p, const char *w) {
    if (!strcmp(w, "const") || !strcmp(w, "dup"))
        parameter(p, w);
    else if (!strcmp(w, "seed"))
        only_in(p, CF_MODE_REVERSE, w, &p->r->seed);
    else if (!strcmp(w, "consume"))
        only_in(p, CF_MODE_REVERSE, w, &p->r->consume);
    else if (!strcmp(w, "value"))
        only_in(p, CF_MODE_FORWARD, w, &p->r->value);
    else if (l_begins(w, "width="))
        width(p, w + 6);
    else
        unknown(p, w);
}

static void count(parser *p) {
    unsigned n = p->r->pieces.n;
    const char *f = l_name(p->r->primal);
    if (p->given == n) return;
    if (LLVMCountParams(p->r->primal) && l_has(p->r->primal, 1, "sret"))
        FAIL(p,
             "`%s` returns a struct in memory (it has more than 16 bytes): request a function that writes it "
             "through a "
             "pointer",
             f);
    else
        FAIL(p,
             "`%s` has %u parameter%s, the request has words for %u: one word, `const` or `dup`, for each "
             "parameter",
             f, n, n == 1 ? "" : "s", p->given);
}

/* Floats that clang packs into a vector: the type in the IR has another size than that of the source. */
static bool has_vector(LLVMTypeRef t) {
    for (unsigned i = 0; LLVMGetTypeKind(t) == LLVMStructTypeKind && i < LLVMCountStructElementTypes(t); i++)
        if (l_is_vector_type(LLVMStructGetTypeAtIndex(t, i))) return true;
    return false;
}

static void several_directions(parser *p) {
    const cf_request *r = p->r;
    bool packed = has_vector(l_return_type(r->primal));
    for (unsigned i = 0; i < r->n; i++)
        packed |= r->arg[i] && cf_in_pieces(r, i) && has_vector(r->pieces.object[r->pieces.group[i]]);
    if (packed)
        FAIL(p,
             "`width=%u`: `%s` takes or returns a struct of floats by value: request a function that takes a "
             "pointer to it",
             r->width, l_name(r->primal));
}

/* A struct that is returned in registers has a number somewhere. */
static bool has_number(LLVMTypeRef t) {
    bool found = l_is_number_type(t);
    for (unsigned i = 0; LLVMGetTypeKind(t) == LLVMStructTypeKind && i < LLVMCountStructElementTypes(t); i++)
        found |= has_number(LLVMStructGetTypeAtIndex(t, i));
    return found;
}

static void options(parser *p) {
    cf_request *r = p->r;
    bool number = l_is_number_type(l_return_type(r->primal));
    if (r->width > 1) several_directions(p);
    if (r->seed && !number && has_number(l_return_type(r->primal)))
        FAIL(p,
             "`%s` returns a struct in which not all is a number, whose adjoint cannot be given: request a "
             "function that "
             "writes it through a pointer",
             l_name(r->primal));
    else if (r->seed && !number)
        FAIL(p, "`seed`: `%s` returns no floating number, so there is no adjoint to give", l_name(r->primal));
    if (r->value && l_is_void_type(l_return_type(r->primal)))
        FAIL(p, "`value`: `%s` returns nothing", l_name(r->primal));
    if (r->value && r->width > 1)
        FAIL(p,
             "`value` is not needed with `width=%u`: the request returns the value, and a last parameter "
             "receives "
             "the tangents",
             r->width);
}

bool cf_parse_words(cf_arena *a, cf_sink *sink, const char *words, cf_request *r) {
    r->n = LLVMCountParams(r->primal);
    r->width = 1;
    cf_find_pieces(a, r->primal, &r->pieces);
    parser p = {a, sink, r, CF_ARRAY(a, uint8_t, r->n + 1), 0, true};
    r->arg = p.arg;
    const char *space = " \t\n,";
    for (const char *at = words + strspn(words, space); *at; at += strspn(at, space)) {
        size_t length = strcspn(at, space);
        word(&p, cf_copy_text(a, at, length));
        at += length;
    }
    if (r->mode != CF_MODE_IDENTITY && p.ok) count(&p);
    if (p.ok) options(&p);
    return p.ok;
}
