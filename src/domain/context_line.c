/* The event `line`: in front of the first instruction of each source line, with the values of the variables that are in
 * scope there.
 *
 * Idea: at -g the front end says of each variable where it lives (a declare record on its stack slot, which clang turns
 * into assign records above -O0). A line begins where an instruction's line differs from that of the instruction before
 * it; at the start of a block, from that of the end of some predecessor. In the block that declares it a variable is not
 * there yet on the line of its declaration. */
#include "domain/context_body.h"
#include "llvm/cfx.h"
#include "llvm/records.h"

typedef struct cf_variable {
    LLVMValueRef slot;
    LLVMBasicBlockRef made_in; /* NULL: a parameter */
    LLVMMetadataRef scope;
    const char *name;
    unsigned line;
} cf_variable;

/* ---- variables ---- */

static LLVMMetadataRef operand(cf_body *b, LLVMMetadataRef node, unsigned i) {
    LLVMValueRef v = LLVMMetadataAsValue(b->job->context, node), parts[16];
    unsigned n = LLVMGetMDNodeNumOperands(v);
    if (i >= n || n > 16) return NULL;
    LLVMGetMDNodeOperands(v, parts);
    return parts[i] ? LLVMValueAsMetadata(parts[i]) : NULL;
}

static const char *intrinsic(LLVMValueRef i) {
    LLVMValueRef f = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
    return f && LLVMIsAFunction(f) && l_is_intrinsic(f) ? l_name(f) : "";
}

/* The block where a variable begins to be. */
static LLVMBasicBlockRef made_in(LLVMValueRef slot, LLVMValueRef record) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(record);
    for (LLVMUseRef u = LLVMGetFirstUse(slot); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAStoreInst(user) && LLVMIsAArgument(LLVMGetOperand(user, 0))) return NULL;
        if (l_begins(intrinsic(user), "llvm.lifetime.start")) block = LLVMGetInstructionParent(user);
    }
    return block;
}

static void add_variable(cf_body *b, LLVMValueRef slot, LLVMMetadataRef variable, LLVMValueRef record) {
    enum { SCOPE, NAME };
    LLVMMetadataRef name = operand(b, variable, NAME);
    if (!name || !slot || !LLVMIsAAllocaInst(slot)) return;
    for (size_t i = 0; i < cf_within_of(b)->variables.n; i++)
        if (cf_within_of(b)->variables.at[i]->slot == slot) return;
    unsigned n;
    const char *text = LLVMGetMDString(LLVMMetadataAsValue(b->job->context, name), &n);
    if (!text) return;
    cf_variable *v = CF_NEW(b->job->arena, cf_variable);
    *v = (cf_variable){slot, made_in(slot, record), operand(b, variable, SCOPE),
                       cf_copy_text(b->job->arena, text, n), LLVMDIVariableGetLine(variable)};
    cf_push(b->job->arena, &cf_within_of(b)->variables, v);
}

static void add_intrinsic(cf_body *b, LLVMValueRef i) {
    bool declare = l_begins(intrinsic(i), "llvm.dbg.declare");
    if (!declare && !l_begins(intrinsic(i), "llvm.dbg.assign")) return;
    LLVMValueRef slot = NULL;
    LLVMGetMDNodeOperands(LLVMGetOperand(i, declare ? 0 : 4), &slot);
    add_variable(b, slot, LLVMValueAsMetadata(LLVMGetOperand(i, 1)), i);
}

static void find_variables(cf_body *b) {
    cf_within_of(b)->searched = true;
    for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(b->clone.from); k; k = LLVMGetNextBasicBlock(k))
        for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i)) {
            add_intrinsic(b, i);
            for (l_record_ref r = l_first_record(i); r; r = l_next_record(r)) {
                l_record one;
                if (!l_read_record(r, &one)) continue;
                add_variable(b, one.declare ? one.value : cfx_record_address(r), one.variable, i);
            }
        }
}

static bool in_scope(cf_body *b, const cf_variable *v, LLVMValueRef i) {
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(i), scope = LLVMDILocationGetScope(at);
    unsigned line = LLVMDILocationGetLine(at);
    if (v->line > line || (v->line == line && v->made_in == LLVMGetInstructionParent(i))) return false;
    for (int depth = 0; scope && depth < 256; depth++) {
        if (scope == v->scope) return true;
        if (LLVMGetMetadataKind(scope) == LLVMDISubprogramMetadataKind) return false;
        scope = operand(b, scope, 1);
    }
    return false;
}

/* What a hook gets of a variable: its value, or where it lies when it is an array or a struct. */
static LLVMValueRef value_of(cf_body *b, const cf_variable *v) {
    LLVMValueRef slot = cf_now(b, v->slot);
    LLVMTypeRef t = LLVMGetAllocatedType(v->slot);
    if (l_is_aggregate_type(t)) return slot;
    return LLVMBuildLoad2(b->builder, t, slot, "");
}

static const char *add_values(cf_body *b, cf_happening *e, LLVMValueRef *values) {
    cf_within *w = cf_within_of(b);
    const char *names = "";
    if (!w->searched) find_variables(b);
    for (size_t i = 0; i < w->variables.n && e->n < 64; i++) {
        cf_variable *v = w->variables.at[i];
        if (!in_scope(b, v, e->at)) continue;
        values[e->n] = value_of(b, v);
        e->operand[e->n] = LLVMTypeOf(values[e->n]);
        names = cf_text(b->job->arena, "%s%s%s", names, e->n ? "," : "", v->name);
        e->n++;
    }
    return names;
}

/* ---- lines ---- */

/* What only tells the compiler something is on no line, nor is what has to be the first of its block. */
static bool is_note(LLVMValueRef i) {
    return LLVMIsAPHINode(i) || LLVMIsALandingPadInst(i) || l_begins(intrinsic(i), "llvm.dbg.") ||
           l_begins(intrinsic(i), "llvm.lifetime.");
}

static unsigned line_of(LLVMValueRef i) {
    LLVMMetadataRef at = i && !is_note(i) ? LLVMInstructionGetDebugLoc(i) : NULL;
    return at ? LLVMDILocationGetLine(at) : 0;
}

/* The line of the last instruction in front of i, in its block, that has one. */
static unsigned line_before(LLVMValueRef i) {
    for (LLVMValueRef p = LLVMGetPreviousInstruction(i); p; p = LLVMGetPreviousInstruction(p))
        if (line_of(p)) return line_of(p);
    return 0;
}

static unsigned last_line(LLVMBasicBlockRef block) {
    LLVMValueRef last = LLVMGetLastInstruction(block);
    unsigned line = line_of(last);
    return line ? line : line_before(last);
}

static bool comes_from_line(LLVMBasicBlockRef block, unsigned line) {
    bool any = false;
    LLVMValueRef v = LLVMBasicBlockAsValue(block);
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef end = LLVMGetUser(u);
        if (!LLVMIsATerminatorInst(end)) continue;
        if (last_line(LLVMGetInstructionParent(end)) != line) return false;
        any = true;
    }
    return any;
}

static bool begins_line(LLVMValueRef i) {
    unsigned line = line_of(i), before = line_before(i);
    if (!line || before == line) return false;
    return before || !comes_from_line(LLVMGetInstructionParent(i), line);
}

void cf_event_line(cf_body *b, LLVMValueRef i) {
    cf_within *w = cf_within_of(b);
    if (!w->works || !w->hooks || !cf_wants_lines(w->context) || !begins_line(i)) return;
    LLVMValueRef values[64];
    cf_happening e = {.at = i, .line = true, .what = "line"};
    e.result = e.type = LLVMVoidTypeInContext(b->job->context);
    cf_stand_before(b, cf_now(b, i));
    e.names = add_values(b, &e, values);
    cf_event_pre(b, &e, values);
}
