/* Checked requests (CF_CHECK, COFACTOR_CHECK): the function that stands in the place of a derivative and compares it, when it
 * is called, with the other mode and with differences.
 *
 * In:     the user's module, in which the derivative and its companions are made: by the other mode, and the recording
 * Out:    the derivative's name leads to a function that asks src/runtime/check.c whether to check the call; if so, it says
 *         where arguments and shadows are, evaluates in each child what that is for, and goes on in the program itself
 * Breaks: the derivative has another name, and is local
 *
 * Numbers that are arguments, and the result, get slots: so they are places in memory like all others. A checked request for
 * several directions is checked in one of them at a time, k. */
#include "request/checked.h"
#include "analysis/key.h"
#include "ir/clone.h"
#include "ir/ctype.h"
#include "ir/reach.h"
#include "llvm/cfx.h"
#include "llvm/embed.h"
#include "llvm/l.h"
#include "runtime/place.h"
#include <llvm-c/BitReader.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Linker.h>

cf_request cf_checked_companion(cf_arena *a, const cf_request *r, cf_companion which) {
    static const char *const endings[] = {"forward", "reverse", "record"};
    bool number = l_is_number_type(l_return_type(r->primal));
    cf_request c = *r;
    c.mode = which == CF_COMPANION_REVERSE ? CF_MODE_REVERSE : CF_MODE_FORWARD;
    c.record = which == CF_COMPANION_RECORD;
    c.width = 1;
    c.seed = which == CF_COMPANION_REVERSE && number;
    c.value = c.consume = false;
    c.internal = true;
    c.linkage = LLVMInternalLinkage;
    c.checked = NULL;
    cf_signature s = cf_signature_of(a, &c);
    LLVMTypeRef *t = CF_ARRAY(a, LLVMTypeRef, s.n + 1);
    for (unsigned i = 0; i < s.n; i++) t[i] = s.part[i].type;
    const char *name = cf_text(a, "%s.%s", r->checked, endings[which]);
    c.provided = LLVMAddFunction(LLVMGetGlobalParent(r->primal), name, LLVMFunctionType(s.result, t, s.n, 0));
    return c;
}

/* ---- the function ---- */

typedef struct maker {
    cf_arena *arena;
    LLVMModuleRef module;
    LLVMContextRef context;
    const cf_request *r;
    cf_signature own;
    LLVMValueRef f, plain; /* the new function, the derivative */
    LLVMBuilderRef b;
    LLVMValueRef check, k;
    LLVMValueRef *value, *shadow; /* slots, by parameter of the source; NULL: it has none */
    LLVMValueRef result, result_shadow;
    LLVMTypeRef pointer, i64;
} maker;

static LLVMTypeRef result_type(const maker *m) { return l_return_type(m->r->primal); }
static LLVMTypeRef type_of(const maker *m, unsigned i) { return LLVMTypeOf(LLVMGetParam(m->r->primal, i)); }
static LLVMValueRef number(const maker *m, uint64_t n) { return LLVMConstInt(m->i64, n, false); }

/* What the parameter of the source to which parameter i belongs is in memory, and where in it that one lies. */
static LLVMTypeRef object_of(const maker *m, unsigned i) {
    return cf_in_pieces(m->r, i) ? m->r->pieces.object[m->r->pieces.group[i]] : type_of(m, i);
}
static uint64_t offset_of(const maker *m, unsigned i) {
    return cf_in_pieces(m->r, i) ? m->r->pieces.offset[i] : 0;
}

static LLVMValueRef runtime(const maker *m, const char *name, LLVMTypeRef result, LLVMValueRef *args,
                            unsigned n) {
    LLVMTypeRef t[8];
    for (unsigned i = 0; i < n; i++) t[i] = LLVMTypeOf(args[i]);
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    if (!f) f = LLVMAddFunction(m->module, name, LLVMFunctionType(result, t, n, false));
    return l_call(m->b, f, args, n, "");
}

static LLVMValueRef own(const maker *m, cf_role role, unsigned of) {
    for (unsigned i = 0; i < m->own.n; i++)
        if (m->own.part[i].role == role && m->own.part[i].parameter == of) return LLVMGetParam(m->f, i);
    return NULL;
}

static LLVMValueRef moved(const maker *m, LLVMValueRef p, uint64_t bytes) {
    return bytes ? l_offset(m->b, p, number(m, bytes), "") : p;
}

static bool is_dup(const maker *m, unsigned i) { return m->r->arg[i] & CF_ARG_DUP; }

/* A pointer alone; those inside a struct by value come with it. */
static bool is_pointer(const maker *m, unsigned i) {
    return l_is_pointer_type(type_of(m, i)) && !cf_in_pieces(m->r, i);
}

/* In the shadow slot, direction k. */
static LLVMValueRef shadow_at(const maker *m, unsigned i, uint64_t offset) {
    LLVMValueRef p = m->shadow[m->r->pieces.group[i]];
    return moved(m, l_element(m->b, object_of(m, i), p, m->k, ""), offset);
}

/* ---- slots ---- */

static LLVMValueRef slot(const maker *m, LLVMTypeRef t) {
    LLVMValueRef s = l_slot(m->b, t, "");
    LLVMSetAlignment(s, 16);
    return s;
}

static void clear(const maker *m, LLVMValueRef p, LLVMTypeRef t) {
    LLVMBuildMemSet(m->b, p, l_i8(m->context, 0), number(m, l_size(m->module, t)), 16);
}

static void slots_of(maker *m, unsigned i) {
    unsigned group = m->r->pieces.group[i];
    if (!is_dup(m, i) || is_pointer(m, i) || m->value[group]) return;
    LLVMTypeRef t = object_of(m, i), many = LLVMArrayType2(t, m->r->width);
    m->value[group] = slot(m, t);
    m->shadow[group] = slot(m, many);
    clear(m, m->value[group], t);
    clear(m, m->shadow[group], many);
    bool given = cf_in_pieces(m->r, i) && (m->r->mode == CF_MODE_REVERSE || m->r->width > 1);
    if (given) /* pointers in it */
        LLVMBuildMemCpy(m->b, m->shadow[group], 16, own(m, CF_ROLE_SHADOW, m->r->pieces.first[group]), 1,
                        number(m, l_size(m->module, many)));
}

static void fill_slots(const maker *m, unsigned i) {
    LLVMValueRef p = m->value[m->r->pieces.group[i]];
    if (!p) return;
    LLVMSetAlignment(LLVMBuildStore(m->b, own(m, CF_ROLE_PRIMAL, i), moved(m, p, offset_of(m, i))), 1);
    LLVMValueRef given = own(m, CF_ROLE_SHADOW, i);
    bool by_value = cf_in_pieces(m->r, i) && m->r->mode == CF_MODE_FORWARD && m->r->width == 1;
    if (by_value && given && l_is_pointer_type(type_of(m, i)))
        LLVMSetAlignment(LLVMBuildStore(m->b, given, shadow_at(m, i, offset_of(m, i))), 1);
}

/* ---- what the runtime is told ---- */

static int kind_of(LLVMTypeRef t) {
    switch (LLVMGetTypeKind(t)) {
    case LLVMFloatTypeKind: return CF_PLACE_FLOAT;
    case LLVMDoubleTypeKind: return CF_PLACE_DOUBLE;
    case LLVMX86_FP80TypeKind: return CF_PLACE_LONG_DOUBLE;
    default: return -1;
    }
}

static void tell_number(const maker *m, LLVMValueRef at, LLVMValueRef shadow, LLVMTypeRef t, uint64_t count,
                        unsigned argument, LLVMValueRef object) {
    LLVMTypeKind kind = LLVMGetTypeKind(t);
    if (kind == LLVMVectorTypeKind) {
        tell_number(m, at, shadow, LLVMGetElementType(t), count * LLVMGetVectorSize(t), argument, object);
    } else if (kind == LLVMArrayTypeKind) {
        uint64_t size = l_size(m->module, LLVMGetElementType(t));
        for (uint64_t i = 0; i < LLVMGetArrayLength2(t); i++)
            tell_number(m, moved(m, at, i * size), moved(m, shadow, i * size), LLVMGetElementType(t), 1,
                        argument, object);
    } else if (kind == LLVMStructTypeKind) {
        for (unsigned i = 0; i < LLVMCountStructElementTypes(t); i++) {
            uint64_t o = LLVMOffsetOfElement(LLVMGetModuleDataLayout(m->module), t, i);
            tell_number(m, moved(m, at, o), moved(m, shadow, o), LLVMStructGetTypeAtIndex(t, i), 1, argument,
                        object);
        }
    } else if (kind_of(t) >= 0) {
        LLVMValueRef args[] = {
            m->check, at, shadow, number(m, (uint64_t)kind_of(t)), number(m, count), number(m, argument),
            object};
        runtime(m, "__cf_check_number", LLVMVoidTypeInContext(m->context), args, 7);
    }
}

/* The shadow of a pointer in direction k. */
static LLVMValueRef shadow_pointer(const maker *m, unsigned i) {
    if (cf_in_pieces(m->r, i)) return LLVMBuildLoad2(m->b, m->pointer, shadow_at(m, i, offset_of(m, i)), "");
    LLVMValueRef given = own(m, CF_ROLE_SHADOW, i);
    if (m->r->width == 1) return given;
    return LLVMBuildLoad2(m->b, m->pointer, l_element(m->b, m->pointer, given, m->k, ""), "");
}

static void tell_argument(const maker *m, unsigned i) {
    unsigned argument = cf_shown_parameter(m->r, i);
    LLVMTypeRef t = type_of(m, i);
    if (!is_dup(m, i)) return;
    if (l_is_pointer_type(t)) {
        LLVMValueRef args[] = {m->check,
                               own(m, CF_ROLE_PRIMAL, i),
                               shadow_pointer(m, i),
                               number(m, argument),
                               number(m, cf_in_pieces(m->r, i)),
                               number(m, offset_of(m, i))};
        runtime(m, "__cf_check_base", LLVMVoidTypeInContext(m->context), args, 6);
    } else {
        LLVMValueRef object = m->value[m->r->pieces.group[i]], at = moved(m, object, offset_of(m, i));
        tell_number(m, at, shadow_at(m, i, offset_of(m, i)), t, 1, argument, object);
    }
}

static void tell_all(maker *m) {
    m->k = runtime(m, "__cf_check_direction", m->i64, &m->check, 1);
    for (unsigned i = 0; i < m->r->n; i++) slots_of(m, i);
    for (unsigned i = 0; i < m->r->n; i++) fill_slots(m, i);
    for (unsigned i = 0; i < m->r->n; i++) tell_argument(m, i);
    LLVMTypeRef t = result_type(m);
    if (l_is_void_type(t)) return;
    m->result = slot(m, t);
    if (!l_is_number_type(t)) return;
    LLVMTypeRef many = LLVMArrayType2(t, m->r->width);
    m->result_shadow = slot(m, many);
    clear(m, m->result, t);
    clear(m, m->result_shadow, many);
    tell_number(m, m->result, l_element(m->b, t, m->result_shadow, m->k, ""), t, 1, 0, m->result);
}

/* ---- evaluations ---- */

static LLVMValueRef loaded(const maker *m, LLVMTypeRef t, LLVMValueRef p) {
    LLVMValueRef v = LLVMBuildLoad2(m->b, t, p, "");
    LLVMSetAlignment(v, 1);
    return v;
}

static LLVMValueRef primal_argument(const maker *m, unsigned i) {
    LLVMValueRef p = m->value[m->r->pieces.group[i]];
    return p && is_dup(m, i) ? loaded(m, type_of(m, i), moved(m, p, offset_of(m, i)))
                             : own(m, CF_ROLE_PRIMAL, i);
}

/* Of a request q: this one, or a companion for one direction. */
static LLVMValueRef shadow_argument(const maker *m, const cf_request *q, unsigned i) {
    bool by_value = q->mode == CF_MODE_FORWARD && q->width == 1;
    if (is_pointer(m, i)) return q->width == m->r->width ? own(m, CF_ROLE_SHADOW, i) : shadow_pointer(m, i);
    if (by_value) return loaded(m, type_of(m, i), shadow_at(m, i, offset_of(m, i)));
    return q->width > 1 ? m->shadow[m->r->pieces.group[i]] : shadow_at(m, i, 0);
}

static LLVMValueRef seed_argument(const maker *m, const cf_request *q, const cf_part *p) {
    LLVMTypeRef t = result_type(m);
    if (q->width > 1) return m->result_shadow;
    LLVMValueRef at = l_element(m->b, t, m->result_shadow, m->k, "");
    if (LLVMGetTypeKind(t) == LLVMStructTypeKind)
        at = moved(m, at, LLVMOffsetOfElement(LLVMGetModuleDataLayout(m->module), t, p->parameter));
    return loaded(m, p->type, at);
}

/* A child that an exception leaves must not come to a handler of the program's. */
static LLVMValueRef personality(const maker *m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f))
        if (LLVMHasPersonalityFn(f)) return LLVMGetPersonalityFn(f);
    static const char name[] = "__gcc_personality_v0";
    LLVMTypeRef t = LLVMFunctionType(LLVMInt32TypeInContext(m->context), NULL, 0, true);
    LLVMValueRef f = LLVMGetNamedFunction(m->module, name);
    return f ? f : LLVMAddFunction(m->module, name, t);
}

static LLVMBasicBlockRef landing(const maker *m) {
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(m->context, m->f, "left");
    LLVMTypeRef part[] = {m->pointer, LLVMInt32TypeInContext(m->context)};
    if (!LLVMHasPersonalityFn(m->f)) LLVMSetPersonalityFn(m->f, personality(m));
    LLVMPositionBuilderAtEnd(m->b, block);
    LLVMTypeRef t = LLVMStructTypeInContext(m->context, part, 2, false);
    LLVMSetCleanup(LLVMBuildLandingPad(m->b, t, NULL, 0, ""), true);
    runtime(m, "__cf_check_left", LLVMVoidTypeInContext(m->context), NULL, 0);
    LLVMBuildUnreachable(m->b);
    return block;
}

static LLVMValueRef guarded_call(const maker *m, LLVMValueRef f, LLVMValueRef *args, unsigned n) {
    LLVMValueRef out;
    if (l_has_f(m->r->primal, "nounwind")) {
        out = l_call(m->b, f, args, n, "");
    } else {
        LLVMBasicBlockRef from = LLVMGetInsertBlock(m->b), left = landing(m);
        LLVMBasicBlockRef next = LLVMAppendBasicBlockInContext(m->context, m->f, "");
        LLVMPositionBuilderAtEnd(m->b, from);
        out = LLVMBuildInvoke2(m->b, l_function_type(f), f, args, n, next, left, "");
        LLVMPositionBuilderAtEnd(m->b, next);
    }
    cf_pass_as_declared(f, out);
    return out;
}

static void evaluate(const maker *m, const cf_request *q, LLVMValueRef f) {
    cf_signature s = cf_signature_of(m->arena, q);
    LLVMValueRef *args = CF_ARRAY(m->arena, LLVMValueRef, s.n + 1);
    for (unsigned i = 0; i < s.n; i++) {
        const cf_part *p = &s.part[i];
        switch (p->role) {
        case CF_ROLE_PRIMAL: args[i] = primal_argument(m, p->parameter); break;
        case CF_ROLE_SHADOW: args[i] = shadow_argument(m, q, p->parameter); break;
        case CF_ROLE_SEED: args[i] = seed_argument(m, q, p); break;
        case CF_ROLE_VALUE: args[i] = m->result; break;
        case CF_ROLE_TANGENT: args[i] = m->result_shadow; break;
        }
    }
    LLVMValueRef out = guarded_call(m, f, args, s.n);
    bool tangent = q->mode == CF_MODE_FORWARD && q->width == 1 && m->result_shadow && !q->record;
    if (!tangent) return;
    LLVMValueRef to = l_element(m->b, result_type(m), m->result_shadow, m->k, "");
    LLVMSetAlignment(LLVMBuildStore(m->b, out, to), 1);
}

static void evaluate_primal(const maker *m) {
    LLVMValueRef *args = CF_ARRAY(m->arena, LLVMValueRef, m->r->n + 1);
    for (unsigned i = 0; i < m->r->n; i++) args[i] = primal_argument(m, i);
    LLVMValueRef out = guarded_call(m, m->r->primal, args, m->r->n);
    if (m->result) LLVMSetAlignment(LLVMBuildStore(m->b, out, m->result), 1);
}

/* A child's block, which ends the child. */
static void child(const maker *m, LLVMValueRef where, int what, const cf_company *all) {
    LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(m->context, m->f, "");
    LLVMAddCase(where, l_i32(m->context, (uint32_t)what), block);
    LLVMPositionBuilderAtEnd(m->b, block);
    cf_companion which = what == CF_RUN_FORWARD   ? CF_COMPANION_FORWARD
                         : what == CF_RUN_REVERSE ? CF_COMPANION_REVERSE
                                                  : CF_COMPANION_RECORD;
    cf_mode mode = what == CF_RUN_REVERSE ? CF_MODE_REVERSE : CF_MODE_FORWARD;
    if (what == CF_RUN_PRIMAL)
        evaluate_primal(m);
    else if (what != CF_RUN_RECORD && m->r->mode == mode)
        evaluate(m, m->r, m->plain);
    else if (all->name[which])
        evaluate(m, &all->request[which], LLVMGetNamedFunction(m->module, all->name[which]));
    LLVMValueRef check = m->check;
    runtime(m, "__cf_check_done", LLVMVoidTypeInContext(m->context), &check, 1);
    LLVMBuildUnreachable(m->b);
}

static void go_on(const maker *m) {
    unsigned n = LLVMCountParams(m->f);
    LLVMValueRef *args = CF_ARRAY(m->arena, LLVMValueRef, n + 1);
    LLVMGetParams(m->f, args);
    LLVMValueRef out = l_call(m->b, m->plain, args, n, "");
    cf_pass_as_declared(m->plain, out);
    l_is_void_type(LLVMTypeOf(out)) ? LLVMBuildRetVoid(m->b) : LLVMBuildRet(m->b, out);
}

/* ---- facts ---- */

static LLVMValueRef global(const maker *m, LLVMValueRef init, bool constant) {
    LLVMValueRef g = LLVMAddGlobal(m->module, LLVMTypeOf(init), "cf.checked");
    LLVMSetInitializer(g, init);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, constant);
    return g;
}

static LLVMValueRef text(const maker *m, const char *s) {
    return global(m, LLVMConstStringInContext2(m->context, s, strlen(s), false), true);
}

/* The name of the variable that a parameter is put into; "": there is none. */
static const char *name_of_slot(cf_ctypes *types, LLVMValueRef parameter) {
    bool address;
    for (LLVMUseRef u = LLVMGetFirstUse(parameter); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef store = LLVMGetUser(u);
        if (!LLVMIsAStoreInst(store) || LLVMGetOperand(store, 0) != parameter) continue;
        LLVMMetadataRef v = cfx_debug_variable(LLVMGetOperand(store, 1), 0, &address);
        const char *name = v ? cf_ctype_name(types, v) : NULL;
        if (name) return name;
    }
    return "";
}

/* Names of the parameters in the source, as far as debug information or the IR says. */
static void name_parameters(const maker *m, const char **names) {
    const cf_pieces *p = &m->r->pieces;
    cf_ctypes types = {.arena = m->arena, .context = m->context};
    for (unsigned g = 0; g < p->n; g++)
        names[g] = p->object[g] ? "" : l_name(LLVMGetParam(m->r->primal, p->first[g]));
    cf_ctype_name_parameters(&types, m->r->primal, names, p->n);
    for (unsigned g = 0; g < p->n; g++)
        if (!*names[g]) names[g] = name_of_slot(&types, LLVMGetParam(m->r->primal, p->first[g]));
}

static LLVMValueRef argument_names(const maker *m) {
    unsigned n = m->r->pieces.n;
    const char **names = CF_ARRAY(m->arena, const char *, n + 1);
    LLVMValueRef *texts = CF_ARRAY(m->arena, LLVMValueRef, n + 1);
    name_parameters(m, names);
    for (unsigned i = 0; i < n; i++) texts[i] = text(m, names[i]);
    return global(m, LLVMConstArray2(m->pointer, texts, n), true);
}

static const char *suspects(const maker *m, const cf_requests *all) {
    static const char *const what[] = {"has a rule of the program's for forward mode",
                                       "has a rule of the program's for reverse mode", "is called inactive"};
    cf_map reached = {0};
    const char *lines = "";
    cf_reach(m->arena, m->r->primal, &reached);
    for (size_t i = 0; i < all->custom.n; i++) {
        const cf_custom *c = &all->custom.at[i];
        if (c->kind == CF_CUSTOM_ALLOCATOR || !cf_map_get(&reached, c->function)) continue;
        lines = cf_text(m->arena, "%s  `%s` %s (%s:%u)\n", lines, l_name(c->function), what[c->kind],
                        c->place.file ? c->place.file : "?", c->place.line);
    }
    return lines;
}

/* Numbers of type float, or instructions that give 12 or 14 bits of a result. */
static bool is_coarse(LLVMValueRef i) {
    LLVMTypeRef t = LLVMTypeOf(i);
    if (LLVMGetTypeKind(t) == LLVMVectorTypeKind) t = LLVMGetElementType(t);
    if (LLVMGetTypeKind(t) == LLVMFloatTypeKind) return true;
    const char *name = LLVMIsACallInst(i) && LLVMGetCalledValue(i) ? l_name(LLVMGetCalledValue(i)) : "";
    return l_begins(name, "llvm.x86.") && (strstr(name, "rcp") || strstr(name, "rsqrt"));
}

static bool computes_coarsely(const maker *m) {
    cf_map reached = {0};
    cf_reach(m->arena, m->r->primal, &reached);
    for (LLVMValueRef f = LLVMGetFirstFunction(m->module); f; f = LLVMGetNextFunction(f)) {
        if (!cf_map_get(&reached, f)) continue;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (is_coarse(i)) return true;
    }
    return false;
}

static LLVMValueRef facts(const maker *m, const cf_requests *all, const cf_company *companions) {
    const cf_request *r = m->r;
    bool reverse = r->mode == CF_MODE_REVERSE;
    uint64_t flags = reverse ? CF_CHECKED_REVERSE : 0;
    if (!companions->name[reverse ? CF_COMPANION_FORWARD : CF_COMPANION_REVERSE])
        flags |= reverse ? CF_CHECKED_NO_FORWARD : CF_CHECKED_NO_REVERSE;
    if (reverse && !r->seed) flags |= CF_CHECKED_UNSEEDED;
    if (computes_coarsely(m)) flags |= CF_CHECKED_COARSE;
    const char *place = r->place.line   ? cf_text(m->arena, "%s:%u", r->place.file, r->place.line)
                        : r->place.file ? r->place.file
                                        : "?";
    LLVMValueRef part[] = {
        text(m, place),    text(m, r->checked), text(m, l_name(r->primal)), text(m, suspects(m, all)),
        argument_names(m), number(m, r->width), number(m, flags),           number(m, 0),
        number(m, 0),      number(m, 0)};
    return global(m, LLVMConstStructInContext(m->context, part, sizeof part / sizeof *part, false), false);
}

/* ---- its place ---- */

/* The new function takes the name, and the place, of the derivative. */
static void take_place(const maker *m) {
    LLVMValueRef f = m->f, plain = m->plain;
    l_set_name(plain, cf_text(m->arena, "%s.unchecked", m->r->checked));
    l_set_name(f, m->r->checked);
    LLVMSetLinkage(f, LLVMGetLinkage(plain));
    LLVMSetVisibility(f, LLVMGetVisibility(plain));
    LLVMSetFunctionCallConv(f, LLVMGetFunctionCallConv(plain));
    LLVMSetComdat(f, LLVMGetComdat(plain));
    LLVMSetComdat(plain, NULL);
    LLVMSetVisibility(plain, LLVMDefaultVisibility);
    LLVMSetLinkage(plain, LLVMInternalLinkage);
    for (unsigned i = 0; i <= LLVMCountParams(f); i++) cf_keep_attributes(plain, i, f, i);
    LLVMReplaceAllUsesWith(plain, f);
}

/* In front of calls: where they stand. */
static void mark_calls(const maker *m, LLVMValueRef site) {
    for (LLVMUseRef u = LLVMGetFirstUse(m->f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call)) continue;
        cf_place place = l_place(call);
        if (LLVMGetCalledValue(call) != m->f || !place.line) continue;
        LLVMPositionBuilderBefore(m->b, call);
        LLVMSetCurrentDebugLocation2(m->b, LLVMInstructionGetDebugLoc(call));
        const char *at = cf_text(m->arena, "%s:%u", place.file, place.line);
        LLVMValueRef address =
            l_intrinsic(m->module, "llvm.threadlocal.address", (LLVMTypeRef[]){m->pointer}, 1);
        LLVMBuildStore(m->b, text(m, at), l_call(m->b, address, &site, 1, ""));
    }
}

static LLVMValueRef site_variable(const maker *m) {
    static const char name[] = "__cf_check_site";
    LLVMValueRef g = LLVMGetNamedGlobal(m->module, name);
    if (g) return g;
    g = LLVMAddGlobal(m->module, m->pointer, name);
    LLVMSetThreadLocalMode(g, LLVMGeneralDynamicTLSModel);
    return g;
}

void cf_checked_install(cf_arena *a, const cf_request *r, const cf_requests *all,
                        const cf_company *companions) {
    LLVMModuleRef module = LLVMGetGlobalParent(r->primal);
    LLVMContextRef c = LLVMGetModuleContext(module);
    maker m = {.arena = a, .module = module, .context = c, .r = r, .b = LLVMCreateBuilderInContext(c)};
    m.pointer = LLVMPointerTypeInContext(c, 0);
    m.i64 = LLVMInt64TypeInContext(c);
    m.own = cf_signature_of(a, r);
    m.plain = LLVMGetNamedFunction(module, r->checked);
    m.f = LLVMAddFunction(module, "", l_function_type(m.plain));
    m.value = CF_ARRAY(a, LLVMValueRef, r->pieces.n + 1);
    m.shadow = CF_ARRAY(a, LLVMValueRef, r->pieces.n + 1);
    take_place(&m);
    mark_calls(&m, site_variable(&m));
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c, m.f, ""),
                      look = LLVMAppendBasicBlockInContext(c, m.f, "check"),
                      plain = LLVMAppendBasicBlockInContext(c, m.f, "go.on");
    LLVMMetadataRef scope = cfx_make_subprogram(m.f, r->primal, r->place.line);
    LLVMSetCurrentDebugLocation2(
        m.b, scope ? LLVMDIBuilderCreateDebugLocation(c, r->place.line, 0, scope, NULL) : NULL);
    LLVMPositionBuilderAtEnd(m.b, entry);
    LLVMValueRef begin[] = {facts(&m, all, companions), number(&m, r->pieces.n)};
    m.check = runtime(&m, "__cf_check_begin", m.pointer, begin, 2);
    LLVMBuildCondBr(m.b, LLVMBuildIsNull(m.b, m.check, ""), plain, look);
    LLVMPositionBuilderAtEnd(m.b, look);
    tell_all(&m);
    LLVMValueRef check = m.check, what = runtime(&m, "__cf_check_run", LLVMInt32TypeInContext(c), &check, 1);
    LLVMValueRef where = LLVMBuildSwitch(m.b, what, plain, 4);
    for (int i = CF_RUN_RECORD; i <= CF_RUN_REVERSE; i++) child(&m, where, i, companions);
    LLVMPositionBuilderAtEnd(m.b, plain);
    go_on(&m);
    LLVMDisposeBuilder(m.b);
}

/* ---- the runtime ---- */

static LLVMValueRef next_value(LLVMModuleRef m, LLVMValueRef v) {
    LLVMValueRef next = v && LLVMIsAFunction(v) ? LLVMGetNextFunction(v)
                        : v                     ? LLVMGetNextGlobal(v)
                                                : LLVMGetFirstGlobal(m);
    return !next && (!v || !LLVMIsAFunction(v)) ? LLVMGetFirstFunction(m) : next;
}

/* At the link of full LTO there are those of the units, which their optimisation may have changed. */
void cf_checked_make_way(cf_arena *a, LLVMModuleRef m) {
    for (LLVMValueRef v = next_value(m, NULL); v; v = next_value(m, v))
        if (l_is_local(v) && (l_begins(l_name(v), "__cf_check_") || l_begins(l_name(v), "__cf_record_")))
            l_set_name(v, cf_text(a, "%s.unit", l_name(v)));
}

/* Each unit has its own, but for what says that a check is under way. */
static void set_linkage(LLVMModuleRef m, const char *name) {
    LLVMValueRef v = LLVMGetNamedFunction(m, name);
    if (!v) v = LLVMGetNamedGlobal(m, name);
    if (!v) return;
    bool shared = !strcmp(name, "__cf_check_busy");
    LLVMSetLinkage(v, shared ? LLVMLinkOnceODRLinkage : LLVMInternalLinkage);
    if (shared) LLVMSetVisibility(v, LLVMHiddenVisibility);
}

bool cf_checked_link(cf_arena *a, LLVMModuleRef m, cf_sink *sink) {
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy((const char *)cf_check_bitcode,
                                                                           cf_check_bitcode_size, "check");
    LLVMModuleRef check = NULL;
    bool bad = LLVMParseBitcodeInContext2(LLVMGetModuleContext(m), buffer, &check);
    LLVMDisposeMemoryBuffer(buffer);
    CF_VEC(const char *) names = {0};
    if (!bad) {
        LLVMSetTarget(check, LLVMGetTarget(m));
        LLVMSetDataLayout(check, LLVMGetDataLayoutStr(m));
        for (LLVMValueRef v = next_value(check, NULL); v; v = next_value(check, v))
            if (!LLVMIsDeclaration(v) && !l_is_local(v)) cf_push(a, &names, cf_text(a, "%s", l_name(v)));
        bad = LLVMLinkModules2(m, check);
    }
    if (bad) {
        cf_report(sink, CF_ERROR, (cf_place){0}, NULL,
                  "what checks derivatives does not fit this program's target");
        return false;
    }
    for (size_t i = 0; i < names.n; i++) set_linkage(m, names.at[i]);
    return true;
}
