/* Following pointers.
 *
 * In:     the module, a pointer
 * Out:    places: pointers that are this one plus an offset
 * Keeps:  the module
 *
 * Idea: the pointer is followed to where it comes from and to what is made of it, breadth first, through address
 * arithmetic, phis, copies, calls in both directions, and through memory (a pointer that is loaded where it was stored).
 * Each pointer that is reached is the one asked about plus an offset, known modulo a stride. */
#include "contents/follow.h"
#include "contents/moves.h"
#include "llvm/l.h"

/* ---- places ---- */

bool cf_is_full(const cf_follow *s) { return s->n >= s->most; }

static bool is_phi_like(LLVMValueRef v) {
    return LLVMIsAPHINode(v) || LLVMIsASelectInst(v) || LLVMIsAFreezeInst(v) || LLVMIsAAddrSpaceCastInst(v) ||
           LLVMIsABitCastInst(v);
}

bool cf_is_gep(LLVMValueRef v) {
    return LLVMIsAGetElementPtrInst(v) ||
           (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr);
}

/* Another way to a pointer that is known: its own place is among those that are possible by that way, which says
 * nothing new, unless the way is the one by which it was reached at first, or a phi, which may be either. */
static bool is_known(const cf_reached *p, const cf_reached *from, int64_t offset, uint64_t stride,
                     bool either) {
    if (p->from == from || either || !stride) return p->offset == offset && p->stride == stride;
    uint64_t apart = (uint64_t)(offset > p->offset ? offset - p->offset : p->offset - offset);
    return apart % stride == 0 && p->stride % stride == 0;
}

/* The bytes that `from` tells about: all, unless it was reached through an integer. */
static const cf_reached everything = {.from_byte = INT64_MIN, .to_byte = INT64_MAX};

/* The place tells about these bytes too. True: that is new. */
static bool widen(cf_reached *p, const cf_reached *by) {
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

static uint64_t period_of(const cf_reached *p) { return p->period ? p->period : p->stride; }

static uint64_t largest(uint64_t a, uint64_t b) { return a > b ? a : b; }

static void reach(cf_follow *s, const cf_reached *from, LLVMValueRef v, int64_t offset, uint64_t stride,
                  bool either, uint64_t period, unsigned ways) {
    const cf_reached *seen_by = s->window ? s->window : from ? from : &everything;
    if (!l_is_pointer_type(LLVMTypeOf(v)) || LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsAFunction(v)) return;
    cf_reached *p = cf_map_get(&s->places, v);
    if (!p) {
        if (cf_is_full(s)) return;
        s->n++;
        p = CF_NEW(s->arena, cf_reached);
        *p = (cf_reached){
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

unsigned cf_ways_of(LLVMValueRef gep) {
    for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(gep); i++) {
        LLVMValueRef x = LLVMGetOperand(gep, i);
        while (LLVMIsASExtInst(x) || LLVMIsAZExtInst(x) || LLVMIsATruncInst(x)) x = LLVMGetOperand(x, 0);
        if (LLVMIsAInstruction(x) && LLVMGetInstructionOpcode(x) == LLVMSub) return CF_BOTH;
    }
    return CF_UP;
}

/* v = p + offset + stride * (some integer) */
static void reach_by(cf_follow *s, const cf_reached *p, LLVMValueRef v, int64_t offset, uint64_t stride,
                     uint64_t period, unsigned ways) {
    reach(s, p, v, p->offset + offset, cf_gcd(p->stride, stride), false, largest(period_of(p), period),
          p->ways | (stride ? ways : 0));
}

static void reach_from(cf_follow *s, const cf_reached *p, LLVMValueRef v, int64_t offset, uint64_t stride) {
    reach_by(s, p, v, offset, stride, stride, CF_BOTH);
}

static void reach_window(cf_follow *s, const cf_reached *p, const cf_reached *window, LLVMValueRef v) {
    s->window = window;
    reach_from(s, p, v, 0, 0);
    s->window = NULL;
}

/* v is p, or something else of its kind. */
static void reach_either(cf_follow *s, const cf_reached *p, LLVMValueRef v) {
    reach(s, p, v, p->offset, p->stride, true, p->period, p->ways);
}

/* ---- pointers in memory ---- */

cf_slot cf_slot_of(cf_follow *s, LLVMValueRef address) {
    cf_slot x = {address, 0, 0};
    while (cf_is_gep(x.root) || LLVMIsAAddrSpaceCastInst(x.root) || LLVMIsABitCastInst(x.root)) {
        int64_t offset = 0;
        uint64_t stride = 0;
        if (cf_is_gep(x.root)) gep_offset(s->f, x.root, &offset, &stride);
        x.offset += offset;
        x.stride = cf_gcd(x.stride, stride);
        x.root = LLVMGetOperand(x.root, 0);
    }
    return x;
}

static bool is_same_slot(int64_t offset, uint64_t stride, const cf_slot *x) {
    uint64_t apart = (uint64_t)(offset > x->offset ? offset - x->offset : x->offset - offset);
    uint64_t common = cf_gcd(stride, x->stride);
    return common ? common >= 8 && apart % common == 0 : apart == 0;
}

/* Reaches the pointers that are loaded from a slot, or stored to it, through `address`. */
static void reach_content(cf_follow *s, const cf_reached *p, const cf_slot *x, LLVMValueRef address,
                          int64_t offset, uint64_t stride) {
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (cf_is_gep(i) && LLVMGetOperand(i, 0) == address) {
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
    cf_slot slot;
    int64_t offset;
    uint64_t stride;
    struct reached *next;
} reached;

static bool is_reached(cf_follow *s, const cf_reached *p, const cf_slot *x) {
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

static void reach_slot(cf_follow *s, const cf_reached *p, LLVMValueRef address) {
    cf_slot x = cf_slot_of(s, address);
    if (!is_reached(s, p, &x)) reach_content(s, p, &x, x.root, 0, 0);
}

/* ---- calls ---- */

static bool is_made(LLVMValueRef f) { return l_has_text(f, "cf-made"); }

bool cf_in_made(cf_follow *s, LLVMValueRef instruction) {
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
static void reach_arguments(cf_follow *s, const cf_reached *p, LLVMValueRef f, unsigned k) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (LLVMIsAInstruction(call) && is_call_of(call, f) && k < LLVMGetNumArgOperands(call))
            reach_from(s, p, LLVMGetOperand(call, k), 0, 0);
    }
}

static void reach_results(cf_follow *s, const cf_reached *p, LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u))
        if (LLVMIsAInstruction(LLVMGetUser(u)) && is_call_of(LLVMGetUser(u), f))
            reach_from(s, p, LLVMGetUser(u), 0, 0);
}

static void reach_returned(cf_follow *s, const cf_reached *p, LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
        if (t && LLVMIsAReturnInst(t) && LLVMGetNumOperands(t)) reach_from(s, p, LLVMGetOperand(t, 0), 0, 0);
    }
}

static void reach_through_call(cf_follow *s, const cf_reached *p, LLVMValueRef call, LLVMValueRef argument) {
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

static uint64_t access_size(const cf_follow *s, LLVMValueRef i) {
    return LLVMABISizeOfType(s->f->data, LLVMTypeOf(LLVMIsALoadInst(i) ? i : LLVMGetOperand(i, 0)));
}

/* An integer that is loaded here and stored there, or the other way round, is a copy of its bytes. */
static void reach_moved(cf_follow *s, const cf_reached *p, LLVMValueRef i) {
    bool load = LLVMIsALoadInst(i);
    LLVMValueRef v = load ? i : LLVMGetOperand(i, 0);
    if (!l_is_integer_type(LLVMTypeOf(v)) || LLVMIsAConstant(v)) return;
    const cf_moves *m = load ? cf_bits_go_to(s->job, v) : cf_bits_come_from(s->job, v);
    int64_t size = (int64_t)access_size(s, i);
    bool narrower = p->to_byte == INT64_MAX;
    cf_reached window = *p;
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
static void reach_origin(cf_follow *s, const cf_reached *p) {
    LLVMValueRef v = p->pointer;
    if (cf_is_gep(v)) {
        int64_t offset;
        uint64_t stride;
        uint64_t period = gep_offset(s->f, v, &offset, &stride);
        reach_by(s, p, LLVMGetOperand(v, 0), -offset, stride, period,
                 cf_ways_of(v) == CF_UP ? CF_DOWN : CF_BOTH);
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
static void reach_use(cf_follow *s, const cf_reached *p, LLVMValueRef user) {
    LLVMValueRef v = p->pointer;
    if (LLVMIsAInstruction(user) && cf_in_made(s, user)) return;
    if (cf_is_gep(user) && LLVMGetOperand(user, 0) == v) {
        int64_t offset;
        uint64_t stride;
        uint64_t period = gep_offset(s->f, user, &offset, &stride);
        reach_by(s, p, user, offset, stride, period, cf_ways_of(user));
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

void cf_follow_all(cf_follow *s, LLVMValueRef pointer) {
    reach(s, NULL, pointer, 0, 0, false, 0, 0);
    for (; s->next < s->queue.n && !cf_is_full(s); s->next++) {
        cf_reached *p = s->queue.at[s->next];
        p->waiting = false;
        reach_origin(s, p);
        for (LLVMUseRef u = LLVMGetFirstUse(p->pointer); u && !cf_is_full(s); u = LLVMGetNextUse(u), s->n++)
            reach_use(s, p, LLVMGetUser(u));
    }
}
