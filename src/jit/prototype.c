/* C prototypes of functions.
 *
 * In:     a function of a module
 * Out:    its prototype with C types; without debug information, or where the C parameters do not match the IR's
 *         (structs that are passed in memory), with what IR types tell
 * Needs:  nothing                         Keeps: the module
 */
#include "jit/prototype.h"
#include "llvm/l.h"
#include <stdio.h>

static const cf_ctype unknown_type = {.kind = CF_C_UNKNOWN, .name = "void"};
static const cf_ctype void_type = {.kind = CF_C_VOID, .name = "void"};

/* ---- types of IR ---- */

static const char *integer_name(unsigned bits) {
    return bits == 1    ? "_Bool"
           : bits <= 8  ? "signed char"
           : bits <= 16 ? "short"
           : bits <= 32 ? "int"
           : bits <= 64 ? "long"
                        : "__int128";
}

static const cf_ctype *ir_type(cf_ctypes *r, LLVMModuleRef m, LLVMTypeRef t) {
    cf_ctype *c = CF_NEW(r->arena, cf_ctype);
    *c = unknown_type;
    if (LLVMGetTypeKind(t) == LLVMVoidTypeKind) return &void_type;
    if (LLVMTypeIsSized(t)) c->size = l_size(m, t);
    switch (LLVMGetTypeKind(t)) {
    case LLVMHalfTypeKind: c->kind = CF_C_FLOAT, c->name = "_Float16"; break;
    case LLVMBFloatTypeKind: c->kind = CF_C_FLOAT, c->name = "__bf16"; break;
    case LLVMFloatTypeKind: c->kind = CF_C_FLOAT, c->name = "float"; break;
    case LLVMDoubleTypeKind: c->kind = CF_C_FLOAT, c->name = "double"; break;
    case LLVMX86_FP80TypeKind: c->kind = CF_C_FLOAT, c->name = "long double"; break;
    case LLVMFP128TypeKind: c->kind = CF_C_FLOAT, c->name = "_Float128"; break;
    case LLVMIntegerTypeKind: c->kind = CF_C_INTEGER, c->name = integer_name(LLVMGetIntTypeWidth(t)); break;
    case LLVMPointerTypeKind: c->kind = CF_C_POINTER, c->of = &unknown_type; break;
    default: break;
    }
    return c;
}

/* ---- functions ---- */

/* A function's C type from its subprogram. NULL: it has none. */
static const cf_ctype *source_type(cf_ctypes *r, LLVMMetadataRef sp) {
    LLVMMetadataRef type = sp ? cf_node_operand(r, sp, 4) : NULL;
    bool known = type && LLVMGetMetadataKind(type) == LLVMDISubroutineTypeMetadataKind;
    return known ? cf_ctype_of(r, type) : NULL;
}

/* Whether the IR has these parameters. */
static bool fits(const cf_ctype *t, LLVMValueRef f, const cf_pieces *pieces) {
    if (t->n != pieces->n) return false;
    for (unsigned i = 0; i < pieces->n; i++) {
        LLVMTypeRef ir = LLVMTypeOf(LLVMGetParam(f, pieces->first[i]));
        cf_ctype_kind kind = t->members[i].type->kind;
        if (kind == CF_C_FLOAT && !l_is_float_type(ir)) return false;
        if (kind == CF_C_INTEGER && !l_is_integer_type(ir)) return false;
        if (kind == CF_C_POINTER && !l_is_pointer_type(ir)) return false;
    }
    return true;
}

/* Result and parameters as the source has them. The parameters are returned: some may have no name yet. */
static cf_cmember *take_source(cf_ctypes *r, LLVMValueRef f, const cf_ctype *t, cf_prototype *p) {
    cf_cmember *parameters = CF_ARRAY(r->arena, cf_cmember, t->n + 1);
    p->typed = true;
    p->result = t->of;
    p->n = (unsigned)t->n;
    const char **names = CF_ARRAY(r->arena, const char *, p->n + 1);
    cf_ctype_name_parameters(r, f, names, p->n);
    for (unsigned i = 0; i < p->n; i++) parameters[i] = (cf_cmember){names[i], 0, t->members[i].type};
    p->parameters = parameters;
    return parameters;
}

const cf_prototype *cf_source_prototype(cf_arena *a, LLVMValueRef f) {
    cf_ctypes r = {.arena = a, .context = l_context(f)};
    const cf_prototype *like = cf_prototype_of(a, f);
    const cf_ctype *t = source_type(&r, LLVMGetSubprogram(f));
    if (!t) return like;
    cf_prototype *p = CF_NEW(a, cf_prototype);
    *p = *like;
    cf_cmember *parameters = take_source(&r, f, t, p);
    for (unsigned i = 0; i < p->n; i++)
        if (!parameters[i].name) parameters[i].name = cf_text(a, "p%u", i);
    return p;
}

const char *cf_source_name(cf_arena *a, LLVMValueRef f) {
    cf_ctypes r = {.arena = a, .context = l_context(f)};
    LLVMMetadataRef sp = LLVMGetSubprogram(f), name = sp ? cf_node_operand(&r, sp, 2) : NULL;
    unsigned n = 0;
    const char *s = name ? LLVMGetMDString(LLVMMetadataAsValue(r.context, name), &n) : NULL;
    return s && n ? cf_copy_text(a, s, n) : NULL;
}

/* The type of a parameter as far as the IR tells. */
static const cf_ctype *ir_parameter(cf_ctypes *r, LLVMValueRef f, const cf_pieces *pieces, unsigned i) {
    LLVMModuleRef m = LLVMGetGlobalParent(f);
    if (!pieces->object[i]) return ir_type(r, m, LLVMTypeOf(LLVMGetParam(f, pieces->first[i])));
    bool dup = false, mixed = false;
    for (unsigned k = pieces->first[i]; k < pieces->first[i + 1]; k++) {
        dup |= !l_is_integer_type(LLVMTypeOf(LLVMGetParam(f, k)));
        mixed |= cf_piece_mixes(f, pieces, k);
    }
    return dup && !mixed ? &unknown_type : &void_type;
}

/* The same as take_source, as far as the IR tells. */
static cf_cmember *take_ir(cf_ctypes *r, LLVMValueRef f, const cf_pieces *pieces, cf_prototype *p) {
    cf_cmember *parameters = CF_ARRAY(r->arena, cf_cmember, pieces->n + 1);
    p->result = ir_type(r, LLVMGetGlobalParent(f), l_return_type(f));
    p->n = pieces->n;
    for (unsigned i = 0; i < p->n; i++) parameters[i].type = ir_parameter(r, f, pieces, i);
    p->parameters = parameters;
    return parameters;
}

/* The name of a parameter in the IR, where C could have it. */
static const char *ir_name(cf_arena *a, LLVMValueRef parameter, unsigned i) {
    const char *ir = l_name(parameter);
    bool plain = *ir && !ir[strspn(ir, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] &&
                 !(*ir >= '0' && *ir <= '9');
    return plain ? cf_copy_text(a, ir, strlen(ir)) : cf_text(a, "p%u", i);
}

const cf_prototype *cf_prototype_of(cf_arena *a, LLVMValueRef f) {
    cf_ctypes r = {.arena = a, .context = l_context(f)};
    cf_prototype *p = CF_NEW(a, cf_prototype);
    p->name = p->shown = cf_copy_text(a, l_name(f), strlen(l_name(f)));
    const char *source = cf_source_name(a, f);
    if (source) p->shown = source;
    cf_place place = l_place(f);
    if (place.file) p->file = cf_copy_text(a, place.file, strlen(place.file));
    p->line = place.line;
    cf_pieces pieces;
    cf_find_pieces(a, f, &pieces);
    const cf_ctype *t = source_type(&r, LLVMGetSubprogram(f));
    bool known = t && fits(t, f, &pieces);
    cf_cmember *parameters = known ? take_source(&r, f, t, p) : take_ir(&r, f, &pieces, p);
    for (unsigned i = 0; i < p->n; i++)
        if (!parameters[i].name) parameters[i].name = ir_name(a, LLVMGetParam(f, pieces.first[i]), i);
    return p;
}

/* ---- default words ---- */

static bool has_floats(cf_arena *a, cf_map *seen, const cf_ctype *t) {
    if (!t || cf_map_get(seen, t)) return false;
    cf_map_put(a, seen, t, a);
    switch (t->kind) {
    case CF_C_FLOAT:
    case CF_C_COMPLEX:
    case CF_C_UNKNOWN: return true;
    case CF_C_POINTER:
    case CF_C_ARRAY: return has_floats(a, seen, t->of);
    case CF_C_STRUCT:
    case CF_C_UNION:
        for (uint64_t i = 0; i < t->n; i++)
            if (has_floats(a, seen, t->members[i].type)) return true;
        return false;
    default: return false;
    }
}

bool cf_ctype_has_floats(const cf_ctype *t) {
    cf_arena *a = cf_arena_new();
    bool any = has_floats(a, &(cf_map){0}, t);
    cf_arena_free(a);
    return any;
}

bool cf_parameter_is_dup(const cf_cmember *p) { return cf_ctype_has_floats(p->type); }

const char *cf_default_words(cf_arena *a, const cf_prototype *p) {
    const char *words = "";
    for (unsigned i = 0; i < p->n; i++)
        words = cf_text(a, "%s%s%s", words, i ? " " : "",
                        cf_parameter_is_dup(&p->parameters[i]) ? "dup" : "const");
    return words;
}
