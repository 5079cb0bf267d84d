/* Checks of requests and of the user's rules against their primal, before anything is made.
 *
 * The IR types of the provided function are compared with the signature that the words ask for; with -g the
 * descriptor carries both C prototypes, and what their pointers point to is compared, too. */
#include "known/known.h"
#include "analysis/key.h"
#include "ir/ctype.h"
#include "llvm/l.h"
#include "request/request.h"

/* ---- prototypes as text ---- */

static const char *type_text(cf_arena *a, LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMVoidTypeKind: return "void";
    case LLVMFloatTypeKind: return "float";
    case LLVMDoubleTypeKind: return "double";
    case LLVMX86_FP80TypeKind: return "long double";
    case LLVMPointerTypeKind: return "pointer";
    case LLVMIntegerTypeKind: return cf_text(a, "%u-bit integer", LLVMGetIntTypeWidth(t));
    default: break;
    }
    char *s = LLVMPrintTypeToString(t);
    const char *copy = cf_copy_text(a, s, strlen(s));
    LLVMDisposeMessage(s);
    return copy;
}

static const char *prototype_text(cf_arena *a, LLVMTypeRef result, unsigned n, const LLVMTypeRef *t) {
    const char *s = cf_text(a, "%s (", type_text(a, result));
    for (unsigned i = 0; i < n; i++) s = cf_text(a, "%s%s%s", s, i ? ", " : "", type_text(a, t[i]));
    return cf_text(a, "%s)", s);
}

static const char *function_text(cf_arena *a, LLVMValueRef f) {
    unsigned n = LLVMCountParams(f);
    LLVMTypeRef *t = CF_ARRAY(a, LLVMTypeRef, n + 1);
    LLVMGetParamTypes(l_function_type(f), t);
    return prototype_text(a, l_return_type(f), n, t);
}

static const char *expected_text(cf_arena *a, const cf_signature *s) {
    LLVMTypeRef *t = CF_ARRAY(a, LLVMTypeRef, s->n + 1);
    for (unsigned i = 0; i < s->n; i++) t[i] = s->part[i].type;
    return prototype_text(a, s->result, s->n, t);
}

static const char *role_text(cf_arena *a, const cf_request *r, const cf_part *p) {
    bool forward = r->mode == CF_MODE_FORWARD;
    switch (p->role) {
    case CF_ROLE_PRIMAL:
        return cf_text(a, "parameter %u of `%s`", cf_shown_parameter(r, p->parameter), l_name(r->primal));
    case CF_ROLE_SHADOW:
        if (l_is_pointer_type(LLVMTypeOf(LLVMGetParam(r->primal, p->parameter))))
            return cf_text(a, "the shadow of parameter %u", cf_shown_parameter(r, p->parameter));
        return cf_text(a, "the %s of parameter %u", forward ? "tangent" : "adjoint",
                       cf_shown_parameter(r, p->parameter));
    case CF_ROLE_SEED: return "the seed";
    case CF_ROLE_VALUE: return "where the value goes";
    default: return "where the tangents of the result go";
    }
}

/* ---- the primal ---- */

static const char *const by_memory[] = {"sret", "byval", "inalloca", "preallocated"};

/* What keeps a parameter from having a word, or NULL. */
static const char *parameter_obstacle(LLVMValueRef f, unsigned i, bool lone) {
    for (size_t k = 0; k < sizeof by_memory / sizeof *by_memory; k++)
        if (l_has(f, i + 1, by_memory[k]))
            return k ? "is a struct that is passed by value in memory" : "is the struct that it returns";
    if (lone && cf_is_piece(LLVMGetParam(f, i)))
        return "is a part of a struct that is passed by value in several registers";
    return NULL;
}

bool cf_check_primal(cf_sink *sink, const cf_request *r) {
    const char *name = l_name(r->primal);
    if (LLVMIsFunctionVarArg(l_function_type(r->primal))) {
        cf_report(sink, CF_ERROR, r->place, name,
                  "`%s` takes a variable number of arguments: request a function that calls it with the "
                  "arguments meant",
                  name);
        return false;
    }
    if (l_has_f(r->primal, "naked")) {
        cf_report(
            sink, CF_ERROR, r->place, name,
            "`%s` is assembly (`naked`), which cannot be differentiated: request a function that calls it, "
            "and give it a rule (CF_RULE_FORWARD, CF_RULE_REVERSE)",
            name);
        return false;
    }
    for (unsigned i = 0; i < r->n; i++) {
        const char *obstacle =
            parameter_obstacle(r->primal, i, (r->arg[i] & CF_ARG_DUP) && !cf_in_pieces(r, i));
        if (!obstacle) continue;
        cf_report(sink, CF_ERROR, r->place, name,
                  "parameter %u of `%s`, as compiled, %s: request a function that takes a pointer to it",
                  i + 1, name, obstacle);
        return false;
    }
    if (r->mode == CF_MODE_REVERSE && !r->seed && l_is_number_type(l_return_type(r->primal)) &&
        !l_is_float_type(l_return_type(r->primal))) {
        cf_report(sink, CF_ERROR, r->place, name,
                  "`%s` returns several numbers, so its adjoint must be said: add the word `seed` and a last "
                  "parameter",
                  name);
        return false;
    }
    return true;
}

/* ---- the request's type ---- */

static bool result_fits(const cf_request *r, const cf_signature *s, LLVMTypeRef t) {
    return t == s->result || (r->mode == CF_MODE_REVERSE && l_is_void_type(t));
}

static bool mismatch(cf_arena *a, cf_sink *sink, const cf_request *r, const cf_signature *s,
                     const char *what) {
    cf_report(sink, CF_ERROR, r->place, l_name(r->primal),
              "`%s` does not fit `%s`: %s; it is `%s`, these words ask for `%s`", l_name(r->provided),
              l_name(r->primal), what, function_text(a, r->provided), expected_text(a, s));
    return false;
}

static bool check_type(cf_arena *a, cf_sink *sink, const cf_request *r) {
    cf_signature s = cf_signature_of(a, r);
    unsigned n = LLVMCountParams(r->provided);
    for (unsigned i = 0; i < n && i < s.n; i++) {
        if (LLVMTypeOf(LLVMGetParam(r->provided, i)) == s.part[i].type) continue;
        const char *what = cf_text(a, "its parameter %u must be %s, a %s", i + 1, role_text(a, r, &s.part[i]),
                                   type_text(a, s.part[i].type));
        return mismatch(a, sink, r, &s, what);
    }
    if (n < s.n)
        return mismatch(a, sink, r, &s,
                        cf_text(a, "%s is missing after its %u parameters", role_text(a, r, &s.part[n]), n));
    if (n > s.n || LLVMIsFunctionVarArg(l_function_type(r->provided)))
        return mismatch(a, sink, r, &s, cf_text(a, "it has more than %u parameters", s.n));
    if (!result_fits(r, &s, l_return_type(r->provided)))
        return mismatch(a, sink, r, &s, cf_text(a, "it must return %s", type_text(a, s.result)));
    return true;
}

/* ---- C prototypes, where the program is compiled with -g ---- */

typedef struct c_types {
    cf_arena *arena;
    const cf_ctype *primal, *request; /* NULL: not known */
} c_types;

static const char *pointer_to(cf_arena *a, const char *t) {
    return cf_text(a, "%s%s", t, t[strlen(t) - 1] == '*' ? "*" : " *");
}

/* A type without const and names of typedefs. */
static const char *c_text(cf_arena *a, const cf_ctype *t, int depth) {
    if (depth > 8) return "…";
    switch (t->kind) {
    case CF_C_POINTER: return pointer_to(a, c_text(a, t->of, depth + 1));
    case CF_C_ARRAY: return cf_text(a, "%s []", c_text(a, t->of, depth + 1));
    case CF_C_FUNCTION: return "function";
    default: return t->name ? t->name : "struct";
    }
}

/* The type of parameter `index`, or of the result (0). */
static const char *c_type(cf_arena *a, const cf_ctype *f, unsigned index) {
    return c_text(a, index ? f->members[index - 1].type : f->of, 0);
}

/* What a part of the signature is in C. */
static const char *expected_c_type(const c_types *c, const cf_request *r, const cf_part *p) {
    bool of_parameter = p->role == CF_ROLE_PRIMAL || p->role == CF_ROLE_SHADOW;
    const char *t = c_type(c->arena, c->primal, of_parameter ? cf_shown_parameter(r, p->parameter) : 0);
    if (p->role == CF_ROLE_PRIMAL) return t;
    bool pointer = of_parameter && !cf_in_pieces(r, p->parameter) &&
                   l_is_pointer_type(LLVMTypeOf(LLVMGetParam(r->primal, p->parameter)));
    bool more = r->width > 1 || p->role == CF_ROLE_VALUE || p->role == CF_ROLE_TANGENT;
    if (p->role == CF_ROLE_SHADOW && !pointer && r->mode == CF_MODE_REVERSE) more = true;
    return more ? pointer_to(c->arena, t) : t;
}

/* Types that differ beyond their names in IR: what pointers point to. */
static bool c_differs(const char *have, const char *want) {
    if (!strchr(have, '*') || !strchr(want, '*')) return false;
    return strcmp(have, want) != 0 && strcmp(have, "void *") != 0 && strcmp(want, "void *") != 0;
}

/* Adjoints are added to what a shadow points to, so that it is not const. */
static bool check_written(const c_types *c, cf_sink *sink, const cf_request *r, const cf_part *p,
                          unsigned at) {
    if (r->mode != CF_MODE_REVERSE || p->role != CF_ROLE_SHADOW) return true;
    const cf_ctype *t = c->request->members[at - 1].type;
    if (r->width > 1 && t->kind == CF_C_POINTER) t = t->of; /* an array of shadows */
    if (t->kind != CF_C_POINTER || !t->of->is_const) return true;
    cf_report(
        sink, CF_ERROR, r->place, l_name(r->primal),
        "`%s` does not fit `%s`: its parameter %u is %s and points to const, but adjoints are added there: "
        "leave the "
        "`const` out (if the shadow stands elsewhere: it comes behind the parameter that it belongs to)",
        l_name(r->provided), l_name(r->primal), at, role_text(c->arena, r, p));
    return false;
}

static bool check_c_types(cf_arena *a, cf_sink *sink, const cf_request *r, LLVMValueRef descriptor) {
    cf_ctypes types = {.arena = a, .context = l_context(descriptor)};
    const cf_ctype *whole = cf_ctype_of_global(&types, descriptor);
    c_types c = {a, cf_ctype_member_function(whole, "primal"), cf_ctype_member_function(whole, "request")};
    cf_signature s = cf_signature_of(a, r);
    unsigned parts = 0, at = 0;
    for (unsigned i = 0; i < s.n; i++) parts += !s.part[i].more;
    if (!c.primal || !c.request || c.primal->n != r->pieces.n || c.request->n != parts) return true;
    for (unsigned i = 0; i < s.n; i++) {
        if (s.part[i].more) continue;
        at++;
        if (!check_written(&c, sink, r, &s.part[i], at)) return false;
        const char *have = c_type(a, c.request, at), *want = expected_c_type(&c, r, &s.part[i]);
        if (!c_differs(have, want)) continue;
        cf_report(sink, CF_ERROR, r->place, l_name(r->primal),
                  "`%s` does not fit `%s`: its parameter %u is `%s`, but %s must be `%s`",
                  l_name(r->provided), l_name(r->primal), at, have, role_text(a, r, &s.part[i]), want);
        return false;
    }
    return true;
}

bool cf_check_request(cf_arena *a, cf_sink *sink, const cf_request *r, LLVMValueRef descriptor) {
    if (!*l_name(r->provided)) {
        cf_report(sink, CF_ERROR, r->place, l_name(r->primal),
                  "the requested function has no name: nothing could call what is made for it");
        return false;
    }
    if (!cf_check_primal(sink, r) || !check_type(a, sink, r)) return false;
    return !descriptor || check_c_types(a, sink, r, descriptor);
}

/* ---- rules of the user's ---- */

static void push_type(LLVMTypeRef *t, unsigned *n, LLVMTypeRef one) { t[(*n)++] = one; }

static bool check_allocator(cf_arena *a, cf_sink *sink, const cf_custom *c) {
    if (!cf_allocator_mark(a, c->function))
        cf_report(sink, CF_ERROR, c->place, l_name(c->function),
                  "which arguments of `%s` are the size of the memory that it returns is not told: say so by "
                  "__attribute__((alloc_size(…))), or give it one integer parameter alone",
                  l_name(c->function));
    else if (!cf_deallocator_mark(a, c->rule) || !l_is_void_type(l_return_type(c->rule)))
        cf_report(sink, CF_ERROR, c->place, l_name(c->rule),
                  "`%s`, which frees what `%s` allocates, must take a pointer and return nothing",
                  l_name(c->rule), l_name(c->function));
    else
        return true;
    return false;
}

bool cf_check_custom(cf_arena *a, cf_sink *sink, const cf_custom *c) {
    if (c->kind == CF_CUSTOM_INACTIVE) return true;
    if (c->kind == CF_CUSTOM_ALLOCATOR) return check_allocator(a, sink, c);
    unsigned k = LLVMCountParams(c->function), n = 0;
    bool reverse = c->kind == CF_CUSTOM_REVERSE;
    LLVMTypeRef *t = CF_ARRAY(a, LLVMTypeRef, 2 * k + 2), result = l_return_type(c->function);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(l_context(c->function), 0);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(l_context(c->function));
    for (unsigned i = 0; i < k; i++) {
        LLVMTypeRef p = LLVMTypeOf(LLVMGetParam(c->function, i));
        push_type(t, &n, p);
        if (l_is_pointer_type(p) || l_is_number_type(p)) push_type(t, &n, reverse ? pointer : p);
    }
    if (reverse && l_is_number_type(result)) push_type(t, &n, result);
    if (reverse || !l_is_number_type(result)) result = nothing;
    if (LLVMFunctionType(result, t, n, 0) == l_function_type(c->rule)) return true;
    cf_report(sink, CF_ERROR, c->place, l_name(c->function),
              "`%s` is not a %s rule for `%s`: it is `%s`, expected is `%s`", l_name(c->rule),
              reverse ? "reverse" : "forward", l_name(c->function), function_text(a, c->rule),
              prototype_text(a, result, n, t));
    return false;
}
