/* Loads of vectors of numbers that an optimiser made of numbers and other things.
 *
 * In:     a function
 * Out:    the same, where such a load is one load for each part, of the part's own type
 * Keeps:  control flow, what is loaded          Breaks: views of the function
 *
 * Idea: an optimiser widens the load of a number to one of a vector when it knows that the memory is there, and takes what
 * else it finds in the vector, an address say, out of its bits, or leaves it alone. Such a lane is no number: nothing takes
 * it for one. */
#include "ir/parts.h"
#include "llvm/cfx.h"
#include "llvm/l.h"
#include "support/vec.h"

enum { MOST_LANES = 64, WIDENED = 16 };

/* An integer that is taken out of a lane. */
typedef struct part {
    LLVMValueRef value;
    unsigned lane;
} part;

typedef struct wide {
    cf_job *job;
    LLVMValueRef load;
    unsigned lanes;
    uint64_t bytes; /* of a lane */
    bool as_number[MOST_LANES], as_integer[MOST_LANES];
    CF_VEC(part) parts;
} wide;

static bool constant_lane(const wide *w, LLVMValueRef index, unsigned *lane) {
    if (!LLVMIsAConstantInt(index)) return false;
    *lane = (unsigned)LLVMConstIntGetZExtValue(index);
    return *lane < w->lanes;
}

static void take(wide *w, LLVMValueRef value, unsigned lane) {
    w->as_integer[lane] = true;
    cf_push(w->job->arena, &w->parts, ((part){value, lane}));
}

static bool is_bits_of(LLVMValueRef cast, LLVMTypeRef number) {
    return LLVMIsABitCastInst(cast) && l_is_integer_type(LLVMTypeOf(cast)) && l_is_float_type(number);
}

/* Uses of the vector as one of integers, of which each lane is one. */
static bool note_cast(wide *w, LLVMValueRef cast) {
    LLVMTypeRef t = LLVMTypeOf(cast);
    if (!l_is_vector_type(t) || LLVMGetVectorSize(t) != w->lanes) return false;
    unsigned lane;
    for (LLVMUseRef u = LLVMGetFirstUse(cast); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef x = LLVMGetUser(u);
        if (!LLVMIsAExtractElementInst(x) || !constant_lane(w, LLVMGetOperand(x, 1), &lane)) return false;
        take(w, x, lane);
    }
    return true;
}

/* A lane taken out: a number, unless all that is done with it is to take its bits. */
static bool note_extract(wide *w, LLVMValueRef extract) {
    unsigned lane;
    if (!constant_lane(w, LLVMGetOperand(extract, 1), &lane)) return false;
    for (LLVMUseRef u = LLVMGetFirstUse(extract); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef x = LLVMGetUser(u);
        if (is_bits_of(x, LLVMTypeOf(extract)))
            take(w, x, lane);
        else
            w->as_number[lane] = true;
    }
    return true;
}

static void note_shuffle(wide *w, LLVMValueRef shuffle) {
    for (unsigned k = 0; k < 2; k++) {
        if (LLVMGetOperand(shuffle, k) != w->load) continue;
        for (unsigned j = 0; j < LLVMGetNumMaskElements(shuffle); j++) {
            int m = LLVMGetMaskValue(shuffle, j) - (int)(k * w->lanes);
            if (m >= 0 && m < (int)w->lanes) w->as_number[m] = true;
        }
    }
}

/* Whether some lanes are used as integers alone, or the load has the form of one that was widened: of the first lane, to
 * the least width of a register. False also where it cannot be told which lanes are used. */
static bool is_mixed(wide *w) {
    for (LLVMUseRef u = LLVMGetFirstUse(w->load); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef x = LLVMGetUser(u);
        if (LLVMIsAShuffleVectorInst(x))
            note_shuffle(w, x);
        else if (LLVMIsABitCastInst(x) ? !note_cast(w, x)
                                       : !LLVMIsAExtractElementInst(x) || !note_extract(w, x))
            return false;
    }
    bool integers = false, widened = w->as_number[0] && w->lanes * w->bytes == WIDENED;
    for (unsigned l = 0; l < w->lanes; l++) {
        if (w->as_integer[l] && w->as_number[l]) return false;
        integers |= w->as_integer[l];
        widened &= !l || !w->as_number[l];
    }
    return integers || widened;
}

static LLVMValueRef load_lane(const wide *w, LLVMBuilderRef b, LLVMTypeRef t, unsigned lane) {
    uint64_t at = lane * w->bytes;
    unsigned align = LLVMGetAlignment(w->load);
    while (align > 1 && at % align) align /= 2;
    LLVMValueRef p = LLVMGetOperand(w->load, 0),
                 from = at ? l_offset(b, p, l_i64(w->job->context, at), "") : p,
                 made = LLVMBuildLoad2(b, t, from, "");
    LLVMSetAlignment(made, align);
    return made;
}

/* An integer that is only made a pointer of is loaded as one. */
static void replace_part(const wide *w, LLVMBuilderRef b, const part *p) {
    LLVMValueRef whole = NULL, next_user;
    for (LLVMUseRef u = LLVMGetFirstUse(p->value), next; u; u = next) {
        next = LLVMGetNextUse(u);
        next_user = LLVMGetUser(u);
        if (!LLVMIsAIntToPtrInst(next_user)) continue;
        LLVMReplaceAllUsesWith(next_user, load_lane(w, b, LLVMTypeOf(next_user), p->lane));
        LLVMInstructionEraseFromParent(next_user);
    }
    if (!LLVMGetFirstUse(p->value)) return;
    whole = load_lane(w, b, LLVMTypeOf(p->value), p->lane);
    LLVMReplaceAllUsesWith(p->value, whole);
}

static void split(wide *w, LLVMBuilderRef b) {
    l_after(b, w->load);
    for (size_t i = 0; i < w->parts.n; i++) replace_part(w, b, &w->parts.at[i]);
    LLVMTypeRef t = LLVMTypeOf(w->load);
    LLVMValueRef all = l_one(t);
    for (unsigned l = 0; l < w->lanes; l++)
        if (w->as_number[l])
            all = LLVMBuildInsertElement(b, all, load_lane(w, b, LLVMGetElementType(t), l),
                                         l_i32(w->job->context, l), "");
    LLVMReplaceAllUsesWith(w->load, all);
    LLVMInstructionEraseFromParent(w->load);
}

/* A variable of numbers alone: loads of its parts would only keep it in memory. */
static bool is_of_numbers(LLVMValueRef load) {
    LLVMValueRef object = cfx_underlying(LLVMGetOperand(load, 0));
    return LLVMIsAAllocaInst(object) && l_is_number_type(LLVMGetAllocatedType(object));
}

static bool is_candidate(LLVMValueRef i) {
    return LLVMIsALoadInst(i) && !LLVMGetVolatile(i) && l_is_vector_type(LLVMTypeOf(i)) &&
           l_is_float_type(LLVMGetElementType(LLVMTypeOf(i))) &&
           LLVMGetVectorSize(LLVMTypeOf(i)) <= MOST_LANES && !is_of_numbers(i);
}

void cf_load_parts(cf_job *job, LLVMValueRef function, void *unused) {
    (void)unused;
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    LLVMValueRef next;
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_candidate(i)) continue;
            wide w = {.job = job, .load = i, .lanes = LLVMGetVectorSize(LLVMTypeOf(i))};
            w.bytes = l_size(job->module, LLVMGetElementType(LLVMTypeOf(i)));
            if (is_mixed(&w)) split(&w, b);
        }
    LLVMDisposeBuilder(b);
}
