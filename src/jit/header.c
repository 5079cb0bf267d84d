/* C text of prototypes, and the header of a session.
 *
 * In:     prototypes of primals, words of requests
 * Out:    prototypes of what was requested, as <cofactor/ad.h> defines them
 *
 * Idea: a C declaration is built from the inside out: what is known of the declarator so far is wrapped by each level
 * of the type, and the innermost type is put in front at last.
 */
#include "jit/prototype.h"
#include "jit/session.h"
#include "llvm/l.h"
#include <ctype.h>
#include <stdio.h>

/* ---- declarations ---- */

static const char *parameters_text(cf_arena *a, const cf_ctype *function) {
    const char *text = "";
    for (uint64_t i = 0; i < function->n; i++)
        text = cf_text(a, "%s%s%s", text, i ? ", " : "", cf_c_declaration(a, function->members[i].type, ""));
    return *text ? text : "void";
}

static const char *base_text(cf_arena *a, const cf_ctype *t, const char *inner) {
    const char *name = t->name ? t->name : "void";
    return cf_text(a, "%s%s%s%s", t->is_const ? "const " : "", name, *inner && *inner != '*' ? " " : "",
                   *inner == '*' ? cf_text(a, " %s", inner) : inner);
}

/* C can name it: instances of templates and members of namespaces have names of C++ alone. */
static bool has_c_tag(const cf_ctype *t) { return t->tagged && t->name && !strpbrk(t->name, "<:"); }

const char *cf_c_declaration(cf_arena *a, const cf_ctype *t, const char *inner) {
    switch (t->kind) {
    case CF_C_POINTER: {
        const char *qualified =
            t->is_const ? cf_text(a, "*const%s%s", *inner ? " " : "", inner) : cf_text(a, "*%s", inner);
        bool wrapped = t->of->kind == CF_C_ARRAY || t->of->kind == CF_C_FUNCTION;
        if ((t->of->kind == CF_C_STRUCT || t->of->kind == CF_C_UNION) && !has_c_tag(t->of))
            return cf_text(a, "%svoid %s", t->of->is_const ? "const " : "", qualified);
        return cf_c_declaration(a, t->of, wrapped ? cf_text(a, "(%s)", qualified) : qualified);
    }
    case CF_C_ARRAY: {
        const char *count = t->n ? cf_text(a, "%llu", (unsigned long long)t->n) : "";
        return cf_c_declaration(a, t->of, cf_text(a, "%s[%s]", inner, count));
    }
    case CF_C_FUNCTION: return cf_c_declaration(a, t->of, cf_text(a, "%s(%s)", inner, parameters_text(a, t)));
    default: return base_text(a, t, inner);
    }
}

/* The type with what it finally points to not const: adjoints are written. */
static const cf_ctype *writable(cf_arena *a, const cf_ctype *t) {
    if (t->kind == CF_C_FUNCTION || t->kind == CF_C_VOID) return t;
    cf_ctype *copy = CF_NEW(a, cf_ctype);
    *copy = *t;
    if (t->kind == CF_C_POINTER || t->kind == CF_C_ARRAY)
        copy->of = writable(a, t->of);
    else
        copy->is_const = false;
    return copy;
}

static const cf_ctype *unqualified(cf_arena *a, const cf_ctype *t) {
    cf_ctype *copy = CF_NEW(a, cf_ctype);
    *copy = *t;
    copy->is_const = false;
    return copy;
}

/* ---- words ---- */

static bool split_option(cf_words *w, const char *word) {
    if (!strcmp(word, "seed")) return w->seed = true;
    if (!strcmp(word, "value")) return w->value = true;
    if (!strcmp(word, "consume")) return true;
    return sscanf(word, "width=%u", &w->width) == 1;
}

const cf_words *cf_split_words(cf_arena *a, const char *words) {
    cf_words *w = CF_NEW(a, cf_words);
    w->width = 1;
    w->dup = CF_ARRAY(a, bool, strlen(words) + 1);
    for (const char *s = words + strspn(words, " \t,"); *s; s += strspn(s, " \t,")) {
        size_t n = strcspn(s, " \t,");
        const char *word = cf_copy_text(a, s, n);
        s += n;
        if (!strcmp(word, "dup") || !strcmp(word, "const"))
            w->dup[w->n++] = word[0] == 'd';
        else if (!split_option(w, word))
            return NULL;
    }
    return w;
}

/* ---- prototypes of requests ---- */

typedef struct list {
    cf_arena *a;
    const char *text;
} list;

static void put(list *l, const char *declaration) {
    l->text = cf_text(l->a, "%s%s%s", l->text, *l->text ? ", " : "", declaration);
}

/* The shadow of one parameter. */
static void put_shadow(list *l, const cf_cmember *p, cf_mode mode, unsigned width) {
    cf_arena *a = l->a;
    bool reverse = mode == CF_MODE_REVERSE, pointer = p->type->kind == CF_C_POINTER;
    const cf_ctype *t = reverse ? writable(a, p->type) : unqualified(a, p->type);
    const char *name = cf_text(a, "%s_%s", p->name, reverse ? "bar" : "dot");
    if (width > 1) {
        const char *array = cf_text(a, "%s%s[%u]", pointer ? "*const " : "", name, width);
        if (pointer)
            put(l, cf_c_declaration(a, t->of, array));
        else
            put(l,
                cf_text(a, "%s%s", reverse ? "" : "const ", cf_c_declaration(a, unqualified(a, t), array)));
    } else if (reverse && !pointer) {
        put(l, cf_c_declaration(a, unqualified(a, t), cf_text(a, "*%s", name)));
    } else {
        put(l, cf_c_declaration(a, t, name));
    }
}

static bool is_number(const cf_ctype *t) {
    if (t->kind == CF_C_ARRAY) return is_number(t->of);
    for (uint64_t i = 0; t->kind == CF_C_STRUCT && i < t->n; i++)
        if (!is_number(t->members[i].type)) return false;
    return t->kind == CF_C_FLOAT || t->kind == CF_C_COMPLEX || (t->kind == CF_C_STRUCT && t->n);
}

static void put_options(list *l, const cf_prototype *p, cf_mode mode, const cf_words *w) {
    cf_arena *a = l->a;
    if (!is_number(p->result)) return;
    const cf_ctype *t = unqualified(a, p->result);
    if (mode == CF_MODE_REVERSE && w->seed)
        put(l, w->width > 1 ? cf_text(a, "const %s", cf_c_declaration(a, t, cf_text(a, "seed[%u]", w->width)))
                            : cf_c_declaration(a, t, "seed"));
    if (mode == CF_MODE_FORWARD && w->width > 1)
        put(l, cf_c_declaration(a, t, cf_text(a, "tangent[%u]", w->width)));
    else if (mode == CF_MODE_FORWARD && w->value)
        put(l, cf_c_declaration(a, t, "*value"));
}

/* One line for each shadow: what it is for. */
static const char *comment(cf_arena *a, const cf_prototype *p, cf_mode mode, const cf_words *w) {
    bool reverse = mode == CF_MODE_REVERSE;
    const char *text =
        cf_text(a, "/* %s of %s", reverse ? "Gradient (reverse mode)" : "Tangent (forward mode)", p->shown);
    if (p->file) text = cf_text(a, "%s (%s:%u)", text, p->file, p->line);
    text = cf_text(a, "%s.\n", text);
    for (unsigned i = 0; i < p->n; i++) {
        const cf_cmember *q = &p->parameters[i];
        if (!w->dup[i]) continue;
        text = cf_text(a, "%s *   %s_%s: %s of %s\n", text, q->name, reverse ? "bar" : "dot",
                       !reverse
                           ? (q->type->kind == CF_C_POINTER ? "tangents, laid out like the data" : "tangent")
                       : q->type->kind == CF_C_POINTER ? "adjoints, laid out like the data; added to (set "
                                                         "inputs' to 0 first, outputs' to their seed)"
                                                       : "adjoint, added to",
                       q->name);
    }
    if (reverse && is_number(p->result))
        text = cf_text(a, "%s *   %s\n", text,
                       w->seed ? "seed: adjoint of the result" : "the adjoint of the result is 1");
    const char *returns = reverse                                 ? "what the primal returns"
                          : !is_number(p->result) || w->width > 1 ? "what the primal returns"
                                                                  : "the tangent of the primal's result";
    if (p->result->kind != CF_C_VOID) text = cf_text(a, "%s *   returns %s\n", text, returns);
    return cf_text(a, "%s */\n", text);
}

static const cf_ctype nothing = {.kind = CF_C_VOID, .name = "void"};

const char *cf_request_prototype(cf_arena *a, const cf_prototype *p, cf_mode mode, const cf_words *w,
                                 const char *name) {
    list l = {a, ""};
    for (unsigned i = 0; i < p->n; i++) {
        const cf_cmember *q = &p->parameters[i];
        put(&l, cf_c_declaration(a, unqualified(a, q->type), q->name));
        if (w->dup[i]) put_shadow(&l, q, mode, w->width);
    }
    put_options(&l, p, mode, w);
    const cf_ctype *result = unqualified(a, p->result);
    if (mode == CF_MODE_FORWARD && w->width == 1 && !is_number(result)) result = &nothing;
    const char *declarator = cf_text(a, "%s(%s)", name, *l.text ? l.text : "void");
    return cf_text(a, "%s%s;\n", comment(a, p, mode, w), cf_c_declaration(a, result, declarator));
}

/* ---- prototypes of derivatives, as primals of further requests ---- */

static const cf_ctype *pointer_to(cf_arena *a, const cf_ctype *t) {
    cf_ctype *p = CF_NEW(a, cf_ctype);
    *p = (cf_ctype){.kind = CF_C_POINTER, .size = sizeof(void *), .of = t};
    return p;
}

/* The type of the shadow of a parameter of one direction; put_shadow writes the same. */
static const cf_ctype *shadow_type(cf_arena *a, const cf_ctype *t, cf_mode mode) {
    if (mode == CF_MODE_FORWARD) return unqualified(a, t);
    return t->kind == CF_C_POINTER ? writable(a, t) : pointer_to(a, unqualified(a, t));
}

const cf_prototype *cf_derivative_prototype(cf_arena *a, const cf_ask *ask, LLVMValueRef f) {
    const cf_prototype *primal = ask->primal;
    cf_mode mode = ask->request.mode;
    const cf_words *w = cf_split_words(a, ask->words);
    if (!w || w->n != primal->n || w->width > 1) return cf_prototype_of(a, f);
    cf_prototype *p = CF_NEW(a, cf_prototype);
    cf_cmember *m = CF_ARRAY(a, cf_cmember, 2 * primal->n + 2);
    *p = *primal;
    p->name = p->shown = ask->name;
    p->parameters = m;
    p->n = 0;
    for (unsigned i = 0; i < primal->n; i++) {
        const cf_cmember *q = &primal->parameters[i];
        m[p->n++] = *q;
        if (!w->dup[i]) continue;
        m[p->n].type = shadow_type(a, q->type, mode);
        m[p->n++].name = cf_text(a, "%s_%s", q->name, mode == CF_MODE_REVERSE ? "bar" : "dot");
    }
    const cf_ctype *t = unqualified(a, primal->result);
    if (w->seed) m[p->n].type = t, m[p->n++].name = "seed";
    if (w->value) m[p->n].type = pointer_to(a, t), m[p->n++].name = "value";
    if (mode == CF_MODE_FORWARD && !is_number(t)) p->result = &nothing;
    return p;
}

/* The prototype of a function inside contexts: their pointers, then its own parameters. */
static const char *in_prototype(cf_arena *a, const cf_ask *ask) {
    const cf_prototype *p = ask->primal;
    list l = {a, ""};
    const char *text = cf_text(a, "/* %s", p->shown);
    if (p->file) text = cf_text(a, "%s (%s:%u)", text, p->file, p->line);
    for (size_t i = 0; i < ask->n; i++) {
        unsigned same = 1;
        for (size_t k = 0; k < i; k++) same += !strcmp(ask->context[k], ask->context[i]);
        const char *name = ask->n > 1 ? cf_text(a, "%s_context", ask->context[i]) : "context";
        if (same > 1) name = cf_text(a, "%s%u", name, same);
        put(&l, cf_text(a, "struct %s *%s", ask->context[i], name));
        text = cf_text(a, "%s%s%s", text, i ? ", inside " : " inside ", ask->context[ask->n - 1 - i]);
    }
    for (unsigned i = 0; i < p->n; i++)
        put(&l, cf_c_declaration(a, unqualified(a, p->parameters[i].type), p->parameters[i].name));
    const char *declarator = cf_text(a, "%s(%s)", ask->name, l.text);
    return cf_text(a, "%s. */\n%s;\n", text, cf_c_declaration(a, unqualified(a, p->result), declarator));
}

/* ---- the header ---- */

/* Declares the struct tags that a type mentions, each once. */
static void put_tags(FILE *out, cf_arena *a, cf_names *seen, const cf_ctype *t, unsigned depth) {
    if (!t || depth > 8) return;
    if ((t->kind == CF_C_STRUCT || t->kind == CF_C_UNION) && t->name) {
        if (cf_names_get(seen, t->name)) return;
        cf_names_put(a, seen, t->name, (void *)(uintptr_t)1);
        if (has_c_tag(t) && depth) fprintf(out, "%s;\n", t->name);
        if (!depth)
            fprintf(out, "/* Passed by value: include the definition of %s before this header. */\n",
                    t->name);
    }
    put_tags(out, a, seen, t->kind == CF_C_STRUCT || t->kind == CF_C_UNION ? NULL : t->of, depth + 1);
    if (t->kind == CF_C_FUNCTION)
        for (uint64_t i = 0; i < t->n; i++) put_tags(out, a, seen, t->members[i].type, depth + 1);
}

/* Declares the struct of a context, once. */
static void put_struct(FILE *out, cf_arena *a, cf_names *seen, const char *name) {
    cf_ctype t = {.kind = CF_C_STRUCT, .tagged = true, .name = cf_text(a, "struct %s", name)};
    put_tags(out, a, seen, &t, 1);
}

static const char *guard_of(cf_arena *a, const char *path) {
    const char *base = strrchr(path, '/');
    char *guard = cf_text(a, "COFACTOR_%s", base ? base + 1 : path);
    for (char *s = guard; *s; s++) *s = isalnum((unsigned char)*s) ? (char)toupper((unsigned char)*s) : '_';
    return guard;
}

/* Whether all types that come by value can be written in C. */
static bool can_be_declared(const cf_prototype *p) {
    bool known = p->result->kind != CF_C_UNKNOWN;
    for (unsigned k = 0; k < p->n; k++)
        known &= p->parameters[k].type->kind != CF_C_UNKNOWN && p->parameters[k].type->kind != CF_C_VOID;
    return known;
}

static void write_header(cofactor *c, FILE *out, const char *path) {
    const char *guard = guard_of(c->arena, path);
    fprintf(out, "/* %s by Cofactor from %s. */\n#ifndef %s\n#define %s\n\n",
            c->asks.n && c->asks.at[0].n ? "Made" : "Derivatives made", c->inputs ? c->inputs : "nothing",
            guard, guard);
    cf_names seen = {0};
    for (size_t i = 0; i < c->asks.n; i++) {
        const cf_prototype *p = c->asks.at[i].primal;
        for (size_t k = 0; k < c->asks.at[i].n; k++)
            put_struct(out, c->arena, &seen, c->asks.at[i].context[k]);
        for (unsigned k = 0; k < p->n; k++) put_tags(out, c->arena, &seen, p->parameters[k].type, 0);
        put_tags(out, c->arena, &seen, p->result, 0);
    }
    fputs("#ifdef __cplusplus\nextern \"C\" {\n#endif\n", out);
    for (size_t i = 0; i < c->asks.n; i++) {
        const cf_ask *ask = &c->asks.at[i];
        const cf_words *w = ask->n ? NULL : cf_split_words(c->arena, ask->words);
        if (!ask->n && (!w || w->n != ask->primal->n)) continue;
        if (!can_be_declared(ask->primal)) {
            fprintf(out, "\n/* No C prototype is known of %s: compile with -g. */\n", ask->primal->shown);
            continue;
        }
        if (!ask->primal->typed)
            fprintf(out,
                    "\n/* Types are those of LLVM IR: no C prototype is known of %s, or a struct is passed "
                    "in pieces. */",
                    ask->primal->shown);
        fprintf(out, "\n%s",
                ask->n ? in_prototype(c->arena, ask)
                       : cf_request_prototype(c->arena, ask->primal, ask->request.mode, w, ask->name));
    }
    fputs("\n#ifdef __cplusplus\n}\n#endif\n#endif\n", out);
}

cofactor_status cf_session_header(cofactor *c, cf_output *o) {
    FILE *out = open_memstream(&o->bytes, &o->size);
    if (out) write_header(c, out, o->path);
    if (out && !fclose(out)) return COFACTOR_OK;
    return cf_fail(c, COFACTOR_BAD_OUTPUT, "there is no memory for the header");
}
