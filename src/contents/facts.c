/* Facts about memory: what types, debug information and TBAA say.
 *
 * In:     a type, or an instruction with metadata; where the memory lies from the pointer that is asked about
 * Out:    facts: offset from the pointer, period, scalar
 * Keeps:  the module
 */
#include "contents/evidence.h"
#include "llvm/l.h"

enum { MOST_EXPANDED = 64 };

uint64_t cf_gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

void cf_add_run(cf_facts *f, cf_fact x, uint64_t count) {
    x.count = count;
    x.step = cf_gcd(x.step, x.stride);
    if (x.stride && x.stride < count * x.size) {
        /* An array, from anywhere in which the pointer may point. */
        x.stride = cf_gcd(x.stride, x.size);
        x.count = 1;
        if (x.stride < x.size) x.stride = x.size;
    }
    cf_push(f->arena, &f->facts, x);
}

void cf_add_fact(cf_facts *f, cf_fact x) { cf_add_run(f, x, 1); }

/* Adds facts about an element of `size` bytes to those about memory at `at`, where one or any number of them are. */
void cf_add_element(cf_facts *f, const cf_facts *element, cf_fact at, uint64_t size) {
    for (size_t i = 0; i < element->facts.n; i++) {
        cf_fact x = element->facts.at[i];
        x.offset += at.offset;
        x.stride = cf_gcd(at.stride, size);
        x.ways = at.ways;
        x.distance = at.distance;
        x.period = at.period > size ? at.period : at.stride > size ? at.stride : at.stride ? size : 0;
        cf_add_run(f, x, x.count);
    }
}

/* ---- types ---- */

static bool is_union(LLVMTypeRef t) {
    const char *name = LLVMGetTypeKind(t) == LLVMStructTypeKind ? LLVMGetStructName(t) : NULL;
    return name && l_begins(name, "union.");
}

static bool add_scalar(cf_facts *f, LLVMTypeRef t, cf_fact at, uint64_t count, bool in_struct) {
    at.type = t;
    at.size = LLVMABISizeOfType(f->data, t);
    if (l_is_float_type(t))
        at.kind = CF_FIELD_FLOAT;
    else if (l_is_pointer_type(t))
        at.kind = CF_FIELD_POINTER;
    else if (l_is_integer_type(t) && (in_struct || at.size > 1)) {
        at.kind = CF_FIELD_OTHER;
        if (!in_struct && !at.weak) at.weak = 1;
    } else
        return false;
    cf_add_run(f, at, count);
    return true;
}

static bool add_elements(cf_facts *f, LLVMTypeRef t, cf_fact at, bool in_struct) {
    bool vector = l_is_vector_type(t), all = true;
    uint64_t count = vector ? LLVMGetVectorSize(t) : LLVMGetArrayLength2(t);
    LLVMTypeRef e = LLVMGetElementType(t);
    while (LLVMGetTypeKind(e) == LLVMArrayTypeKind) {
        count *= LLVMGetArrayLength2(e);
        e = LLVMGetElementType(e);
    }
    if (!count) return true;
    if (!l_is_aggregate_type(e) && !l_is_vector_type(e)) return add_scalar(f, e, at, count, in_struct);
    if (count > MOST_EXPANDED) return false;
    uint64_t size = LLVMABISizeOfType(f->data, e);
    for (uint64_t i = 0; i < count; i++, at.offset += (int64_t)size) all &= cf_add_part(f, e, at, in_struct);
    return all;
}

static bool add_members(cf_facts *f, LLVMTypeRef t, cf_fact at) {
    bool all = true;
    int64_t begin = at.offset;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
        at.offset = begin + (int64_t)LLVMOffsetOfElement(f->data, t, i);
        all &= cf_add_part(f, LLVMStructGetTypeAtIndex(t, i), at, true);
    }
    return all;
}

bool cf_add_part(cf_facts *f, LLVMTypeRef t, cf_fact at, bool in_struct) {
    if (!LLVMTypeIsSized(t) || (is_union(t) && !f->trust_unions)) return false;
    switch (LLVMGetTypeKind(t)) {
    case LLVMStructTypeKind: return add_members(f, t, at);
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return add_elements(f, t, at, in_struct);
    default: return add_scalar(f, t, at, 1, in_struct);
    }
}

/* What no field of a type covers, all of whose fields are told, is padding. */
static void add_padding(cf_facts *f, LLVMContextRef c, cf_fact at, uint64_t size) {
    at.type = LLVMInt8TypeInContext(c);
    at.kind = CF_FIELD_OTHER;
    at.weak = 2;
    at.size = size;
    cf_add_fact(f, at);
}

bool cf_add_type(cf_facts *f, LLVMTypeRef type, cf_fact at) {
    bool all = cf_add_part(f, type, at, false);
    if (all && l_is_aggregate_type(type))
        add_padding(f, LLVMGetTypeContext(type), at, LLVMABISizeOfType(f->data, type));
    return all;
}

/* ---- debug information ---- */

typedef struct told {
    cf_facts *f;
    unsigned distance;
    LLVMContextRef context;
} told;

static LLVMTypeRef float_of_size(LLVMContextRef c, uint64_t size) {
    switch (size) {
    case 2: return LLVMHalfTypeInContext(c);
    case 4: return LLVMFloatTypeInContext(c);
    case 8: return LLVMDoubleTypeInContext(c);
    default: return LLVMX86FP80TypeInContext(c);
    }
}

/* `count` elements of `size` bytes each, one behind the other. */
static void add_told(const told *d, uint64_t offset, uint64_t count, cf_ctype_kind kind, uint64_t size) {
    bool number = kind == CF_C_FLOAT, pointer = kind == CF_C_POINTER;
    cf_fact at = {.offset = (int64_t)offset, .size = size, .distance = d->distance};
    at.kind = number ? CF_FIELD_FLOAT : pointer ? CF_FIELD_POINTER : CF_FIELD_OTHER;
    at.type = number    ? float_of_size(d->context, size)
              : pointer ? LLVMPointerTypeInContext(d->context, 0)
                        : LLVMIntTypeInContext(d->context, (unsigned)(8 * size));
    if (size) cf_add_run(d->f, at, count);
}

/* Tells the fields of `count` values of a type. False when there are parts that it cannot tell (unions). */
static bool tell(const told *d, const cf_ctype *t, uint64_t at, uint64_t count, bool inside) {
    bool all = true;
    switch (t->kind) {
    case CF_C_FLOAT:
    case CF_C_POINTER: add_told(d, at, count, t->kind, t->size); return true;
    case CF_C_COMPLEX: add_told(d, at, 2 * count, CF_C_FLOAT, t->size / 2); return true;
    case CF_C_INTEGER:
        if (t->size == 1 && !inside)
            return false; /* any bytes go by the name of char, but not in a structure */
        add_told(d, at, count, t->kind, t->size);
        return true;
    case CF_C_ARRAY: return t->of->size && tell(d, t->of, at, count * t->n, inside);
    case CF_C_STRUCT:
        if (count > 64) return false;
        for (uint64_t i = 0; i < count; i++)
            for (uint64_t k = 0; k < t->n; k++)
                all &= tell(d, t->members[k].type, at + i * t->size + t->members[k].offset, 1, true);
        return all;
    default: return false;
    }
}

void cf_add_debug_type(cf_facts *f, LLVMContextRef c, const cf_ctype *t, cf_fact at) {
    cf_facts own = {.arena = f->arena, .data = f->data};
    told d = {&own, at.distance, c};
    if (!t->size) return;
    if (tell(&d, t, 0, 1, false)) add_padding(&own, c, (cf_fact){.distance = at.distance}, t->size);
    /* The pointer may point into an array of the type. */
    at.ways = CF_BOTH;
    cf_add_element(f, &own, at, t->size);
}

/* ---- TBAA ---- */

static LLVMValueRef node_operand(LLVMValueRef node, unsigned i) {
    unsigned n = LLVMGetMDNodeNumOperands(node);
    LLVMValueRef *all = malloc((n + 1) * sizeof *all);
    LLVMGetMDNodeOperands(node, all);
    LLVMValueRef v = i < n ? all[i] : NULL;
    free(all);
    return v;
}

static const char *node_name(LLVMValueRef node) {
    LLVMValueRef s = LLVMGetMDNodeNumOperands(node) ? node_operand(node, 0) : NULL;
    unsigned n = 0;
    const char *text = s && LLVMIsAMDString(s) ? LLVMGetMDString(s, &n) : NULL;
    return text ? text : "";
}

static uint64_t node_number(LLVMValueRef node, unsigned i) {
    LLVMValueRef v = node_operand(node, i);
    return v && LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
}

/* Scalar types of C and C++, as clang names them. size 0: of a pointer or as large as its access. */
static const struct tbaa_name {
    const char *name;
    char kind;
    uint64_t size;
} tbaa_names[] = {
    {"double", 'f', 8},    {"float", 'f', 4},        {"_Float16", 'f', 2},    {"__fp16", 'f', 2},
    {"__bf16", 'b', 2},    {"long double", 'f', 16}, {"int", 'o', 4},         {"long", 'o', 8},
    {"long long", 'o', 8}, {"short", 'o', 2},        {"bool", 'o', 1},        {"_Bool", 'o', 1},
    {"__int128", 'o', 16}, {"wchar_t", 'o', 4},      {"any pointer", 'p', 8}, {"vtable pointer", 'p', 8},
};

static bool is_pointer_name(const char *name) { /* "p1 double", from LLVM 20 on */
    return name[0] == 'p' && name[1] >= '0' && name[1] <= '9' && strchr(name, ' ');
}

static bool scalar_named(cf_facts *f, LLVMContextRef c, const char *name, cf_fact *at) {
    struct tbaa_name row = {name, 'p', 8};
    bool found = is_pointer_name(name);
    for (size_t i = 0; i < sizeof tbaa_names / sizeof *tbaa_names && !found; i++) {
        found = !strcmp(name, tbaa_names[i].name);
        if (found) row = tbaa_names[i];
    }
    if (!found) return false;
    at->kind = row.kind == 'o' ? CF_FIELD_OTHER : row.kind == 'p' ? CF_FIELD_POINTER : CF_FIELD_FLOAT;
    at->type = row.kind == 'o'   ? LLVMIntTypeInContext(c, (unsigned)(8 * row.size))
               : row.kind == 'p' ? LLVMPointerTypeInContext(c, 0)
               : row.kind == 'b' ? LLVMBFloatTypeInContext(c)
                                 : float_of_size(c, row.size);
    at->size = LLVMABISizeOfType(f->data, at->type);
    return true;
}

static void add_tbaa_member(cf_facts *f, LLVMContextRef c, LLVMValueRef type, cf_fact at, uint64_t room,
                            int depth);

/* Members of a structure. An array is told by its first element only: it goes on to the next member. */
static void add_tbaa_struct(cf_facts *f, LLVMContextRef c, LLVMValueRef type, cf_fact at, int depth) {
    unsigned n = LLVMGetMDNodeNumOperands(type);
    for (unsigned i = 1; i + 1 < n; i += 2) {
        cf_fact x = at;
        uint64_t offset = node_number(type, i + 1), next = i + 3 < n ? node_number(type, i + 3) : 0;
        x.offset += (int64_t)offset;
        LLVMValueRef member = node_operand(type, i);
        if (member && LLVMIsAMDNode(member))
            add_tbaa_member(f, c, member, x, next > offset ? next - offset : 0, depth + 1);
    }
}

static void add_tbaa_member(cf_facts *f, LLVMContextRef c, LLVMValueRef type, cf_fact at, uint64_t room,
                            int depth) {
    if (scalar_named(f, c, node_name(type), &at))
        cf_add_run(f, at, room / at.size > 1 ? room / at.size : 1);
    else if (depth < 6 && LLVMGetMDNodeNumOperands(type) >= 3 && strcmp(node_name(type), "omnipotent char"))
        add_tbaa_struct(f, c, type, at, depth);
}

static void add_access_tag(cf_facts *f, LLVMContextRef c, LLVMValueRef tag, cf_fact at) {
    if (!LLVMIsAMDNode(tag) || LLVMGetMDNodeNumOperands(tag) < 3) return;
    LLVMValueRef base = node_operand(tag, 0), access = node_operand(tag, 1);
    if (!base || !access || !LLVMIsAMDNode(base) || !LLVMIsAMDNode(access)) return;
    cf_fact x = at;
    if (scalar_named(f, c, node_name(access), &x)) cf_add_fact(f, x);
    if (base == access) return;
    at.offset -= (int64_t)node_number(tag, 2);
    add_tbaa_struct(f, c, base, at, 0);
}

/* !tbaa.struct: triples of offset, size, tag. What lies between is padding. */
static void add_copied_struct(cf_facts *f, LLVMContextRef c, LLVMValueRef node, cf_fact at) {
    uint64_t end = 0;
    bool all = true;
    for (unsigned i = 0; i + 2 < LLVMGetMDNodeNumOperands(node); i += 3) {
        cf_fact x = at;
        uint64_t offset = node_number(node, i), size = node_number(node, i + 1);
        if (offset + size > end) end = offset + size;
        x.offset += (int64_t)offset;
        LLVMValueRef tag = node_operand(node, i + 2);
        LLVMValueRef access = tag && LLVMIsAMDNode(tag) ? node_operand(tag, 1) : NULL;
        bool told = access && LLVMIsAMDNode(access) && scalar_named(f, c, node_name(access), &x);
        if (told) cf_add_run(f, x, size / x.size > 1 ? size / x.size : 1);
        all &= told;
    }
    if (all && end) add_padding(f, c, at, end);
}

void cf_add_tbaa(cf_facts *f, LLVMValueRef i, cf_fact at) {
    if (!LLVMIsAInstruction(i)) return;
    LLVMContextRef c = l_context(i);
    LLVMValueRef tag = l_metadata(i, "tbaa"), copied = l_metadata(i, "tbaa.struct");
    if (tag) add_access_tag(f, c, tag, at);
    if (copied) add_copied_struct(f, c, copied, at);
}

bool cf_is_of_tape(LLVMValueRef access) {
    static const char *const names[] = {"cf_tape", "cf_chunk", "cf_deferred", "redo_foot"};
    LLVMValueRef tag = l_metadata(access, "tbaa"),
                 base = tag && LLVMIsAMDNode(tag) && LLVMGetMDNodeNumOperands(tag) >= 3 ? node_operand(tag, 0)
                                                                                        : NULL;
    const char *name = base && LLVMIsAMDNode(base) ? node_name(base) : "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(name, names[i])) return true;
    return false;
}
