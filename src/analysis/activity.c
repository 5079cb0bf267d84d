/* Activity: which values and objects lie on a path from a varied input to a useful output.
 *
 * In:     view; the key: which parameters are differentiated
 * Out:    varied and useful values, classes of objects with their flags
 * Needs:  rules and known functions; attributes of parameters (function-attrs has run); globals
 * Keeps:  the view                      Breaks: nothing
 *
 * Idea: objects are put into classes by unification (Steensgaard, Points-to analysis in almost linear time, 1996): the
 * objects that one pointer may point to are one class, and so are those that the pointers stored in a class may point
 * to. Over values and classes two monotone dataflow problems, varied (forward) and useful (backward), run to a fixed
 * point; active is what is both. Hascoet, Naumann, Pascual: TBR analysis in reverse-mode AD, 2005. */
#include "analysis/activity.h"
#include "contents/carriers.h"
#include "analysis/globals.h"
#include "known/known.h"
#include "contents/moves.h"
#include "known/rules.h"
#include "contents/types.h"
#include "ir/constants.h"
#include "llvm/l.h"

/* What is known of a class of objects. */
enum {
    DUP = 1,       /* behind a differentiated parameter: has a shadow */
    CONST = 2,     /* behind a parameter that is not, or constant data: has none */
    VARIED = 4,    /* may hold numbers that depend on the inputs */
    USEFUL = 8,    /* may hold numbers that an output depends on */
    POINTERS = 16, /* pointers are stored in it or loaded from it */
    SHADOWED = 32, /* has a shadow */
    ARGUMENT =
        64, /* with CONST: behind a `const` parameter, or a global of unknown size: no number may go there */
    OWN = 128, /* allocated here: gets a shadow when it needs one, even if CONST is set too */
};

typedef struct node {
    cf_id up;      /* union-find */
    cf_id content; /* class that pointers stored here point to, or CF_NONE */
    unsigned flags;
} node;

struct cf_activity {
    cf_job *job;
    const cf_view *v;
    const cf_key *key;
    bool changed;
    cf_bits varied, useful, calls;
    node *node; /* one per value, then those made for contents */
    cf_id n_nodes, capacity;
};

/* --- classes -------------------------------------------------------------------------------------------------------- */

static cf_id find(cf_activity *a, cf_id n) {
    while (a->node[n].up != n) n = a->node[n].up = a->node[a->node[n].up].up;
    return n;
}

static cf_id new_node(cf_activity *a) {
    if (a->n_nodes == a->capacity) {
        node *old = a->node;
        a->capacity = a->capacity * 2 + 16;
        a->node = CF_ARRAY(a->job->arena, node, a->capacity);
        if (a->n_nodes) memcpy(a->node, old, a->n_nodes * sizeof *old);
    }
    a->node[a->n_nodes] = (node){a->n_nodes, CF_NONE, 0};
    return a->n_nodes++;
}

static void join(cf_activity *a, cf_id x, cf_id y) {
    x = find(a, x);
    y = find(a, y);
    if (x == y) return;
    a->node[y].up = x;
    a->node[x].flags |= a->node[y].flags;
    cf_id cx = a->node[x].content, cy = a->node[y].content;
    a->changed = true;
    if (cx == CF_NONE)
        a->node[x].content = cy;
    else if (cy != CF_NONE)
        join(a, cx, cy);
}

static cf_id content(cf_activity *a, cf_id n) {
    n = find(a, n);
    if (a->node[n].content == CF_NONE) {
        cf_id c = new_node(a);
        a->node[n].content = c;
    }
    return find(a, a->node[n].content);
}

static void flag(cf_activity *a, cf_id n, unsigned flags) {
    n = find(a, n);
    a->changed |= (a->node[n].flags & flags) != flags;
    a->node[n].flags |= flags;
}

/* The same for all that pointers stored there lead to. */
static void flag_deep(cf_activity *a, cf_id n, unsigned flags) {
    for (cf_id steps = 0; steps <= a->n_nodes; steps++) { /* a chain that is longer comes back to itself */
        n = find(a, n);
        flag(a, n, flags);
        if (a->node[n].content == CF_NONE || find(a, a->node[n].content) == n) break;
        n = a->node[n].content;
    }
}

static unsigned flags_of(const cf_activity *a, cf_id value) {
    return a->node[find((cf_activity *)a, value)].flags;
}

/* --- what types can carry -------------------------------------------------------------------------------------------- */

static bool may_hold(LLVMTypeRef t, bool (*leaf)(LLVMTypeRef)) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: return may_hold(LLVMGetElementType(t), leaf);
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++)
            if (may_hold(LLVMStructGetTypeAtIndex(t, i), leaf)) return true;
        return false;
    default: return leaf(t);
    }
}

/* Integers move floating numbers and pointers, as a whole or byte by byte. */
static bool wide_integer(LLVMTypeRef t) { return l_is_integer_type(t) && LLVMGetIntTypeWidth(t) >= 8; }
static bool float_or_bits(LLVMTypeRef t) { return l_is_float_type(t) || wide_integer(t); }
static bool pointer_or_bits(LLVMTypeRef t) {
    return l_is_pointer_type(t) || (l_is_integer_type(t) && LLVMGetIntTypeWidth(t) >= 64);
}
static bool holds_number(LLVMTypeRef t) { return may_hold(t, float_or_bits); }
static bool pointer_or_bytes(LLVMTypeRef t) { return l_is_pointer_type(t) || wide_integer(t); }

/* Where marks tell what memory holds, each byte of a pointer is followed. */
static bool holds_pointer(const cf_activity *a, LLVMTypeRef t) {
    return may_hold(t, a->key->marked ? pointer_or_bytes : pointer_or_bits);
}

/* Bits move a number only when they are stored, passed on or reinterpreted. */
static bool is_number_like(const cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    if (may_hold(x->type, l_is_float_type)) return true;
    if (!holds_number(x->type) || !cf_used_as_bits(a->job, x->value)) return false;
    return x->op != LLVMLoad || !cf_holds_integers(a->job, x->value);
}

/* --- pointers: one pass over the function sets up the classes -------------------------------------------------------- */

static void join_operand(cf_activity *a, cf_id id, cf_id o) {
    if (o != CF_NONE && holds_pointer(a, a->v->value[o].type)) join(a, id, o);
}

static bool may_write(const cf_activity *a, cf_id call, unsigned k) {
    LLVMValueRef c = a->v->value[call].value, f = l_callee(c);
    if (l_has_call(c, k + 1, "readonly") || l_has_call(c, k + 1, "readnone")) return false;
    if (!f) return true;
    if (k < LLVMCountParams(f) && (l_has(f, k + 1, "readonly") || l_has(f, k + 1, "readnone"))) return false;
    LLVMAttributeRef m = l_get(f, (unsigned)LLVMAttributeFunctionIndex, "memory");
    return !m || (LLVMGetEnumAttributeValue(m) & 2); /* bits 0-1: argument memory, read and written */
}

static void classify_call(cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    LLVMValueRef f = l_callee(x->value);
    const cf_known *known = f ? cf_known_of(f) : NULL;
    unsigned n = LLVMGetNumArgOperands(x->value);
    if (known && (known->kind == CF_KNOWN_COPY)) {
        join(a, content(a, x->operand[known->pointer]), content(a, x->operand[known->source]));
    } else if (known && known->kind == CF_KNOWN_REALLOC) {
        join(a, content(a, id), content(a, x->operand[known->pointer]));
    } else if (!known || (known->flags & CF_KNOWN_CALLBACK)) {
        /* A pointer that is not captured is neither kept in memory nor returned. */
        cf_id kept = CF_NONE;
        for (unsigned k = 0; k < n; k++) {
            cf_id o = x->operand[k];
            if (o == CF_NONE || !holds_pointer(a, a->v->value[o].type)) continue;
            if (!l_is_pointer_type(a->v->value[o].type) && !LLVMIsAInstruction(a->v->value[o].value))
                continue;
            bool captured = !(f && k < LLVMCountParams(f) && l_is_nocapture(f, k)) &&
                            l_is_pointer_type(a->v->value[o].type) && !LLVMIsNull(a->v->value[o].value);
            if (!captured) continue;
            if (kept == CF_NONE)
                kept = o;
            else
                join(a, kept, o);
        }
        if (kept != CF_NONE) {
            if (holds_pointer(a, x->type)) join(a, id, kept);
            for (unsigned k = 0; k < n; k++) {
                cf_id o = x->operand[k];
                if (o != CF_NONE && l_is_pointer_type(a->v->value[o].type)) join(a, content(a, o), kept);
            }
        }
    }
    if (cf_gives_foreign(a->job, x->value)) flag(a, id, CONST | ARGUMENT);
    /* Constant data that the callee knows has no shadow, where it is returned or stored. */
    if (!known && (f ? LLVMGetFirstBasicBlock(f) && cf_hands_out_inactive_global(a->job, f)
                     : !LLVMIsAInlineAsm(LLVMGetCalledValue(x->value)))) {
        if (may_hold(x->type, l_is_pointer_type)) flag(a, id, CONST | OWN);
        for (unsigned k = 0; k < n; k++) {
            cf_id o = x->operand[k];
            if (o != CF_NONE && l_is_pointer_type(a->v->value[o].type) && may_write(a, id, k))
                flag_deep(a, content(a, o), CONST | OWN);
        }
    }
    /* Behind a global that the callee knows may be memory from before the request. */
    if (may_hold(x->type, l_is_pointer_type) && f && LLVMGetFirstBasicBlock(f) &&
        cf_touches_active_global(a->job, f))
        flag(a, content(a, id), CONST | OWN | ARGUMENT);
    if (known && known->returns != CF_NO_ARG) join_operand(a, id, x->operand[(unsigned)known->returns]);
    if (known &&
        (known->kind == CF_KNOWN_ALLOC || known->kind == CF_KNOWN_ZALLOC || known->kind == CF_KNOWN_REALLOC))
        flag(a, id, OWN);
    if (known && known->kind == CF_KNOWN_POSIX_MEMALIGN) {
        cf_id p = x->operand[(unsigned)known->pointer];
        content(a, p);
        flag(a, p, POINTERS);
    }
}

/* An integer that is a pointer, or, where marks tell what memory holds, may be bytes of one. */
static bool loads_address(const cf_activity *a, cf_id id) {
    LLVMValueRef load = a->v->value[id].value;
    if (!l_is_integer_type(LLVMTypeOf(load)) || !holds_pointer(a, LLVMTypeOf(load))) return false;
    return cf_bits_go_to(a->job, load)->pointer || (a->key->marked && !cf_holds_integers(a->job, load));
}

static bool stores_address(const cf_activity *a, cf_id id) {
    LLVMValueRef store = a->v->value[id].value, v = LLVMGetOperand(store, 0);
    if (!l_is_integer_type(LLVMTypeOf(v))) return false;
    return cf_bits_come_from(a->job, v)->pointer || (a->key->marked && !cf_holds_integers(a->job, store));
}

static void classify(cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    switch (x->op) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
    case LLVMExtractValue:
    case LLVMExtractElement:
    case LLVMIntToPtr:
    case LLVMPtrToInt:
        if (holds_pointer(a, x->type)) join_operand(a, id, x->operand[0]);
        break;
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMShl:
    case LLVMLShr:
    case LLVMXor:
        if (!a->key->marked) break;
        /* fall through */
    case LLVMAdd:
    case LLVMSub:
    case LLVMAnd:
    case LLVMOr:
    case LLVMPHI:
    case LLVMSelect:
    case LLVMInsertValue:
    case LLVMInsertElement:
    case LLVMShuffleVector:
        if (!holds_pointer(a, x->type)) break;
        for (uint32_t k = x->op == LLVMSelect; k < x->n; k++)
            if (x->operand[k] != CF_NONE && !LLVMIsAConstantInt(a->v->value[x->operand[k]].value))
                join_operand(a, id, x->operand[k]);
        break;
    case LLVMLoad:
        if (holds_pointer(a, x->type)) join(a, id, content(a, x->operand[0]));
        if (may_hold(x->type, l_is_pointer_type) || loads_address(a, id)) flag(a, x->operand[0], POINTERS);
        break;
    case LLVMStore: {
        cf_id o = x->operand[0];
        if (!holds_pointer(a, a->v->value[o].type)) break;
        if (may_hold(a->v->value[o].type, l_is_pointer_type) && !LLVMIsNull(a->v->value[o].value)) {
            flag(a, x->operand[1], POINTERS);
            join(a, content(a, x->operand[1]), o);
        } else if (!LLVMIsAConstant(a->v->value[o].value)) {
            if (stores_address(a, id)) flag(a, x->operand[1], POINTERS);
            join(a, content(a, x->operand[1]), o);
        }
        break;
    }
    case LLVMAlloca: flag(a, id, OWN); break;
    case LLVMCall:
    case LLVMInvoke: classify_call(a, id); break;
    default: break;
    }
}

static bool is_global(void *unused, LLVMValueRef part) {
    (void)unused;
    return LLVMIsAGlobalValue(part);
}

typedef struct classifying {
    cf_activity *a;
    cf_id id;
} classifying;

/* Constants: addresses of globals go into the class of the global. */
static void classify_global(cf_activity *a, cf_id id, LLVMValueRef c) {
    cf_id g = cf_view_id(a->v, c);
    unsigned no_shadow = cf_global_unsized(a->job, c) ? CONST | ARGUMENT : CONST;
    bool active = cf_global_active(a->job, c);
    /* Callers and callees may write and read it by its name. */
    flag(a, id, !active ? no_shadow : LLVMIsGlobalConstant(c) ? POINTERS | DUP : DUP | VARIED | USEFUL);
    /* Pointers in it may lead to constant data too: by its initial value, or stored there by other functions. */
    if (!active && cf_any_part(a->job->arena, LLVMGetInitializer(c), is_global, NULL))
        flag(a, content(a, id), CONST);
    if (active) flag(a, content(a, id), CONST | OWN | (LLVMIsGlobalConstant(c) ? 0 : (unsigned)ARGUMENT));
    if (g != CF_NONE && g != id)
        join(a, id, g);
    else if (g == CF_NONE) {
        /* One class per global even when the function names it only inside constant expressions. */
        void *first = cf_map_get(&((cf_view *)a->v)->ids, c);
        if (!first) cf_map_put(a->job->arena, &((cf_view *)a->v)->ids, c, (void *)(uintptr_t)(id + 1));
    }
}

static bool classify_part(void *user, LLVMValueRef part) {
    classifying *x = user;
    LLVMValueRef c = l_without_aliases(part);
    if (LLVMIsAGlobalVariable(c)) classify_global(x->a, x->id, c);
    if (LLVMIsAFunction(c)) flag(x->a, x->id, CONST);
    return false;
}

static void classify_constant(cf_activity *a, cf_id id, LLVMValueRef c) {
    cf_any_part(a->job->arena, c, classify_part, &(classifying){a, id});
}

static void set_up(cf_activity *a) {
    const cf_view *v = a->v;
    for (cf_id i = 0; i < v->n_values; i++) new_node(a);
    for (cf_id i = 0; i < v->n_params; i++) {
        bool dup = a->key->arg[i] & CF_ARG_DUP;
        unsigned mixed = a->key->arg[i] & CF_ARG_MIXED ? CONST | ARGUMENT : 0;
        if (holds_pointer(a, v->value[i].type))
            flag(a, i, dup ? DUP | VARIED | USEFUL | mixed : CONST | ARGUMENT);
        if (dup && is_number_like(a, i)) cf_set_bit(&a->varied, i);
    }
    for (cf_id i = v->first_other; i < v->n_values; i++) classify_constant(a, i, v->value[i].value);
    for (cf_id i = v->n_params; i < v->first_other; i++) classify(a, i);
}

/* --- varied, useful -------------------------------------------------------------------------------------------------- */

static bool varied(const cf_activity *a, cf_id id) { return id != CF_NONE && cf_bit(&a->varied, id); }

static void set_varied(cf_activity *a, cf_id id) { a->changed |= cf_set_bit(&a->varied, id); }
static void set_useful(cf_activity *a, cf_id id) {
    if (id != CF_NONE && (LLVMIsAInstruction(a->v->value[id].value) || id < a->v->n_params))
        a->changed |= cf_set_bit(&a->useful, id);
}

/* What an operation does to the flow of numbers. */
typedef enum flow { NO_FLOW, FROM_ALL, FROM_MEMORY, TO_MEMORY, AT_CALL, AT_RETURN, READ_WRITE } flow;

static flow flow_of(const cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    switch (x->op) {
    case LLVMLoad: return FROM_MEMORY;
    case LLVMStore: return TO_MEMORY;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return READ_WRITE;
    case LLVMCall: return cf_mixes_bits(l_callee(x->value)) ? FROM_ALL : AT_CALL;
    case LLVMInvoke: return AT_CALL;
    case LLVMRet: return AT_RETURN;
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMFPToSI:
    case LLVMFPToUI:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMGetElementPtr:
    case LLVMAlloca:
    case LLVMBr:
    case LLVMSwitch: return NO_FLOW;
    default: return FROM_ALL;
    }
}

/* The call itself, not what it calls, is of no interest to derivatives. */
static bool inert_call(const cf_activity *a, cf_id id) {
    LLVMValueRef f = l_callee(a->v->value[id].value);
    if (!f) return false;
    const cf_rule *rule = cf_rule_of(a->job, f);
    if (rule) return rule->kind == CF_RULE_INACTIVE;
    const cf_known *k = cf_known_of(f);
    return k && (k->kind == CF_KNOWN_INACTIVE || k->kind == CF_KNOWN_ZERO || k->kind == CF_KNOWN_NORETURN) &&
           !(k->flags & CF_KNOWN_CALLBACK);
}

static bool takes_active(cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    LLVMValueRef f = l_callee(x->value);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++) {
        cf_id o = x->operand[k];
        if (o == CF_NONE) continue;
        if (varied(a, o)) return true;
        if (!l_is_pointer_type(a->v->value[o].type)) continue;
        for (cf_id n = find(a, o), steps = 0; steps <= a->n_nodes; steps++) {
            if (a->node[n].flags & (VARIED | DUP)) return true;
            if (a->node[n].content == CF_NONE) break;
            n = find(a, a->node[n].content);
        }
    }
    return f ? LLVMGetFirstBasicBlock(f) && cf_touches_active_global(a->job, f) : false;
}

/* A function that hands out memory of its own. */
static bool gives_active(const cf_activity *a, cf_id id) {
    LLVMValueRef f = l_callee(a->v->value[id].value);
    bool body = !f || LLVMGetFirstBasicBlock(f);
    return body && may_hold(a->v->value[id].type, l_is_pointer_type) && (flags_of(a, id) & SHADOWED);
}

/* The result of an active call depends on the inputs. Integers do where they carry a number's bits. */
static bool gives_number(const cf_activity *a, cf_id id, LLVMValueRef f) {
    const cf_value *x = &a->v->value[id];
    if (!l_is_integer_type(x->type) || !f) return is_number_like(a, id);
    if (!is_number_like(a, id)) return false;
    uint64_t from = cf_sources_of_result(a->job, f);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value) && k < CF_MOST_CARRIERS; k++)
        if (from >> k & 1 && varied(a, x->operand[k])) return true;
    return from & CF_OWN_BITS;
}

static void vary_call(cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    LLVMValueRef f = l_callee(x->value);
    const cf_known *known = f ? cf_known_of(f) : NULL;
    if (f && l_is_marker(f)) return;
    if (inert_call(a, id)) return;
    if (known && known->kind == CF_KNOWN_COPY) {
        cf_id to = x->operand[(unsigned)known->pointer], from = x->operand[(unsigned)known->source];
        flag(a, to, flags_of(a, from) & (VARIED | POINTERS));
        flag(a, from, flags_of(a, to) & POINTERS);
        return;
    }
    if (known && known->kind == CF_KNOWN_REALLOC) {
        if (flags_of(a, x->operand[(unsigned)known->pointer]) & VARIED) flag(a, id, VARIED);
        return;
    }
    if (known && !(known->flags & CF_KNOWN_CALLBACK)) return;
    if (!takes_active(a, id) && !gives_active(a, id)) return;
    a->changed |= cf_set_bit(&a->calls, id);
    if (gives_number(a, id, f)) set_varied(a, id);
    if (f && cf_rule_of(a->job, f) && cf_rule_of(a->job, f)->kind != CF_RULE_CUSTOM) return;
    if (!f)
        for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++)
            if (x->operand[k] != CF_NONE && l_is_pointer_type(a->v->value[x->operand[k]].type) &&
                !LLVMIsNull(a->v->value[x->operand[k]].value))
                flag_deep(a, x->operand[k], USEFUL | VARIED);
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++) {
        cf_id o = x->operand[k];
        if (o == CF_NONE || !l_is_pointer_type(a->v->value[o].type)) continue;
        if (may_write(a, id, k)) flag(a, o, VARIED);
        cf_id c = a->node[find(a, o)].content; /* what the callee reaches through pointers there */
        if (c != CF_NONE && (a->node[find(a, o)].flags & POINTERS)) flag_deep(a, c, VARIED);
    }
    if (may_hold(x->type, l_is_pointer_type)) flag_deep(a, id, VARIED);
}

static void vary(cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    switch (flow_of(a, id)) {
    case FROM_ALL:
        for (uint32_t k = x->op == LLVMSelect; k < x->n; k++)
            if (varied(a, x->operand[k]) && holds_number(x->type)) set_varied(a, id);
        break;
    case FROM_MEMORY:
        if ((flags_of(a, x->operand[0]) & VARIED) && is_number_like(a, id)) set_varied(a, id);
        break;
    case TO_MEMORY:
        if (varied(a, x->operand[0])) flag(a, x->operand[1], VARIED);
        break;
    case READ_WRITE:
        if (varied(a, x->operand[x->n - 1])) flag(a, x->operand[0], VARIED);
        if ((flags_of(a, x->operand[0]) & VARIED) && holds_number(x->type)) set_varied(a, id);
        break;
    case AT_CALL: vary_call(a, id); break;
    default: break;
    }
}

static bool useful(const cf_activity *a, cf_id id) { return id != CF_NONE && cf_bit(&a->useful, id); }

static void use_call(cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    LLVMValueRef f = l_callee(x->value);
    const cf_known *known = f ? cf_known_of(f) : NULL;
    if ((f && l_is_marker(f)) || inert_call(a, id)) return;
    if (known && known->kind == CF_KNOWN_COPY) {
        if (flags_of(a, x->operand[(unsigned)known->pointer]) & USEFUL)
            flag(a, x->operand[(unsigned)known->source], USEFUL);
        return;
    }
    if (known && known->kind == CF_KNOWN_REALLOC) {
        if (flags_of(a, id) & USEFUL) flag(a, x->operand[(unsigned)known->pointer], USEFUL);
        return;
    }
    if (known && !(known->flags & CF_KNOWN_CALLBACK)) return;
    const cf_rule *rule = f ? cf_rule_of(a->job, f) : NULL;
    bool only_result = rule && rule->kind == CF_RULE_PARTIALS;
    if (only_result && !useful(a, id)) return;
    for (unsigned k = 0; k < LLVMGetNumArgOperands(x->value); k++) {
        cf_id o = x->operand[k];
        if (o == CF_NONE) continue;
        if (holds_number(a->v->value[o].type)) set_useful(a, o);
        if (!l_is_pointer_type(a->v->value[o].type) || LLVMIsNull(a->v->value[o].value)) continue;
        flag_deep(a, o, USEFUL);
    }
    if (may_hold(x->type, l_is_pointer_type)) flag_deep(a, id, USEFUL);
}

static void use(cf_activity *a, cf_id id) {
    const cf_value *x = &a->v->value[id];
    switch (flow_of(a, id)) {
    case FROM_ALL:
        if (!useful(a, id)) break;
        for (uint32_t k = x->op == LLVMSelect; k < x->n; k++) set_useful(a, x->operand[k]);
        break;
    case FROM_MEMORY:
        if (useful(a, id)) flag(a, x->operand[0], USEFUL);
        break;
    case TO_MEMORY:
        if (flags_of(a, x->operand[1]) & USEFUL) set_useful(a, x->operand[0]);
        break;
    case READ_WRITE:
        if (useful(a, id)) flag(a, x->operand[0], USEFUL);
        if (flags_of(a, x->operand[0]) & USEFUL) set_useful(a, x->operand[x->n - 1]);
        break;
    case AT_CALL: use_call(a, id); break;
    case AT_RETURN:
        if (!a->key->result || !x->n || x->operand[0] == CF_NONE) break;
        set_useful(a, x->operand[0]);
        if (holds_pointer(a, a->v->value[x->operand[0]].type)) flag(a, x->operand[0], VARIED | USEFUL | DUP);
        break;
    default: break;
    }
}

/* Flags of classes that follow from those of others: what pointers in a shadowed object point to, and what an object
 * holds that points to shadowed ones. */
static void settle_classes(cf_activity *a) {
    for (cf_id i = 0; i < a->n_nodes; i++) {
        if (find(a, i) != i) continue;
        node *n = &a->node[i];
        unsigned active = VARIED | USEFUL;
        unsigned inherited = n->flags & DUP;
        if (n->flags & ARGUMENT) inherited |= CONST | ARGUMENT;
        bool foreign = (n->flags & CONST) && !(n->flags & (DUP | OWN));
        if (n->content != CF_NONE) {
            cf_id c = find(a, n->content);
            if (inherited & DUP) inherited |= VARIED | USEFUL;
            flag(a, c, inherited);
            if ((a->node[c].flags & SHADOWED) && (n->flags & POINTERS) && !foreign) flag(a, i, SHADOWED);
        }
        if (n->flags & DUP) flag(a, i, SHADOWED);
        if ((n->flags & active) == active && !foreign) flag(a, i, SHADOWED);
    }
}

cf_activity *cf_activity_of(cf_job *job, const cf_view *view, const cf_key *key) {
    cf_activity *a = CF_NEW(job->arena, cf_activity);
    *a = (cf_activity){.job = job, .v = view, .key = key};
    a->varied = cf_bits_new(job->arena, view->n_values);
    a->useful = cf_bits_new(job->arena, view->n_values);
    a->calls = cf_bits_new(job->arena, view->n_values);
    set_up(a);
    if (key->frozen) cf_bits_clear(&a->varied);
    do {
        a->changed = false;
        for (cf_id i = view->n_params; i < view->first_other && !key->frozen; i++) vary(a, i);
        for (cf_id i = view->first_other; i-- > view->n_params;) use(a, i);
        settle_classes(a);
    } while (a->changed);
    return a;
}

/* --- answers --------------------------------------------------------------------------------------------------------- */

bool cf_is_active(const cf_activity *a, cf_id id) {
    return varied(a, id) && (useful(a, id) || id >= a->v->first_other);
}

bool cf_is_varied(const cf_activity *a, cf_id id) { return varied(a, id); }

bool cf_has_shadow(const cf_activity *a, cf_id id) {
    return holds_pointer(a, a->v->value[id].type) && (flags_of(a, id) & SHADOWED);
}

bool cf_is_mixed(const cf_activity *a, cf_id id) {
    unsigned f = flags_of(a, id);
    return (f & SHADOWED) && (f & CONST);
}

bool cf_is_const_argument(const cf_activity *a, cf_id id) { return flags_of(a, id) & ARGUMENT; }

bool cf_memory_active(const cf_activity *a, cf_id p) {
    unsigned f = flags_of(a, p), both = VARIED | USEFUL;
    return (f & both) == both;
}

bool cf_memory_has_pointers(const cf_activity *a, cf_id p) {
    cf_id n = find((cf_activity *)a, p);
    if (!(a->node[n].flags & POINTERS) || a->node[n].content == CF_NONE) return false;
    return a->node[find((cf_activity *)a, a->node[n].content)].flags & SHADOWED;
}

bool cf_call_active(const cf_activity *a, cf_id call) { return cf_bit(&a->calls, call); }

/* What the pointer leads to, directly or through pointers stored there, may have no shadow. */
static bool leads_to_const(const cf_activity *a, cf_id p) {
    cf_id n = find((cf_activity *)a, p);
    for (cf_id steps = 0; steps <= a->n_nodes; steps++) {
        if (a->node[n].flags & CONST) return true;
        if (a->node[n].content == CF_NONE) return false;
        cf_id c = find((cf_activity *)a, a->node[n].content);
        if (c == n) return false;
        n = c;
    }
    return false;
}

uint8_t cf_call_flags(const cf_activity *a, cf_id call, unsigned k) {
    cf_id o = a->v->value[call].operand[k];
    if (o == CF_NONE) return CF_ARG_CONST;
    if (may_hold(a->v->value[o].type, l_is_float_type)) return cf_is_active(a, o) ? CF_ARG_DUP : CF_ARG_CONST;
    if (l_is_pointer_type(a->v->value[o].type)) {
        /* An output that is not asked for: what is stored there is never run. */
        if (LLVMIsNull(a->v->value[o].value) && may_write(a, call, k)) return CF_ARG_DUP | CF_ARG_MIXED;
        if (!cf_has_shadow(a, o)) return CF_ARG_CONST;
        return leads_to_const(a, o) ? CF_ARG_DUP | CF_ARG_MIXED : CF_ARG_DUP;
    }
    /* Small structs travel as integers. */
    if (holds_number(a->v->value[o].type)) return cf_is_active(a, o) ? CF_ARG_DUP : CF_ARG_CONST;
    return CF_ARG_CONST;
}
