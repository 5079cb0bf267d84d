/* The signature that a request asks of the function that it provides (include/cofactor/ad.h says it in C). */
#include "analysis/key.h"
#include "llvm/l.h"
#include "request/request.h"

static void add(cf_signature *s, cf_role role, unsigned parameter, LLVMTypeRef type) {
    s->part[s->n++] = (cf_part){role, parameter, false, type};
}

static void add_more(cf_signature *s, cf_role role, unsigned parameter, LLVMTypeRef type) {
    add(s, role, parameter, type);
    s->part[s->n - 1].more = true;
}

/* Forward: a number's tangent is a number; all other companions are pointers. */
static LLVMTypeRef shadow_type(const cf_request *r, LLVMTypeRef t, LLVMTypeRef pointer) {
    return r->mode == CF_MODE_FORWARD && r->width == 1 ? t : pointer;
}

/* All pieces of a parameter of the source, then its companion: in pieces where it comes by value. Returns the first
 * parameter of the next one. */
static unsigned add_parameter(cf_signature *s, const cf_request *r, unsigned i, LLVMTypeRef pointer) {
    unsigned end = cf_in_pieces(r, i) ? r->pieces.first[r->pieces.group[i] + 1] : i + 1;
    bool dup = false;
    for (unsigned k = i; k < end; k++) {
        (k > i ? add_more : add)(s, CF_ROLE_PRIMAL, k, LLVMTypeOf(LLVMGetParam(r->primal, k)));
        dup |= r->arg[k] & CF_ARG_DUP;
    }
    if (!dup) return end;
    bool by_value = r->mode == CF_MODE_FORWARD && r->width == 1;
    LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(r->primal, i));
    add(s, CF_ROLE_SHADOW, i, end > i + 1 && !by_value ? pointer : shadow_type(r, t, pointer));
    for (unsigned k = i + 1; by_value && k < end; k++)
        add_more(s, CF_ROLE_SHADOW, k, LLVMTypeOf(LLVMGetParam(r->primal, k)));
    return end;
}

static unsigned seed_parts(LLVMTypeRef result) {
    return LLVMGetTypeKind(result) == LLVMStructTypeKind ? LLVMCountStructElementTypes(result) : 1;
}

/* A struct that comes back in several registers is passed in as many. */
static void add_seed(cf_signature *s, const cf_request *r, LLVMTypeRef result, LLVMTypeRef pointer) {
    bool several = r->width == 1 && LLVMGetTypeKind(result) == LLVMStructTypeKind;
    if (!several) {
        add(s, CF_ROLE_SEED, 0, r->width > 1 ? pointer : result);
        return;
    }
    for (unsigned k = 0; k < seed_parts(result); k++)
        (k ? add_more : add)(s, CF_ROLE_SEED, k, LLVMStructGetTypeAtIndex(result, k));
}

cf_signature cf_signature_of(cf_arena *a, const cf_request *r) {
    LLVMTypeRef result = l_return_type(r->primal);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(l_context(r->primal), 0);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(l_context(r->primal));
    bool number = l_is_number_type(result);
    cf_signature s = {CF_ARRAY(a, cf_part, 2 * r->n + 2 + seed_parts(result)), 0, result};
    for (unsigned i = 0; i < r->n;) i = add_parameter(&s, r, i, pointer);
    if (r->mode == CF_MODE_REVERSE && r->seed) add_seed(&s, r, result, pointer);
    if (r->mode == CF_MODE_FORWARD && r->value) add(&s, CF_ROLE_VALUE, 0, pointer);
    if (r->mode == CF_MODE_FORWARD && r->width > 1 && number) add(&s, CF_ROLE_TANGENT, 0, pointer);
    if (r->mode == CF_MODE_FORWARD && r->width == 1 && !number) s.result = nothing;
    return s;
}
