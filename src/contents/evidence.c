/* Evidence of what memory holds.
 *
 * In:     the module, a pointer
 * Out:    facts: offset from the pointer, period, scalar
 * Keeps:  the module
 *
 * Idea: what a pointer that hangs together with the one asked about (follow.c) is used for, and what types, TBAA and debug
 * information say about it, are facts about the memory that was asked about.
 *
 * Of many pointers that hang together (a large function that copies one structure again and again) all facts are gathered
 * once, relative to the object that was asked about first: each pointer into it takes them from there, moved by its
 * offset, behind those that it finds near itself.
 */
#include "contents/evidence.h"
#include "contents/follow.h"
#include "contents/moves.h"
#include "llvm/cfx.h"
#include "llvm/l.h"

/* Pointers that hang together and their uses are MANY from so many on. NEAR of them are looked at for each question then, and
 * those of an object that is used BUSY times are followed to the end for its own sake, if elsewhere it is known modulo a stride. */
enum { MANY = 2000, NEAR = 200, BUSY = 100 };
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

/* Nothing is told about these bytes, or too much: a number and a pointer that contradict each other. */
static void add_undecided(cf_follow *s, cf_fact at, LLVMTypeRef t) {
    LLVMContextRef c = LLVMGetTypeContext(t);
    at.size = LLVMABISizeOfType(s->f->data, t);
    at.kind = CF_FIELD_UNTOLD;
    at.type = LLVMInt8TypeInContext(c);
    cf_add_fact(s->f, at);
}

/* An integer: what its bits are made from or become, else whether it is computed with. */
static void add_integer(cf_follow *s, LLVMValueRef i, LLVMValueRef v, cf_fact at) {
    const cf_moves *m = LLVMIsALoadInst(i) ? cf_bits_go_to(s->job, v) : cf_bits_come_from(s->job, v);
    LLVMTypeRef t = LLVMTypeOf(v);
    bool whole = m->number && LLVMABISizeOfType(s->f->data, m->number) == LLVMABISizeOfType(s->f->data, t);
    if (m->number && (m->part || !whole || m->pointer))
        add_undecided(s, at, t);
    else if (m->number)
        cf_add_part(s->f, m->number, at, false);
    else if (m->pointer && LLVMABISizeOfType(s->f->data, t) == 8)
        cf_add_part(s->f, LLVMPointerTypeInContext(LLVMGetTypeContext(t), 0), at, false);
    else if (m->pointer)
        add_undecided(s, at, t); /* a piece of an address, or a distance */
    if (m->number || (LLVMIsALoadInst(i) ? !is_computed(i, 0) : !is_result(v))) return;
    at.weak = 1;
    at.kind = CF_FIELD_OTHER;
    at.type = t;
    at.size = LLVMABISizeOfType(s->f->data, t);
    cf_add_fact(s->f, at);
}

static void add_access(cf_follow *s, LLVMValueRef i, cf_fact at) {
    cf_add_tbaa(s->f, i, at);
    LLVMValueRef v = LLVMIsALoadInst(i) ? i : LLVMGetOperand(i, 0);
    if (l_is_integer_type(LLVMTypeOf(v)))
        add_integer(s, i, v, at);
    else
        cf_add_part(s->f, LLVMTypeOf(v), at, false);
}

static bool is_bytes(LLVMTypeRef t) {
    while (LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
    return l_is_integer_type(t);
}

/* The pointer is taken to point to elements of a type. */
static void add_elements_type(cf_follow *s, LLVMTypeRef t, cf_fact at, bool array, unsigned ways) {
    if (is_bytes(t) || !LLVMTypeIsSized(t)) return;
    cf_facts own = {.arena = s->f->arena, .data = s->f->data};
    cf_add_type(&own, t, (cf_fact){.distance = at.distance});
    at.ways |= array ? ways : 0;
    cf_add_element(s->f, &own, at, array ? LLVMABISizeOfType(s->f->data, t) : 0);
}

static void add_facts_of_use(cf_follow *s, const cf_reached *p, LLVMValueRef i, cf_fact at) {
    LLVMValueRef v = p->pointer;
    if (cf_is_gep(i) && LLVMGetOperand(i, 0) == v) {
        LLVMTypeRef t = LLVMGetGEPSourceElementType(i);
        LLVMValueRef first = LLVMGetOperand(i, 1);
        bool array = !l_is_aggregate_type(t) || !l_is_zero(first);
        add_elements_type(s, t, at, array, cf_ways_of(i));
        return;
    }
    if (!LLVMIsAInstruction(i) || cf_in_made(s, i)) return;
    if (LLVMIsALoadInst(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == v))
        add_access(s, i, at);
    else if (LLVMIsACallInst(i))
        cf_add_tbaa(s->f, i, at);
}

static void add_declared(cf_follow *s, LLVMTypeRef t, cf_fact at, bool array) {
    if (t && LLVMTypeIsSized(t)) add_elements_type(s, t, at, array, CF_UP);
}

LLVMTypeRef cf_type_of_parameter(LLVMValueRef v) {
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

static const cf_ctype *debug_type(cf_follow *s, LLVMValueRef v, cf_map *seen) {
    const cf_ctype *t = told_behind(s->job, v);
    if (t || !LLVMIsALoadInst(v) || cf_map_get(seen, v)) return t;
    cf_map_put(s->arena, seen, v, v);
    cf_slot x = cf_slot_of(s, LLVMGetOperand(v, 0));
    const cf_ctype *outer = debug_type(s, x.root, seen);
    int64_t size = outer ? (int64_t)outer->size : 0;
    if (!size || (x.stride && x.stride % (uint64_t)size)) return NULL;
    int64_t at = x.offset % size;
    return behind_part(outer, (uint64_t)(at < 0 ? at + size : at));
}

const cf_ctype *cf_debug_type(cf_follow *s, LLVMValueRef v) { return debug_type(s, v, &(cf_map){0}); }

/* A fact that says nothing about the bytes for which the place was reached. */
static bool is_beside(const cf_reached *p, const cf_fact *x) {
    if (p->to_byte == INT64_MAX) return false;
    int64_t begin = x->offset, end = begin + (int64_t)(x->count * x->size), every = (int64_t)p->window;
    if (!every) return !x->stride && (end <= p->from_byte || begin >= p->to_byte);
    if (x->stride % p->window) return false;
    begin = (begin - p->from_byte) % every;
    if (begin < 0) begin += every;
    return begin >= p->to_byte - p->from_byte && begin + (int64_t)(x->count * x->size) <= every;
}

static void drop_facts_beside(cf_facts *f, size_t first, const cf_reached *p) {
    size_t n = first;
    for (size_t i = first; i < f->facts.n; i++)
        if (!is_beside(p, &f->facts.at[i])) f->facts.at[n++] = f->facts.at[i];
    f->facts.n = n;
}

static void add_facts_of(cf_follow *s, const cf_reached *p) {
    LLVMValueRef v = p->pointer;
    size_t first = s->f->facts.n;
    cf_fact at = {.offset = p->offset,
                  .stride = p->stride,
                  .distance = p->distance,
                  .period = p->period,
                  .ways = p->ways};
    if (LLVMIsAAllocaInst(v))
        add_declared(s, LLVMGetAllocatedType(v), at, !LLVMIsAConstantInt(LLVMGetOperand(v, 0)));
    if (LLVMIsAGlobalVariable(v)) add_declared(s, LLVMGlobalGetValueType(v), at, false);
    if (LLVMIsAArgument(v)) add_declared(s, cf_type_of_parameter(v), at, false);
    const cf_ctype *t = cf_debug_type(s, v);
    if (t) cf_add_debug_type(s->f, s->job->context, t, at);
    size_t n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && n < s->most; u = LLVMGetNextUse(u), n++)
        add_facts_of_use(s, p, LLVMGetUser(u), at);
    drop_facts_beside(s->f, first, p);
}

/* ---- pointers that hang together ---- */

/* A pointer, and all facts about the memory that is reached from there. */
typedef struct member {
    const cf_facts *whole;
    int64_t offset; /* of the pointer, modulo stride, from where the facts are told from */
    uint64_t stride;
    unsigned ways;
} member;

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* By everything but distance. */
static int compare_content(const cf_fact *a, const cf_fact *b) {
    int by = compare((uint64_t)a->offset, (uint64_t)b->offset);
    if (!by) by = compare(a->stride, b->stride);
    if (!by) by = compare(a->step, b->step);
    if (!by) by = compare(a->size, b->size);
    if (!by) by = compare(a->count, b->count);
    if (!by) by = compare(a->kind, b->kind);
    if (!by) by = compare(a->weak, b->weak);
    return by ? by : compare((uintptr_t)a->type, (uintptr_t)b->type);
}

static int compare_facts(const void *x, const void *y) {
    const cf_fact *a = x, *b = y;
    int by = compare_content(a, b);
    return by ? by : compare(a->distance, b->distance);
}

/* Leaves the nearest of those that are the same. */
static void merge_facts(cf_facts *f) {
    size_t n = 0;
    if (f->facts.n) qsort(f->facts.at, f->facts.n, sizeof *f->facts.at, compare_facts);
    for (size_t i = 0; i < f->facts.n; i++)
        if (!n || compare_content(&f->facts.at[n - 1], &f->facts.at[i])) f->facts.at[n++] = f->facts.at[i];
    f->facts.n = n;
}

static void add_all_facts(cf_follow *s) {
    const void *key;
    void *p;
    for (size_t i = 0; cf_map_next(&s->places, &i, &key, &p);) add_facts_of(s, p);
}

/* Pointers at an exact offset belong to the first whole in which they are so. */
static void add_members(cf_job *job, const cf_follow *s, const cf_facts *w) {
    cf_map *members = &job->evidence->members;
    const void *key;
    void *value;
    for (size_t i = 0; cf_map_next(&s->places, &i, &key, &value);) {
        const cf_reached *p = value;
        member *m = cf_map_get(members, key);
        if (m && (!m->stride || p->stride)) continue;
        if (!m) {
            m = CF_NEW(job->arena, member);
            cf_map_put(job->arena, members, key, m);
        }
        *m = (member){w, p->offset, p->stride, p->ways};
    }
}

static void make_whole(cf_job *job, LLVMValueRef root, LLVMTargetDataRef data) {
    cf_facts *w = CF_NEW(job->arena, cf_facts);
    cf_map_put(job->arena, &job->evidence->roots, root, w);
    *w = (cf_facts){.arena = job->arena, .data = data};
    cf_follow s = {.job = job, .f = w, .arena = cf_arena_new(), .most = SIZE_MAX};
    cf_follow_all(&s, root);
    add_all_facts(&s);
    merge_facts(w);
    add_members(job, &s, w);
    cf_arena_free(s.arena);
}

static bool is_busy(LLVMValueRef v) {
    unsigned n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && n < BUSY; u = LLVMGetNextUse(u)) n++;
    return n == BUSY;
}

/* Where a pointer lies in what many hang together. */
static const member *member_of(cf_follow *s, LLVMValueRef pointer, LLVMValueRef root) {
    cf_evidence *e = s->job->evidence;
    const member *m = cf_map_get(&e->members, root);
    if (!cf_map_get(&e->roots, root) && (!m || (m->stride && is_busy(root))))
        make_whole(s->job, root, s->f->data);
    return cf_map_get(&s->job->evidence->members, pointer);
}

/* Facts about the `bytes` bytes (0: any number) behind a member; they count as more distant than all that are known. */
static void add_from_whole(cf_facts *f, const member *m, uint64_t bytes) {
    unsigned beyond = 0;
    for (size_t i = 0; i < f->facts.n; i++)
        if (f->facts.at[i].distance >= beyond) beyond = f->facts.at[i].distance + 1;
    for (size_t i = 0; i < m->whole->facts.n; i++) {
        cf_fact x = m->whole->facts.at[i];
        x.offset -= m->offset;
        int64_t end = x.offset + (int64_t)(x.count * x.size);
        if (bytes && !x.stride && !m->stride && (end <= -CF_AROUND || x.offset >= (int64_t)bytes + CF_AROUND))
            continue;
        uint64_t count = x.count;
        x.ways |= m->stride ? (m->ways == CF_UP     ? (unsigned)CF_DOWN
                               : m->ways == CF_DOWN ? (unsigned)CF_UP
                                                    : (unsigned)CF_BOTH)
                            : 0;
        x.stride = cf_gcd(x.stride, m->stride);
        x.distance += beyond;
        cf_add_run(f, x, count);
    }
}

/* ---- the interface ---- */

/* What is found around a pointer; kept, as one pointer is asked about again and again. */
typedef struct near {
    cf_facts facts;
    bool all; /* nothing is farther away */
} near;

static bool find_near(cf_job *job, LLVMValueRef pointer, near *x, size_t most) {
    cf_follow s = {.job = job, .f = &x->facts, .arena = cf_arena_new(), .most = most};
    x->facts = (cf_facts){.arena = job->arena, .data = LLVMGetModuleDataLayout(job->module)};
    cf_follow_all(&s, pointer);
    x->all = !cf_is_full(&s);
    if (x->all || most == NEAR) add_all_facts(&s);
    merge_facts(&x->facts);
    cf_arena_free(s.arena);
    return x->all;
}

static const near *near_of(cf_job *job, LLVMValueRef pointer, LLVMValueRef root) {
    cf_evidence *e = job->evidence;
    near *x = cf_map_get(&e->near, pointer);
    if (x) return x;
    x = CF_NEW(job->arena, near);
    cf_map_put(job->arena, &e->near, pointer, x);
    bool many = cf_map_get(&e->members, pointer) || is_busy(root);
    if (many || !find_near(job, pointer, x, MANY)) find_near(job, pointer, x, NEAR);
    return x;
}

/* Where a pointer stands at an exact offset from its object, all is told from there. Elsewhere what is made of the pointer
 * itself may be known more exactly. */
void cf_find_facts(cf_job *job, LLVMValueRef pointer, uint64_t bytes, cf_facts *f) {
    cf_memory_known(job);
    cf_follow s = {.job = job, .f = f};
    cf_slot x = cf_slot_of(&s, pointer);
    const member *m = x.stride ? NULL : member_of(&s, pointer, x.root);
    if (!m || m->stride) {
        const near *n = near_of(job, pointer, x.root);
        for (size_t i = 0; i < n->facts.facts.n; i++) cf_push(f->arena, &f->facts, n->facts.facts.at[i]);
        if (n->all) return;
        m = member_of(&s, pointer, x.root);
    }
    if (m) add_from_whole(f, m, bytes);
}

cf_evidence *cf_memory_known(cf_job *job) {
    if (!job->evidence) job->evidence = CF_NEW(job->arena, cf_evidence);
    return job->evidence;
}

void cf_forget_evidence(cf_job *job) { job->evidence = NULL; }
