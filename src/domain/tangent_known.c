/* Forward mode: functions without a body that are known: of libc, and LLVM's intrinsics. */
#include "known/known.h"
#include "domain/tangent_body.h"

static LLVMValueRef argument(cf_body *b, LLVMValueRef call, int i) {
    return i < 0 ? NULL : cf_now(b, LLVMGetOperand(call, (unsigned)i));
}

static LLVMValueRef wide(cf_body *b, LLVMValueRef n) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(b->job->context);
    return LLVMTypeOf(n) == i64 ? n : LLVMBuildZExt(b->builder, n, i64, "");
}

static LLVMValueRef library(cf_body *b, const char *name, LLVMTypeRef r, LLVMTypeRef *params, unsigned n) {
    LLVMValueRef f = LLVMGetNamedFunction(b->job->module, name);
    return f ? f : LLVMAddFunction(b->job->module, name, LLVMFunctionType(r, params, n, false));
}

/* strlen(p) + 1 */
static LLVMValueRef text_size(cf_body *b, LLVMValueRef p) {
    LLVMTypeRef t = LLVMPointerTypeInContext(b->job->context, 0),
                i64 = LLVMInt64TypeInContext(b->job->context);
    LLVMValueRef f = library(b, "strlen", i64, &t, 1);
    LLVMValueRef n = l_call(b->builder, f, &p, 1, "");
    return LLVMBuildAdd(b->builder, n, l_i64(b->job->context, 1), "");
}

/* Bytes, as i64; NULL when that is not known. */
static LLVMValueRef size_of(cf_body *b, LLVMValueRef call, cf_size size, LLVMValueRef p) {
    LLVMContextRef c = b->job->context;
    switch ((cf_size_kind)size.kind) {
    case CF_SIZE_FIXED: return l_i64(c, size.a);
    case CF_SIZE_ARG: return wide(b, argument(b, call, size.a));
    case CF_SIZE_PRODUCT:
        return LLVMBuildMul(b->builder, wide(b, argument(b, call, size.a)),
                            wide(b, argument(b, call, size.b)), "");
    case CF_SIZE_TIMES:
        return LLVMBuildMul(b->builder, wide(b, argument(b, call, size.a)), l_i64(c, size.b), "");
    case CF_SIZE_TEXT: return text_size(b, p);
    default: return NULL;
    }
}

/* The same call with the same arguments, once more. */
static LLVMValueRef call_again(cf_body *b, LLVMValueRef call) {
    LLVMValueRef now = cf_now(b, call);
    unsigned n = LLVMGetNumArgOperands(now);
    LLVMValueRef *args = CF_ARRAY(b->job->arena, LLVMValueRef, n + 1);
    for (unsigned i = 0; i < n; i++) args[i] = LLVMGetOperand(now, i);
    LLVMValueRef made =
        LLVMBuildCall2(b->builder, LLVMGetCalledFunctionType(now), LLVMGetCalledValue(now), args, n, "");
    LLVMSetInstructionCallConv(made, LLVMGetInstructionCallConv(now));
    for (unsigned i = 0; i <= n; i++) cf_keep_call_attributes(now, i, made, i);
    return made;
}

static LLVMValueRef lost(cf_body *b, LLVMValueRef p, unsigned k) {
    LLVMValueRef shadow = cf_beside(b, p, k);
    if (!shadow) return l_i1(b->job->context, true);
    return cf_flags(b, p) & CF_MIXED ? cf_is_none(b, cf_now(b, p), shadow) : l_i1(b->job->context, false);
}

static LLVMValueRef shadow_or_null(cf_body *b, LLVMValueRef p, unsigned k) {
    LLVMValueRef shadow = cf_beside(b, p, k), null = l_zero(LLVMTypeOf(p));
    return shadow ? LLVMBuildSelect(b->builder, lost(b, p, k), null, shadow, "") : null;
}

static void clear(cf_body *b, LLVMValueRef p, LLVMValueRef size, LLVMValueRef unless) {
    if (unless) size = LLVMBuildSelect(b->builder, unless, l_zero(LLVMTypeOf(size)), size, "");
    LLVMBuildMemSet(b->builder, p, l_i8(b->job->context, 0), size, 1);
}

static LLVMValueRef is_null(cf_body *b, LLVMValueRef p) {
    return LLVMBuildICmp(b->builder, LLVMIntEQ, p, l_zero(LLVMTypeOf(p)), "");
}

/* ---- allocation: the shadow is allocated like the block, and zeroed ---- */

/* calloc(1, size) in the place of malloc(size), or of a realloc from nothing. */
static LLVMValueRef zeroed(cf_body *b, LLVMValueRef size) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(b->job->context), params[2] = {i64, i64};
    LLVMValueRef f = library(b, "calloc", LLVMPointerTypeInContext(b->job->context, 0), params, 2);
    return l_call(b->builder, f, (LLVMValueRef[]){l_i64(b->job->context, 1), size}, 2, "");
}

static void allocate(cf_body *b, LLVMValueRef call, const cf_known *known) {
    LLVMValueRef *beside = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width);
    cf_stand_after_call(b, call);
    LLVMValueRef now = cf_now(b, call);
    bool text = known->kind == CF_KNOWN_STRDUP;
    LLVMValueRef size = text ? text_size(b, now) : size_of(b, call, known->size, NULL);
    for (unsigned k = 0; k < b->key.width; k++) {
        bool plain = text || !strcmp(known->name, "malloc");
        beside[k] = plain ? zeroed(b, size) : call_again(b, call);
        if (!plain && known->kind == CF_KNOWN_ALLOC) clear(b, beside[k], size, is_null(b, beside[k]));
        cf_record_fresh(b, beside[k], size);
    }
    cf_set_companions(b, call, beside);
}

/* A block without a shadow gets a new, zeroed one. */
static void reallocate(cf_body *b, LLVMValueRef call, const cf_known *known) {
    LLVMValueRef p = LLVMGetOperand(call, (unsigned)known->pointer);
    LLVMValueRef *beside = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width);
    cf_record_gone(b, p);
    cf_stand_after_call(b, call);
    LLVMValueRef size = size_of(b, call, known->size, NULL);
    for (unsigned k = 0; k < b->key.width; k++) {
        LLVMValueRef had = shadow_or_null(b, p, k), none = is_null(b, had);
        LLVMValueRef made = call_again(b, call);
        LLVMSetOperand(made, (unsigned)known->pointer, had);
        LLVMValueRef kept = LLVMBuildNot(b->builder, none, "");
        clear(b, made, size, LLVMBuildOr(b->builder, kept, is_null(b, made), ""));
        cf_record_fresh(b, made, size);
        beside[k] = made;
    }
    cf_set_companions(b, call, beside);
}

static void posix_memalign_(cf_body *b, LLVMValueRef call, const cf_known *known) {
    LLVMValueRef pp = LLVMGetOperand(call, (unsigned)known->pointer);
    LLVMTypeRef pointer = LLVMTypeOf(pp);
    if (!cf_varies(b, pp)) return;
    cf_stand_after_call(b, call);
    LLVMValueRef size = size_of(b, call, known->size, NULL);
    for (unsigned k = 0; k < b->key.width; k++) {
        LLVMValueRef slot = l_slot(b->builder, pointer, "");
        LLVMValueRef at = LLVMBuildSelect(b->builder, lost(b, pp, k), slot, cf_beside(b, pp, k), "");
        LLVMValueRef made = call_again(b, call);
        LLVMSetOperand(made, (unsigned)known->pointer, at);
        LLVMValueRef failed = LLVMBuildICmp(b->builder, LLVMIntNE, made, l_zero(LLVMTypeOf(made)), "");
        LLVMValueRef block = LLVMBuildLoad2(b->builder, pointer, at, "");
        clear(b, block, size, failed);
        cf_record_fresh(b, block, LLVMBuildSelect(b->builder, failed, l_zero(LLVMTypeOf(size)), size, ""));
    }
}

/* `void release(the parameters of f)` that does nothing when the block is NULL: an allocator that is not libc's need not
 * take that. */
static LLVMValueRef if_any(cf_body *b, LLVMValueRef f, const cf_known *known) {
    const char *name = cf_text(b->job->arena, "tangent release by %s", l_name(f));
    LLVMValueRef made = cf_dub_recall(b->dub, name);
    if (made) return made;
    LLVMContextRef c = b->job->context;
    unsigned n = LLVMCountParams(f);
    made = LLVMAddFunction(b->job->module, cf_text(b->job->arena, "cf.release.%s", l_name(f)),
                           l_function_type(f));
    LLVMSetLinkage(made, LLVMInternalLinkage);
    l_add_text(made, "cf-made", "");
    cf_dub_remember(b->dub, name, made);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(c, made, ""),
                      some = LLVMAppendBasicBlockInContext(c, made, ""),
                      end = LLVMAppendBasicBlockInContext(c, made, "");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(builder, entry);
    LLVMValueRef *a = CF_ARRAY(b->job->arena, LLVMValueRef, n + 1);
    LLVMGetParams(made, a);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, a[known->pointer], ""), end, some);
    LLVMPositionBuilderAtEnd(builder, some);
    cf_pass_as_declared(f, l_call(builder, f, a, n, ""));
    LLVMBuildBr(builder, end);
    LLVMPositionBuilderAtEnd(builder, end);
    LLVMBuildRetVoid(builder);
    LLVMDisposeBuilder(builder);
    return made;
}

static void release(cf_body *b, LLVMValueRef call, const cf_known *known) {
    LLVMValueRef p = LLVMGetOperand(call, (unsigned)known->pointer);
    if (!cf_varies(b, p)) return;
    cf_record_gone(b, p);
    cf_stand_after_call(b, call);
    for (unsigned k = 0; k < b->key.width; k++) {
        if (!cf_beside(b, p, k)) return;
        LLVMValueRef shadow = shadow_or_null(b, p, k), made = call_again(b, call);
        LLVMSetOperand(made, (unsigned)known->pointer, shadow);
        if (known->flags & CF_KNOWN_OWN)
            LLVMSetOperand(made, (unsigned)LLVMGetNumOperands(made) - 1, if_any(b, l_callee(call), known));
    }
}

/* ---- what known functions write ---- */

/* The text of a constant C string, or NULL. */
static const char *constant_text(LLVMValueRef p) {
    size_t n;
    LLVMValueRef init = LLVMIsAGlobalVariable(p) && LLVMIsGlobalConstant(p) ? LLVMGetInitializer(p) : NULL;
    return init && LLVMIsAConstantDataSequential(init) && LLVMIsConstantString(init)
               ? LLVMGetAsString(init, &n)
               : NULL;
}

/* What scanf stores is no active number. */
static void clear_scanned(cf_body *b, LLVMValueRef call, const cf_write *w) {
    const char *format = constant_text(LLVMGetOperand(call, w->size.a));
    enum { MAX = 64 };
    unsigned bytes[MAX], n = format ? cf_known_scan(format, bytes, MAX) : 0, first = (unsigned)w->pointer;
    for (unsigned i = 0; first + i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef p = LLVMGetOperand(call, first + i);
        if (!l_is_pointer_type(LLVMTypeOf(p)) || !cf_varies(b, p)) continue;
        if (!format || i >= n || i >= MAX) {
            cf_body_error(b, call, "what `%s` stores cannot be told from its format", l_name(l_callee(call)));
            return;
        }
        LLVMValueRef size = bytes[i] ? l_i64(b->job->context, bytes[i]) : text_size(b, cf_now(b, p));
        cf_clear_shadow(b, p, size);
    }
}

/* A pointer into the object of argument 0 is stored: its shadow is as far into that one's shadow. */
static void store_inside(cf_body *b, LLVMValueRef call, const cf_write *w) {
    LLVMValueRef at = LLVMGetOperand(call, (unsigned)w->pointer), object = LLVMGetOperand(call, 0);
    LLVMTypeRef t = LLVMTypeOf(at);
    if (!cf_varies(b, at) || LLVMTypeOf(object) != t) return;
    LLVMValueRef null = is_null(b, cf_now(b, at));
    LLVMValueRef slot = l_slot(b->builder, t, "");
    LLVMValueRef from = LLVMBuildSelect(b->builder, null, slot, cf_now(b, at), "");
    LLVMValueRef stored = LLVMBuildLoad2(b->builder, t, from, "");
    LLVMTypeRef i64 = LLVMInt64TypeInContext(b->job->context);
    for (unsigned k = 0; k < b->key.width; k++) {
        LLVMValueRef base = cf_beside_or_none(b, object, k);
        LLVMValueRef offset = LLVMBuildSub(b->builder, LLVMBuildPtrToInt(b->builder, stored, i64, ""),
                                           LLVMBuildPtrToInt(b->builder, cf_now(b, object), i64, ""), "");
        LLVMValueRef to = LLVMBuildSelect(b->builder, LLVMBuildOr(b->builder, null, lost(b, at, k), ""), slot,
                                          cf_beside(b, at, k), "");
        LLVMBuildStore(b->builder, l_offset(b->builder, base, offset, ""), to);
    }
}

static void clear_write(cf_body *b, LLVMValueRef call, const cf_write *w) {
    LLVMValueRef p = LLVMGetOperand(call, (unsigned)w->pointer);
    if (w->size.kind == CF_SIZE_SCAN) {
        clear_scanned(b, call, w);
    } else if (w->flags & CF_WRITES_POINTER) {
        store_inside(b, call, w);
    } else if (cf_varies(b, p)) {
        LLVMValueRef size = size_of(b, call, w->size, cf_now(b, p));
        if (!size) return;
        LLVMValueRef null = is_null(b, cf_now(b, p));
        cf_clear_shadow(b, p, LLVMBuildSelect(b->builder, null, l_zero(LLVMTypeOf(size)), size, ""));
    }
}

static void clear_writes(cf_body *b, LLVMValueRef call, const cf_known *known) {
    for (unsigned i = 0; i < CF_KNOWN_WRITES && known->write[i].pointer != CF_NO_ARG; i++) {
        if ((unsigned)known->write[i].pointer >= LLVMGetNumArgOperands(call)) return;
        clear_write(b, call, &known->write[i]);
    }
}

/* ---- results that point into an argument's object ---- */

static LLVMValueRef inside(cf_body *b, LLVMValueRef call, LLVMValueRef p, unsigned k) {
    LLVMValueRef shadow = cf_beside(b, p, k), now = cf_now(b, call);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(b->job->context);
    if (!shadow) return now;
    LLVMValueRef offset = LLVMBuildSub(b->builder, LLVMBuildPtrToInt(b->builder, now, i64, ""),
                                       LLVMBuildPtrToInt(b->builder, cf_now(b, p), i64, ""), "");
    LLVMValueRef moved = l_offset(b->builder, shadow, offset, "");
    return LLVMBuildSelect(b->builder, is_null(b, now), now, moved, "");
}

static void point_inside(cf_body *b, LLVMValueRef call, const cf_known *known) {
    if (known->returns == CF_NO_ARG || !cf_varies(b, call) || !l_is_pointer_type(LLVMTypeOf(call))) return;
    LLVMValueRef *beside = CF_ARRAY(b->job->arena, LLVMValueRef, b->key.width);
    for (unsigned k = 0; k < b->key.width; k++)
        beside[k] = inside(b, call, LLVMGetOperand(call, (unsigned)known->returns), k);
    cf_set_companions(b, call, beside);
}

/* ---- rows of the table ---- */

static bool by_row(cf_body *b, LLVMValueRef call, const cf_known *known) {
    switch ((cf_known_kind)known->kind) {
    case CF_KNOWN_ALLOC:
    case CF_KNOWN_ZALLOC:
    case CF_KNOWN_STRDUP: allocate(b, call, known); return true;
    case CF_KNOWN_REALLOC: reallocate(b, call, known); return true;
    case CF_KNOWN_POSIX_MEMALIGN: posix_memalign_(b, call, known); return true;
    case CF_KNOWN_FREE: release(b, call, known); return true;
    case CF_KNOWN_NORETURN:
    case CF_KNOWN_EXCEPTION: return true;
    default: break;
    }
    if (known->flags & CF_KNOWN_CALLBACK) return false;
    cf_stand_after_call(b, call);
    if (known->kind == CF_KNOWN_COPY)
        cf_tangent_copy(b, call, (unsigned)known->pointer, (unsigned)known->source,
                        size_of(b, call, known->size, NULL));
    else if (known->kind == CF_KNOWN_SET)
        cf_clear_shadow(b, LLVMGetOperand(call, (unsigned)known->pointer),
                        size_of(b, call, known->size, NULL));
    else
        clear_writes(b, call, known);
    point_inside(b, call, known);
    return true;
}

/* ---- intrinsics ---- */

/* A call once more on what is beside its number. */
static LLVMValueRef linear(cf_body *b, LLVMValueRef call, unsigned k) {
    LLVMValueRef made = cf_again(b, call);
    LLVMSetOperand(made, 0, cf_beside_or_none(b, LLVMGetOperand(call, 0), k));
    return made;
}

static LLVMValueRef of_first(cf_body *b, LLVMValueRef call, unsigned k) {
    LLVMValueRef shadow = cf_beside(b, LLVMGetOperand(call, 0), k);
    if (!shadow) return NULL;
    LLVMValueRef made = cf_again(b, call);
    LLVMSetOperand(made, 0, shadow);
    return made;
}

/* The intrinsics whose results are made from what is beside their arguments. */
static LLVMValueRef (*maker_of(LLVMValueRef f))(cf_body *, LLVMValueRef, unsigned) {
    if (l_is_intrinsic_of(f, "llvm.threadlocal.address")) return of_first;
    return cf_is_linear(f) ? linear : NULL;
}

static bool by_intrinsic(cf_body *b, LLVMValueRef call, LLVMValueRef f) {
    LLVMValueRef (*make)(cf_body *, LLVMValueRef, unsigned) = maker_of(f);
    if (!make) return false;
    cf_stand_after_call(b, call);
    if (cf_varies(b, call)) cf_set_each(b, call, make);
    return true;
}

bool cf_tangent_known(cf_body *b, LLVMValueRef call, LLVMValueRef f) {
    if (l_is_intrinsic(f) && by_intrinsic(b, call, f)) return true;
    const cf_known *known = cf_known_of(f);
    return known && by_row(b, call, known);
}
