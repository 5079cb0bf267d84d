/* C types, read from debug information.
 *
 * In:     nodes of types and variables
 * Out:    one cf_ctype for each type node
 * Needs:  nothing                         Keeps: the module
 *
 * Idea: debug information is a graph of nodes. A map from nodes to types ends the recursion of structs that point to
 * themselves. Typedefs are looked through, except that they name what has no name of its own: headers must not depend on
 * names that only the source has. */
#include "ir/ctype.h"
#include "llvm/l.h"

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

/* A type that is another one but for const or a name: made again when all of that other one is known. */
typedef struct copy {
    cf_ctype *copy;
    const cf_ctype *of;
    LLVMMetadataRef node;
} copy;
struct cf_ctype_copies {
    CF_VEC(copy) all;
};

static const cf_ctype unknown_type = {.kind = CF_C_UNKNOWN, .name = "void"};
static const cf_ctype void_type = {.kind = CF_C_VOID, .name = "void"};

/* ---- nodes ---- */

unsigned cf_node_count(const cf_ctypes *r, LLVMMetadataRef node) {
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(r->context, node));
}

/* Operand i of a node; NULL where there is none. */
LLVMMetadataRef cf_node_operand(const cf_ctypes *r, LLVMMetadataRef node, unsigned i) {
    LLVMValueRef v = LLVMMetadataAsValue(r->context, node);
    unsigned n = LLVMGetMDNodeNumOperands(v);
    if (i >= n) return NULL;
    LLVMValueRef *all = CF_ARRAY(r->arena, LLVMValueRef, n);
    LLVMGetMDNodeOperands(v, all);
    return all[i] ? LLVMValueAsMetadata(all[i]) : NULL;
}

const char *cf_node_text(const cf_ctypes *r, LLVMMetadataRef node) {
    char *s = LLVMPrintValueToString(LLVMMetadataAsValue(r->context, node));
    char *copy = cf_copy_text(r->arena, s, strlen(s));
    LLVMDisposeMessage(s);
    return copy;
}

static const char *type_name(cf_ctypes *r, LLVMMetadataRef node) {
    size_t n = 0;
    const char *s = LLVMDITypeGetName(node, &n);
    return s && n ? cf_copy_text(r->arena, s, n) : NULL;
}

/* ---- types ---- */

static const cf_ctype *read_type(cf_ctypes *r, LLVMMetadataRef node);

static void read_basic(cf_ctypes *r, LLVMMetadataRef node, cf_ctype *t) {
    const char *text = cf_node_text(r, node), *name = type_name(r, node);
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

static void read_members(cf_ctypes *r, LLVMMetadataRef list, cf_ctype *t) {
    unsigned n = list ? cf_node_count(r, list) : 0;
    cf_cmember *members = CF_ARRAY(r->arena, cf_cmember, n + 1);
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef m = cf_node_operand(r, list, i);
        if (!m || LLVMGetMetadataKind(m) != LLVMDIDerivedTypeMetadataKind) continue;
        unsigned tag = LLVMGetDINodeTag(m);
        if (tag != TAG_MEMBER && tag != TAG_INHERITANCE) continue;
        if (LLVMDITypeGetFlags(m) & LLVMDIFlagStaticMember) continue;
        members[t->n++] = (cf_cmember){type_name(r, m), LLVMDITypeGetOffsetInBits(m) / 8,
                                       read_type(r, cf_node_operand(r, m, L_DI_TYPE_PARTS))};
    }
    t->members = members;
}

static const cf_ctype *read_array(cf_ctypes *r, LLVMMetadataRef ranges, unsigned from,
                                  const cf_ctype *element) {
    if (!ranges || from >= cf_node_count(r, ranges)) return element;
    cf_ctype *t = CF_NEW(r->arena, cf_ctype);
    t->kind = CF_C_ARRAY;
    t->of = read_array(r, ranges, from + 1, element);
    LLVMMetadataRef range = cf_node_operand(r, ranges, from);
    const char *count = range ? strstr(cf_node_text(r, range), "count: ") : NULL;
    t->n = count ? strtoull(count + strlen("count: "), NULL, 10) : 0;
    t->size = t->n * t->of->size;
    return t;
}

static void read_composite(cf_ctypes *r, LLVMMetadataRef node, cf_ctype *t) {
    const char *name = type_name(r, node);
    LLVMMetadataRef of = cf_node_operand(r, node, L_DI_TYPE_PARTS),
                    parts = cf_node_operand(r, node, L_DI_TYPE_PARTS + 1);
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
    t->name = name ? cf_text(r->arena, "%s %s", t->kind == CF_C_UNION ? "union" : "struct", name) : NULL;
    read_members(r, parts, t);
}

static void read_function(cf_ctypes *r, LLVMMetadataRef node, cf_ctype *t) {
    LLVMMetadataRef types = cf_node_operand(r, node, L_DI_TYPE_PARTS);
    unsigned n = types ? cf_node_count(r, types) : 0;
    t->kind = CF_C_FUNCTION;
    t->of = n ? read_type(r, cf_node_operand(r, types, 0)) : &void_type;
    cf_cmember *p = CF_ARRAY(r->arena, cf_cmember, n + 1);
    for (unsigned i = 1; i < n; i++) p[t->n++].type = read_type(r, cf_node_operand(r, types, i));
    t->members = p;
}

static void copy_type(cf_ctypes *r, const copy *c) {
    unsigned tag = LLVMGetDINodeTag(c->node);
    *c->copy = *c->of;
    if (!c->copy->size) c->copy->size = LLVMDITypeGetSizeInBits(c->node) / 8;
    if (tag == TAG_CONST) c->copy->is_const = true;
    if (tag == TAG_TYPEDEF && !c->copy->name && (c->of->kind == CF_C_STRUCT || c->of->kind == CF_C_UNION))
        c->copy->name = type_name(r, c->node);
}

static void read_derived(cf_ctypes *r, LLVMMetadataRef node, cf_ctype *t) {
    LLVMMetadataRef of = cf_node_operand(r, node, L_DI_TYPE_PARTS);
    unsigned tag = LLVMGetDINodeTag(node);
    if (tag == TAG_POINTER || tag == TAG_REFERENCE || tag == TAG_RVALUE_REFERENCE) {
        t->kind = CF_C_POINTER;
        t->reference = tag != TAG_POINTER;
        t->of = of ? read_type(r, of) : &void_type;
        return;
    }
    copy c = {t, of ? read_type(r, of) : &void_type, node};
    copy_type(r, &c);
    cf_push(r->arena, &r->copies->all, c);
}

static const cf_ctype *read_type(cf_ctypes *r, LLVMMetadataRef node) {
    cf_ctype *t = cf_map_get(&r->types, node);
    if (!node) return &void_type;
    if (t) return t;
    t = CF_NEW(r->arena, cf_ctype);
    *t = unknown_type;
    cf_map_put(r->arena, &r->types, node, t);
    LLVMMetadataKind kind = LLVMGetMetadataKind(node);
    bool sized = kind == LLVMDIBasicTypeMetadataKind || kind == LLVMDIDerivedTypeMetadataKind ||
                 kind == LLVMDICompositeTypeMetadataKind;
    if (sized) t->size = LLVMDITypeGetSizeInBits(node) / 8;
    switch (kind) {
    case LLVMDIBasicTypeMetadataKind: read_basic(r, node, t); break;
    case LLVMDIDerivedTypeMetadataKind: read_derived(r, node, t); break;
    case LLVMDICompositeTypeMetadataKind: read_composite(r, node, t); break;
    case LLVMDISubroutineTypeMetadataKind: read_function(r, node, t); break;
    default: break;
    }
    return t;
}

const cf_ctype *cf_ctype_of(cf_ctypes *r, LLVMMetadataRef node) {
    if (!r->copies) r->copies = CF_NEW(r->arena, struct cf_ctype_copies);
    const cf_ctype *t = read_type(r, node);
    for (size_t i = 0; i < r->copies->all.n; i++) copy_type(r, &r->copies->all.at[i]);
    r->copies->all.n = 0;
    return t;
}

/* ---- variables ---- */

enum { VARIABLE_TYPE = 3 }; /* operand: after scope, name and file */

const cf_ctype *cf_ctype_of_variable(cf_ctypes *r, LLVMMetadataRef variable) {
    LLVMMetadataRef type = cf_node_operand(r, variable, VARIABLE_TYPE);
    return type ? cf_ctype_of(r, type) : NULL;
}

const cf_ctype *cf_ctype_of_global(cf_ctypes *r, LLVMValueRef global) {
    size_t n = 0;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
    LLVMMetadataRef variable = NULL;
    for (unsigned i = 0; i < n && !variable; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(all, i);
        if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
            variable = LLVMDIGlobalVariableExpressionGetVariable(node);
    }
    LLVMDisposeValueMetadataEntries(all);
    return variable ? cf_ctype_of_variable(r, variable) : NULL;
}

const cf_ctype *cf_ctype_member_function(const cf_ctype *t, const char *name) {
    for (uint64_t i = 0; t && t->kind == CF_C_STRUCT && i < t->n; i++) {
        const cf_cmember *m = &t->members[i];
        if (!m->name || strcmp(m->name, name) != 0 || m->type->kind != CF_C_POINTER) continue;
        return m->type->of->kind == CF_C_FUNCTION ? m->type->of : NULL;
    }
    return NULL;
}

const char *cf_ctype_name(cf_ctypes *r, LLVMMetadataRef variable) {
    LLVMMetadataRef name = cf_node_operand(r, variable, 1);
    unsigned length = 0;
    const char *s = name ? LLVMGetMDString(LLVMMetadataAsValue(r->context, name), &length) : NULL;
    return s && length ? cf_copy_text(r->arena, s, length) : NULL;
}

/* They are in the function's variables (`arg: k`). */
void cf_ctype_name_parameters(cf_ctypes *r, LLVMValueRef f, const char **names, unsigned n) {
    LLVMMetadataRef sp = LLVMGetSubprogram(f), variables = sp ? cf_node_operand(r, sp, 7) : NULL;
    for (unsigned i = 0; variables && i < cf_node_count(r, variables); i++) {
        LLVMMetadataRef v = cf_node_operand(r, variables, i);
        if (!v || LLVMGetMetadataKind(v) != LLVMDILocalVariableMetadataKind) continue;
        const char *arg = strstr(cf_node_text(r, v), "arg: ");
        unsigned long k = arg ? strtoul(arg + strlen("arg: "), NULL, 10) : 0;
        const char *name = k >= 1 && k <= n ? cf_ctype_name(r, v) : NULL;
        if (name) names[k - 1] = name;
    }
}
