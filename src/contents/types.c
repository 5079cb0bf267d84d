/* What bytes of memory hold: layouts from facts.
 *
 * In:     an instruction that moves bytes, the pointer to them
 * Out:    the fields that they are
 * Needs:  nothing; works on any form of IR      Keeps: the module
 *
 * Idea: facts are laid over the bytes, the best ones first: those of types before those guessed from integer code,
 * those about single places before those about every place of an array, numbers and pointers before the rest, near
 * ones before distant ones. What contradicts an equally good fact, or leaves a byte untold, makes the layout unknown.
 */
#include "contents/types.h"
#include "contents/evidence.h"
#include "contents/puns.h"
#include "llvm/l.h"

/* Bytes of which each is looked at; larger blocks that are moved must be arrays. */
enum { MOST_BYTES = 1 << 14 };

typedef struct canvas {
    cf_arena *arena;
    uint64_t bytes;
    const cf_fact **fact; /* what each byte is part of, NULL: untold */
    uint64_t *begin;      /* where that scalar begins */
    bool *conflict;       /* facts about this byte contradict each other */
} canvas;

static canvas new_canvas(cf_arena *a, uint64_t bytes) {
    return (canvas){a, bytes, CF_ARRAY(a, const cf_fact *, bytes + 1), CF_ARRAY(a, uint64_t, bytes + 1),
                    CF_ARRAY(a, bool, bytes + 1)};
}

/* ---- order ---- */

static int compare(uint64_t a, uint64_t b) { return a < b ? -1 : a > b; }

/* Better facts first. Facts that cannot be told apart by this rank, distance aside, contradict each other. */
static int compare_rank(const cf_fact *a, const cf_fact *b) {
    int by = compare(a->weak, b->weak);
    if (!by) by = -compare(a->stride - 1, b->stride - 1); /* 0, no repetition, counts as largest */
    return by;
}

static int compare_facts(const void *x, const void *y) {
    const cf_fact *a = x, *b = y;
    int by = compare_rank(a, b);
    if (!by) by = compare(a->kind == CF_FIELD_OTHER, b->kind == CF_FIELD_OTHER);
    if (!by) by = compare(a->distance, b->distance);
    if (!by) by = -compare(a->size, b->size);
    if (!by) by = compare((uint64_t)a->offset, (uint64_t)b->offset);
    return by;
}

/* ---- laying facts over bytes ---- */

static bool is_same(const cf_fact *a, const cf_fact *b) {
    return a->kind == b->kind && a->size == b->size && a->type == b->type;
}

static void fill(canvas *c, const cf_fact *f, uint64_t at, uint64_t size) {
    for (uint64_t i = at; i < at + size && i < c->bytes; i++) {
        if (c->fact[i]) continue;
        c->fact[i] = f;
        c->begin[i] = at;
    }
}

/* Facts about one place say more of it than those about every place of an array. */
static bool is_as_exact(const cf_fact *f, const cf_fact *g) { return !f->stride || g->stride; }

/* Where a fact may hold, it does if nothing else is known. */
enum { POSSIBLE = 3 };

static bool is_free(const canvas *c, uint64_t at, uint64_t size) {
    for (uint64_t i = at; i < at + size; i++)
        if (c->fact[i]) return false;
    return true;
}

/* An integer says nothing against a number or a pointer, unless it is of another size and its place is known more exactly:
 * the header of an array of numbers. */
static bool gives_way(const cf_fact *integer, const cf_fact *f) {
    return is_as_exact(f, integer) || integer->size == f->size || integer->size == 1;
}

/* A number or a pointer that may be here, against what is told about every element alike. */
static void contest(canvas *c, const cf_fact *f, int64_t at) {
    for (int64_t i = at < 0 ? 0 : at; i < at + (int64_t)f->size && i < (int64_t)c->bytes; i++) {
        const cf_fact *g = c->fact[i];
        if (g && g->stride && !(is_same(f, g) && c->begin[i] == (uint64_t)at)) c->conflict[i] = true;
    }
}

static void contest_all(canvas *c, const cf_fact *f) {
    if (f->weak != POSSIBLE || f->kind == CF_FIELD_OTHER) return;
    int64_t step = (int64_t)f->step, size = (int64_t)f->size;
    for (int64_t at = (f->offset % step + step) % step - (size / step + 1) * step; at < (int64_t)c->bytes;
         at += step)
        contest(c, f, at);
}

/* One scalar, all of it within the block. A number and another number, or a pointer, contradict each other, wherever they
 * were seen. */
static void lay_scalar(canvas *c, const cf_fact *f, uint64_t at) {
    if (f->weak == POSSIBLE && !is_free(c, at, f->size)) return;
    bool number = f->kind != CF_FIELD_OTHER, fits = number;
    for (uint64_t i = at; i < at + f->size; i++) {
        const cf_fact *g = c->fact[i];
        if (!g || (number && g->kind == CF_FIELD_OTHER && gives_way(g, f))) continue;
        if (is_same(f, g) && c->begin[i] == at) return;
        fits = false;
        if (is_as_exact(f, g) && number && g->kind != CF_FIELD_OTHER) c->conflict[i] = true;
    }
    for (uint64_t i = at; i < at + f->size && fits; i++) c->fact[i] = NULL;
    if (fits || !number) fill(c, f, at, f->size);
}

static void lay_run(canvas *c, const cf_fact *f, int64_t at) {
    for (uint64_t k = 0; k < f->count; k++, at += (int64_t)f->size) {
        if (at >= (int64_t)c->bytes) return;
        if (at >= 0 && (uint64_t)at + f->size <= c->bytes)
            lay_scalar(c, f, (uint64_t)at);
        else if (f->kind == CF_FIELD_OTHER && at + (int64_t)f->size > 0)
            fill(c, f, at < 0 ? 0 : (uint64_t)at, at < 0 ? (uint64_t)(at + (int64_t)f->size) : f->size);
    }
}

/* A fact that repeats downwards is laid from its offset down, one that repeats upwards from there up. */
static void lay(canvas *c, const cf_fact *f) {
    if (!f->stride) {
        lay_run(c, f, f->offset);
        return;
    }
    int64_t stride = (int64_t)f->stride, at = f->offset % stride, end = (int64_t)c->bytes;
    if (at > 0) at -= stride;
    if (f->ways == CF_UP && f->offset > at) at = f->offset;
    if (f->ways == CF_DOWN && f->offset + 1 < end) end = f->offset + 1;
    for (; at < end; at += stride) lay_run(c, f, at);
}

/* ---- layouts from bytes ---- */

/* Whether the block is scalars of one kind from its first to its last byte. */
static bool is_array_of_one(const canvas *c) {
    const cf_fact *f = c->fact[0];
    for (uint64_t i = 0; i < c->bytes; i++) {
        if (!is_same(c->fact[i], f)) return false;
        if (f->kind != CF_FIELD_OTHER && (i - c->begin[i] >= f->size || c->begin[i] % f->size)) return false;
    }
    return f->kind == CF_FIELD_OTHER || c->bytes % f->size == 0;
}

static void add_field(cf_layout *out, const cf_fact *f, uint64_t at) {
    cf_field *last = out->n ? &out->field[out->n - 1] : NULL;
    if (last && last->kind == CF_FIELD_OTHER && f->kind == CF_FIELD_OTHER) return;
    LLVMTypeRef t = f->kind == CF_FIELD_OTHER ? LLVMInt8TypeInContext(LLVMGetTypeContext(f->type)) : f->type;
    out->field[out->n++] = (cf_field){at, f->kind, t};
}

/* Told, and a whole scalar. */
static bool is_told(const canvas *c, uint64_t i) {
    const cf_fact *f = c->fact[i];
    if (!f || c->conflict[i] || f->kind == CF_FIELD_UNTOLD) return false;
    return f->kind == CF_FIELD_OTHER || (c->begin[i] <= i && c->begin[i] + f->size <= c->bytes);
}

static bool read_canvas(const canvas *c, uint64_t stride, cf_layout *out) {
    *out = (cf_layout){.known = c->bytes};
    for (uint64_t i = 0; i < c->bytes; i++) out->known &= is_told(c, i);
    if (!out->known) return false;
    if (is_array_of_one(c)) {
        out->field = CF_ARRAY(c->arena, cf_field, 1);
        add_field(out, c->fact[0], 0);
        out->stride = c->fact[0]->kind == CF_FIELD_OTHER ? 1 : c->fact[0]->size;
        return true;
    }
    out->field = CF_ARRAY(c->arena, cf_field, c->bytes);
    out->stride = stride;
    for (uint64_t i = 0; i < c->bytes; i++)
        if (i == 0 || c->begin[i] == i || c->fact[i] != c->fact[i - 1]) add_field(out, c->fact[i], i);
    return true;
}

/* ---- blocks of known size ---- */

/* With what is around it: a scalar that lies across an end of the block, and one that would if it did not contradict what is
 * outside. */
static bool layout_of_block(cf_facts *f, uint64_t bytes, cf_layout *out) {
    enum { AROUND = CF_AROUND };
    canvas c = new_canvas(f->arena, bytes + 2 * AROUND);
    for (size_t i = 0; i < f->facts.n; i++) {
        f->facts.at[i].offset += AROUND;
        lay(&c, &f->facts.at[i]);
    }
    for (size_t i = 0; i < f->facts.n; i++) contest_all(&c, &f->facts.at[i]);
    for (uint64_t i = 0; i < c.bytes; i++) c.begin[i] -= AROUND; /* before the block: a very large number */
    canvas inner = {c.arena, bytes, c.fact + AROUND, c.begin + AROUND, c.conflict + AROUND};
    return read_canvas(&inner, 0, out);
}

/* ---- arrays ---- */

/* Bytes of an element, from how the number of bytes is computed: n * 24. 0: not told. */
static uint64_t element_size(LLVMValueRef instruction) {
    uint64_t common = 0;
    if (!LLVMIsACallInst(instruction)) return 0;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(instruction); k++) {
        LLVMValueRef size = LLVMGetOperand(instruction, k);
        if (!l_is_integer_type(LLVMTypeOf(size)) || LLVMIsAConstantInt(size)) continue;
        uint64_t multiple;
        int64_t add;
        cf_affine(size, &multiple, &add);
        common = cf_gcd(cf_gcd(common, multiple), (uint64_t)(add < 0 ? -add : add));
    }
    return common > 1 ? common : 0;
}

/* The period of what is behind a pointer: of the fact that repeats least often, or of the size of elements. */
static uint64_t period(const cf_facts *f, uint64_t element) {
    uint64_t largest = 0, single = 0;
    for (size_t i = 0; i < f->facts.n; i++) {
        const cf_fact *x = &f->facts.at[i];
        uint64_t own = x->stride ? x->stride : x->count > 1 ? x->size : 0;
        if (x->weak < 2 && own > largest) largest = own;
        if (x->weak < 2 && !own && x->size > single) single = x->size;
    }
    if (!largest) return element ? element : single;
    /* Elements that are larger than what repeats: several of those to an element, and single facts about others. */
    return element > largest && element % largest == 0 ? element : largest;
}

/* Facts about single places, in every element. */
static bool agrees(canvas *c, const cf_fact *f) {
    int64_t n = (int64_t)c->bytes, at = f->offset % n;
    if (f->offset < 0 || f->weak == 2) return true;
    if ((uint64_t)at + f->size > c->bytes) return f->kind == CF_FIELD_OTHER;
    for (int64_t i = at; i < at + (int64_t)f->size; i++)
        if (c->fact[i] && c->fact[i]->kind != f->kind && !c->fact[i]->weak && !f->weak) return false;
    return true;
}

static bool layout_of_array(cf_facts *f, uint64_t element, cf_layout *out) {
    uint64_t n = period(f, element);
    *out = (cf_layout){0};
    if (!n || n > MOST_BYTES) return false;
    canvas c = new_canvas(f->arena, n);
    for (size_t i = 0; i < f->facts.n; i++) {
        cf_fact *x = &f->facts.at[i];
        if (x->stride && n % x->stride) {
            if (x->kind != CF_FIELD_OTHER) return false;
            continue;
        }
        /* An array of known length, seen as one without end. */
        if (!x->stride && x->count > 1) {
            x->stride = x->size;
            x->count = 1;
        }
        x->ways = CF_BOTH; /* the block is one of all elements */
        if (x->stride) lay(&c, x);
    }
    for (size_t i = 0; i < f->facts.n; i++) {
        cf_fact *x = &f->facts.at[i];
        if (x->stride) continue;
        if (!agrees(&c, x)) return false;
        if (x->offset >= 0) lay_run(&c, x, x->offset % (int64_t)n);
    }
    return read_canvas(&c, n, out);
}

/* ---- the interface ---- */

/* A fact whose stride is what several have in common is two: what holds, and what may. */
static void tell_apart(cf_facts *f) {
    for (size_t i = 0, n = f->facts.n; i < n; i++) {
        cf_fact x = f->facts.at[i];
        if (!x.stride || (x.period <= x.stride && x.step >= x.stride)) continue;
        f->facts.at[i].weak = POSSIBLE;
        if (x.period > x.stride) x.stride = x.period;
        cf_push(f->arena, &f->facts, x);
    }
}

static void sort(cf_facts *f) {
    tell_apart(f);
    if (f->facts.n) qsort(f->facts.at, f->facts.n, sizeof *f->facts.at, compare_facts);
}

static bool has_integers(const cf_layout *l) {
    for (size_t i = 0; i < l->n; i++)
        if (l->field[i].kind == CF_FIELD_OTHER) return true;
    return false;
}

bool cf_layout_of(cf_job *job, LLVMValueRef function, LLVMValueRef instruction, LLVMValueRef pointer,
                  uint64_t bytes, cf_layout *out) {
    (void)function;
    cf_facts f = {.arena = job->arena, .data = LLVMGetModuleDataLayout(job->module)};
    cf_add_tbaa(&f, instruction, (cf_fact){0});
    cf_find_facts(job, pointer, bytes && bytes <= MOST_BYTES ? bytes : 0, &f);
    sort(&f);
    bool told = bytes && bytes <= MOST_BYTES ? layout_of_block(&f, bytes, out)
                                             : layout_of_array(&f, element_size(instruction), out);
    if (!told || !has_integers(out) || !cf_may_be_punned(job, pointer)) return told;
    *out = (cf_layout){0};
    return false;
}

void cf_layout_of_type(cf_arena *a, LLVMTargetDataRef data, LLVMTypeRef type, cf_layout *out) {
    cf_facts f = {.arena = a, .data = data, .trust_unions = true};
    *out = (cf_layout){0};
    if (!LLVMTypeIsSized(type)) return;
    uint64_t bytes = LLVMABISizeOfType(data, type);
    cf_add_type(&f, type, (cf_fact){0});
    /* What is not told is nothing that is differentiated. */
    LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(type));
    cf_push(a, &f.facts,
            (cf_fact){.count = bytes, .size = 1, .kind = CF_FIELD_OTHER, .type = byte, .weak = 2});
    sort(&f);
    if (bytes > MOST_BYTES && layout_of_array(&f, 0, out)) return;
    layout_of_block(&f, bytes, out);
}

static bool only_integers(const cf_layout *l) {
    for (size_t i = 0; i < l->n; i++)
        if (l->field[i].kind != CF_FIELD_OTHER) return false;
    return l->known;
}

bool cf_holds_integers(cf_job *job, LLVMValueRef access) {
    static char yes, no;
    cf_map *memo = &cf_memory_known(job)->integers;
    char *known = cf_map_get(memo, access);
    if (known || cf_is_of_tape(access)) return known != &no;
    bool load = LLVMIsALoadInst(access);
    LLVMTypeRef t = LLVMTypeOf(load ? access : LLVMGetOperand(access, 0));
    cf_layout l = {0};
    bool told = cf_layout_of(job, l_function_of(access), access, LLVMGetOperand(access, load ? 0 : 1),
                             l_size(job->module, t), &l);
    known = told && only_integers(&l) ? &yes : &no;
    cf_map_put(job->arena, memo, access, known);
    return known == &yes;
}

/* ---- unions ---- */

/* A type with a union in it, which is of the type of one of its members whatever it holds. */
static bool has_union(LLVMTypeRef t) {
    if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) return has_union(LLVMGetElementType(t));
    if (LLVMGetTypeKind(t) != LLVMStructTypeKind) return false;
    if (LLVMGetStructName(t) && l_begins(LLVMGetStructName(t), "union.")) return true;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
        if (has_union(LLVMStructGetTypeAtIndex(t, i))) return true;
    return false;
}

bool cf_points_to_union(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p)) {
        if (has_union(LLVMGetGEPSourceElementType(p))) return true;
        p = LLVMGetOperand(p, 0);
    }
    return LLVMIsAAllocaInst(p) && has_union(LLVMGetAllocatedType(p));
}
