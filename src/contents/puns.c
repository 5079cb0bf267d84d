/* Puns: numbers in memory that is told to hold integers.
 *
 * In:     the program's functions in job->module, as they are when the first question comes
 * Out:    answers by pointer, remembered in job->puns
 * Needs:  known functions                    Keeps: the module
 *
 * Idea: evidence about a pointer (evidence.c) sees what hangs together with it by address arithmetic, calls and slots. What is told
 * there by types (this is a `long`) is no proof that no number's bits go through. So all objects of the program are put into
 * classes by unification (Steensgaard, Points-to analysis in almost linear time, 1996), and classes between which integers are
 * moved into groups. An access of a number is at its place where its own type (TBAA), or the type of what is around it, says so;
 * all others make their group one whose integers may be anything. */
#include "contents/puns.h"
#include "contents/evidence.h"
#include "contents/follow.h"
#include "contents/moves.h"
#include "ir/constants.h"
#include "known/known.h"
#include "llvm/cfx.h"
#include "llvm/l.h"

typedef struct class {
    struct class *up;      /* union-find */
    struct class *content; /* what pointers that are stored here lead to */
    struct class *group;   /* union-find over classes */
    bool punned;           /* of the first of a group */
    bool numbers;          /* numbers are accessed here */
} class;

typedef struct cf_puns {
    cf_job *job;
    cf_map class; /* pointers, and functions for their results → class */
    bool typed;   /* accesses of C's types have TBAA here */
    bool any;
} cf_puns;

/* ---- classes ---- */

static class *find(class *c) {
    while (c->up != c) c = c->up = c->up->up;
    return c;
}

static class *new_class(cf_puns *p) {
    class *c = CF_NEW(p->job->arena, class);
    c->up = c;
    c->group = c;
    return c;
}

static class *content(cf_puns *p, class *c) {
    c = find(c);
    if (!c->content) c->content = new_class(p);
    return c->content = find(c->content);
}

static void join(class *a, class *b) {
    while (a && b) {
        a = find(a);
        b = find(b);
        if (a == b) return;
        b->up = a;
        class *ca = a->content, *cb = b->content;
        if (!ca) a->content = cb;
        a = ca;
        b = cb;
    }
}

static LLVMValueRef origin(LLVMValueRef v) {
    v = l_without_aliases(v);
    while (v && LLVMIsAConstantExpr(v) && LLVMGetNumOperands(v)) v = l_without_aliases(LLVMGetOperand(v, 0));
    return v;
}

static class *class_of(cf_puns *p, LLVMValueRef pointer) {
    LLVMValueRef v = origin(pointer);
    if (!v || LLVMIsNull(v) || LLVMIsUndef(v) || LLVMIsAFunction(v)) return NULL;
    class *c = cf_map_get(&p->class, v);
    if (!c) cf_map_put(p->job->arena, &p->class, v, c = new_class(p));
    return find(c);
}

static class *class_of_result(cf_puns *p, LLVMValueRef f) {
    class *c = cf_map_get(&p->class, f);
    if (!c) cf_map_put(p->job->arena, &p->class, f, c = new_class(p));
    return find(c);
}

static class *behind(cf_puns *p, LLVMValueRef pointer) {
    class *c = class_of(p, pointer);
    return c ? content(p, c) : NULL;
}

static bool holds_pointer(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return holds_pointer(LLVMGetElementType(t));
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (holds_pointer(LLVMStructGetTypeAtIndex(t, i))) return true;
        return false;
    default: return l_is_pointer_type(t);
    }
}

static bool is_pointer(LLVMValueRef v) { return holds_pointer(LLVMTypeOf(v)); }

static void join_values(cf_puns *p, LLVMValueRef a, LLVMValueRef b) {
    if (is_pointer(a) && is_pointer(b)) join(class_of(p, a), class_of(p, b));
}

/* ---- calls ---- */

static bool is_made(LLVMValueRef f) { return l_has_text(f, "cf-made"); }

static void pass(cf_puns *p, LLVMValueRef call, LLVMValueRef f) {
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call) && k < LLVMCountParams(f); k++)
        join_values(p, LLVMGetParam(f, k), LLVMGetOperand(call, k));
    if (is_pointer(call)) join(class_of(p, call), class_of_result(p, f));
}

static void pass_to_any(cf_puns *p, LLVMValueRef call) {
    LLVMTypeRef t = LLVMGetCalledFunctionType(call);
    for (LLVMValueRef f = LLVMGetFirstFunction(p->job->module); f; f = LLVMGetNextFunction(f))
        if (l_function_type(f) == t && !LLVMIsDeclaration(f) && !is_made(f) && l_is_taken(f))
            pass(p, call, f);
}

/* Whatever it does: all that it gets, and what it returns, may be one, and lead to each other. */
static void pass_out(cf_puns *p, LLVMValueRef call) {
    class *all = is_pointer(call) ? class_of(p, call) : NULL;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
        LLVMValueRef a = LLVMGetOperand(call, k);
        class *c = is_pointer(a) ? class_of(p, a) : NULL;
        if (!all)
            all = c;
        else
            join(all, c);
    }
    if (all) join(all, content(p, all));
}

/* What it is given to call gets pointers into what it is given. */
static void call_back(cf_puns *p, LLVMValueRef call, LLVMValueRef f) {
    f = origin(f);
    if (!f || !LLVMIsAFunction(f) || LLVMIsDeclaration(f)) return;
    for (unsigned k = 0; k < LLVMCountParams(f); k++)
        for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
            join_values(p, LLVMGetParam(f, k), LLVMGetOperand(call, i));
}

static void read_known(cf_puns *p, LLVMValueRef call, const cf_known *k) {
    if (k->kind == CF_KNOWN_COPY)
        join_values(p, LLVMGetOperand(call, (unsigned)k->pointer), LLVMGetOperand(call, (unsigned)k->source));
    if (k->kind == CF_KNOWN_REALLOC) join_values(p, call, LLVMGetOperand(call, (unsigned)k->pointer));
    if (k->returns != CF_NO_ARG) join_values(p, call, LLVMGetOperand(call, (unsigned)k->returns));
    if (k->flags & CF_KNOWN_CALLBACK) call_back(p, call, LLVMGetOperand(call, (unsigned)k->source));
}

static void read_call(cf_puns *p, LLVMValueRef call) {
    LLVMValueRef f = l_callee(call);
    const cf_known *known = f ? cf_known_of(f) : NULL;
    if (!f)
        LLVMIsAInlineAsm(LLVMGetCalledValue(call)) ? pass_out(p, call) : pass_to_any(p, call);
    else if (known)
        read_known(p, call, known);
    else if (!LLVMIsDeclaration(f))
        pass(p, call, f);
    else if (l_is_intrinsic(f))
        for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
            join_values(p, call, LLVMGetOperand(call, k));
    else
        pass_out(p, call);
}

/* ---- instructions ---- */

/* An address that was an integer before. */
static void read_address(cf_puns *p, LLVMValueRef i) {
    const cf_moves *m = cf_bits_come_from(p->job, LLVMGetOperand(i, 0));
    for (size_t k = 0; k < m->access.n; k++)
        join(class_of(p, i), behind(p, LLVMGetOperand(m->access.at[k], 0)));
    for (size_t k = 0; k < m->computed.n; k++)
        join(class_of(p, i), behind(p, LLVMGetOperand(m->computed.at[k], 0)));
}

/* The pointers among the operands of integer operations are the one that comes of it. */
static void join_through(cf_puns *p, LLVMValueRef result, LLVMValueRef v, cf_map *seen) {
    if (!LLVMIsAInstruction(v) || cf_map_get(seen, v)) return;
    cf_map_put(p->job->arena, seen, v, v);
    if (LLVMIsAPtrToIntInst(v)) {
        join_values(p, result, LLVMGetOperand(v, 0));
        return;
    }
    if (LLVMIsALoadInst(v) || LLVMIsACallInst(v) || LLVMIsAInvokeInst(v)) return;
    for (int k = 0; k < LLVMGetNumOperands(v); k++)
        join_through(p, result, LLVMGetOperand(v, (unsigned)k), seen);
}

static void write_address(cf_puns *p, LLVMValueRef i) {
    const cf_moves *m = cf_bits_go_to(p->job, i);
    for (size_t k = 0; k < m->access.n; k++)
        join(class_of(p, LLVMGetOperand(i, 0)), behind(p, LLVMGetOperand(m->access.at[k], 1)));
    for (size_t k = 0; k < m->computed.n; k++)
        join(class_of(p, LLVMGetOperand(i, 0)), behind(p, LLVMGetOperand(m->computed.at[k], 1)));
}

static void join_operands(cf_puns *p, LLVMValueRef i, unsigned first, unsigned end) {
    for (unsigned k = first; k < end && k < (unsigned)LLVMGetNumOperands(i); k++)
        join_values(p, i, LLVMGetOperand(i, k));
}

static void read_instruction(cf_puns *p, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
    case LLVMExtractValue:
    case LLVMExtractElement: join_operands(p, i, 0, 1); break;
    case LLVMInsertValue:
    case LLVMInsertElement:
    case LLVMShuffleVector: join_operands(p, i, 0, 2); break;
    case LLVMSelect: join_operands(p, i, 1, 3); break;
    case LLVMPHI:
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++) join_values(p, i, LLVMGetIncomingValue(i, k));
        break;
    case LLVMLoad:
        if (is_pointer(i)) join(class_of(p, i), behind(p, LLVMGetOperand(i, 0)));
        break;
    case LLVMStore:
        if (is_pointer(LLVMGetOperand(i, 0)))
            join(class_of(p, LLVMGetOperand(i, 0)), behind(p, LLVMGetOperand(i, 1)));
        break;
    case LLVMIntToPtr:
        read_address(p, i);
        join_through(p, i, LLVMGetOperand(i, 0), &(cf_map){0});
        break;
    case LLVMPtrToInt: write_address(p, i); break;
    case LLVMRet:
        if (LLVMGetNumOperands(i) && is_pointer(LLVMGetOperand(i, 0)))
            join(class_of_result(p, l_function_of(i)), class_of(p, LLVMGetOperand(i, 0)));
        break;
    case LLVMCall:
    case LLVMInvoke: read_call(p, i); break;
    default: break;
    }
}

typedef struct initial {
    cf_puns *p;
    LLVMValueRef global;
} initial;

static bool read_initial(void *user, LLVMValueRef part) {
    const initial *x = user;
    if (LLVMIsAGlobalVariable(part)) join(behind(x->p, x->global), class_of(x->p, part));
    return false;
}

static void each_instruction(cf_puns *p, void (*see)(cf_puns *, LLVMValueRef)) {
    for (LLVMValueRef f = LLVMGetFirstFunction(p->job->module); f; f = LLVMGetNextFunction(f)) {
        if (is_made(f)) continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) see(p, i);
    }
}

/* ---- places of numbers ---- */

typedef enum told { NOTHING, INTEGER, NUMBER } told;

static told told_by_scalar(LLVMTypeRef t) {
    if (l_is_vector_type(t)) t = LLVMGetElementType(t);
    if (l_is_float_type(t)) return NUMBER;
    return l_is_integer_type(t) && LLVMGetIntTypeWidth(t) > 8 ? INTEGER : NOTHING;
}

/* What a type of LLVM has at a byte. A union is what its members are, which is not told. */
static told told_by_type(LLVMTargetDataRef data, LLVMTypeRef t, uint64_t at) {
    while (LLVMTypeIsSized(t)) {
        if (LLVMGetTypeKind(t) == LLVMStructTypeKind) {
            if (!LLVMCountStructElementTypes(t) || at >= LLVMABISizeOfType(data, t)) return NOTHING;
            unsigned k = LLVMElementAtOffset(data, t, at);
            at -= LLVMOffsetOfElement(data, t, k);
            t = LLVMStructGetTypeAtIndex(t, k);
        } else if (LLVMGetTypeKind(t) == LLVMArrayTypeKind) {
            t = LLVMGetElementType(t);
            uint64_t size = LLVMABISizeOfType(data, t);
            at = size ? at % size : 0;
        } else {
            return told_by_scalar(t);
        }
    }
    return NOTHING;
}

static told told_by_debug(const cf_ctype *t, uint64_t at) {
    while (t) {
        switch (t->kind) {
        case CF_C_FLOAT:
        case CF_C_COMPLEX: return NUMBER;
        case CF_C_INTEGER: return t->size > 1 ? INTEGER : NOTHING;
        case CF_C_ARRAY:
            at = t->of->size ? at % t->of->size : 0;
            t = t->of;
            break;
        case CF_C_STRUCT: {
            const cf_ctype *inner = NULL;
            for (uint64_t k = 0; k < t->n && !inner; k++) {
                const cf_cmember *m = &t->members[k];
                if (at < m->offset || at >= m->offset + m->type->size) continue;
                at -= m->offset;
                inner = m->type;
            }
            t = inner;
            break;
        }
        default: return NOTHING;
        }
    }
    return NOTHING;
}

static uint64_t inside(int64_t offset, uint64_t size) {
    if (!size) return 0;
    int64_t at = offset % (int64_t)size;
    return (uint64_t)(at < 0 ? at + (int64_t)size : at);
}

static told best(told a, told b) { return a > b ? a : b; }

/* By the types that address arithmetic goes through. */
static told told_by_addresses(cf_puns *p, LLVMValueRef pointer) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(p->job->module);
    told all = NOTHING;
    for (LLVMValueRef v = pointer; cf_is_gep(v); v = LLVMGetOperand(v, 0)) {
        LLVMTypeRef t = LLVMGetGEPSourceElementType(v);
        for (unsigned k = 2; k < (unsigned)LLVMGetNumOperands(v); k++) {
            LLVMValueRef index = LLVMGetOperand(v, k);
            t = LLVMGetTypeKind(t) == LLVMStructTypeKind
                    ? LLVMStructGetTypeAtIndex(t, (unsigned)LLVMConstIntGetZExtValue(index))
                    : LLVMGetElementType(t);
        }
        if (v == pointer) all = best(all, told_by_type(data, t, 0));
    }
    return all;
}

/* By the types of the variable at its root. */
static told told_by_root(cf_puns *p, LLVMValueRef pointer) {
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(p->job->module);
    cf_facts facts = {.arena = p->job->arena, .data = data};
    cf_follow s = {.job = p->job, .f = &facts, .arena = p->job->arena};
    cf_slot x = cf_slot_of(&s, pointer);
    LLVMTypeRef t = LLVMIsAAllocaInst(x.root)       ? LLVMGetAllocatedType(x.root)
                    : LLVMIsAGlobalVariable(x.root) ? LLVMGlobalGetValueType(x.root)
                    : LLVMIsAArgument(x.root)       ? cf_type_of_parameter(x.root)
                                                    : NULL;
    told all = NOTHING;
    if (t && LLVMTypeIsSized(t)) all = told_by_type(data, t, inside(x.offset, LLVMABISizeOfType(data, t)));
    const cf_ctype *c = cf_debug_type(&s, x.root);
    return c ? best(all, told_by_debug(c, inside(x.offset, c->size))) : all;
}

static LLVMValueRef place_of(LLVMValueRef access) {
    return LLVMGetOperand(access, LLVMIsALoadInst(access) ? 0 : 1);
}

static told told_by_tag(cf_puns *p, LLVMValueRef access) {
    cf_facts f = {.arena = p->job->arena, .data = LLVMGetModuleDataLayout(p->job->module)};
    cf_add_tbaa(&f, access, (cf_fact){0});
    told all = NOTHING;
    for (size_t i = 0; i < f.facts.n; i++) {
        if (f.facts.at[i].offset) continue;
        if (f.facts.at[i].kind == CF_FIELD_FLOAT) all = NUMBER;
        if (f.facts.at[i].kind == CF_FIELD_OTHER) all = best(all, INTEGER);
    }
    return all;
}

/* A number is accessed where types do not tell of one. */
static void see_number(cf_puns *p, LLVMValueRef access) {
    told by = told_by_tag(p, access);
    LLVMValueRef place = place_of(access);
    if (by == NOTHING) by = best(told_by_addresses(p, place), told_by_root(p, place));
    if (by == NUMBER || (by == NOTHING && !p->typed)) return;
    class *c = class_of(p, place);
    if (c) p->any = c->punned = true;
}

static void see_moved(cf_puns *p, const cf_moves *m) {
    for (size_t k = 0; k < m->access.n; k++) see_number(p, m->access.at[k]);
    for (size_t k = 0; k < m->computed.n; k++) see_number(p, m->computed.at[k]);
}

static told told_of(cf_puns *p, LLVMValueRef place) {
    return best(told_by_addresses(p, place), told_by_root(p, place));
}

/* An integer is accessed where types tell of a number, or tell nothing and numbers are accessed, too. */
static bool is_at_number(cf_puns *p, LLVMValueRef access) {
    LLVMValueRef place = place_of(access);
    told by = told_of(p, place);
    class *c = by == NOTHING ? class_of(p, place) : NULL;
    return by == NUMBER || (c && c->numbers);
}

/* A variable that is integers and nothing else. */
static bool is_integers(LLVMValueRef pointer) {
    LLVMValueRef v = cfx_underlying(pointer);
    LLVMTypeRef t = LLVMIsAAllocaInst(v)       ? LLVMGetAllocatedType(v)
                    : LLVMIsAGlobalVariable(v) ? LLVMGlobalGetValueType(v)
                                               : NULL;
    while (t && LLVMGetTypeKind(t) == LLVMArrayTypeKind) t = LLVMGetElementType(t);
    return t && told_by_scalar(t) == INTEGER;
}

/* Types tell of a number here, or tell nothing and there are numbers, and `other` is nothing but integers. */
static bool is_number_beside(cf_puns *p, LLVMValueRef place, LLVMValueRef other) {
    told a = told_of(p, place), b = told_of(p, other);
    class *c = class_of(p, place);
    return b == INTEGER && (a == NUMBER || (a == NOTHING && c && c->numbers && is_integers(other)));
}

/* Bytes are copied from where types tell of an integer to where they tell of a number, or the other way. */
static void see_copy(cf_puns *p, LLVMValueRef call) {
    const cf_known *k = l_callee(call) ? cf_known_of(l_callee(call)) : NULL;
    if (!k || k->kind != CF_KNOWN_COPY) return;
    LLVMValueRef to = LLVMGetOperand(call, (unsigned)k->pointer),
                 from = LLVMGetOperand(call, (unsigned)k->source);
    bool pun = is_number_beside(p, to, from) || is_number_beside(p, from, to);
    class *c = pun ? class_of(p, to) : NULL;
    if (c) p->any = c->punned = true;
}

static bool is_of_numbers(LLVMTypeRef t) {
    return l_is_float_type(l_is_vector_type(t) ? LLVMGetElementType(t) : t);
}

static bool accesses_number(LLVMValueRef i) {
    return (LLVMIsALoadInst(i) && is_of_numbers(LLVMTypeOf(i))) ||
           (LLVMIsAStoreInst(i) && is_of_numbers(LLVMTypeOf(LLVMGetOperand(i, 0))));
}

static void note_numbers(cf_puns *p, LLVMValueRef i) {
    class *c = accesses_number(i) ? class_of(p, place_of(i)) : NULL;
    if (c) c->numbers = true;
}

static void see_access(cf_puns *p, LLVMValueRef i) {
    if (LLVMIsACallInst(i)) see_copy(p, i);
    if (accesses_number(i)) see_number(p, i);
    if (LLVMIsALoadInst(i) && l_is_integer_type(LLVMTypeOf(i)) && is_at_number(p, i))
        see_moved(p, cf_bits_go_to(p->job, i));
    if (LLVMIsAStoreInst(i) && l_is_integer_type(LLVMTypeOf(LLVMGetOperand(i, 0))) && is_at_number(p, i))
        see_moved(p, cf_bits_come_from(p->job, LLVMGetOperand(i, 0)));
    bool bits = LLVMIsABitCastInst(i) && is_of_numbers(LLVMTypeOf(LLVMGetOperand(i, 0))) &&
                !is_of_numbers(LLVMTypeOf(i));
    if (bits) see_moved(p, cf_bits_go_to(p->job, i));
}

/* ---- integers that are moved from class to class ---- */

static class *group_of(class *c) {
    class *g = find(c);
    while (g->group != g) g = g->group = g->group->group;
    return g;
}

static void bring_together(class *a, class *b) {
    if (!a || !b) return;
    class *x = group_of(a), *y = group_of(b);
    if (x == y) return;
    y->group = x;
    x->punned |= y->punned;
}

static void see_move(cf_puns *p, LLVMValueRef i) {
    if (!LLVMIsAStoreInst(i)) return;
    LLVMValueRef v = LLVMGetOperand(i, 0);
    if (!l_is_integer_type(LLVMTypeOf(v)) || LLVMIsAConstant(v)) return;
    const cf_moves *m = cf_bits_come_from(p->job, v);
    class *to = class_of(p, LLVMGetOperand(i, 1));
    for (size_t k = 0; k < m->access.n; k++) bring_together(to, class_of(p, place_of(m->access.at[k])));
    for (size_t k = 0; k < m->computed.n; k++) bring_together(to, class_of(p, place_of(m->computed.at[k])));
}

/* ---- the interface ---- */

static void see_types(cf_puns *p, LLVMValueRef i) { p->typed |= l_metadata(i, "tbaa") != NULL; }

static void settle(cf_puns *p) {
    const void *key;
    void *c;
    for (size_t i = 0; cf_map_next(&p->class, &i, &key, &c);) find(c)->group = find(c);
}

static cf_puns *puns_of(cf_job *job) {
    if (job->puns) return job->puns;
    cf_puns *p = CF_NEW(job->arena, cf_puns);
    job->puns = p;
    p->job = job;
    each_instruction(p, read_instruction);
    for (LLVMValueRef g = LLVMGetFirstGlobal(job->module); g; g = LLVMGetNextGlobal(g))
        if (LLVMGetInitializer(g))
            cf_any_part(job->arena, LLVMGetInitializer(g), read_initial, &(initial){p, g});
    settle(p);
    each_instruction(p, see_types);
    each_instruction(p, note_numbers);
    each_instruction(p, see_access);
    if (p->any) each_instruction(p, see_move);
    return p;
}

bool cf_may_be_punned(cf_job *job, LLVMValueRef pointer) {
    cf_puns *p = puns_of(job);
    class *c = p->any ? cf_map_get(&p->class, origin(pointer)) : NULL;
    return c && group_of(c)->punned;
}
