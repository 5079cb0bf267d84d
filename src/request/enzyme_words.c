/* The arguments of one call of Enzyme's: the function, words, arguments and their shadows.
 *
 * In:     a call of __enzyme_autodiff… or __enzyme_fwddiff…
 * Out:    the request: primal, flags, width; the values to pass
 * Keeps:  the module
 *
 * A word is an int variable whose name begins with enzyme_, by value or by address. Words about the call as a whole (CALL)
 * stand in front of a parameter's word or argument, or at the end; words about a parameter (PARAMETER) right in front of its
 * argument, which its shadows follow. Behind enzyme_interleave stand the shadows of all parameters, in order; an argument
 * without a word is then like the one before it. Otherwise a pointer without a word is dup, a number out (reverse) or dup
 * (forward), and all else const. Whatever does not fit is an error that names it. */
#include "analysis/key.h"
#include "llvm/l.h"
#include "request/enzyme.h"

enum { MAX_WIDTH = 256 };

#define FAIL CF_ENZYME_FAIL

typedef enum word_kind { UNKNOWN, PARAMETER, CALL } word_kind;

static const struct {
    const char *name;
    word_kind kind;
} words[] = {
    {"const", PARAMETER},   {"dup", PARAMETER},      {"dupnoneed", PARAMETER}, {"out", PARAMETER},
    {"width", CALL},        {"interleave", CALL},    {"primal_return", CALL},  {"noret", CALL},
    {"const_return", CALL}, {"active_return", CALL}, {"dup_return", CALL},
};

typedef struct reader {
    cf_enzyme *s;
    cf_request *r;
    uint8_t *arg;
    unsigned at, end;               /* next argument of the call, and where arguments end */
    unsigned shadow_at, shadow_end; /* where shadows stand; used if interleaved */
    bool interleaved, noret;
    const char *about_result; /* const_return, active_return, dup_return */
    const char *last;         /* interleaved: the word of the argument before */
} reader;

/* ---- words ---- */

/* What a variable that is written once holds: C++ wrappers pass functions and words through variables. */
static LLVMValueRef held(LLVMValueRef v) {
    LLVMValueRef stored = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsALoadInst(i)) continue;
        if (LLVMIsACallInst(i) && l_callee(i) && l_is_intrinsic(l_callee(i))) continue; /* debug, lifetime */
        if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 1) != v || stored) return NULL;
        stored = LLVMGetOperand(i, 0);
    }
    return stored;
}

LLVMValueRef cf_enzyme_resolved(LLVMValueRef v) {
    while (LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0))) {
        LLVMValueRef stored = held(LLVMGetOperand(v, 0));
        if (!stored) break;
        v = stored;
    }
    return v;
}

/* The C name of a variable, also where C++ mangles it: a static one is _ZL and its length in front. */
static const char *plain_name(LLVMValueRef v) {
    const char *name = l_name(v), *at = name;
    if (!l_begins(name, "_ZL")) return name;
    size_t n = strtoul(name + 3, (char **)(uintptr_t)&at, 10);
    return strlen(at) == n ? at : name;
}

/* "dup" for an int of the name enzyme_dup, given itself or loaded; NULL for any other value. */
static const char *marker(LLVMValueRef v) {
    v = cf_enzyme_resolved(v);
    while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) v = cf_enzyme_resolved(LLVMGetOperand(v, 0));
    if (LLVMIsALoadInst(v)) v = cf_enzyme_resolved(LLVMGetOperand(v, 0));
    if (!LLVMIsAGlobalVariable(v)) return NULL;
    LLVMTypeRef t = LLVMGlobalGetValueType(v);
    const char *name = plain_name(v);
    bool word = l_begins(name, "enzyme_") && l_is_integer_type(t) && LLVMGetIntTypeWidth(t) == 32;
    return word ? name + strlen("enzyme_") : NULL;
}

static word_kind kind_of(const char *word) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i].name, word)) return words[i].kind;
    return UNKNOWN;
}

static LLVMValueRef operand(const reader *d, unsigned i) { return LLVMGetOperand(d->s->call, i); }

static bool unknown_word(const reader *d, const char *word) {
    return FAIL(d->s,
                "enzyme_%s is not supported: Cofactor reads enzyme_const, enzyme_dup, enzyme_dupnoneed and "
                "enzyme_out in front of an argument, and enzyme_width, enzyme_interleave, "
                "enzyme_primal_return, enzyme_noret, enzyme_const_return, enzyme_active_return and "
                "enzyme_dup_return for the whole call (a variable of your own that is called so: pass a copy "
                "of it)",
                word);
}

static bool misplaced(const reader *d, const char *word, const char *what) {
    return FAIL(d->s, "enzyme_%s stands where %s should stand", word, what);
}

/* ---- words about the call ---- */

/* Argument i, behind enzyme_width. */
static bool read_width(reader *d, unsigned i) {
    LLVMValueRef n = i < LLVMGetNumArgOperands(d->s->call) ? cf_enzyme_resolved(operand(d, i)) : NULL;
    uint64_t width = n && LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
    if (width < 1 || width > MAX_WIDTH)
        return FAIL(d->s, "after enzyme_width stands a constant from 1 to %d", MAX_WIDTH);
    if (d->r->width) return FAIL(d->s, "enzyme_width stands twice in this call");
    d->r->width = (unsigned)width;
    return true;
}

static bool read_result_word(reader *d, const char *word) {
    if (d->about_result && strcmp(d->about_result, word) != 0)
        return FAIL(d->s, "enzyme_%s and enzyme_%s contradict each other", d->about_result, word);
    LLVMTypeRef t = l_return_type(d->r->primal);
    bool forward = d->r->mode == CF_MODE_FORWARD, number = l_is_number_type(t);
    const char *f = l_name(d->r->primal);
    if (!strcmp(word, "active_return") && (forward || !number))
        return FAIL(d->s, "enzyme_active_return: %s",
                    forward ? "that is for reverse mode" : "the function returns no floating number");
    if (!strcmp(word, "dup_return") && (!forward || !number))
        return FAIL(d->s, "enzyme_dup_return: %s `%s`",
                    forward ? "there is no tangent of the result of"
                            : "in reverse mode there is no shadow of the result of",
                    f);
    d->about_result = word;
    return true;
}

static bool read_primal_return(reader *d) {
    d->s->primal_return = true;
    if (!l_is_void_type(l_return_type(d->r->primal))) return true;
    return FAIL(d->s, "enzyme_primal_return asks for the value of `%s`, which has none",
                l_name(d->r->primal));
}

static bool read_call_word(reader *d, const char *word) {
    if (!strcmp(word, "width")) return d->at++, true; /* read before */
    if (!strcmp(word, "interleave")) return FAIL(d->s, "enzyme_interleave stands twice in this call");
    if (!strcmp(word, "noret")) return d->noret = true;
    return strcmp(word, "primal_return") != 0 ? read_result_word(d, word) : read_primal_return(d);
}

/* Words about the call, as many as stand here. */
static bool read_call_words(reader *d) {
    while (d->at < d->end) {
        const char *m = marker(operand(d, d->at));
        if (!m || kind_of(m) != CALL) return true;
        d->at++;
        if (!read_call_word(d, m)) return false;
    }
    return true;
}

/* What counts before arguments are read: the width, and where shadows stand. */
static bool look_ahead(reader *d) {
    for (unsigned i = d->at, n = d->end; i < n; i++) {
        const char *m = marker(operand(d, i));
        if (m && !strcmp(m, "width") && !read_width(d, i + 1)) return false;
        if (!m || strcmp(m, "interleave") != 0 || d->interleaved) continue;
        d->interleaved = true;
        d->shadow_at = i + 1;
        d->shadow_end = n;
        d->end = i;
    }
    if (!d->r->width) d->r->width = 1;
    return true;
}

/* ---- arguments ---- */

/* An argument as the parameter's type: undoes C's promotion of variable arguments. */
static LLVMValueRef converted(const reader *d, LLVMValueRef v, LLVMTypeRef t) {
    LLVMTypeRef from = LLVMTypeOf(v);
    if (from == t) return v;
    if (l_is_float_type(from) && l_is_float_type(t)) return LLVMBuildFPCast(d->s->b, v, t, "");
    if (l_is_integer_type(from) && l_is_integer_type(t) && LLVMGetIntTypeWidth(from) > LLVMGetIntTypeWidth(t))
        return LLVMBuildTrunc(d->s->b, v, t, "");
    return NULL;
}

static bool take(const reader *d, unsigned *at, unsigned end, unsigned i, LLVMValueRef *out) {
    LLVMValueRef f = d->r->primal;
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(f, i));
    unsigned shown = cf_shown_parameter(d->r, i);
    if (*at >= end)
        return FAIL(d->s, "an argument for parameter %u of `%s`, or its shadow, is missing", shown,
                    l_name(f));
    const char *m = marker(operand(d, *at));
    if (m) return kind_of(m) == UNKNOWN ? unknown_word(d, m) : misplaced(d, m, "an argument or its shadow");
    *out = converted(d, operand(d, (*at)++), t);
    return *out ? true
                : FAIL(d->s, "argument %u of this call does not have the type of parameter %u of `%s`", *at,
                       shown, l_name(f));
}

static unsigned first_of(const reader *d, unsigned group) { return d->r->pieces.first[group]; }

static bool take_values(reader *d, unsigned group) {
    for (unsigned i = first_of(d, group); i < first_of(d, group + 1); i++)
        if (!take(d, &d->at, d->end, i, &d->s->value[i])) return false;
    return true;
}

static bool take_shadows(reader *d, unsigned group) {
    unsigned *at = d->interleaved ? &d->shadow_at : &d->at, end = d->interleaved ? d->shadow_end : d->end;
    for (unsigned i = first_of(d, group); i < first_of(d, group + 1); i++)
        d->s->shadow[i] = CF_ARRAY(d->s->arena, LLVMValueRef, d->r->width);
    for (unsigned k = 0; k < d->r->width; k++)
        for (unsigned i = first_of(d, group); i < first_of(d, group + 1); i++)
            if (!take(d, at, end, i, &d->s->shadow[i][k])) return false;
    return true;
}

/* ---- parameters ---- */

/* What a parameter of the source has in it. */
typedef struct contents {
    bool number, pointer, mixed, object;
} contents;

static contents contents_of(const reader *d, unsigned group) {
    const cf_pieces *p = &d->r->pieces;
    contents c = {.object = p->object[group] != NULL};
    for (unsigned i = p->first[group]; i < p->first[group + 1]; i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(d->r->primal, i));
        c.number |= l_is_number_type(t);
        c.pointer |= l_is_pointer_type(t);
        c.mixed |= c.object && cf_piece_mixes(d->r->primal, p, i);
    }
    return c;
}

static const char *default_word(const reader *d, contents c) {
    if (d->interleaved) return d->last;
    if (c.pointer) return "dup";
    return c.number ? d->r->mode == CF_MODE_FORWARD ? "dup" : "out" : "const";
}

/* The word in front of a parameter's argument, or what stands for none; NULL after an error. */
static const char *word_for(reader *d, contents c) {
    if (!read_call_words(d)) return NULL;
    const char *m = d->at < d->end ? marker(operand(d, d->at)) : NULL;
    if (!m) return default_word(d, c);
    if (kind_of(m) != PARAMETER) return unknown_word(d, m), NULL;
    d->at++;
    return d->last = m;
}

/* Why a parameter cannot have a word other than const, or NULL. */
static const char *obstacle(const reader *d, contents c, bool out) {
    bool forward = d->r->mode == CF_MODE_FORWARD;
    if (c.object && d->r->width > 1) return "it is a struct by value, which has no width";
    if (c.mixed) return "it is a struct with numbers and integers that are passed in one register";
    if (out && forward) return "that is for reverse mode";
    if (out) return c.number && !c.pointer ? NULL : "it is not a floating number";
    if (!c.number && !c.pointer) return "it is neither a pointer nor a floating number";
    if (forward || !c.number) return NULL;
    return c.pointer ? "it is a struct of numbers and pointers by value"
                     : "it is a floating number, say enzyme_out";
}

static void mark(const reader *d, unsigned group) {
    for (unsigned i = first_of(d, group); i < first_of(d, group + 1); i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(d->r->primal, i));
        if (l_is_pointer_type(t) || l_is_number_type(t)) d->arg[i] = CF_ARG_DUP;
    }
}

static bool read_parameter(reader *d, unsigned group) {
    contents c = contents_of(d, group);
    const char *word = word_for(d, c);
    if (!word || !take_values(d, group)) return false;
    if (!strcmp(word, "const")) return true;
    bool out = !strcmp(word, "out");
    const char *why = obstacle(d, c, out);
    if (why)
        return FAIL(d->s, "parameter %u of `%s` cannot be enzyme_%s: %s", group + 1, l_name(d->r->primal),
                    word, why);
    mark(d, group);
    return out || take_shadows(d, group);
}

/* ---- the call ---- */

static bool find_primal(reader *d) {
    if (d->at >= d->end) return FAIL(d->s, "the first argument must name the function to differentiate");
    LLVMValueRef f = l_without_aliases(cf_enzyme_resolved(operand(d, d->at++)));
    if (!LLVMIsAFunction(f))
        return FAIL(d->s,
                    "the first argument must name the function to differentiate (a function around this "
                    "call that takes it as an argument must be always_inline)");
    if (LLVMIsDeclaration(f))
        return FAIL(d->s, "`%s` is not defined in this unit, so it cannot be differentiated here", l_name(f));
    d->r->primal = f;
    return true;
}

/* What is left: nothing but words about the call. */
static bool read_end(reader *d) {
    const char *f = l_name(d->r->primal);
    for (int behind = 0; behind < (d->interleaved ? 2 : 1); behind++) {
        if (behind) d->at = d->shadow_at, d->end = d->shadow_end;
        if (!read_call_words(d)) return false;
        const char *m = d->at < d->end ? marker(operand(d, d->at)) : NULL;
        if (m && kind_of(m) == UNKNOWN) return unknown_word(d, m);
        if (m) return misplaced(d, m, "the end of the arguments");
        if (d->at < d->end) return FAIL(d->s, "this call has more arguments than `%s` needs", f);
    }
    if (d->noret && d->s->primal_return)
        return FAIL(d->s, "enzyme_noret and enzyme_primal_return contradict each other");
    return true;
}

/* What the words about the result ask of the request. */
static void set_result(reader *d) {
    bool number = l_is_number_type(l_return_type(d->r->primal));
    d->s->const_return = d->about_result && !strcmp(d->about_result, "const_return");
    d->r->seed = d->r->mode == CF_MODE_REVERSE && d->s->const_return && number;
    d->r->value = d->r->mode == CF_MODE_FORWARD && d->s->primal_return && d->r->width == 1;
}

bool cf_read_enzyme_words(cf_enzyme *s, unsigned first) {
    cf_request *r = &s->request;
    reader d = {.s = s, .r = r, .at = first, .end = LLVMGetNumArgOperands(s->call), .last = "dup"};
    if (!find_primal(&d)) return false;
    r->n = LLVMCountParams(r->primal);
    r->arg = d.arg = CF_ARRAY(s->arena, uint8_t, r->n + 1);
    s->value = CF_ARRAY(s->arena, LLVMValueRef, r->n + 1);
    s->shadow = CF_ARRAY(s->arena, LLVMValueRef *, r->n + 1);
    cf_find_pieces(s->arena, r->primal, &r->pieces);
    cf_request any = *r; /* what no word can change */
    any.seed = true;
    if (!look_ahead(&d) || !cf_check_primal(s->sink, &any)) return false;
    for (unsigned g = 0; g < r->pieces.n; g++)
        if (!read_parameter(&d, g)) return false;
    if (!read_end(&d)) return false;
    set_result(&d);
    return cf_check_primal(s->sink, r);
}
