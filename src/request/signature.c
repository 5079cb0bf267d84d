/* The signature that a request asks of the function that it provides (include/cofactor/ad.h says it in C). */
#include "analysis/key.h"
#include "llvm/l.h"
#include "request/request.h"

static void add(cf_signature *s, cf_role role, unsigned parameter, LLVMTypeRef type) {
    s->part[s->n++] = (cf_part){role, parameter, type};
}

/* Forward: a number's tangent is a number; all other companions are pointers. */
static LLVMTypeRef shadow_type(const cf_request *r, LLVMTypeRef t, LLVMTypeRef pointer) {
    return r->mode == CF_MODE_FORWARD && r->width == 1 ? t : pointer;
}

cf_signature cf_signature_of(cf_arena *a, const cf_request *r) {
    LLVMTypeRef result = l_return_type(r->primal);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(l_context(r->primal), 0);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(l_context(r->primal));
    bool number = l_is_number_type(result);
    cf_signature s = {CF_ARRAY(a, cf_part, 2 * r->n + 2), 0, result};
    for (unsigned i = 0; i < r->n; i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(r->primal, i));
        add(&s, CF_ROLE_PRIMAL, i, t);
        if (r->arg[i] & CF_ARG_DUP) add(&s, CF_ROLE_SHADOW, i, shadow_type(r, t, pointer));
    }
    if (r->mode == CF_MODE_REVERSE && r->seed) add(&s, CF_ROLE_SEED, 0, r->width > 1 ? pointer : result);
    if (r->mode == CF_MODE_FORWARD && r->value) add(&s, CF_ROLE_VALUE, 0, pointer);
    if (r->mode == CF_MODE_FORWARD && r->width > 1 && number) add(&s, CF_ROLE_TANGENT, 0, pointer);
    if (r->mode == CF_MODE_FORWARD && r->width == 1 && !number) s.result = nothing;
    return s;
}
