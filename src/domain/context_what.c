/* What a hook or an override is for: reads the text, and compares it with what happens in a program. */
#include "domain/context.h"
#include "dub/callback.h"
#include "llvm/l.h"
#include <fnmatch.h>

/* Of the C++ runtime that LLVM brings along. */
extern char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

/* ---- opcodes ---- */

static const struct {
    LLVMOpcode op;
    unsigned classes;
    const char *name;
} opcodes[] = {
    {LLVMFAdd, CF_CLASS_FP, "fadd"},
    {LLVMFSub, CF_CLASS_FP, "fsub"},
    {LLVMFMul, CF_CLASS_FP, "fmul"},
    {LLVMFDiv, CF_CLASS_FP, "fdiv"},
    {LLVMFRem, CF_CLASS_FP, "frem"},
    {LLVMFNeg, CF_CLASS_FP, "fneg"},
    {LLVMAdd, CF_CLASS_INT, "add"},
    {LLVMSub, CF_CLASS_INT, "sub"},
    {LLVMMul, CF_CLASS_INT, "mul"},
    {LLVMUDiv, CF_CLASS_INT, "udiv"},
    {LLVMSDiv, CF_CLASS_INT, "sdiv"},
    {LLVMURem, CF_CLASS_INT, "urem"},
    {LLVMSRem, CF_CLASS_INT, "srem"},
    {LLVMShl, CF_CLASS_INT, "shl"},
    {LLVMLShr, CF_CLASS_INT, "lshr"},
    {LLVMAShr, CF_CLASS_INT, "ashr"},
    {LLVMAnd, CF_CLASS_INT, "and"},
    {LLVMOr, CF_CLASS_INT, "or"},
    {LLVMXor, CF_CLASS_INT, "xor"},
    {LLVMICmp, CF_CLASS_COMPARE, "icmp"},
    {LLVMFCmp, CF_CLASS_COMPARE, "fcmp"},
    {LLVMTrunc, CF_CLASS_CAST, "trunc"},
    {LLVMZExt, CF_CLASS_CAST, "zext"},
    {LLVMSExt, CF_CLASS_CAST, "sext"},
    {LLVMFPToUI, CF_CLASS_CAST, "fptoui"},
    {LLVMFPToSI, CF_CLASS_CAST, "fptosi"},
    {LLVMUIToFP, CF_CLASS_CAST, "uitofp"},
    {LLVMSIToFP, CF_CLASS_CAST, "sitofp"},
    {LLVMFPTrunc, CF_CLASS_CAST, "fptrunc"},
    {LLVMFPExt, CF_CLASS_CAST, "fpext"},
    {LLVMPtrToInt, CF_CLASS_CAST, "ptrtoint"},
    {LLVMIntToPtr, CF_CLASS_CAST, "inttoptr"},
    {LLVMBitCast, CF_CLASS_CAST, "bitcast"},
    {LLVMAddrSpaceCast, CF_CLASS_CAST, "addrspacecast"},
    {LLVMBr, CF_CLASS_BRANCH, "br"},
    {LLVMSwitch, CF_CLASS_BRANCH, "switch"},
    {LLVMIndirectBr, CF_CLASS_BRANCH, "indirectbr"},
    {LLVMLoad, CF_CLASS_MEMORY, "load"},
    {LLVMStore, CF_CLASS_MEMORY, "store"},
    {LLVMAtomicRMW, CF_CLASS_MEMORY, "atomicrmw"},
    {LLVMAtomicCmpXchg, CF_CLASS_MEMORY, "cmpxchg"},
    {LLVMFence, 0, "fence"},
    {LLVMAlloca, 0, "alloca"},
    {LLVMGetElementPtr, 0, "getelementptr"},
    {LLVMSelect, 0, "select"},
    {LLVMRet, 0, "ret"},
    {LLVMFreeze, 0, "freeze"},
    {LLVMVAArg, 0, "va_arg"},
    {LLVMExtractElement, 0, "extractelement"},
    {LLVMInsertElement, 0, "insertelement"},
    {LLVMShuffleVector, 0, "shufflevector"},
    {LLVMExtractValue, 0, "extractvalue"},
    {LLVMInsertValue, 0, "insertvalue"},
    {LLVMResume, 0, "resume"},
    {LLVMUnreachable, 0, "unreachable"},
};
#define COUNT(a) (sizeof(a) / sizeof *(a))

static const char *opcode_name(LLVMOpcode op, unsigned *classes) {
    for (size_t i = 0; i < COUNT(opcodes); i++) {
        if (opcodes[i].op != op) continue;
        *classes = opcodes[i].classes | CF_CLASS_OP;
        return opcodes[i].name;
    }
    return NULL;
}

const char *cf_opcode_named(const char *name, unsigned *classes) {
    for (size_t i = 0; i < COUNT(opcodes); i++) {
        if (strcmp(opcodes[i].name, name) != 0) continue;
        *classes = opcodes[i].classes | CF_CLASS_OP;
        return opcodes[i].name;
    }
    return NULL;
}

static unsigned class_of(const char *name) {
    static const struct {
        const char *name;
        unsigned classes;
    } all[] = {
        {"fp", CF_CLASS_FP},     {"int", CF_CLASS_INT},       {"compare", CF_CLASS_COMPARE},
        {"cast", CF_CLASS_CAST}, {"branch", CF_CLASS_BRANCH}, {"memory", CF_CLASS_MEMORY},
        {"op", CF_CLASS_OP},
    };
    for (size_t i = 0; i < COUNT(all); i++)
        if (!strcmp(all[i].name, name)) return all[i].classes;
    return 0;
}

/* ---- reading ---- */

/* `key=rest` → rest. */
static const char *value_of(const char *word, const char *key) {
    size_t n = strlen(key);
    return !strncmp(word, key, n) && word[n] == '=' && word[n + 1] ? word + n + 1 : NULL;
}

/* A word behind the first. */
static const char *read_word(cf_arena *a, const char *word, cf_what *w) {
    const char *v;
    if ((v = value_of(word, "type")))
        w->type = v;
    else if ((v = value_of(word, "in")))
        w->in = v;
    else if ((v = value_of(word, "file")))
        w->file = v;
    else if (!strcmp(word, "body=yes") || !strcmp(word, "body=no"))
        w->body = word[5] == 'y' ? 1 : -1;
    else if (!strcmp(word, "site=yes") || !strcmp(word, "site=no"))
        w->site = word[5] == 'y' ? 1 : -1;
    else if (w->kind == CF_WHAT_CALL && !w->name && !strchr(word, '='))
        w->name = word;
    else
        return cf_text(a,
                       "`%s` is no word of it: type=, in=, file=, body=yes, body=no, site=yes, site=no, or "
                       "after `call` the names of functions",
                       word);
    if (w->body && w->kind != CF_WHAT_CALL) return "body= is for calls";
    if (w->type && !w->classes) return "type= is for operations";
    return NULL;
}

static const char *read_event(cf_arena *a, const char *word, cf_what *w) {
    w->name = NULL;
    if (!strcmp(word, "call")) {
        w->kind = CF_WHAT_CALL;
    } else if (!strcmp(word, "line")) {
        w->kind = CF_WHAT_LINE;
    } else if (!strcmp(word, "callback")) {
        w->kind = CF_WHAT_CALLBACK;
    } else if ((w->classes = class_of(word))) {
        w->kind = CF_WHAT_CLASS;
    } else if (cf_opcode_named(word, &w->classes)) {
        w->kind = CF_WHAT_OPCODE;
        w->name = word;
    } else {
        return cf_text(
            a,
            "`%s` is neither an operation of LLVM's (fadd, load, …), nor a class (fp, int, compare, "
            "cast, branch, memory, op), nor `call`, `callback` or `line`; a function stands without quotes, "
            "or "
            "after `call`",
            word);
    }
    return NULL;
}

/* Spaces within brackets belong to a type: they are another byte while words are taken apart. */
static void change_inner(char *text, char from, char to) {
    int depth = 0;
    for (char *s = text; *s; s++) {
        depth += (strchr("<{[", *s) != NULL) - (strchr(">}]", *s) != NULL);
        if (*s == from && depth > 0) *s = to;
    }
}

const char *cf_what_read(cf_arena *a, const char *text, cf_what *out) {
    size_t n = strlen(text);
    *out = (cf_what){.text = text, .kind = CF_WHAT_FUNCTION, .name = text};
    if (!n) return "it is not said what this is for";
    if (text[0] != '"') return NULL;
    if (n < 2 || text[n - 1] != '"') return "the text does not end";
    char *copy = cf_copy_text(a, text + 1, n - 2), *rest = NULL;
    out->text = cf_copy_text(a, text + 1, n - 2);
    change_inner(copy, ' ', '\1');
    char *word = strtok_r(copy, " \t", &rest);
    if (!word) return "it is not said what this is for";
    const char *wrong = read_event(a, word, out);
    while (!wrong && (word = strtok_r(NULL, " \t", &rest))) {
        change_inner(word, '\1', ' ');
        wrong = read_word(a, word, out);
    }
    return wrong;
}

bool cf_what_ends_block(const cf_what *w) {
    static const char *const ends[] = {"br", "switch", "indirectbr", "ret", "resume", "unreachable"};
    if (w->kind == CF_WHAT_CLASS) return w->classes == CF_CLASS_BRANCH;
    for (size_t i = 0; w->kind == CF_WHAT_OPCODE && i < COUNT(ends); i++)
        if (!strcmp(w->name, ends[i])) return true;
    return false;
}

bool cf_globs(const char *globs, const char *name) {
    char one[512];
    for (const char *at = globs; *at;) {
        size_t n = strcspn(at, ",");
        if (n && n < sizeof one) {
            memcpy(one, at, n);
            one[n] = 0;
            if (!fnmatch(one, name, 0)) return true;
        }
        at += n + (at[n] == ',');
    }
    return false;
}

/* ---- names ---- */

/* When files are linked into one module, a local function whose name is taken gets a number behind it. */
static const char *without_number(cf_job *job, LLVMValueRef f, const char *name) {
    const char *dot = l_is_local(f) ? strrchr(name, '.') : NULL;
    bool number = dot && dot > name && dot[1] && !dot[1 + strspn(dot + 1, "0123456789")];
    return number ? cf_copy_text(job->arena, name, (size_t)(dot - name)) : name;
}

static const char *find_shown(cf_job *job, LLVMValueRef f) {
    LLVMAttributeRef a = l_get_text(f, "cf-name");
    unsigned n;
    if (a) {
        const char *text = LLVMGetStringAttributeValue(a, &n);
        return cf_copy_text(job->arena, text, n);
    }
    const char *name = l_shown(f);
    if (l_begins(name, "llvm.")) {
        name = cf_intrinsic_name(job, f);
        return name ? name : "";
    }
    if (*name == '\1') name++;
    name = without_number(job, f, name);
    if (!l_begins(name, "_Z")) return cf_copy_text(job->arena, name, strlen(name));
    int status = 0;
    char *plain = __cxa_demangle(name, NULL, NULL, &status);
    const char *copy = cf_copy_text(job->arena, plain ? plain : name, strlen(plain ? plain : name));
    free(plain);
    return copy;
}

const char *cf_shown_name(cf_job *job, cf_context *c, LLVMValueRef f) {
    const char *name = cf_map_get(&c->shown, f);
    if (name) return name;
    name = find_shown(job, f);
    cf_map_put(job->arena, &c->shown, f, (void *)(uintptr_t)name);
    return name;
}

const char *cf_file_of(LLVMValueRef at) {
    cf_place p = l_place(at);
    return p.file ? p.file : "";
}

const char *cf_type_text(cf_job *job, cf_context *c, LLVMTypeRef t) {
    const char *known = cf_map_get(&c->shown, t);
    if (known) return known;
    char *text = LLVMPrintTypeToString(t);
    known = cf_copy_text(job->arena, text, strlen(text));
    LLVMDisposeMessage(text);
    cf_map_put(job->arena, &c->shown, t, (void *)(uintptr_t)known);
    return known;
}

/* ---- what happens ---- */

bool cf_is_fused(LLVMValueRef at) {
    LLVMValueRef f = LLVMIsACallInst(at) ? l_callee(at) : NULL;
    return f && (l_is_intrinsic_of(f, "llvm.fmuladd") ||
                 l_is_intrinsic_of(f, "llvm.experimental.constrained.fmuladd"));
}

void cf_happening_half(cf_happening *h, LLVMValueRef fused, LLVMOpcode op) {
    *h = (cf_happening){.at = fused};
    h->what = opcode_name(op, &h->classes);
    h->type = h->result = h->operand[0] = h->operand[1] = LLVMTypeOf(fused);
    h->n = 2;
}

static bool describe_call(cf_job *job, cf_context *c, LLVMValueRef at, cf_happening *h) {
    LLVMValueRef called = LLVMGetCalledValue(at);
    if (LLVMIsAInlineAsm(called)) return false;
    h->callee = l_callee(at);
    if (h->callee && l_is_intrinsic(h->callee)) return cf_intrinsic_happening(job, c, at, h);
    h->call = true;
    h->callback = cf_calls_back(at);
    h->what = "";
    if (cf_is_through(at, called)) {
        h->callee = NULL;
    } else if (LLVMIsAFunction(called) || LLVMIsAGlobalAlias(called) || LLVMIsAGlobalIFunc(called)) {
        h->what = LLVMIsAFunction(called) ? cf_shown_name(job, c, called) : l_shown(called);
    } else if (cf_is_mark(called)) {
        return false;
    }
    h->result = LLVMTypeOf(at);
    h->type = h->result;
    unsigned n = LLVMGetNumArgOperands(at);
    if (n >= COUNT(h->operand)) return false;
    h->machine = l_begins(h->what, "cf.");
    for (unsigned i = 0; i < n; i++)
        if (!cf_is_hidden(at, i)) h->operand[h->n++] = LLVMTypeOf(LLVMGetOperand(at, i));
    return true;
}

static bool describe_operation(LLVMValueRef at, cf_happening *h) {
    LLVMOpcode op = LLVMGetInstructionOpcode(at);
    h->what = opcode_name(op, &h->classes);
    if (!h->what) return false;
    h->result = LLVMTypeOf(at);
    int n = LLVMGetNumOperands(at);
    if (op == LLVMBr && n != 3) return false; /* without a condition */
    if (op == LLVMBr || op == LLVMSwitch || op == LLVMIndirectBr) n = 1;
    if (n < 0 || (size_t)n > COUNT(h->operand)) return false;
    LLVMValueRef first = n ? LLVMGetOperand(at, 0) : NULL;
    if (op == LLVMBr) first = LLVMGetCondition(at);
    for (h->n = 0; h->n < (unsigned)n; h->n++) h->operand[h->n] = LLVMTypeOf(LLVMGetOperand(at, h->n));
    if (op == LLVMBr) h->operand[0] = LLVMTypeOf(first);
    bool of_operand = (h->classes & (CF_CLASS_COMPARE | CF_CLASS_BRANCH | CF_CLASS_CAST)) ||
                      op == LLVMStore || op == LLVMRet;
    h->type = of_operand && first ? LLVMTypeOf(first) : h->result;
    if (op == LLVMAlloca) h->type = LLVMGetAllocatedType(at);
    if (op == LLVMAtomicCmpXchg) h->type = h->operand[1];
    return true;
}

bool cf_happening_of(cf_job *job, cf_context *c, LLVMValueRef at, cf_happening *out) {
    *out = (cf_happening){.at = at};
    bool is_call = LLVMIsACallInst(at) || LLVMIsAInvokeInst(at);
    return is_call ? describe_call(job, c, at, out) : describe_operation(at, out);
}

/* ---- matching ---- */

static bool names_match(const cf_what *w, const cf_happening *e) {
    size_t n = w->name ? strlen(w->name) : 0;
    switch (w->kind) {
    case CF_WHAT_FUNCTION:
        if (!e->call || e->callback) return false;
        if (!strncmp(w->name, e->what, n) && (!e->what[n] || e->what[n] == '(')) return true;
        if (e->also && !strcmp(w->name, e->also)) return true;
        return e->callee && !strcmp(w->name, l_shown(e->callee));
    case CF_WHAT_CALL:
        if (!e->call || e->callback ||
            (w->body && (e->callee && !LLVMIsDeclaration(e->callee) ? 1 : -1) != w->body))
            return false;
        return !w->name || cf_globs(w->name, e->what) || (e->also && cf_globs(w->name, e->also));
    case CF_WHAT_OPCODE: return !e->call && !strcmp(w->name, e->what);
    case CF_WHAT_CLASS: return !e->call && (e->classes & w->classes);
    case CF_WHAT_LINE: return e->line;
    case CF_WHAT_CALLBACK: return e->callback;
    }
    return false;
}

static bool place_matches(cf_job *job, cf_context *c, const cf_what *w, const cf_happening *e) {
    if (w->in && (!e->at || !cf_globs(w->in, cf_shown_name(job, c, l_function_of(e->at))))) return false;
    if (!w->file) return true;
    bool defined = e->call && e->callee && !LLVMIsDeclaration(e->callee);
    if (!defined && !e->at) return false;
    return cf_globs(w->file, cf_file_of(defined ? e->callee : e->at));
}

static bool type_matches(cf_job *job, cf_context *c, const cf_what *w, const cf_happening *e) {
    return !w->type || !strcmp(w->type, cf_type_text(job, c, e->type));
}

bool cf_hook_matches(cf_job *job, cf_context *c, cf_hook *h, const cf_happening *e) {
    if (e->machine) return false;
    if (!names_match(&h->what, e) || !type_matches(job, c, &h->what, e) ||
        !place_matches(job, c, &h->what, e))
        return false;
    cf_form f = cf_form_of(h, e);
    bool fits = f.fits && !f.unclear;
    if (f.unclear)
        cf_report_unclear(job, c, h, e);
    else if (fits)
        h->matched = true;
    else if (h->what.kind == CF_WHAT_FUNCTION)
        cf_report_misfit(job, c, h, e);
    else if (!h->missed)
        cf_note_miss(job, c, h, e);
    return fits;
}

bool cf_any_matches(cf_job *job, cf_context *c, const cf_happening *e, bool hooks) {
    for (size_t i = 0; i < c->hook.n; i++) {
        cf_hook *h = &c->hook.at[i];
        bool wanted = hooks || h->kind == CF_HOOK_OVERDUB || h->kind == CF_HOOK_ENTER;
        if (wanted && cf_hook_matches(job, c, h, e)) return true;
    }
    return false;
}

bool cf_wants_lines(const cf_context *c) {
    for (size_t i = 0; i < c->hook.n; i++)
        if (c->hook.at[i].what.kind == CF_WHAT_LINE) return true;
    return false;
}

bool cf_overrides_by_place(const cf_context *c) {
    for (size_t i = 0; i < c->hook.n; i++)
        if (c->hook.at[i].kind == CF_HOOK_OVERDUB && (c->hook.at[i].what.in || c->hook.at[i].what.file))
            return true;
    return false;
}

/* The call, as if it named the function. */
static bool describe_pointed(cf_job *job, cf_context *c, LLVMValueRef at, LLVMValueRef f, cf_happening *e) {
    unsigned n = LLVMGetNumArgOperands(at), named = LLVMCountParams(f);
    *e = (cf_happening){.at = at, .call = true, .callee = f, .what = cf_shown_name(job, c, f)};
    if (n > COUNT(e->operand) || n < named || cf_is_machine(f)) return false;
    for (unsigned i = 0; i < n; i++)
        if (i >= named || !cf_is_hidden_parameter(f, i))
            e->operand[e->n++] = LLVMTypeOf(LLVMGetOperand(at, i));
    e->type = e->result = l_return_type(f);
    return true;
}

cf_hook *cf_override_of_pointed(cf_job *job, cf_context *c, LLVMValueRef at, LLVMValueRef f, bool *site) {
    cf_happening e;
    if (!describe_pointed(job, c, at, f, &e)) return NULL;
    for (size_t i = 0; i < c->hook.n; i++) {
        cf_hook *h = &c->hook.at[i];
        if (h->kind != CF_HOOK_OVERDUB || !cf_hook_matches(job, c, h, &e)) continue;
        *site = cf_form_of(h, &e).site;
        return h;
    }
    return NULL;
}
