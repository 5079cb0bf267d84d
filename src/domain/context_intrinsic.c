/* What intrinsics stand for in the program that a user wrote: calls of C functions, and operations.
 *
 * In:     a call of an intrinsic
 * Out:    what happens there, with C's prototype, as the search for changes and the events see it
 * Keeps:  the call                                   Breaks: nothing
 *
 * A function of libm has the name of its intrinsic, and a letter for the type. Where C's prototype is another than that
 * of the intrinsic, a row says how (cf_spelling). A constrained operation (strict floating point) is the operation; its
 * last operands, about rounding and exceptions, are not the program's. */
#include "domain/context.h"
#include "llvm/l.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
static const char constrained[] = "llvm.experimental.constrained.";

/* The part of an intrinsic's name that says what it does: of `llvm.sin.f64` that is `sin`. */
static bool is_named(const char *part, const char *name) {
    size_t n = strlen(name);
    return l_begins(part, name) && (!part[n] || part[n] == '.');
}

static const char *part_of(LLVMValueRef f) {
    const char *name = l_name(f);
    return name + (l_begins(name, constrained) ? strlen(constrained) : strlen("llvm."));
}

static bool is_constrained(LLVMValueRef f) { return l_begins(l_name(f), constrained); }

/* ---- names ---- */

/* name: of the intrinsic. function: of C, for double. */
static const struct {
    const char *name, *function;
    cf_spelling spelling;
} special[] = {
    {"memcpy", "memcpy", CF_SPELLED_MEMORY},
    {"memmove", "memmove", CF_SPELLED_MEMORY},
    {"memset", "memset", CF_SPELLED_BYTES},
    {"abs", "abs", CF_SPELLED_ABS},
    {"frexp", "frexp", CF_SPELLED_RESULT_AND_ADDRESS},
    {"modf", "modf", CF_SPELLED_RESULT_AND_ADDRESS},
    {"sincos", "sincos", CF_SPELLED_ADDRESSES},
    {"minnum", "fmin", CF_SPELLED_ALIKE},
    {"maxnum", "fmax", CF_SPELLED_ALIKE},
    {"minimum", "fminimum", CF_SPELLED_ALIKE},
    {"maximum", "fmaximum", CF_SPELLED_ALIKE},
    {"minimumnum", "fminimum_num", CF_SPELLED_ALIKE},
    {"maximumnum", "fmaximum_num", CF_SPELLED_ALIKE},
};

static const char *const same[] = {
    "sqrt",      "sin",   "cos",      "tan",    "asin",    "acos",  "atan", "atan2",     "sinh",
    "cosh",      "tanh",  "pow",      "exp",    "exp2",    "exp10", "log",  "log10",     "log2",
    "fma",       "fabs",  "copysign", "floor",  "ceil",    "trunc", "rint", "nearbyint", "round",
    "roundeven", "lrint", "llrint",   "lround", "llround", "ldexp",
};

static cf_spelling spelling_of(LLVMValueRef f) {
    for (size_t i = 0; i < COUNT(special); i++)
        if (is_named(part_of(f), special[i].name)) return special[i].spelling;
    return CF_SPELLED_ALIKE;
}

/* What C puts behind the name of a function of libm for its type. */
static const char *suffix_of(LLVMValueRef f) {
    LLVMTypeRef t = LLVMTypeOf(LLVMGetFirstParam(f));
    while (l_is_vector_type(t)) t = LLVMGetElementType(t);
    switch (LLVMGetTypeKind(t)) {
    case LLVMDoubleTypeKind: return "";
    case LLVMFloatTypeKind: return "f";
    case LLVMHalfTypeKind: return "f16";
    case LLVMBFloatTypeKind: return "bf16";
    case LLVMFP128TypeKind: return "f128";
    default: return "l";
    }
}

const char *cf_intrinsic_name(cf_job *job, LLVMValueRef f) {
    const char *part = part_of(f);
    for (size_t i = 0; i < COUNT(special); i++) {
        if (!is_named(part, special[i].name)) continue;
        bool memory = special[i].spelling == CF_SPELLED_MEMORY || special[i].spelling == CF_SPELLED_BYTES;
        if (memory) return special[i].function;
        if (special[i].spelling != CF_SPELLED_ABS)
            return cf_text(job->arena, "%s%s", special[i].function, suffix_of(f));
        LLVMTypeRef t = l_return_type(f);
        if (!l_is_integer_type(t)) return NULL;
        return LLVMGetIntTypeWidth(t) == 32 ? "abs" : LLVMGetIntTypeWidth(t) == 64 ? "labs" : NULL;
    }
    for (size_t i = 0; i < COUNT(same); i++)
        if (is_named(part, same[i])) return cf_text(job->arena, "%s%s", same[i], suffix_of(f));
    return NULL;
}

/* ---- what happens ---- */

static bool is_metadata(LLVMValueRef v) { return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMMetadataTypeKind; }

static void add_operands(LLVMValueRef at, unsigned most, cf_happening *h) {
    for (unsigned i = 0; i < LLVMGetNumArgOperands(at) && h->n < most; i++) {
        LLVMValueRef v = LLVMGetOperand(at, i);
        if (!is_metadata(v)) h->operand[h->n++] = LLVMTypeOf(v);
    }
}

/* A constrained operation. False: it is none, but a function. */
static bool describe_constrained(LLVMValueRef at, LLVMValueRef f, cf_happening *h) {
    char name[16];
    size_t n = strcspn(part_of(f), ".");
    if (n >= sizeof name) return false;
    memcpy(name, part_of(f), n);
    name[n] = 0;
    if (!strcmp(name, "fcmps")) name[--n] = 0; /* the one that traps on quiet NaNs */
    h->what = cf_opcode_named(name, &h->classes);
    if (!h->what) return false;
    add_operands(at, 2, h);
    h->result = LLVMTypeOf(at);
    h->type = h->classes & (CF_CLASS_COMPARE | CF_CLASS_CAST) ? h->operand[0] : h->result;
    return true;
}

/* C's prototype. */
static void spell(cf_happening *h, LLVMValueRef at) {
    LLVMContextRef c = l_context(at);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, 0);
    unsigned most = 60;
    switch (h->spelling) {
    case CF_SPELLED_MEMORY:
    case CF_SPELLED_BYTES: most = 3; break;
    case CF_SPELLED_ABS: most = 1; break;
    default: break;
    }
    add_operands(at, most, h);
    switch (h->spelling) {
    case CF_SPELLED_MEMORY: h->result = pointer; break;
    case CF_SPELLED_BYTES: h->result = pointer, h->operand[1] = LLVMInt32TypeInContext(c); break;
    case CF_SPELLED_RESULT_AND_ADDRESS:
        h->result = LLVMStructGetTypeAtIndex(LLVMTypeOf(at), 0);
        h->operand[h->n++] = pointer;
        break;
    case CF_SPELLED_ADDRESSES:
        h->result = LLVMVoidTypeInContext(c);
        h->operand[h->n++] = pointer, h->operand[h->n++] = pointer;
        break;
    default: break;
    }
}

bool cf_intrinsic_happening(cf_job *job, cf_context *c, LLVMValueRef at, cf_happening *h) {
    LLVMValueRef f = l_callee(at);
    if (is_constrained(f) && describe_constrained(at, f, h)) return true;
    h->what = cf_shown_name(job, c, f);
    if (!*h->what) return false;
    h->call = true;
    h->callee = f;
    h->spelling = spelling_of(f);
    h->also = !strcmp(h->what, "labs") ? "llabs" : NULL;
    h->result = LLVMTypeOf(at);
    spell(h, at);
    h->type = h->result;
    return true;
}
