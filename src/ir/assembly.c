/* Portable: inline assembly of one instruction of x86 that computes with floating numbers, in AT&T syntax, as libraries write
 * it where they want an instruction and not what the compiler makes of an intrinsic.
 *
 * Assembly without an instruction is a value that the optimiser must not see through, which has a name, too.
 * Anything else stays: several instructions, memory operands, other syntax. */
#include "ir/lanes.h"
#include "ir/portable.h"
#include "llvm/l.h"
#include <ctype.h>

/* ---- the text ---- */

enum { MOST_OPERANDS = 4 };

typedef struct instruction {
    char name[16];
    unsigned n, operand[MOST_OPERANDS]; /* numbers of operands, in the order of the text */
} instruction;

static const char *skip_space(const char *s) {
    while (isspace((unsigned char)*s)) s++;
    return s;
}

/* `$1` or `${1:q}`, the place after it in *s. */
static bool read_operand(const char **s, unsigned *number) {
    if (*(*s)++ != '$') return false;
    bool braces = **s == '{';
    *s += braces;
    if (!isdigit((unsigned char)**s)) return false;
    *number = (unsigned)(*(*s)++ - '0');
    if (!braces) return !isdigit((unsigned char)**s);
    *s = strchr(*s, '}');
    return *s && *(*s)++ == '}';
}

/* `name operand, operand`, one line. */
static bool read_instruction(const char *s, instruction *i) {
    s = skip_space(s);
    size_t length = strcspn(s, " \t");
    if (!length || length >= sizeof i->name) return false;
    memcpy(i->name, s, length);
    i->name[length] = 0;
    s = skip_space(s + length);
    for (i->n = 0; i->n < MOST_OPERANDS;) {
        if (!read_operand(&s, &i->operand[i->n++])) return false;
        s = skip_space(s);
        if (*s != ',') break;
        s = skip_space(s + 1);
    }
    return *skip_space(s + (*s == ';')) == 0;
}

/* ---- the operands ---- */

/* What operand 0, the result, holds before; operand k > 0 is argument k - 1. "=x,x,0": argument 1 is tied to the result. */
typedef struct operands {
    LLVMValueRef call;
    int tied; /* argument that is in the result's register, or -1 */
} operands;

/* One result in a register, arguments in registers, nothing else but clobbers of flags. */
static bool read_constraints(const char *s, LLVMValueRef call, operands *o) {
    char text[128];
    *o = (operands){call, -1};
    if (strlen(s) >= sizeof text) return false;
    strcpy(text, s);
    int at = -1;
    for (char *word = text, *next; word; word = next, at++) {
        next = strchr(word, ',');
        if (next) *next++ = 0;
        if (*word == '~') continue;
        if (strchr(word, '*') || strchr(word, 'm')) return false;
        if (at < 0 && *word != '=') return false;
        if (at >= 0 && *word == '=') return false;
        if (at >= 0 && strcmp(word, "0") == 0) o->tied = at;
    }
    return true;
}

static LLVMValueRef value_of(const operands *o, unsigned number) {
    int k = number == 0 ? o->tied : (int)number - 1;
    if (k < 0 || k >= (int)LLVMGetNumArgOperands(o->call)) return NULL;
    LLVMValueRef v = LLVMGetOperand(o->call, (unsigned)k);
    return LLVMTypeOf(v) == LLVMTypeOf(o->call) ? v : NULL;
}

/* ---- assembly that does nothing ---- */

/* Text without an instruction hides a value from the optimiser, in its register or in memory: "=x,0", "=*m,0". */
static LLVMValueRef hidden(LLVMBuilderRef b, LLVMValueRef call) {
    size_t n;
    const char *s = LLVMGetInlineAsmConstraintString(LLVMGetCalledValue(call), &n);
    bool memory = l_begins(s, "=*");
    const char *comma = strchr(s, ',');
    if (LLVMGetNumArgOperands(call) != 1u + memory || *s != '=' || !comma || comma[1] != '0') return NULL;
    for (const char *word = strchr(comma + 1, ','); word; word = strchr(word + 1, ','))
        if (word[1] != '~') return NULL;
    LLVMValueRef x = LLVMGetOperand(call, memory);
    LLVMTypeRef t = LLVMTypeOf(x);
    if (!cf_bits_type(t) || (!memory && LLVMTypeOf(call) != t)) return NULL;
    x = l_call(b, l_intrinsic(l_module_of(call), "llvm.arithmetic.fence", &t, 1), &x, 1, "");
    return memory ? LLVMBuildStore(b, x, LLVMGetOperand(call, 0)) : x;
}

/* ---- the operations ---- */

enum { MAX = -1, MIN = -2, SQRT = -3, FMA = -4 };

static const struct operation {
    const char *name;
    int how; /* an opcode, or one of these */
} table[] = {
    {"add", LLVMFAdd}, {"sub", LLVMFSub}, {"mul", LLVMFMul}, {"div", LLVMFDiv}, {"max", MAX},    {"min", MIN},
    {"sqrt", SQRT},    {"fmadd", FMA},    {"fnmadd", FMA},   {"fmsub", FMA},    {"fnmsub", FMA},
};

static const struct operation *operation_of(const char *name, size_t n) {
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strlen(table[i].name) == n && !strncmp(table[i].name, name, n)) return &table[i];
    return NULL;
}

static LLVMValueRef compute(LLVMBuilderRef b, LLVMValueRef call, int how, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef t = LLVMTypeOf(y);
    if (how == SQRT) return l_call(b, l_intrinsic(l_module_of(call), "llvm.sqrt", &t, 1), &y, 1, "");
    if (how >= 0) return LLVMBuildBinOp(b, (LLVMOpcode)how, x, y, "");
    return LLVMBuildSelect(b, LLVMBuildFCmp(b, how == MAX ? LLVMRealOGT : LLVMRealOLT, x, y, ""), x, y, "");
}

/* 132, 213, 231: which of the operands, the result first, are multiplied, and which one is added. */
static LLVMValueRef fused(LLVMBuilderRef b, LLVMValueRef call, const char *name, const char *order,
                          const LLVMValueRef *operand) {
    LLVMValueRef a[3];
    for (unsigned i = 0; i < 3; i++) {
        if (order[i] < '1' || order[i] > '3') return NULL;
        a[i] = operand[order[i] - '1'];
    }
    if (name[1] == 'n') a[0] = LLVMBuildFNeg(b, a[0], "");
    if (strstr(name, "sub")) a[2] = LLVMBuildFNeg(b, a[2], "");
    LLVMTypeRef t = LLVMTypeOf(call);
    return l_call(b, l_intrinsic(l_module_of(call), "llvm.fma", &t, 1), a, 3, "");
}

/* The lanes of the type are those that the instruction's suffix works on, and all of them. */
static bool fits(const char *suffix, LLVMTypeRef t) {
    LLVMTypeKind kind = LLVMGetTypeKind(cf_lane_type(t));
    bool packed = suffix[0] == 'p',
         right = suffix[1] == 'd' ? kind == LLVMDoubleTypeKind : kind == LLVMFloatTypeKind;
    return right && packed == l_is_vector_type(t);
}

LLVMValueRef cf_portable_assembly(LLVMBuilderRef b, LLVMValueRef call) {
    LLVMValueRef assembly = LLVMGetCalledValue(call), v[MOST_OPERANDS];
    size_t n;
    instruction i;
    operands o;
    if (!*skip_space(LLVMGetInlineAsmAsmString(assembly, &n))) return hidden(b, call);
    if (LLVMGetInlineAsmDialect(assembly) != LLVMInlineAsmDialectATT ||
        !read_instruction(LLVMGetInlineAsmAsmString(assembly, &n), &i) ||
        !read_constraints(LLVMGetInlineAsmConstraintString(assembly, &n), call, &o))
        return NULL;
    bool vex = i.name[0] == 'v';
    const char *name = i.name + vex, *end = name + strlen(name);
    if (end - name < 5 || !fits(end - 2, LLVMTypeOf(call)) || i.operand[i.n - 1] != 0) return NULL;
    for (unsigned k = 0; k + 1 < i.n; k++)
        if (!(v[k] = value_of(&o, i.operand[k]))) return NULL;
    const struct operation *op = operation_of(name, (size_t)(end - name) - 2);
    if (!op) op = isdigit((unsigned char)end[-3]) ? operation_of(name, (size_t)(end - name) - 5) : NULL;
    if (!op) return NULL;
    /* The text ends with the result, and before it names what is on the left. */
    LLVMValueRef before = value_of(&o, 0);
    if (op->how == FMA) {
        if (!vex || i.n != 3 || !before || !isdigit((unsigned char)end[-3])) return NULL;
        return fused(b, call, name, end - 5, (LLVMValueRef[]){before, v[1], v[0]});
    }
    if (op->how == SQRT) return i.n == 2 ? compute(b, call, SQRT, NULL, v[0]) : NULL;
    if (i.n != (vex ? 3u : 2u) || (!vex && !before)) return NULL;
    return compute(b, call, op->how, vex ? v[1] : before, v[0]);
}
