/* Jumps through labels as values become comparisons with the labels.
 *
 * In:     a function
 * Out:    the same without indirectbr: if (target == &&a) goto a; if (target == &&b) goto b; … goto the last one
 * Keeps:  what the labels' addresses are used for otherwise        Breaks: views of the function; loops in normal form
 *
 * Idea: no block can be put on an edge of an indirectbr, so a loop with such edges can have no preheader and no exits of
 * its own. Edges of branches can be split. */
#include "ir/labels.h"
#include "llvm/l.h"
#include "support/vec.h"

typedef CF_VEC(LLVMBasicBlockRef) blocks;

static blocks targets_of(cf_job *job, LLVMValueRef jump) {
    blocks targets = {0};
    cf_map seen = {0};
    for (unsigned i = 0; i < LLVMGetNumSuccessors(jump); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(jump, i);
        if (cf_map_get(&seen, to)) continue;
        cf_map_put(job->arena, &seen, to, to);
        cf_push(job->arena, &targets, to);
    }
    return targets;
}

/* A phi anew: what came from block `from`, by however many edges, comes once, from `now`. */
static void come_from(LLVMBuilderRef b, LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef now) {
    LLVMPositionBuilderBefore(b, phi);
    LLVMValueRef made = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
    bool came = false;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef in = LLVMGetIncomingValue(phi, i);
        if (block == from && came) continue;
        came |= block == from;
        if (block == from) block = now;
        LLVMAddIncoming(made, &in, &block, 1);
    }
    LLVMReplaceAllUsesWith(phi, made);
    LLVMInstructionEraseFromParent(phi);
}

static void enter_from(LLVMBuilderRef b, LLVMBasicBlockRef to, LLVMBasicBlockRef from,
                       LLVMBasicBlockRef now) {
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = next) {
        next = LLVMGetNextInstruction(i);
        come_from(b, i, from, now);
    }
}

static void replace(cf_job *job, LLVMBuilderRef b, LLVMValueRef jump) {
    LLVMBasicBlockRef from = LLVMGetInstructionParent(jump), at = from;
    LLVMValueRef f = LLVMGetBasicBlockParent(from), target = LLVMGetOperand(jump, 0);
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(jump);
    blocks targets = targets_of(job, jump);
    LLVMInstructionEraseFromParent(jump);
    for (size_t i = 0; i < targets.n; i++) {
        LLVMBasicBlockRef to = targets.at[i], other = NULL;
        bool last = i + 1 == targets.n;
        enter_from(b, to, from, at);
        LLVMPositionBuilderAtEnd(b, at);
        LLVMSetCurrentDebugLocation2(b, place);
        if (!last) other = LLVMAppendBasicBlockInContext(job->context, f, "labels");
        last
            ? LLVMBuildBr(b, to)
            : LLVMBuildCondBr(b, LLVMBuildICmp(b, LLVMIntEQ, target, LLVMBlockAddress(f, to), ""), to, other);
        at = other;
    }
    if (targets.n) return;
    LLVMPositionBuilderAtEnd(b, from);
    LLVMBuildUnreachable(b);
}

void cf_compare_labels(cf_job *job, LLVMValueRef function) {
    CF_VEC(LLVMValueRef) jumps = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef t = LLVMGetBasicBlockTerminator(b);
        if (LLVMGetInstructionOpcode(t) == LLVMIndirectBr) cf_push(job->arena, &jumps, t);
    }
    LLVMBuilderRef b = LLVMCreateBuilderInContext(job->context);
    for (size_t i = 0; i < jumps.n; i++) replace(job, b, jumps.at[i]);
    LLVMDisposeBuilder(b);
}
