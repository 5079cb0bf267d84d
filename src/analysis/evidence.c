/* Evidence of what memory holds.
 *
 * In:     the module, a pointer
 * Out:    facts: offset from the pointer, period, scalar
 * Keeps:  the module
 *
 * Idea: the pointer is followed to where it comes from and to what is made of it, breadth first, through address
 * arithmetic, phis, copies, calls in both directions, and through memory (a pointer that is loaded where it was stored).
 * Each pointer that is reached is the one asked about plus an offset, known modulo a stride. What it is used for, and
 * what types, TBAA and debug information say about it, are facts about the memory that was asked about.
 */
#include "analysis/evidence.h"
#include "ir/ctype.h"
#include "llvm/cfx.h"
#include "llvm/l.h"

/* Pointers followed for one question. A function of a few hundred lines has some hundred. */
enum { MOST_POINTERS = 2000, MOST_EXPANDED = 64 };

uint64_t cf_gcd(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

static void add_run(cf_facts *f, cf_fact x, uint64_t count) {
    x.count = count;
    if (x.stride && x.stride < count * x.size) {
        /* An array, from anywhere in which the pointer may point. */
        x.stride = cf_gcd(x.stride, x.size);
        x.count = 1;
        if (x.stride < x.size) x.stride = x.size;
    }
    cf_push(f->arena, &f->facts, x);
}

static void add_fact(cf_facts *f, cf_fact x) { add_run(f, x, 1); }

/* Adds facts about an element of `size` bytes to those about memory at `at`, where one or any number of them are. */
static void add_element(cf_facts *f, const cf_facts *element, cf_fact at, uint64_t size) {
    for (size_t i = 0; i < element->facts.n; i++) {
        cf_fact x = element->facts.at[i];
        x.offset += at.offset;
        x.stride = cf_gcd(at.stride, size);
        x.distance = at.distance;
        add_run(f, x, x.count);
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
    add_run(f, at, count);
    return true;
}

static bool add_part(cf_facts *f, LLVMTypeRef t, cf_fact at, bool in_struct);

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
    for (uint64_t i = 0; i < count; i++, at.offset += (int64_t)size) all &= add_part(f, e, at, in_struct);
    return all;
}

static bool add_members(cf_facts *f, LLVMTypeRef t, cf_fact at) {
    bool all = true;
    int64_t begin = at.offset;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
        at.offset = begin + (int64_t)LLVMOffsetOfElement(f->data, t, i);
        all &= add_part(f, LLVMStructGetTypeAtIndex(t, i), at, true);
    }
    return all;
}

static bool add_part(cf_facts *f, LLVMTypeRef t, cf_fact at, bool in_struct) {
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
    add_fact(f, at);
}

bool cf_add_type(cf_facts *f, LLVMTypeRef type, cf_fact at) {
    bool all = add_part(f, type, at, false);
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
    if (size) add_run(d->f, at, count);
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

static void add_debug_type(cf_facts *f, LLVMContextRef c, const cf_ctype *t, cf_fact at) {
    cf_facts own = {.arena = f->arena, .data = f->data};
    told d = {&own, at.distance, c};
    if (!t->size) return;
    if (tell(&d, t, 0, 1, false)) add_padding(&own, c, (cf_fact){.distance = at.distance}, t->size);
    /* The pointer may point into an array of the type. */
    add_element(f, &own, at, t->size);
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
        add_run(f, at, room / at.size > 1 ? room / at.size : 1);
    else if (depth < 6 && LLVMGetMDNodeNumOperands(type) >= 3 && strcmp(node_name(type), "omnipotent char"))
        add_tbaa_struct(f, c, type, at, depth);
}

static void add_access_tag(cf_facts *f, LLVMContextRef c, LLVMValueRef tag, cf_fact at) {
    if (!LLVMIsAMDNode(tag) || LLVMGetMDNodeNumOperands(tag) < 3) return;
    LLVMValueRef base = node_operand(tag, 0), access = node_operand(tag, 1);
    if (!base || !access || !LLVMIsAMDNode(base) || !LLVMIsAMDNode(access)) return;
    cf_fact x = at;
    if (scalar_named(f, c, node_name(access), &x)) add_fact(f, x);
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
        if (told) add_run(f, x, size / x.size > 1 ? size / x.size : 1);
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

/* ---- following pointers ---- */

typedef struct place {
    LLVMValueRef pointer;     /* = the pointer asked about + offset + stride * (some integer) */
    const struct place *from; /* by which it was reached at first */
    int64_t offset;
    uint64_t stride; /* 0: exactly offset */
    unsigned distance;
    bool waiting;
} place;

typedef struct search {
    cf_job *job;
    cf_facts *f;
    cf_map places;
    CF_VEC(place *) queue;
    size_t next, n;
} search;

static bool is_phi_like(LLVMValueRef v) {
    return LLVMIsAPHINode(v) || LLVMIsASelectInst(v) || LLVMIsAFreezeInst(v) || LLVMIsAAddrSpaceCastInst(v) ||
           LLVMIsABitCastInst(v);
}

static bool is_gep(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Another way to a pointer that is known: its own place is among those that are possible by that way, which says
 * nothing new, unless the way is the one by which it was reached at first, or a phi, which may be either. */
static bool is_known(const place *p, const place *from, int64_t offset, uint64_t stride, bool either) {
    if (p->from == from || either || !stride) return p->offset == offset && p->stride == stride;
    uint64_t apart = (uint64_t)(offset > p->offset ? offset - p->offset : p->offset - offset);
    return apart % stride == 0 && p->stride % stride == 0;
}

static void reach(search *s, const place *from, LLVMValueRef v, int64_t offset, uint64_t stride,
                  bool either) {
    if (!l_is_pointer_type(LLVMTypeOf(v)) || LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsAFunction(v)) return;
    place *p = cf_map_get(&s->places, v);
    if (!p) {
        if (s->n++ >= MOST_POINTERS) return;
        p = CF_NEW(s->f->arena, place);
        *p = (place){v, from, offset, stride, from ? from->distance + 1 : 0, false};
        cf_map_put(s->f->arena, &s->places, v, p);
    } else {
        if (is_known(p, from, offset, stride, either)) return;
        uint64_t apart = (uint64_t)(offset > p->offset ? offset - p->offset : p->offset - offset);
        uint64_t common = cf_gcd(cf_gcd(p->stride, stride), apart);
        if (common == p->stride) return;
        p->stride = common;
    }
    if (p->waiting) return;
    p->waiting = true;
    cf_push(s->f->arena, &s->queue, p);
}

void cf_affine(LLVMValueRef v, uint64_t *multiple, int64_t *add) {
    *multiple = 1;
    *add = 0;
    if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64) {
        *multiple = 0;
        *add = LLVMConstIntGetSExtValue(v);
        return;
    }
    if (!LLVMIsAInstruction(v)) return;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (op == LLVMSExt || op == LLVMZExt || op == LLVMTrunc || op == LLVMFreeze) {
        cf_affine(LLVMGetOperand(v, 0), multiple, add);
        return;
    }
    if (op != LLVMAdd && op != LLVMMul && op != LLVMShl && op != LLVMOr && op != LLVMSub) return;
    uint64_t m[2];
    int64_t a[2];
    for (unsigned i = 0; i < 2; i++) cf_affine(LLVMGetOperand(v, i), &m[i], &a[i]);
    if (op == LLVMAdd || op == LLVMSub || (op == LLVMOr && LLVMGetIsDisjoint(v))) {
        *multiple = cf_gcd(m[0], m[1]);
        *add = op == LLVMSub ? a[0] - a[1] : a[0] + a[1];
    } else if (op == LLVMMul && (!m[0] || !m[1])) {
        uint64_t by = (uint64_t)(m[0] ? a[1] : a[0]);
        *multiple = (m[0] ? m[0] : m[1]) * ((int64_t)by < 0 ? -by : by);
        *add = (int64_t)((uint64_t)(m[0] ? a[0] : a[1]) * by);
    } else if (op == LLVMMul) {
        *multiple = cf_gcd(m[0], (uint64_t)(a[0] < 0 ? -a[0] : a[0])) *
                    cf_gcd(m[1], (uint64_t)(a[1] < 0 ? -a[1] : a[1]));
    } else if (op == LLVMShl && !m[1] && a[1] >= 0 && a[1] < 32) {
        *multiple = m[0] << a[1];
        *add = (int64_t)((uint64_t)a[0] << a[1]);
    }
}

/* A getelementptr: result = base + offset + stride * (some integer). */
static void gep_offset(cf_facts *f, LLVMValueRef gep, int64_t *offset, uint64_t *stride) {
    LLVMTypeRef t = LLVMGetGEPSourceElementType(gep);
    *offset = 0;
    *stride = 0;
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef index = LLVMGetOperand(gep, i);
        if (i > 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
            *offset += (int64_t)LLVMOffsetOfElement(f->data, t, member);
            t = LLVMStructGetTypeAtIndex(t, member);
            continue;
        }
        if (i > 1) t = LLVMGetElementType(t);
        uint64_t multiple, size = LLVMABISizeOfType(f->data, t);
        int64_t add;
        cf_affine(index, &multiple, &add);
        *offset += add * (int64_t)size;
        *stride = cf_gcd(*stride, multiple * size);
    }
}

/* v = p + offset + stride * (some integer) */
static void reach_from(search *s, const place *p, LLVMValueRef v, int64_t offset, uint64_t stride) {
    reach(s, p, v, p->offset + offset, cf_gcd(p->stride, stride), false);
}

/* v is p, or something else of its kind. */
static void reach_either(search *s, const place *p, LLVMValueRef v) {
    reach(s, p, v, p->offset, p->stride, true);
}

/* ---- pointers in memory ---- */

typedef struct slot {
    LLVMValueRef root;
    int64_t offset;
    uint64_t stride;
} slot;

static slot slot_of(search *s, LLVMValueRef address) {
    slot x = {address, 0, 0};
    while (is_gep(x.root) || LLVMIsAAddrSpaceCastInst(x.root) || LLVMIsABitCastInst(x.root)) {
        int64_t offset = 0;
        uint64_t stride = 0;
        if (is_gep(x.root)) gep_offset(s->f, x.root, &offset, &stride);
        x.offset += offset;
        x.stride = cf_gcd(x.stride, stride);
        x.root = LLVMGetOperand(x.root, 0);
    }
    return x;
}

static bool is_same_slot(int64_t offset, uint64_t stride, const slot *x) {
    uint64_t apart = (uint64_t)(offset > x->offset ? offset - x->offset : x->offset - offset);
    uint64_t common = cf_gcd(stride, x->stride);
    return common ? common >= 8 && apart % common == 0 : apart == 0;
}

/* Reaches the pointers that are loaded from a slot, or stored to it, through `address`. */
static void reach_content(search *s, const place *p, const slot *x, LLVMValueRef address, int64_t offset,
                          uint64_t stride, int depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (is_gep(i) && LLVMGetOperand(i, 0) == address && depth < 6) {
            int64_t more;
            uint64_t step;
            gep_offset(s->f, i, &more, &step);
            reach_content(s, p, x, i, offset + more, cf_gcd(stride, step), depth + 1);
        }
        if (!is_same_slot(offset, stride, x)) continue;
        if (LLVMIsALoadInst(i)) reach_from(s, p, i, 0, 0);
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == address)
            reach_from(s, p, LLVMGetOperand(i, 0), 0, 0);
    }
}

static void reach_slot(search *s, const place *p, LLVMValueRef address) {
    slot x = slot_of(s, address);
    reach_content(s, p, &x, x.root, 0, 0, 0);
}

/* ---- calls ---- */

static bool is_made(LLVMValueRef f) { return l_has_text(f, "cf-made"); }

static bool is_call_of(LLVMValueRef user, LLVMValueRef f) {
    return (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) && LLVMGetCalledValue(user) == f &&
           !is_made(l_function_of(user));
}

static bool is_named(LLVMValueRef call, const char *const *names) {
    LLVMValueRef f = l_callee(call);
    for (; f && *names; names++)
        if (l_is_intrinsic_of(f, *names)) return true;
    return false;
}

static const char *const copies[] = {"llvm.memcpy",        "llvm.memmove", "memcpy", "memmove",
                                     "llvm.memcpy.inline", "mempcpy",      NULL};
static const char *const moves[] = {"realloc", "reallocarray", NULL};

/* Callers' arguments for a parameter. */
static void reach_arguments(search *s, const place *p, LLVMValueRef f, unsigned k) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (LLVMIsAInstruction(call) && is_call_of(call, f) && k < LLVMGetNumArgOperands(call))
            reach_from(s, p, LLVMGetOperand(call, k), 0, 0);
    }
}

static void reach_results(search *s, const place *p, LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && is_call_of(LLVMGetUser(u), f))
            reach_from(s, p, LLVMGetUser(u), 0, 0);
}

static void reach_returned(search *s, const place *p, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
        if (t && LLVMIsAReturnInst(t) && LLVMGetNumOperands(t)) reach_from(s, p, LLVMGetOperand(t, 0), 0, 0);
    }
}

static void reach_through_call(search *s, const place *p, LLVMValueRef call, LLVMValueRef argument) {
    LLVMValueRef f = l_callee(call);
    if (is_named(call, copies)) {
        reach_from(s, p, LLVMGetOperand(call, 0), 0, 0);
        reach_from(s, p, LLVMGetOperand(call, 1), 0, 0);
    }
    if (is_named(call, moves)) reach_from(s, p, call, 0, 0);
    if (!f || LLVMIsDeclaration(f) || is_made(f)) return;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call) && k < LLVMCountParams(f); k++)
        if (LLVMGetOperand(call, k) == argument) reach_from(s, p, LLVMGetParam(f, k), 0, 0);
}

/* ---- integers that are moved ---- */

static LLVMValueRef stored_value(LLVMValueRef i) { return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL; }

/* An integer that is loaded here and stored there, or the other way round: a copy. */
static void reach_moved(search *s, const place *p, LLVMValueRef i) {
    if (LLVMIsALoadInst(i) && l_is_integer_type(LLVMTypeOf(i)))
        for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u))
            if (stored_value(LLVMGetUser(u)) == i) reach_from(s, p, LLVMGetOperand(LLVMGetUser(u), 1), 0, 0);
    LLVMValueRef x = stored_value(i);
    if (x && LLVMIsALoadInst(x) && l_is_integer_type(LLVMTypeOf(x)))
        reach_from(s, p, LLVMGetOperand(x, 0), 0, 0);
}

/* ---- one step ---- */

/* Where the pointer comes from. */
static void reach_origin(search *s, const place *p) {
    LLVMValueRef v = p->pointer;
    if (is_gep(v)) {
        int64_t offset;
        uint64_t stride;
        gep_offset(s->f, v, &offset, &stride);
        reach_from(s, p, LLVMGetOperand(v, 0), -offset, stride);
    } else if (LLVMIsAPHINode(v)) {
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++) reach_either(s, p, LLVMGetIncomingValue(v, i));
    } else if (is_phi_like(v)) {
        for (unsigned i = LLVMIsASelectInst(v) ? 1 : 0; i < (unsigned)LLVMGetNumOperands(v); i++)
            reach_either(s, p, LLVMGetOperand(v, i));
    } else if (LLVMIsALoadInst(v)) {
        reach_slot(s, p, LLVMGetOperand(v, 0));
    } else if (LLVMIsACallInst(v) || LLVMIsAInvokeInst(v)) {
        LLVMValueRef f = l_callee(v);
        if (is_named(v, moves)) reach_from(s, p, LLVMGetOperand(v, 0), 0, 0);
        if (f && !LLVMIsDeclaration(f) && !is_made(f)) reach_returned(s, p, f);
    } else if (LLVMIsAArgument(v)) {
        LLVMValueRef f = LLVMGetParamParent(v);
        for (unsigned k = 0; k < LLVMCountParams(f); k++)
            if (LLVMGetParam(f, k) == v) reach_arguments(s, p, f, k);
    }
}

/* What is made of the pointer. */
static void reach_use(search *s, const place *p, LLVMValueRef user) {
    LLVMValueRef v = p->pointer;
    if (is_gep(user) && LLVMGetOperand(user, 0) == v) {
        int64_t offset;
        uint64_t stride;
        gep_offset(s->f, user, &offset, &stride);
        reach_from(s, p, user, offset, stride);
        return;
    }
    if (!LLVMIsAInstruction(user) || is_made(l_function_of(user))) return;
    if (is_phi_like(user)) reach_either(s, p, user);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v) reach_slot(s, p, LLVMGetOperand(user, 1));
    if (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) reach_through_call(s, p, user, v);
    if (LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == v))
        reach_moved(s, p, user);
    if (LLVMIsAReturnInst(user)) reach_results(s, p, l_function_of(user));
}

static void reach_all(search *s, LLVMValueRef pointer) {
    reach(s, NULL, pointer, 0, 0, false);
    for (; s->next < s->queue.n; s->next++) {
        place *p = s->queue.at[s->next];
        p->waiting = false;
        reach_origin(s, p);
        for (LLVMUseRef u = LLVMGetFirstUse(p->pointer); u; u = LLVMGetNextUse(u))
            reach_use(s, p, LLVMGetUser(u));
    }
}

/* ---- facts about a place ---- */

static bool is_arithmetic(LLVMOpcode op) {
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
    case LLVMSExt: return true;
    default: return false;
    }
}

/* An integer that is computed with, not only moved or taken to pieces. */
static bool is_computed(LLVMValueRef v, int depth) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (!LLVMIsAInstruction(i)) continue;
        if (is_arithmetic(LLVMGetInstructionOpcode(i))) return true;
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMICmp:
        case LLVMSwitch:
        case LLVMSIToFP:
        case LLVMUIToFP:
        case LLVMGetElementPtr: return true;
        case LLVMPHI:
        case LLVMSelect:
        case LLVMZExt:
        case LLVMTrunc:
            if (depth < 3 && is_computed(i, depth + 1)) return true;
            break;
        default: break;
        }
    }
    return false;
}

/* The result of integer arithmetic. */
static bool is_result(LLVMValueRef v) {
    return LLVMIsAInstruction(v) &&
           (LLVMIsAFPToSIInst(v) || LLVMIsAFPToUIInst(v) || is_arithmetic(LLVMGetInstructionOpcode(v)));
}

/* The type that the bits of an integer have where they are used, or come from. */
static LLVMTypeRef cast_type(LLVMValueRef v) {
    if (LLVMIsABitCastInst(v)) return LLVMTypeOf(LLVMGetOperand(v, 0));
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsABitCastInst(i) || LLVMIsAIntToPtrInst(i)) return LLVMTypeOf(i);
    }
    return NULL;
}

static void add_access(search *s, LLVMValueRef i, cf_fact at) {
    cf_add_tbaa(s->f, i, at);
    LLVMValueRef v = LLVMIsALoadInst(i) ? i : LLVMGetOperand(i, 0);
    LLVMTypeRef t = LLVMTypeOf(v), cast = l_is_integer_type(t) ? cast_type(v) : NULL;
    if (!l_is_integer_type(t) || cast) {
        add_part(s->f, cast ? cast : t, at, false);
        return;
    }
    if (LLVMIsALoadInst(i) ? !is_computed(i, 0) : !is_result(v)) return;
    at.weak = 1;
    at.kind = CF_FIELD_OTHER;
    at.type = t;
    at.size = LLVMABISizeOfType(s->f->data, t);
    add_fact(s->f, at);
}

static bool is_bytes(LLVMTypeRef t) {
    while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
    return l_is_integer_type(t);
}

/* The pointer is taken to point to elements of a type. */
static void add_elements_type(search *s, LLVMTypeRef t, cf_fact at, bool array) {
    if (is_bytes(t) || !LLVMTypeIsSized(t)) return;
    cf_facts own = {.arena = s->f->arena, .data = s->f->data};
    cf_add_type(&own, t, (cf_fact){.distance = at.distance});
    add_element(s->f, &own, at, array ? LLVMABISizeOfType(s->f->data, t) : 0);
}

static void add_facts_of_use(search *s, const place *p, LLVMValueRef i, cf_fact at) {
    LLVMValueRef v = p->pointer;
    if (is_gep(i) && LLVMGetOperand(i, 0) == v) {
        LLVMTypeRef t = LLVMGetGEPSourceElementType(i);
        LLVMValueRef first = LLVMGetOperand(i, 1);
        add_elements_type(s, t, at, !l_is_aggregate_type(t) || !l_is_zero(first));
        return;
    }
    if (!LLVMIsAInstruction(i) || is_made(l_function_of(i))) return;
    if (LLVMIsALoadInst(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == v))
        add_access(s, i, at);
    else if (LLVMIsACallInst(i))
        cf_add_tbaa(s->f, i, at);
}

static void add_declared(search *s, LLVMTypeRef t, cf_fact at, bool array) {
    if (t && LLVMTypeIsSized(t)) add_elements_type(s, t, at, array);
}

static LLVMTypeRef parameter_type(LLVMValueRef v) {
    static const char *const names[] = {"byval", "sret", "byref", "elementtype"};
    LLVMValueRef f = LLVMGetParamParent(v);
    unsigned k = 0;
    while (LLVMGetParam(f, k) != v) k++;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        LLVMAttributeRef a = l_get(f, k + 1, names[i]);
        if (a) return LLVMGetTypeAttributeValue(a);
    }
    return NULL;
}

static cf_ctypes *types_of(cf_job *job) {
    if (job->ctypes) return job->ctypes;
    job->ctypes = CF_NEW(job->arena, cf_ctypes);
    *job->ctypes = (cf_ctypes){.arena = job->arena, .context = job->context};
    return job->ctypes;
}

/* The type of what is behind a pointer, from the variable that holds it, or that it is the address of. NULL: not told. */
static const cf_ctype *told_behind(cf_job *job, LLVMValueRef pointer) {
    if (LLVMIsAGlobalVariable(pointer)) return cf_ctype_of_global(types_of(job), pointer);
    LLVMMetadataRef variable;
    bool address;
    for (unsigned k = 0; (variable = cfx_debug_variable(pointer, k, &address)); k++) {
        const cf_ctype *t = cf_ctype_of_variable(types_of(job), variable);
        if (t && address) return t;
        if (t && t->kind == CF_C_POINTER && t->of->size) return t->of;
    }
    return NULL;
}

/* The type of what is behind the pointer that stands at a byte offset in a value of a type. */
static const cf_ctype *behind_part(const cf_ctype *t, uint64_t at) {
    switch (t->kind) {
    case CF_C_POINTER: return at ? NULL : t->of;
    case CF_C_ARRAY: return t->of->size ? behind_part(t->of, at % t->of->size) : NULL;
    case CF_C_STRUCT:
        for (uint64_t k = 0; k < t->n; k++) {
            const cf_cmember *m = &t->members[k];
            if (at >= m->offset && at < m->offset + m->type->size)
                return behind_part(m->type, at - m->offset);
        }
        return NULL;
    default: return NULL;
    }
}

static const cf_ctype *debug_type(search *s, LLVMValueRef v, int depth) {
    const cf_ctype *t = told_behind(s->job, v);
    if (t || depth > 3 || !LLVMIsALoadInst(v)) return t;
    slot x = slot_of(s, LLVMGetOperand(v, 0));
    const cf_ctype *outer = debug_type(s, x.root, depth + 1);
    int64_t size = outer ? (int64_t)outer->size : 0;
    if (!size || (x.stride && x.stride % (uint64_t)size)) return NULL;
    int64_t at = x.offset % size;
    return behind_part(outer, (uint64_t)(at < 0 ? at + size : at));
}

static void add_facts_of(search *s, const place *p) {
    LLVMValueRef v = p->pointer;
    cf_fact at = {.offset = p->offset, .stride = p->stride, .distance = p->distance};
    if (LLVMIsAAllocaInst(v))
        add_declared(s, LLVMGetAllocatedType(v), at, !LLVMIsAConstantInt(LLVMGetOperand(v, 0)));
    if (LLVMIsAGlobalVariable(v)) add_declared(s, LLVMGlobalGetValueType(v), at, false);
    if (LLVMIsAArgument(v)) add_declared(s, parameter_type(v), at, false);
    const cf_ctype *t = debug_type(s, v, 0);
    if (t) add_debug_type(s->f, s->job->context, t, at);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
        add_facts_of_use(s, p, LLVMGetUser(u), at);
}

void cf_find_facts(cf_job *job, LLVMValueRef pointer, cf_facts *f) {
    search s = {.job = job, .f = f};
    reach_all(&s, pointer);
    const void *key;
    void *p;
    for (size_t i = 0; cf_map_next(&s.places, &i, &key, &p);) add_facts_of(&s, p);
}
