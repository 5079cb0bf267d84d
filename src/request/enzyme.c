/* Enzyme's names as requests: calls of __enzyme_autodiff… and __enzyme_fwddiff…, in C and C++.
 *
 * In:     the user's module, not optimised yet
 * Out:    for each such call a request of a new local function, and a call of that function in its place
 *
 * Arguments after the function: for each of its parameters an optional word (enzyme_const, enzyme_dup, enzyme_dupnoneed,
 * enzyme_out: globals, by value or by address), the argument, and for dup its shadows. `enzyme_width, N` stands
 * anywhere, enzyme_primal_return in front. Without a word: a pointer is dup, a floating number is out (reverse) or dup (forward),
 * all else is const. The value, if it is asked for, and adjoints of `out` arguments are returned: one as it is, several as a
 * struct. */
#include "analysis/key.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "request/request.h"

enum { MAX_WIDTH = 256 };

typedef struct site {
    cf_arena *arena;
    cf_sink *sink;
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef b;
    LLVMValueRef call;
    cf_place place;
    cf_request request;
    uint8_t *arg;
    unsigned at, n;        /* next argument of the call, and how many there are */
    LLVMValueRef *value;   /* per parameter: its argument */
    LLVMValueRef **shadow; /* per parameter: width shadows */
    bool primal_return;    /* the value of the function is returned, too */
    LLVMValueRef returned; /* memory that the caller gives for a large result, or NULL */
} site;

#define FAIL(s, ...)                                                                                         \
    (cf_report((s)->sink, CF_ERROR, (s)->place, l_name(l_function_of((s)->call)), __VA_ARGS__), false)

/* ---- words ---- */

/* What a variable that is written once holds: C++ wrappers pass functions and words through variables. */
static LLVMValueRef held(LLVMValueRef v) {
    LLVMValueRef stored = NULL;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef i = LLVMGetUser(u);
        if (LLVMIsALoadInst(i)) continue;
        if (LLVMIsACallInst(i) && l_callee(i) && l_is_intrinsic(l_callee(i))) continue; /* debug, lifetime */
        if (!LLVMIsAStoreInst(i) || LLVMGetOperand(i, 1) != v || stored) return NULL;
        stored = LLVMGetOperand(i, 0);
    }
    return stored;
}

static LLVMValueRef resolved(LLVMValueRef v) {
    while (LLVMIsALoadInst(v) && LLVMIsAAllocaInst(LLVMGetOperand(v, 0))) {
        LLVMValueRef stored = held(LLVMGetOperand(v, 0));
        if (!stored) break;
        v = stored;
    }
    return v;
}

/* The C name of a variable, also where C++ mangles it: a static one is _ZL and its length in front. */
static const char *plain_name(LLVMValueRef v) {
    const char *name = l_name(v), *at = name;
    if (!l_begins(name, "_ZL")) return name;
    size_t n = strtoul(name + 3, (char **)(uintptr_t)&at, 10);
    return strlen(at) == n ? at : name;
}

/* "dup" for an int of the name enzyme_dup, given itself or loaded; NULL for any other value. Whether the word exists is for
 * the reader to say. */
static const char *marker(LLVMValueRef v) {
    v = resolved(v);
    while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) v = resolved(LLVMGetOperand(v, 0));
    if (LLVMIsALoadInst(v)) v = resolved(LLVMGetOperand(v, 0));
    if (!LLVMIsAGlobalVariable(v)) return NULL;
    LLVMTypeRef t = LLVMGlobalGetValueType(v);
    const char *name = plain_name(v);
    bool word = l_begins(name, "enzyme_") && l_is_integer_type(t) && LLVMGetIntTypeWidth(t) == 32;
    return word ? name + strlen("enzyme_") : NULL;
}

static LLVMValueRef argument(site *s) { return LLVMGetOperand(s->call, s->at++); }

/* `enzyme_width, N` may stand anywhere: found first, and taken out of the arguments by the reader below. */
static bool find_width(site *s) {
    s->request.width = 1;
    for (unsigned i = s->at; i + 1 < s->n; i++) {
        const char *m = marker(LLVMGetOperand(s->call, i));
        if (!m || strcmp(m, "width")) continue;
        LLVMValueRef n = LLVMGetOperand(s->call, i + 1);
        uint64_t width = LLVMIsAConstantInt(n) ? LLVMConstIntGetZExtValue(n) : 0;
        if (width < 1 || width > MAX_WIDTH)
            return FAIL(s, "after enzyme_width stands a constant from 1 to %d", MAX_WIDTH);
        s->request.width = (unsigned)width;
    }
    return true;
}

static const char *next_word(site *s) {
    while (s->at < s->n) {
        const char *m = marker(LLVMGetOperand(s->call, s->at));
        if (!m || strcmp(m, "width")) return m;
        s->at += 2;
    }
    return NULL;
}

static bool unknown_word(site *s, const char *word, const char *where) {
    return FAIL(s,
                "enzyme_%s is not supported %s: Cofactor reads enzyme_const, enzyme_dup, enzyme_dupnoneed, "
                "enzyme_out, "
                "enzyme_width, and in front, in reverse mode, enzyme_primal_return",
                word, where);
}

/* Words about the whole call, behind the function. */
static bool read_front(site *s) {
    for (const char *m; (m = next_word(s)) != NULL; s->at++) {
        bool value = !strcmp(m, "primal_return") && s->request.mode == CF_MODE_REVERSE;
        if (value && l_is_void_type(l_return_type(s->request.primal)))
            return FAIL(s, "enzyme_primal_return asks for the value of `%s`, which has none",
                        l_name(s->request.primal));
        if (!value && strcmp(m, "active_return")) return true; /* of the first parameter, or unknown */
        s->primal_return |= value;
    }
    return true;
}

/* The word in front of a parameter's argument, or what stands for none. NULL: more than one, which is reported. */
static const char *word_for(site *s, LLVMTypeRef t) {
    const char *word = next_word(s), *second;
    if (word) {
        s->at++;
        second = next_word(s);
        if (second)
            return unknown_word(s, strcmp(second, "out") ? second : word,
                                "here, where the argument should stand"),
                   NULL;
        return word;
    }
    if (l_is_pointer_type(t)) return "dup";
    if (l_is_number_type(t)) return s->request.mode == CF_MODE_FORWARD ? "dup" : "out";
    return "const";
}

/* ---- arguments ---- */

/* An argument as the parameter's type: undoes C's promotion of variable arguments. */
static LLVMValueRef converted(site *s, LLVMValueRef v, LLVMTypeRef t) {
    LLVMTypeRef from = LLVMTypeOf(v);
    if (from == t) return v;
    if (l_is_float_type(from) && l_is_float_type(t)) return LLVMBuildFPCast(s->b, v, t, "");
    if (l_is_integer_type(from) && l_is_integer_type(t) && LLVMGetIntTypeWidth(from) > LLVMGetIntTypeWidth(t))
        return LLVMBuildTrunc(s->b, v, t, "");
    return NULL;
}

static bool take(site *s, unsigned i, LLVMTypeRef t, LLVMValueRef *out) {
    const char *f = l_name(s->request.primal);
    if (s->at >= s->n)
        return FAIL(s, "an argument for parameter %u of `%s`, or its shadow, is missing", i + 1, f);
    *out = converted(s, argument(s), t);
    return *out ? true
                : FAIL(s, "argument %u of this call does not have the type of parameter %u of `%s`", s->at,
                       i + 1, f);
}

static bool take_shadows(site *s, unsigned i, LLVMTypeRef t) {
    s->arg[i] = CF_ARG_DUP;
    s->shadow[i] = CF_ARRAY(s->arena, LLVMValueRef, s->request.width);
    for (unsigned k = 0; k < s->request.width; k++)
        if (!take(s, i, t, &s->shadow[i][k])) return false;
    return true;
}

static bool read_parameter(site *s, unsigned i) {
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(s->request.primal, i));
    const char *word = word_for(s, t), *f = l_name(s->request.primal);
    if (!word || !take(s, i, t, &s->value[i])) return false;
    bool pointer = l_is_pointer_type(t), number = l_is_number_type(t),
         forward = s->request.mode == CF_MODE_FORWARD;
    if (!strcmp(word, "const")) return true;
    if (!strcmp(word, "dup") || !strcmp(word, "dupnoneed")) {
        if (pointer || (number && forward)) return take_shadows(s, i, t);
        return FAIL(s, "parameter %u of `%s` cannot be enzyme_%s: it is %s", i + 1, f, word,
                    number ? "a floating number, say enzyme_out" : "neither a pointer nor a floating number");
    }
    if (!strcmp(word, "out")) {
        s->arg[i] = CF_ARG_DUP;
        if (number && !forward) return true;
        return FAIL(s, "parameter %u of `%s` cannot be enzyme_out: %s", i + 1, f,
                    forward ? "that is for reverse mode" : "it is not a floating number");
    }
    return unknown_word(s, word, "");
}

static bool read_arguments(site *s) {
    cf_request *r = &s->request;
    LLVMValueRef f = l_without_aliases(resolved(argument(s)));
    if (!LLVMIsAFunction(f)) return FAIL(s, "the first argument must name the function to differentiate");
    if (LLVMIsDeclaration(f))
        return FAIL(s, "`%s` is not defined in this unit, so it cannot be differentiated here", l_name(f));
    r->primal = f;
    r->n = LLVMCountParams(f);
    r->arg = s->arg = CF_ARRAY(s->arena, uint8_t, r->n + 1);
    s->value = CF_ARRAY(s->arena, LLVMValueRef, r->n + 1);
    s->shadow = CF_ARRAY(s->arena, LLVMValueRef *, r->n + 1);
    if (!find_width(s) || !read_front(s)) return false;
    for (unsigned i = 0; i < r->n; i++)
        if (!read_parameter(s, i)) return false;
    const char *word = next_word(s); /* behind a width at the end */
    if (word) return unknown_word(s, word, "at the end of a call");
    if (s->at < s->n) return FAIL(s, "this call has more arguments than `%s` needs", l_name(f));
    return true;
}

/* ---- the new call ---- */

static LLVMTypeRef array_of(const site *s, LLVMTypeRef t) { return LLVMArrayType2(t, s->request.width); }

/* The argument for one part of the signature. Slots for adjoints and tangents go to `out`. */
static LLVMValueRef pass(site *s, const cf_part *p, LLVMValueRef *out) {
    bool many = s->request.width > 1;
    if (p->role == CF_ROLE_PRIMAL) return s->value[p->parameter];
    LLVMTypeRef t = p->role == CF_ROLE_TANGENT ? l_return_type(s->request.primal)
                                               : LLVMTypeOf(LLVMGetParam(s->request.primal, p->parameter));
    LLVMValueRef *shadow = p->role == CF_ROLE_SHADOW ? s->shadow[p->parameter] : NULL;
    if (shadow && !many) return shadow[0];
    LLVMTypeRef of = many ? array_of(s, t) : t;
    LLVMValueRef slot = l_slot(s->b, of, "");
    if (!shadow) LLVMBuildStore(s->b, l_zero(of), slot), *out = slot;
    for (unsigned k = 0; shadow && k < s->request.width; k++)
        LLVMBuildStore(s->b, shadow[k], l_element(s->b, t, slot, l_i64(s->context, k), ""));
    return slot;
}

/* Calls the provided function, like the original by call or invoke, and leaves the builder behind it. */
static LLVMValueRef emit_call(site *s, LLVMValueRef *args, unsigned n) {
    LLVMValueRef f = s->request.provided;
    if (!LLVMIsAInvokeInst(s->call)) return l_call(s->b, f, args, n, "");
    LLVMBasicBlockRef here = LLVMGetInstructionParent(s->call), normal = LLVMGetNormalDest(s->call);
    LLVMBasicBlockRef next = LLVMInsertBasicBlockInContext(s->context, normal, "");
    LLVMValueRef made =
        LLVMBuildInvoke2(s->b, l_function_type(f), f, args, n, next, LLVMGetUnwindDest(s->call), "");
    for (LLVMValueRef i = LLVMGetFirstInstruction(normal); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
            if (LLVMGetIncomingBlock(i, k) == here) cfx_phi_set_block(i, k, next);
    LLVMPositionBuilderAtEnd(s->b, next);
    LLVMPositionBuilderBefore(s->b, LLVMBuildBr(s->b, normal));
    return made;
}

/* All results, in order, as one number or as a struct of them. */
static LLVMValueRef collect(site *s, LLVMValueRef *result, unsigned n) {
    if (n == 1) return result[0];
    LLVMTypeRef *t = CF_ARRAY(s->arena, LLVMTypeRef, n);
    for (unsigned i = 0; i < n; i++) t[i] = LLVMTypeOf(result[i]);
    LLVMValueRef all = LLVMGetUndef(LLVMStructTypeInContext(s->context, t, n, 0));
    for (unsigned i = 0; i < n; i++) all = LLVMBuildInsertValue(s->b, all, result[i], i, "");
    return all;
}

static bool wrong_result(site *s) {
    return FAIL(s, "this call returns something else than the derivatives asked for");
}

/* A struct of results in memory that the caller gives: number by number, converted where the widths differ. */
static bool deliver_in_memory(site *s, LLVMValueRef all) {
    LLVMAttributeRef sret =
        LLVMGetCallSiteEnumAttribute(s->call, 1, LLVMGetEnumAttributeKindForName("sret", strlen("sret")));
    LLVMTypeRef want = LLVMGetTypeAttributeValue(sret), have = all ? LLVMTypeOf(all) : NULL;
    bool both =
        have && LLVMGetTypeKind(want) == LLVMStructTypeKind && LLVMGetTypeKind(have) == LLVMStructTypeKind;
    if (!both || LLVMCountStructElementTypes(want) != LLVMCountStructElementTypes(have))
        return wrong_result(s);
    for (unsigned i = 0; i < LLVMCountStructElementTypes(want); i++) {
        LLVMTypeRef t = LLVMStructGetTypeAtIndex(want, i);
        LLVMValueRef v = LLVMBuildExtractValue(s->b, all, i, ""), number = converted(s, v, t);
        if (!number) return wrong_result(s);
        LLVMBuildStore(s->b, number, LLVMBuildStructGEP2(s->b, want, s->returned, i, ""));
    }
    return true;
}

/* The results as the original call returns them: a struct may come in memory, or in registers of other types. */
static bool deliver(site *s, LLVMValueRef all) {
    LLVMTypeRef want = LLVMTypeOf(s->call), have = all ? LLVMTypeOf(all) : NULL;
    if (s->returned) return deliver_in_memory(s, all);
    if (l_is_void_type(want)) return true;
    LLVMValueRef v = all;
    if (!have) {
        if (LLVMGetFirstUse(s->call))
            return FAIL(s, "the result of this call is used, but the derivatives asked for are not returned: "
                           "they go to the "
                           "shadows; say enzyme_primal_return for the value of the function");
        return true;
    }
    if (have != want) {
        if (l_is_float_type(want) && !l_is_float_type(have)) return wrong_result(s);
        if (l_size(s->module, have) != l_size(s->module, want)) {
            v = l_is_float_type(have) && l_is_float_type(want) ? LLVMBuildFPCast(s->b, all, want, "") : NULL;
            if (!v) return wrong_result(s);
        } else {
            LLVMValueRef slot = l_slot(s->b, have, "");
            LLVMBuildStore(s->b, all, slot);
            v = LLVMBuildLoad2(s->b, want, slot, "");
        }
    }
    LLVMReplaceAllUsesWith(s->call, v);
    return true;
}

static void declare(site *s, const cf_signature *sig) {
    LLVMTypeRef *t = CF_ARRAY(s->arena, LLVMTypeRef, sig->n + 1);
    for (unsigned i = 0; i < sig->n; i++) t[i] = sig->part[i].type;
    const char *name = cf_text(s->arena, "%s.%s", l_name(s->request.primal),
                               s->request.mode == CF_MODE_FORWARD ? "fwddiff" : "autodiff");
    s->request.provided = LLVMAddFunction(s->module, name, LLVMFunctionType(sig->result, t, sig->n, 0));
    s->request.internal = true;
}

static bool replace(site *s) {
    cf_signature sig = cf_signature_of(s->arena, &s->request);
    declare(s, &sig);
    LLVMValueRef *args = CF_ARRAY(s->arena, LLVMValueRef, sig.n + 1);
    LLVMValueRef *slot = CF_ARRAY(s->arena, LLVMValueRef, sig.n + 1);
    for (unsigned i = 0; i < sig.n; i++) args[i] = pass(s, &sig.part[i], &slot[i]);
    LLVMValueRef made = emit_call(s, args, sig.n);
    unsigned n = 0;
    LLVMValueRef *result = CF_ARRAY(s->arena, LLVMValueRef, sig.n + 2);
    if (s->primal_return) result[n++] = made;
    bool forward = s->request.mode == CF_MODE_FORWARD,
         number = l_is_number_type(l_return_type(s->request.primal));
    if (forward && number && s->request.width == 1)
        result[n++] = made;
    else
        for (unsigned i = 0; i < sig.n; i++)
            if (slot[i]) result[n++] = LLVMBuildLoad2(s->b, LLVMGetAllocatedType(slot[i]), slot[i], "");
    return deliver(s, n ? collect(s, result, n) : NULL);
}

/* ---- the module ---- */

static bool read_call(site *s, bool forward) {
    s->place = l_place(s->call);
    s->n = LLVMGetNumArgOperands(s->call);
    s->request.mode = forward ? CF_MODE_FORWARD : CF_MODE_REVERSE;
    s->request.place = s->place;
    LLVMPositionBuilderBefore(s->b, s->call);
    LLVMSetCurrentDebugLocation2(s->b, LLVMInstructionGetDebugLoc(s->call));
    if (s->n && l_has_call(s->call, 1, "sret")) s->returned = argument(s);
    if (s->at >= s->n) return FAIL(s, "the first argument must name the function to differentiate");
    return read_arguments(s) && cf_check_primal(s->sink, &s->request) && replace(s);
}

static bool serve(cf_arena *a, LLVMModuleRef m, cf_sink *sink, LLVMValueRef call, cf_requests *out) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    site s = {.arena = a,
              .sink = sink,
              .module = m,
              .context = c,
              .b = LLVMCreateBuilderInContext(c),
              .call = call};
    const char *name = l_name(LLVMGetCalledValue(call));
    bool forward = strstr(name, "__enzyme_fwddiff") != NULL, ok;
    if (forward || strstr(name, "__enzyme_autodiff"))
        ok = read_call(&s, forward);
    else {
        s.place = l_place(call);
        ok = FAIL(
            &s,
            "`%s` is not supported: of Enzyme's names Cofactor reads __enzyme_autodiff and __enzyme_fwddiff; "
            "the macros of <cofactor/ad.h> ask for the rest",
            name);
    }
    LLVMDisposeBuilder(s.b);
    if (!ok) return false;
    cf_push(a, &out->request, s.request);
    LLVMInstructionEraseFromParent(call);
    return true;
}

bool cf_is_enzyme(LLVMValueRef f) { return LLVMIsDeclaration(f) && strstr(l_name(f), "__enzyme_"); }

static bool any_enzyme(LLVMModuleRef m) {
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        if (cf_is_enzyme(f)) return true;
    return false;
}

typedef CF_VEC(LLVMValueRef) values;

/* The calls of a function, in the order of its text. */
static void find_calls(cf_arena *a, LLVMValueRef f, values *calls) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i)) continue;
            LLVMValueRef callee = LLVMGetCalledValue(i);
            if (LLVMIsAFunction(callee) && cf_is_enzyme(callee)) cf_push(a, calls, i);
        }
}

/* A call in a wrapper that takes the function as an argument: it is known once the wrapper is inlined. */
static bool is_in_wrapper(const values *calls) {
    for (size_t i = 0; i < calls->n; i++) {
        LLVMValueRef call = calls->at[i];
        unsigned first = LLVMGetNumArgOperands(call) && l_has_call(call, 1, "sret");
        if (LLVMGetNumArgOperands(call) > first && l_has_f(l_function_of(call), "alwaysinline") &&
            !LLVMIsAFunction(l_without_aliases(resolved(LLVMGetOperand(call, first)))))
            return true;
    }
    return false;
}

static values all_calls(cf_arena *a, LLVMModuleRef m) {
    values calls = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f)) find_calls(a, f, &calls);
    return calls;
}

bool cf_read_enzyme(cf_arena *a, LLVMModuleRef m, cf_sink *sink, cf_requests *out) {
    if (!cf_check_enzyme_globals(m, sink, any_enzyme(m) || out->request.n)) return false;
    if (!any_enzyme(m)) return true;
    values calls = all_calls(a, m);
    if (is_in_wrapper(&calls)) {
        char *error = l_run_passes(m, "always-inline");
        if (error) LLVMDisposeMessage(error);
        calls = all_calls(a, m);
    }
    bool ok = true;
    for (size_t i = 0; i < calls.n; i++) ok &= serve(a, m, sink, calls.at[i], out);
    LLVMValueRef next;
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (cf_is_enzyme(f) && !LLVMGetFirstUse(f)) LLVMDeleteFunction(f);
    }
    return ok;
}
