/* C prototypes of functions.
 *
 * In:     a function of a module
 * Out:    its prototype with C types; without debug information, or where the C parameters do not match the IR's one
 *         by one (structs that are passed in registers), with what IR types tell
 * Needs:  nothing                         Keeps: the module
 *
 * Idea: debug information is a graph of nodes. Each type node is turned into one cf_ctype; a map from nodes to types
 * ends the recursion of structs that point to themselves. Typedefs are looked through, except that they name what has
 * no name of its own: headers must not depend on names that only the source has.
 */
#include "jit/prototype.h"
#include "llvm/l.h"
#include "support/map.h"
#include <stdio.h>

/* DWARF 5, table 7.3 */
enum {
    TAG_ARRAY = 0x01,
    TAG_CLASS = 0x02,
    TAG_ENUM = 0x04,
    TAG_MEMBER = 0x0d,
    TAG_POINTER = 0x0f,
    TAG_REFERENCE = 0x10,
    TAG_STRUCT = 0x13,
    TAG_TYPEDEF = 0x16,
    TAG_UNION = 0x17,
    TAG_INHERITANCE = 0x1c,
    TAG_CONST = 0x26,
    TAG_RVALUE_REFERENCE = 0x42
};

typedef struct reader {
    cf_arena *a;
    LLVMContextRef context;
    cf_map types; /* metadata node -> cf_ctype */
} reader;

static const cf_ctype unknown_type = {.kind = CF_C_UNKNOWN, .name = "void"};
static const cf_ctype void_type = {.kind = CF_C_VOID, .name = "void"};

/* ---- nodes ---- */

static unsigned operand_count(reader *r, LLVMMetadataRef node) {
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(r->context, node));
}

/* Operand i of a node; NULL where there is none. */
static LLVMMetadataRef operand(reader *r, LLVMMetadataRef node, unsigned i) {
    LLVMValueRef v = LLVMMetadataAsValue(r->context, node);
    unsigned n = LLVMGetMDNodeNumOperands(v);
    if (i >= n) return NULL;
    LLVMValueRef *all = CF_ARRAY(r->a, LLVMValueRef, n);
    LLVMGetMDNodeOperands(v, all);
    return all[i] ? LLVMValueAsMetadata(all[i]) : NULL;
}

static const char *node_text(reader *r, LLVMMetadataRef node) {
    char *s = LLVMPrintValueToString(LLVMMetadataAsValue(r->context, node));
    char *copy = cf_copy_text(r->a, s, strlen(s));
    LLVMDisposeMessage(s);
    return copy;
}

static const char *type_name(reader *r, LLVMMetadataRef node) {
    size_t n = 0;
    const char *s = LLVMDITypeGetName(node, &n);
    return s && n ? cf_copy_text(r->a, s, n) : NULL;
}

/* ---- types ---- */

static const cf_ctype *read_type(reader *r, LLVMMetadataRef node);

static void read_basic(reader *r, LLVMMetadataRef node, cf_ctype *t) {
    const char *text = node_text(r, node), *name = type_name(r, node);
    t->name = name ? name : "int";
    t->kind = CF_C_INTEGER;
    if (strstr(text, "DW_ATE_float")) t->kind = CF_C_FLOAT;
    if (strstr(text, "DW_ATE_complex_float")) {
        t->kind = CF_C_COMPLEX;
        t->name = t->size == 8    ? "float _Complex"
                  : t->size == 16 ? "double _Complex"
                                  : "long double _Complex";
    }
    if (!strcmp(t->name, "bool")) t->name = "_Bool";
}

static void read_members(reader *r, LLVMMetadataRef list, cf_ctype *t) {
    unsigned n = list ? operand_count(r, list) : 0;
    cf_cmember *members = CF_ARRAY(r->a, cf_cmember, n + 1);
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef m = operand(r, list, i);
        if (!m || LLVMGetMetadataKind(m) != LLVMDIDerivedTypeMetadataKind) continue;
        unsigned tag = LLVMGetDINodeTag(m);
        if (tag != TAG_MEMBER && tag != TAG_INHERITANCE) continue;
        if (LLVMDITypeGetFlags(m) & LLVMDIFlagStaticMember) continue;
        members[t->n++] = (cf_cmember){type_name(r, m), LLVMDITypeGetOffsetInBits(m) / 8,
                                       read_type(r, operand(r, m, L_DI_TYPE_PARTS))};
    }
    t->members = members;
}

static const cf_ctype *read_array(reader *r, LLVMMetadataRef ranges, unsigned from, const cf_ctype *element) {
    if (!ranges || from >= operand_count(r, ranges)) return element;
    cf_ctype *t = CF_NEW(r->a, cf_ctype);
    t->kind = CF_C_ARRAY;
    t->of = read_array(r, ranges, from + 1, element);
    LLVMMetadataRef range = operand(r, ranges, from);
    const char *count = range ? strstr(node_text(r, range), "count: ") : NULL;
    t->n = count ? strtoull(count + strlen("count: "), NULL, 10) : 0;
    t->size = t->n * t->of->size;
    return t;
}

static void read_composite(reader *r, LLVMMetadataRef node, cf_ctype *t) {
    const char *name = type_name(r, node);
    LLVMMetadataRef of = operand(r, node, L_DI_TYPE_PARTS), parts = operand(r, node, L_DI_TYPE_PARTS + 1);
    switch (LLVMGetDINodeTag(node)) {
    case TAG_ARRAY: *t = *read_array(r, parts, 0, read_type(r, of)); return;
    case TAG_ENUM:
        t->kind = CF_C_INTEGER;
        t->name = of ? read_type(r, of)->name : "int";
        return;
    case TAG_UNION: t->kind = CF_C_UNION; break;
    default: t->kind = CF_C_STRUCT; break;
    }
    t->tagged = name != NULL;
    t->name = name ? cf_text(r->a, "%s %s", t->kind == CF_C_UNION ? "union" : "struct", name) : NULL;
    read_members(r, parts, t);
}

static void read_function(reader *r, LLVMMetadataRef node, cf_ctype *t) {
    LLVMMetadataRef types = operand(r, node, L_DI_TYPE_PARTS);
    unsigned n = types ? operand_count(r, types) : 0;
    t->kind = CF_C_FUNCTION;
    t->of = n ? read_type(r, operand(r, types, 0)) : &void_type;
    cf_cmember *p = CF_ARRAY(r->a, cf_cmember, n + 1);
    for (unsigned i = 1; i < n; i++) p[t->n++].type = read_type(r, operand(r, types, i));
    t->members = p;
}

static void read_derived(reader *r, LLVMMetadataRef node, cf_ctype *t) {
    LLVMMetadataRef of = operand(r, node, L_DI_TYPE_PARTS);
    unsigned tag = LLVMGetDINodeTag(node);
    if (tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE) {
        t->kind = CF_C_POINTER;
        t->reference = tag != TAG_POINTER;
        t->of = of ? read_type(r, of) : &void_type;
        return;
    }
    uint64_t size = t->size;
    *t = of ? *read_type(r, of) : void_type;
    if (!t->size) t->size = size;
    if (tag == TAG_CONST) t->is_const = true;
    if (tag == TAG_TYPEDEF && !t->name && (t->kind == CF_C_STRUCT || t->kind == CF_C_UNION))
        t->name = type_name(r, node);
}

static const cf_ctype *read_type(reader *r, LLVMMetadataRef node) {
    if (!node) return &void_type;
    cf_ctype *t = cf_map_get(&r->types, node);
    if (t) return t;
    t = CF_NEW(r->a, cf_ctype);
    *t = unknown_type;
    cf_map_put(r->a, &r->types, node, t);
    switch (LLVMGetMetadataKind(node)) {
    case LLVMDIBasicTypeMetadataKind:
        t->size = LLVMDITypeGetSizeInBits(node) / 8, read_basic(r, node, t);
        break;
    case LLVMDIDerivedTypeMetadataKind:
        t->size = LLVMDITypeGetSizeInBits(node) / 8;
        read_derived(r, node, t);
        break;
    case LLVMDICompositeTypeMetadataKind:
        t->size = LLVMDITypeGetSizeInBits(node) / 8;
        read_composite(r, node, t);
        break;
    case LLVMDISubroutineTypeMetadataKind: read_function(r, node, t); break;
    default: break;
    }
    return t;
}

/* ---- types of IR ---- */

static const char *integer_name(unsigned bits) {
    return bits == 1    ? "_Bool"
           : bits <= 8  ? "signed char"
           : bits <= 16 ? "short"
           : bits <= 32 ? "int"
           : bits <= 64 ? "long"
                        : "__int128";
}

static const cf_ctype *ir_type(reader *r, LLVMModuleRef m, LLVMTypeRef t) {
    cf_ctype *c = CF_NEW(r->a, cf_ctype);
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

/* Names of parameters from the function's variables (`arg: k`). */
static void name_parameters(reader *r, LLVMMetadataRef variables, cf_cmember *p, unsigned n) {
    for (unsigned i = 0; variables && i < operand_count(r, variables); i++) {
        LLVMMetadataRef v = operand(r, variables, i);
        if (!v || LLVMGetMetadataKind(v) != LLVMDILocalVariableMetadataKind) continue;
        const char *arg = strstr(node_text(r, v), "arg: ");
        unsigned long k = arg ? strtoul(arg + strlen("arg: "), NULL, 10) : 0;
        LLVMMetadataRef name = operand(r, v, 1);
        unsigned length = 0;
        const char *s = name ? LLVMGetMDString(LLVMMetadataAsValue(r->context, name), &length) : NULL;
        if (k >= 1 && k <= n && s && length) p[k - 1].name = cf_copy_text(r->a, s, length);
    }
}

/* The parameters' C types from a subprogram; false where they do not match the IR's one by one. */
static bool read_subprogram(reader *r, LLVMMetadataRef sp, LLVMValueRef f, cf_prototype *p,
                            cf_cmember *parameters) {
    LLVMMetadataRef type = operand(r, sp, 4);
    if (!type || LLVMGetMetadataKind(type) != LLVMDISubroutineTypeMetadataKind) return false;
    const cf_ctype *t = read_type(r, type);
    if (t->n != p->n) return false;
    for (unsigned i = 0; i < p->n; i++) {
        LLVMTypeRef ir = LLVMTypeOf(LLVMGetParam(f, i));
        cf_ctype_kind kind = t->members[i].type->kind;
        if (kind == CF_C_FLOAT && !l_is_float_type(ir)) return false;
        if (kind == CF_C_INTEGER && !l_is_integer_type(ir)) return false;
        if (kind == CF_C_POINTER && !l_is_pointer_type(ir)) return false;
    }
    for (unsigned i = 0; i < p->n; i++) parameters[i].type = t->members[i].type;
    p->result = t->of;
    name_parameters(r, operand(r, sp, 7), parameters, p->n);
    return true;
}

const char *cf_source_name(cf_arena *a, LLVMValueRef f) {
    reader r = {a, l_context(f), {0}};
    LLVMMetadataRef sp = LLVMGetSubprogram(f), name = sp ? operand(&r, sp, 2) : NULL;
    unsigned n = 0;
    const char *s = name ? LLVMGetMDString(LLVMMetadataAsValue(r.context, name), &n) : NULL;
    return s && n ? cf_copy_text(a, s, n) : NULL;
}

const cf_prototype *cf_prototype_of(cf_arena *a, LLVMValueRef f) {
    reader r = {a, l_context(f), {0}};
    cf_prototype *p = CF_NEW(a, cf_prototype);
    p->name = p->shown = cf_copy_text(a, l_name(f), strlen(l_name(f)));
    p->n = LLVMCountParams(f);
    cf_cmember *parameters = CF_ARRAY(a, cf_cmember, p->n + 1);
    p->parameters = parameters;
    LLVMMetadataRef sp = LLVMGetSubprogram(f);
    const char *source = cf_source_name(a, f);
    if (source) p->shown = source;
    cf_place place = l_place(f);
    if (place.file) p->file = cf_copy_text(a, place.file, strlen(place.file));
    p->line = place.line;
    p->typed = sp && read_subprogram(&r, sp, f, p, parameters);
    LLVMModuleRef m = LLVMGetGlobalParent(f);
    if (!p->typed) p->result = ir_type(&r, m, l_return_type(f));
    for (unsigned i = 0; i < p->n; i++) {
        const char *ir = l_name(LLVMGetParam(f, i));
        if (!p->typed) parameters[i].type = ir_type(&r, m, LLVMTypeOf(LLVMGetParam(f, i)));
        if (parameters[i].name) continue;
        bool plain = *ir &&
                     !ir[strspn(ir, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")] &&
                     !(*ir >= '0' && *ir <= '9');
        parameters[i].name = plain ? cf_copy_text(a, ir, strlen(ir)) : cf_text(a, "p%u", i);
    }
    return p;
}

/* ---- default words ---- */

static bool has_floats(const cf_ctype *t, unsigned depth) {
    if (!t || depth > 8) return false;
    switch (t->kind) {
    case CF_C_FLOAT:
    case CF_C_COMPLEX:
    case CF_C_UNKNOWN: return true;
    case CF_C_POINTER:
    case CF_C_ARRAY: return has_floats(t->of, depth + 1);
    case CF_C_STRUCT:
    case CF_C_UNION:
        for (uint64_t i = 0; i < t->n; i++)
            if (has_floats(t->members[i].type, depth + 1)) return true;
        return false;
    default: return false;
    }
}

bool cf_ctype_has_floats(const cf_ctype *t) { return has_floats(t, 0); }

bool cf_parameter_is_dup(const cf_cmember *p) { return cf_ctype_has_floats(p->type); }

const char *cf_default_words(cf_arena *a, const cf_prototype *p) {
    const char *words = "";
    for (unsigned i = 0; i < p->n; i++)
        words = cf_text(a, "%s%s%s", words, i ? " " : "",
                        cf_parameter_is_dup(&p->parameters[i]) ? "dup" : "const");
    return words;
}
