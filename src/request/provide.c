/* Bodies of provided functions: they hand their arguments to the canonical derivative (docs/architecture.md) and its
 * results back as include/cofactor/ad.h says.
 *
 * In:  a request whose handles belong to job->module, which is prepared
 * Out: the provided function has a body; on failure it has none and an error was reported */
#include "analysis/key.h"
#include "domain/identity.h"
#include "domain/tangent.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "request/request.h"
#include "reverse/reverse.h"

typedef struct maker {
    cf_job *job;
    const cf_request *r;
    cf_signature signature;
    LLVMBuilderRef b;
    LLVMValueRef derivative;
    CF_VEC(LLVMValueRef) args; /* of the derivative */
} maker;

/* Alignment that memory written by C is sure to have: a vector may stand for a smaller struct. */
static unsigned alignment(const maker *m, LLVMTypeRef t) {
    LLVMTypeRef scalar = t;
    while (!l_is_float_type(scalar) && !l_is_pointer_type(scalar)) {
        if (LLVMGetTypeKind(scalar) == LLVMStructTypeKind)
            scalar = LLVMStructGetTypeAtIndex(scalar, 0);
        else if (LLVMGetTypeKind(scalar) == LLVMIntegerTypeKind)
            break;
        else
            scalar = LLVMGetElementType(scalar);
    }
    return LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(m->job->module), scalar);
}

static LLVMValueRef at(const maker *m, LLVMTypeRef t, LLVMValueRef p, unsigned k) {
    return k ? l_element(m->b, t, p, l_i64(m->job->context, k), "") : p;
}
static LLVMValueRef load(const maker *m, LLVMTypeRef t, LLVMValueRef p, unsigned k) {
    LLVMValueRef v = LLVMBuildLoad2(m->b, t, at(m, t, p, k), "");
    LLVMSetAlignment(v, alignment(m, t));
    return v;
}
static void store(const maker *m, LLVMValueRef v, LLVMValueRef p, unsigned k) {
    LLVMTypeRef t = LLVMTypeOf(v);
    LLVMSetAlignment(LLVMBuildStore(m->b, v, at(m, t, p, k)), alignment(m, t));
}

/* x + y of two numbers, component by component. */
static LLVMValueRef add(const maker *m, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef t = LLVMTypeOf(x);
    if (!l_is_aggregate_type(t)) return LLVMBuildFAdd(m->b, x, y, "");
    bool array = LLVMGetTypeKind(t) == LLVMArrayTypeKind;
    unsigned n = array ? (unsigned)LLVMGetArrayLength2(t) : LLVMCountStructElementTypes(t);
    LLVMValueRef sum = x;
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef s = add(m, LLVMBuildExtractValue(m->b, x, i, ""), LLVMBuildExtractValue(m->b, y, i, ""));
        sum = LLVMBuildInsertValue(m->b, sum, s, i, "");
    }
    return sum;
}

/* The parameter of the provided function with a role, or NULL. */
static LLVMValueRef parameter(const maker *m, cf_role role, unsigned of) {
    for (unsigned i = 0; i < m->signature.n; i++)
        if (m->signature.part[i].role == role && m->signature.part[i].parameter == of)
            return LLVMGetParam(m->r->provided, i);
    return NULL;
}

/* Where piece i of a parameter of the source has its companion in direction k. */
static LLVMValueRef place_of_piece(const maker *m, unsigned i, unsigned k) {
    const cf_pieces *p = &m->r->pieces;
    unsigned group = p->group[i];
    uint64_t at = k * l_size(m->job->module, p->object[group]) + p->offset[i];
    return l_offset(m->b, parameter(m, CF_ROLE_SHADOW, p->first[group]), l_i64(m->job->context, at), "");
}

/* The W companions of primal parameter i as the derivative takes them: tangents or shadow pointers. */
static void pass_shadows(maker *m, unsigned i, LLVMTypeRef t) {
    if (cf_in_pieces(m->r, i) && (m->r->mode == CF_MODE_REVERSE || m->r->width > 1)) {
        for (unsigned k = 0; k < m->r->width; k++)
            cf_push(m->job->arena, &m->args, load(m, t, place_of_piece(m, i, k), 0));
        return;
    }
    LLVMValueRef shadow = parameter(m, CF_ROLE_SHADOW, i);
    for (unsigned k = 0; k < m->r->width; k++)
        cf_push(m->job->arena, &m->args, m->r->width == 1 ? shadow : load(m, t, shadow, k));
}

static void pass_parameters(maker *m) {
    for (unsigned i = 0; i < m->r->n; i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(m->r->primal, i));
        cf_push(m->job->arena, &m->args, parameter(m, CF_ROLE_PRIMAL, i));
        bool in = m->r->mode == CF_MODE_FORWARD || l_is_pointer_type(t);
        if (in && m->r->arg[i] & CF_ARG_DUP) pass_shadows(m, i, t);
    }
}

static LLVMValueRef call(maker *m) {
    return l_call(m->b, m->derivative, m->args.at, (unsigned)m->args.n, "");
}

static void finish(maker *m, LLVMValueRef value) {
    if (l_is_void_type(l_return_type(m->r->provided)))
        LLVMBuildRetVoid(m->b);
    else
        LLVMBuildRet(m->b, value);
}

static void forward_body(maker *m, bool number) {
    pass_parameters(m);
    LLVMValueRef out = call(m), value = out;
    if (number) value = LLVMBuildExtractValue(m->b, out, 0, "");
    if (m->r->value) store(m, value, parameter(m, CF_ROLE_VALUE, 0), 0);
    if (m->r->width == 1) {
        finish(m, number ? LLVMBuildExtractValue(m->b, out, 1, "") : NULL);
        return;
    }
    for (unsigned k = 0; number && k < m->r->width; k++)
        store(m, LLVMBuildExtractValue(m->b, out, k + 1, ""), parameter(m, CF_ROLE_TANGENT, 0), k);
    finish(m, value);
}

/* A seed that comes in several parts. */
static LLVMValueRef join_seed(const maker *m, LLVMTypeRef t) {
    LLVMValueRef all = LLVMGetUndef(t);
    for (unsigned k = 0; k < LLVMCountStructElementTypes(t); k++)
        all = LLVMBuildInsertValue(m->b, all, parameter(m, CF_ROLE_SEED, k), k, "");
    return all;
}

static void pass_seeds(maker *m) {
    LLVMTypeRef t = l_return_type(m->r->primal);
    bool several = m->r->seed && m->r->width == 1 && LLVMGetTypeKind(t) == LLVMStructTypeKind;
    LLVMValueRef seed = several ? join_seed(m, t) : parameter(m, CF_ROLE_SEED, 0);
    for (unsigned k = 0; k < m->r->width; k++)
        cf_push(m->job->arena, &m->args, !seed ? l_one(t) : m->r->width == 1 ? seed : load(m, t, seed, k));
}

static void reverse_body(maker *m, bool number) {
    pass_parameters(m);
    if (number) pass_seeds(m);
    LLVMValueRef out = call(m), value = NULL;
    unsigned at = 0;
    if (!l_is_void_type(l_return_type(m->r->primal))) value = LLVMBuildExtractValue(m->b, out, at++, "");
    for (unsigned i = 0; i < m->r->n; i++) {
        LLVMTypeRef t = LLVMTypeOf(LLVMGetParam(m->r->primal, i));
        if (!(m->r->arg[i] & CF_ARG_DUP) || l_is_pointer_type(t)) continue;
        bool piece = cf_in_pieces(m->r, i);
        LLVMValueRef bar = piece ? NULL : parameter(m, CF_ROLE_SHADOW, i);
        for (unsigned k = 0; k < m->r->width; k++) {
            LLVMValueRef p = piece ? place_of_piece(m, i, k) : bar;
            unsigned e = piece ? 0 : k;
            store(m, add(m, load(m, t, p, e), LLVMBuildExtractValue(m->b, out, at++, "")), p, e);
        }
    }
    finish(m, value);
}

static void identity_body(maker *m) {
    pass_parameters(m);
    finish(m, call(m));
}

/* A definition is compiled for the same machine as its primal. */
static void copy_target(LLVMValueRef from, LLVMValueRef to) {
    static const char *const keys[] = {"target-cpu", "target-features", "tune-cpu", "frame-pointer"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        LLVMAttributeRef a = LLVMGetStringAttributeAtIndex(from, (unsigned)LLVMAttributeFunctionIndex,
                                                           keys[i], (unsigned)strlen(keys[i]));
        if (a) LLVMAddAttributeAtIndex(to, (unsigned)LLVMAttributeFunctionIndex, a);
    }
}

static LLVMValueRef derivative_of(cf_job *job, const cf_request *r, bool number) {
    cf_key key = {.function = r->primal,
                  .width = r->width,
                  .n = r->n,
                  .arg = r->arg,
                  .result = number,
                  .consume = r->consume};
    if (r->mode == CF_MODE_IDENTITY) return cf_identity_of(job, r->primal);
    if (r->record) return cf_record_of(job, &key);
    return r->mode == CF_MODE_FORWARD ? cf_tangent_of(job, &key) : cf_gradient_of(job, &key);
}

/* What a debugger is told of the provided function's parameters: those of the primal, x_bar or x_dot beside them. */
static void describe(const maker *m, LLVMMetadataRef location) {
    const cf_request *r = m->r;
    cfx_parameter *p = CF_ARRAY(m->job->arena, cfx_parameter, m->signature.n + 1);
    for (unsigned i = 0; i < m->signature.n; i++) {
        const cf_part *part = &m->signature.part[i];
        bool primal = part->role == CF_ROLE_PRIMAL, shadow = part->role == CF_ROLE_SHADOW;
        bool pointer = shadow && l_is_pointer_type(LLVMTypeOf(LLVMGetParam(r->primal, part->parameter)));
        p[i] = (cfx_parameter){
            .of = primal || shadow ? cf_shown_parameter(r, part->parameter) : 0,
            .ending = primal                       ? ""
                      : !shadow                    ? (part->role == CF_ROLE_SEED    ? "seed"
                                                      : part->role == CF_ROLE_VALUE ? "value"
                                                                                    : "tangent")
                      : r->mode == CF_MODE_REVERSE ? "_bar"
                                                   : "_dot",
            .to = !primal && (r->width > 1 || part->role == CF_ROLE_VALUE || part->role == CF_ROLE_TANGENT ||
                              (shadow && r->mode == CF_MODE_REVERSE && !pointer)),
            .written = shadow && r->mode == CF_MODE_REVERSE && pointer && r->width == 1,
            .skip = part->more || (primal && cf_in_pieces(r, part->parameter)),
        };
    }
    cfx_describe_parameters(r->provided, r->primal, p, location);
}

bool cf_provide(cf_job *job, const cf_request *r) {
    bool number = l_is_number_type(l_return_type(r->primal));
    unsigned errors = job->sink->errors;
    LLVMValueRef derivative = derivative_of(job, r, number);
    if (!derivative) {
        if (job->sink->errors == errors)
            cf_report(job->sink, CF_ERROR, r->place, l_name(r->primal), "`%s` could not be differentiated",
                      l_name(r->primal));
        return false;
    }
    maker m = {.job = job, .r = r, .derivative = derivative};
    m.signature = cf_signature_of(job->arena, r);
    m.b = LLVMCreateBuilderInContext(job->context);
    LLVMPositionBuilderAtEnd(m.b, LLVMAppendBasicBlockInContext(job->context, r->provided, ""));
    copy_target(r->primal, r->provided);
    LLVMMetadataRef scope = cfx_make_subprogram(r->provided, r->primal, r->place.line);
    if (scope) {
        LLVMMetadataRef location =
            LLVMDIBuilderCreateDebugLocation(job->context, r->place.line, 0, scope, NULL);
        LLVMSetCurrentDebugLocation2(m.b, location);
        describe(&m, location);
    }
    if (r->mode == CF_MODE_IDENTITY)
        identity_body(&m);
    else if (r->mode == CF_MODE_FORWARD)
        forward_body(&m, number);
    else
        reverse_body(&m, number);
    LLVMDisposeBuilder(m.b);
    return true;
}
