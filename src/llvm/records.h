/* Locations of the user's variables, where LLVM versions differ: intrinsics up to LLVM 19 (which cannot read
 * records through llvm-c), records on instructions in LLVM 22.
 *
 * Around work that clones instructions: l_records_begin, … l_records_end. Both cost time by the size of the module
 * once, when its form really changes. */
#ifndef CF_L_RECORDS_H
#define CF_L_RECORDS_H
#include "llvm/l.h"

/* Brings the module into the form that l_record_… can copy. Returns what l_records_end wants back. */
static inline bool l_records_begin(LLVMModuleRef m) {
#if L_VERSION < 21
    bool was = LLVMIsNewDbgInfoFormat(m);
    if (was) LLVMSetIsNewDbgInfoFormat(m, false);
    return was;
#else
    (void)m;
    return true;
#endif
}
static inline void l_records_end(LLVMModuleRef m, bool was) {
#if L_VERSION < 21
    if (was) LLVMSetIsNewDbgInfoFormat(m, true);
#else
    (void)m, (void)was;
#endif
}

/* One variable location that hangs on an instruction. value: NULL when it has none that can be read. */
typedef struct l_record {
    bool declare;
    LLVMValueRef value;
    LLVMMetadataRef variable, expression, location;
} l_record;

#if L_VERSION >= 21
typedef LLVMDbgRecordRef l_record_ref;
static inline l_record_ref l_first_record(LLVMValueRef inst) { return LLVMGetFirstDbgRecord(inst); }
static inline l_record_ref l_next_record(l_record_ref r) { return LLVMGetNextDbgRecord(r); }
/* False for a label, which cannot be read. */
static inline bool l_read_record(l_record_ref r, l_record *to) {
    LLVMDbgRecordKind kind = LLVMDbgRecordGetKind(r);
    if (kind == LLVMDbgRecordLabel) return false;
    to->declare = kind == LLVMDbgRecordDeclare;
    to->value = LLVMDbgVariableRecordGetValue(r, 0);
    to->variable = LLVMDbgVariableRecordGetVariable(r);
    to->expression = LLVMDbgVariableRecordGetExpression(r);
    to->location = LLVMDbgRecordGetDebugLoc(r);
    return true;
}
static inline void l_add_record(LLVMDIBuilderRef d, const l_record *r, LLVMValueRef before) {
    if (r->declare)
        LLVMDIBuilderInsertDeclareRecordBefore(d, r->value, r->variable, r->expression, r->location, before);
    else
        LLVMDIBuilderInsertDbgValueRecordBefore(d, r->value, r->variable, r->expression, r->location, before);
}
#else
typedef void *l_record_ref;
static inline l_record_ref l_first_record(LLVMValueRef inst) { return (void)inst, NULL; }
static inline l_record_ref l_next_record(l_record_ref r) { return (void)r, NULL; }
static inline bool l_read_record(l_record_ref r, l_record *to) { return (void)r, (void)to, false; }
static inline void l_add_record(LLVMDIBuilderRef d, const l_record *r, LLVMValueRef before) {
    (void)d, (void)r, (void)before;
}
#endif

#endif
