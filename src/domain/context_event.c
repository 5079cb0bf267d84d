/* Calls of hooks and overrides at one instruction. */
#include "domain/context_body.h"

/* ---- values for the _ANY hooks ---- */

enum { INTEGER, REAL, POINTER, BYTES };

static LLVMTypeRef value_type(LLVMContextRef c) {
    LLVMTypeRef i = LLVMInt32TypeInContext(c), fields[3] = {i, i, LLVMInt64TypeInContext(c)};
    return LLVMStructTypeInContext(c, fields, 3, false);
}

static LLVMValueRef field(cf_body *b, LLVMValueRef value, unsigned i) {
    return LLVMBuildStructGEP2(b->builder, value_type(b->job->context), value, i, "");
}

/* What goes into the third field, and the kind. */
static LLVMValueRef packed(cf_body *b, LLVMValueRef v, unsigned *kind) {
    LLVMContextRef c = b->job->context;
    LLVMTypeRef t = LLVMTypeOf(v);
    switch (LLVMGetTypeKind(t)) {
    case LLVMIntegerTypeKind:
        if (LLVMGetIntTypeWidth(t) > 64) break;
        *kind = INTEGER;
        if (LLVMGetIntTypeWidth(t) == 1) return LLVMBuildZExt(b->builder, v, LLVMInt64TypeInContext(c), "");
        return LLVMBuildSExt(b->builder, v, LLVMInt64TypeInContext(c), "");
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
        v = LLVMBuildFPExt(b->builder, v, LLVMDoubleTypeInContext(c), ""); /* fallthrough */
    case LLVMDoubleTypeKind: *kind = REAL; return v;
    case LLVMPointerTypeKind:
        if (LLVMGetPointerAddressSpace(t)) break;
        *kind = POINTER;
        return v;
    default: break;
    }
    *kind = BYTES;
    LLVMValueRef copy = l_slot(b->builder, t, "bytes");
    LLVMBuildStore(b->builder, v, copy);
    return copy;
}

static void put_value(cf_body *b, LLVMValueRef to, LLVMValueRef v) {
    unsigned kind = BYTES;
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMValueRef content = packed(b, v, &kind);
    uint64_t bits = LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(b->job->module), t);
    LLVMBuildStore(b->builder, l_i32(b->job->context, kind), field(b, to, 0));
    LLVMBuildStore(b->builder, l_i32(b->job->context, (uint32_t)bits), field(b, to, 1));
    LLVMBuildStore(b->builder, content, field(b, to, 2));
}

/* An array of the operands, in room that all events of the function share. */
static LLVMValueRef operand_values(cf_body *b, LLVMValueRef *operands, unsigned n) {
    cf_within *w = cf_within_of(b);
    LLVMTypeRef t = value_type(b->job->context);
    if (!w->values) w->values = l_slot(b->builder, LLVMArrayType2(t, 64), "operands");
    for (unsigned i = 0; i < n; i++)
        put_value(b, l_element(b->builder, t, w->values, l_i64(b->job->context, i), ""), operands[i]);
    return w->values;
}

static LLVMValueRef result_value(cf_body *b, LLVMValueRef result) {
    cf_within *w = cf_within_of(b);
    if (!result) return LLVMConstNull(LLVMPointerTypeInContext(b->job->context, 0));
    if (!w->slot) w->slot = l_slot(b->builder, value_type(b->job->context), "result");
    put_value(b, w->slot, result);
    return w->slot;
}

/* ---- calls ---- */

static unsigned any_arguments(cf_body *b, cf_hook *h, const cf_happening *e, LLVMValueRef *operands,
                              LLVMValueRef result, LLVMValueRef *args) {
    args[0] = cf_within_of(b)->pointer;
    args[1] = cf_site(b, e);
    unsigned n = e->n;
    if (e->call && !e->callee) n++; /* the pointer */
    args[2] = operand_values(b, operands, n);
    if (h->kind == CF_HOOK_PRE_ANY) return 3;
    args[3] = result_value(b, result);
    return 4;
}

unsigned cf_event_arguments(cf_body *b, cf_hook *h, const cf_happening *e, LLVMValueRef *operands,
                            LLVMValueRef result, LLVMValueRef *args) {
    if (h->kind == CF_HOOK_PRE_ANY || h->kind == CF_HOOK_POST_ANY)
        return any_arguments(b, h, e, operands, result, args);
    cf_form f = cf_form_of(h, e);
    unsigned n = 0, given = 0, total = h->kind == CF_HOOK_OVERDUB ? e->n : f.n - f.result;
    if (f.context) args[n++] = operands[given++]; /* where a struct is returned */
    args[n++] = cf_within_of(b)->pointer;
    if (f.site) args[n++] = cf_site(b, e);
    if (f.result) args[n++] = result;
    while (given < total) args[n++] = operands[given++];
    return n;
}

LLVMValueRef cf_event_call(cf_body *b, cf_hook *h, const cf_happening *e, LLVMValueRef *operands,
                           LLVMValueRef result) {
    LLVMValueRef args[80];
    unsigned n = cf_event_arguments(b, h, e, operands, result, args);
    *(h->kind == CF_HOOK_OVERDUB ? &cf_within_of(b)->overridden : &cf_within_of(b)->hooked) += 1;
    LLVMValueRef f = cf_context_target(b, h, e->callee), call = l_call(b->builder, f, args, n, "");
    cf_pass_as_declared(h->function, call);
    return call;
}

static bool is_pre(const cf_hook *h) { return h->kind == CF_HOOK_PRE || h->kind == CF_HOOK_PRE_ANY; }
static bool is_post(const cf_hook *h) { return h->kind == CF_HOOK_POST || h->kind == CF_HOOK_POST_ANY; }

void cf_event_pre(cf_body *b, const cf_happening *e, LLVMValueRef *operands) {
    cf_within *w = cf_within_of(b);
    for (size_t i = 0; w->works && w->hooks && i < w->context->hook.n; i++) {
        cf_hook *h = &w->context->hook.at[i];
        if (is_pre(h) && cf_hook_matches(b->job, w->context, h, e)) cf_event_call(b, h, e, operands, NULL);
    }
}

LLVMValueRef cf_event_post(cf_body *b, const cf_happening *e, LLVMValueRef *operands, LLVMValueRef result) {
    cf_within *w = cf_within_of(b);
    for (size_t i = 0; w->works && w->hooks && i < w->context->hook.n; i++) {
        cf_hook *h = &w->context->hook.at[i];
        if (!is_post(h) || !cf_hook_matches(b->job, w->context, h, e)) continue;
        LLVMValueRef call = cf_event_call(b, h, e, operands, result);
        if (result && !l_is_void_type(LLVMTypeOf(call))) result = call;
    }
    return result;
}

cf_hook *cf_override_for(cf_body *b, const cf_happening *e) {
    cf_within *w = cf_within_of(b);
    for (size_t i = 0; w->works && i < w->context->hook.n; i++) {
        cf_hook *h = &w->context->hook.at[i];
        if (h->kind == CF_HOOK_OVERDUB && cf_hook_matches(b->job, w->context, h, e)) return h;
    }
    return NULL;
}
