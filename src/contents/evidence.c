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
 *
 * Of many pointers that hang together (a large function that copies one structure again and again) all facts are gathered
 * once, relative to the object that was asked about first: each pointer into it takes them from there, moved by its
 * offset, behind those that it finds near itself.
 */
#include "contents/evidence.h"
#include "contents/moves.h"
#include "llvm/cfx.h"
#include "llvm/l.h"

/* Pointers that hang together are MANY from so many on. NEAR of them are followed for each question then, and those of
 * an object that is used BUSY times are followed to the end for its own sake, if elsewhere it is known modulo a stride. */
enum { MANY = 2000, NEAR = 200, BUSY = 100 };

/* ---- following pointers ---- */

typedef struct place {
    LLVMValueRef pointer;     /* = the pointer asked about + offset + stride * (some integer) */
    const struct place *from; /* by which it was reached at first */
    int64_t offset;
    uint64_t stride; /* 0: exactly offset */
    unsigned ways;   /* the integer is >= 0 (CF_UP), <= 0 (CF_DOWN), any */
    unsigned distance;
    uint64_t period; /* the largest of the strides that `stride` is common to; 0: stride itself */
    bool waiting;
    int64_t from_byte,
        to_byte; /* what is reached through integers: only these bytes, as offsets from what was asked about */
    uint64_t window; /* and those in this distance from them; 0: no others */
} place;

typedef struct search {
    cf_job *job;
    cf_facts *f;
    cf_map places;
    cf_arena *arena; /* of places */
    CF_VEC(place *) queue;
    size_t next, n, most;
    cf_map slots;          /* by root: those whose content was reached */
    LLVMValueRef function; /* that was asked about last: whether it is a made one */
    bool made;
    const place
        *window; /* what the next place that is reached tells about; NULL: the same as the one before */
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

/* The bytes that `from` tells about: all, unless it was reached through an integer. */
static const place everything = {.from_byte = INT64_MIN, .to_byte = INT64_MAX};

/* The place tells about these bytes too. True: that is new. */
static bool widen(place *p, const place *by) {
    if (p->to_byte == INT64_MAX ||
        (by->from_byte >= p->from_byte && by->to_byte <= p->to_byte && by->window == p->window))
        return false;
    uint64_t window = cf_gcd(p->window, by->window);
    bool other = window != p->window || by->from_byte != p->from_byte || by->to_byte != p->to_byte;
    p->from_byte = by->from_byte < p->from_byte ? by->from_byte : p->from_byte;
    p->to_byte = by->to_byte > p->to_byte ? by->to_byte : p->to_byte;
    p->window = window;
    return other;
}

static uint64_t period_of(const place *p) { return p->period ? p->period : p->stride; }

static uint64_t largest(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void reach(search *s, const place *from, LLVMValueRef v, int64_t offset, uint64_t stride, bool either,
                  uint64_t period, unsigned ways) {
    const place *seen_by = s->window ? s->window : from ? from : &everything;
    if (!l_is_pointer_type(LLVMTypeOf(v)) || LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsAFunction(v)) return;
    place *p = cf_map_get(&s->places, v);
    if (!p) {
        if (s->n >= s->most) return;
        s->n++;
        p = CF_NEW(s->arena, place);
        *p = (place){
            .pointer = v, .from = from, .offset = offset, .stride = stride, .period = period, .ways = ways};
        p->distance = from ? from->distance + 1 : 0;
        p->from_byte = seen_by->from_byte;
        p->to_byte = seen_by->to_byte;
        p->window = seen_by->window;
        cf_map_put(s->arena, &s->places, v, p);
    } else {
        bool wider = widen(p, seen_by);
        unsigned both = p->ways | ways |
                        (offset > p->offset   ? (unsigned)CF_UP
                         : offset < p->offset ? (unsigned)CF_DOWN
                                              : 0);
        if (!wider && is_known(p, from, offset, stride, either) && (p->from != from || both == p->ways))
            return;
        uint64_t apart = (uint64_t)(offset > p->offset ? offset - p->offset : p->offset - offset);
        uint64_t common = cf_gcd(cf_gcd(p->stride, stride), apart);
        if (common == p->stride && !wider && both == p->ways) return;
        p->ways = both;
        p->period = largest(period_of(p), period);
        p->stride = common;
    }
    if (p->waiting) return;
    p->waiting = true;
    cf_push(s->arena, &s->queue, p);
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

/* A getelementptr: result = base + offset + stride * (some integer). Returns the largest of the strides that this one is
 * common to. */
static uint64_t gep_offset(cf_facts *f, LLVMValueRef gep, int64_t *offset, uint64_t *stride) {
    uint64_t period = 0;
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
        period = largest(period, multiple * size);
        *stride = cf_gcd(*stride, multiple * size);
    }
    return period;
}

/* Which way the indices of a getelementptr go: behind its base, as those of arrays do, unless something is subtracted. */
static unsigned ways_of(LLVMValueRef gep) {
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef x = LLVMGetOperand(gep, i);
        while (LLVMIsASExtInst(x) || LLVMIsAZExtInst(x) || LLVMIsATruncInst(x)) x = LLVMGetOperand(x, 0);
        if (LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == LLVMSub) return CF_BOTH;
    }
    return CF_UP;
}

/* v = p + offset + stride * (some integer) */
static void reach_by(search *s, const place *p, LLVMValueRef v, int64_t offset, uint64_t stride,
                     uint64_t period, unsigned ways) {
    reach(s, p, v, p->offset + offset, cf_gcd(p->stride, stride), false, largest(period_of(p), period),
          p->ways | (stride ? ways : 0));
}

static void reach_from(search *s, const place *p, LLVMValueRef v, int64_t offset, uint64_t stride) {
    reach_by(s, p, v, offset, stride, stride, CF_BOTH);
}

static void reach_window(search *s, const place *p, const place *window, LLVMValueRef v) {
    s->window = window;
    reach_from(s, p, v, 0, 0);
    s->window = NULL;
}

/* v is p, or something else of its kind. */
static void reach_either(search *s, const place *p, LLVMValueRef v) {
    reach(s, p, v, p->offset, p->stride, true, p->period, p->ways);
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
                          uint64_t stride) {
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (is_gep(i) && LLVMGetOperand(i, 0) == address) {
            int64_t more;
            uint64_t step;
            gep_offset(s->f, i, &more, &step);
            reach_content(s, p, x, i, offset + more, cf_gcd(stride, step));
        }
        if (!is_same_slot(offset, stride, x)) continue;
        if (LLVMIsALoadInst(i)) reach_from(s, p, i, 0, 0);
        if (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == address)
            reach_from(s, p, LLVMGetOperand(i, 0), 0, 0);
    }
}

/* A slot whose content was reached, as a pointer with this offset. */
typedef struct reached {
    slot slot;
    int64_t offset;
    uint64_t stride;
    struct reached *next;
} reached;

static bool is_reached(search *s, const place *p, const slot *x) {
    reached *first = cf_map_get(&s->slots, x->root);
    for (reached *r = first; r; r = r->next)
        if (r->slot.offset == x->offset && r->slot.stride == x->stride && r->offset == p->offset &&
            r->stride == p->stride)
            return true;
    reached *r = CF_NEW(s->arena, reached);
    *r = (reached){*x, p->offset, p->stride, first};
    cf_map_put(s->arena, &s->slots, x->root, r);
    return false;
}

static void reach_slot(search *s, const place *p, LLVMValueRef address) {
    slot x = slot_of(s, address);
    if (!is_reached(s, p, &x)) reach_content(s, p, &x, x.root, 0, 0);
}

/* ---- calls ---- */

static bool is_made(LLVMValueRef f) { return l_has_text(f, "cf-made"); }

static bool in_made(search *s, LLVMValueRef instruction) {
    LLVMValueRef f = l_function_of(instruction);
    if (f != s->function) {
        s->made = is_made(f);
        s->function = f;
    }
    return s->made;
}

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

static uint64_t access_size(const search *s, LLVMValueRef i) {
    return LLVMABISizeOfType(s->f->data, LLVMTypeOf(LLVMIsALoadInst(i) ? i : LLVMGetOperand(i, 0)));
}

/* An integer that is loaded here and stored there, or the other way round, is a copy of its bytes. */
static void reach_moved(search *s, const place *p, LLVMValueRef i) {
    bool load = LLVMIsALoadInst(i);
    LLVMValueRef v = load ? i : LLVMGetOperand(i, 0);
    if (!l_is_integer_type(LLVMTypeOf(v)) || LLVMIsAConstant(v)) return;
    const cf_moves *m = load ? cf_bits_go_to(s->job, v) : cf_bits_come_from(s->job, v);
    int64_t size = (int64_t)access_size(s, i);
    bool narrower = p->to_byte == INT64_MAX;
    place window = *p;
    if (narrower) {
        window.from_byte = p->offset;
        window.to_byte = p->offset + size;
        window.window = p->stride;
    }
    for (size_t k = 0; k < m->access.n; k++) {
        LLVMValueRef there = m->access.at[k];
        if (access_size(s, there) == (uint64_t)size)
            reach_window(s, p, &window, LLVMGetOperand(there, load ? 1 : 0));
    }
}

/* ---- one step ---- */

/* Where the pointer comes from. */
static void reach_origin(search *s, const place *p) {
    LLVMValueRef v = p->pointer;
    if (is_gep(v)) {
        int64_t offset;
        uint64_t stride;
        uint64_t period = gep_offset(s->f, v, &offset, &stride);
        reach_by(s, p, LLVMGetOperand(v, 0), -offset, stride, period,
                 ways_of(v) == CF_UP ? CF_DOWN : CF_BOTH);
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
    if (LLVMIsAInstruction(user) && in_made(s, user)) return;
    if (is_gep(user) && LLVMGetOperand(user, 0) == v) {
        int64_t offset;
        uint64_t stride;
        uint64_t period = gep_offset(s->f, user, &offset, &stride);
        reach_by(s, p, user, offset, stride, period, ways_of(user));
        return;
    }
    if (!LLVMIsAInstruction(user)) return;
    if (is_phi_like(user)) reach_either(s, p, user);
    if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v) reach_slot(s, p, LLVMGetOperand(user, 1));
    if (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) reach_through_call(s, p, user, v);
    if (LLVMIsALoadInst(user) || (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == v))
        reach_moved(s, p, user);
    if (LLVMIsAReturnInst(user)) reach_results(s, p, l_function_of(user));
}

static void reach_all(search *s, LLVMValueRef pointer) {
    reach(s, NULL, pointer, 0, 0, false, 0, 0);
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

/* Nothing is told about these bytes, or too much: a number and a pointer that contradict each other. */
static void add_undecided(search *s, cf_fact at, LLVMTypeRef t) {
    LLVMContextRef c = LLVMGetTypeContext(t);
    at.size = LLVMABISizeOfType(s->f->data, t);
    at.kind = CF_FIELD_UNTOLD;
    at.type = LLVMInt8TypeInContext(c);
    cf_add_fact(s->f, at);
}

/* An integer: what its bits are made from or become, else whether it is computed with. */
static void add_integer(search *s, LLVMValueRef i, LLVMValueRef v, cf_fact at) {
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

static void add_access(search *s, LLVMValueRef i, cf_fact at) {
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
static void add_elements_type(search *s, LLVMTypeRef t, cf_fact at, bool array, unsigned ways) {
    if (is_bytes(t) || !LLVMTypeIsSized(t)) return;
    cf_facts own = {.arena = s->f->arena, .data = s->f->data};
    cf_add_type(&own, t, (cf_fact){.distance = at.distance});
    at.ways |= array ? ways : 0;
    cf_add_element(s->f, &own, at, array ? LLVMABISizeOfType(s->f->data, t) : 0);
}

static void add_facts_of_use(search *s, const place *p, LLVMValueRef i, cf_fact at) {
    LLVMValueRef v = p->pointer;
    if (is_gep(i) && LLVMGetOperand(i, 0) == v) {
        LLVMTypeRef t = LLVMGetGEPSourceElementType(i);
        LLVMValueRef first = LLVMGetOperand(i, 1);
        bool array = !l_is_aggregate_type(t) || !l_is_zero(first);
        add_elements_type(s, t, at, array, ways_of(i));
        return;
    }
    if (!LLVMIsAInstruction(i) || in_made(s, i)) return;
    if (LLVMIsALoadInst(i) || (LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == v))
        add_access(s, i, at);
    else if (LLVMIsACallInst(i))
        cf_add_tbaa(s->f, i, at);
}

static void add_declared(search *s, LLVMTypeRef t, cf_fact at, bool array) {
    if (t && LLVMTypeIsSized(t)) add_elements_type(s, t, at, array, CF_UP);
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

/* A fact that says nothing about the bytes for which the place was reached. */
static bool is_beside(const place *p, const cf_fact *x) {
    if (p->to_byte == INT64_MAX) return false;
    int64_t begin = x->offset, end = begin + (int64_t)(x->count * x->size), every = (int64_t)p->window;
    if (!every) return !x->stride && (end <= p->from_byte || begin >= p->to_byte);
    if (x->stride % p->window) return false;
    begin = (begin - p->from_byte) % every;
    if (begin < 0) begin += every;
    return begin >= p->to_byte - p->from_byte && begin + (int64_t)(x->count * x->size) <= every;
}

static void drop_facts_beside(cf_facts *f, size_t first, const place *p) {
    size_t n = first;
    for (size_t i = first; i < f->facts.n; i++)
        if (!is_beside(p, &f->facts.at[i])) f->facts.at[n++] = f->facts.at[i];
    f->facts.n = n;
}

static void add_facts_of(search *s, const place *p) {
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
    if (LLVMIsAArgument(v)) add_declared(s, parameter_type(v), at, false);
    const cf_ctype *t = debug_type(s, v, 0);
    if (t) cf_add_debug_type(s->f, s->job->context, t, at);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u))
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

static void add_all_facts(search *s) {
    const void *key;
    void *p;
    for (size_t i = 0; cf_map_next(&s->places, &i, &key, &p);) add_facts_of(s, p);
}

/* Pointers at an exact offset belong to the first whole in which they are so. */
static void add_members(cf_job *job, const search *s, const cf_facts *w) {
    cf_map *members = &job->evidence->members;
    const void *key;
    void *value;
    for (size_t i = 0; cf_map_next(&s->places, &i, &key, &value);) {
        const place *p = value;
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
    *w = (cf_facts){.arena = job->arena, .data = data};
    search s = {.job = job, .f = w, .arena = cf_arena_new(), .most = SIZE_MAX};
    reach_all(&s, root);
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
static const member *member_of(search *s, LLVMValueRef pointer) {
    slot x = slot_of(s, pointer);
    const member *m = cf_map_get(&s->job->evidence->members, x.root);
    if (m && m->stride && is_busy(x.root)) m = NULL;
    if (!m) make_whole(s->job, x.root, s->f->data);
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

static bool find_near(cf_job *job, LLVMValueRef pointer, cf_facts *f, size_t most) {
    search s = {.job = job, .f = f, .arena = cf_arena_new(), .most = most};
    reach_all(&s, pointer);
    bool all = s.n < most;
    if (all || most == NEAR) add_all_facts(&s);
    cf_arena_free(s.arena);
    return all;
}

void cf_find_facts(cf_job *job, LLVMValueRef pointer, uint64_t bytes, cf_facts *f) {
    cf_memory_known(job);
    bool many = cf_map_get(&job->evidence->members, pointer);
    if (!many && find_near(job, pointer, f, MANY)) return;
    find_near(job, pointer, f, NEAR);
    search s = {.job = job, .f = f};
    const member *m = member_of(&s, pointer);
    if (m) add_from_whole(f, m, bytes);
}

cf_evidence *cf_memory_known(cf_job *job) {
    if (!job->evidence) job->evidence = CF_NEW(job->arena, cf_evidence);
    return job->evidence;
}

void cf_forget_evidence(cf_job *job) { job->evidence = NULL; }
