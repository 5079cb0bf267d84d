/* Whole programs inside contexts: main, and the constructors and destructors of global objects.
 *
 * In:     the user's module, contexts
 * Out:    requests for these functions inside the contexts; when they are provided, a new main, and constructors that
 *         call what was provided
 * Keeps:  the functions themselves, under other names where they are not used any more
 *
 * Idea: the first of them that runs makes the contexts. What runs at the end is registered then, before anything that the
 * program registers itself, so that it runs after that: first destructors, then the ends of the contexts, the outermost
 * one last. */
#include "request/program.h"
#include "llvm/cfx.h"
#include "llvm/l.h"

/* ---- what there is to run ---- */

static const char *const lists[] = {"llvm.global_ctors", "llvm.global_dtors"};
enum { CONSTRUCTORS, DESTRUCTORS, LISTS };

/* One function of the program, and what is provided for it: by name, because handles of provided functions go stale. */
typedef struct part {
    LLVMValueRef function;
    const char *provided;
} part;

struct cf_program {
    cf_arena *arena;
    LLVMModuleRef module;
    cf_context *const *context;
    size_t n; /* contexts */
    CF_VEC(part) part;
    LLVMTypeRef pointer;
};

static LLVMValueRef entry_function(LLVMValueRef entry) {
    LLVMValueRef f = l_without_aliases(LLVMGetOperand(entry, 1));
    return LLVMIsAFunction(f) && !LLVMIsDeclaration(f) && !l_has_text(f, CF_OUTSIDE) ? f : NULL;
}

/* A destructor is called with nothing, a constructor with what main gets. */
static bool can_run(int list, LLVMValueRef f) { return list == CONSTRUCTORS || !LLVMCountParams(f); }

/* Declares what f is inside all contexts, and asks for it: inside the first, that inside the second, and so on. */
static void ask_for(cf_program *p, LLVMValueRef f, cf_place place, cf_requests *out) {
    for (size_t i = 0; i < p->part.n; i++)
        if (p->part.at[i].function == f) return;
    LLVMTypeRef type = l_function_type(f);
    unsigned n = LLVMCountParams(f), room = n + (unsigned)p->n;
    LLVMTypeRef *all = CF_ARRAY(p->arena, LLVMTypeRef, room + 1);
    LLVMGetParamTypes(type, all + p->n);
    for (size_t k = 0; k < p->n; k++) all[k] = p->pointer;
    LLVMValueRef inner = f;
    for (size_t k = 0; k < p->n; k++) {
        LLVMTypeRef *t = all + p->n - (k + 1);
        const char *name = cf_text(p->arena, "%s.%s", l_name(inner), p->context[k]->name);
        LLVMValueRef made = LLVMAddFunction(
            p->module, name, LLVMFunctionType(LLVMGetReturnType(type), t, n + (unsigned)k + 1, false));
        cf_request r = {.mode = CF_MODE_CONTEXT, .primal = inner, .provided = made, .place = place};
        r.context = p->context[k];
        r.internal = true;
        cf_push(p->arena, &out->request, r);
        inner = made;
    }
    cf_push(p->arena, &p->part, (part){f, cf_text(p->arena, "%s", l_name(inner))});
}

cf_program *cf_program_ask(cf_arena *a, LLVMModuleRef m, cf_sink *sink, cf_requests *out) {
    cf_program *p = CF_NEW(a, cf_program);
    cf_place place = out->program_place;
    *p = (cf_program){.arena = a, .module = m, .context = out->program.at, .n = out->program.n};
    p->pointer = LLVMPointerTypeInContext(LLVMGetModuleContext(m), 0);
    LLVMValueRef main = LLVMGetNamedFunction(m, "main");
    if (!main || LLVMIsDeclaration(main)) {
        cf_report(sink, CF_ERROR, place, NULL,
                  "there is no `main` in this unit: CF_PROGRAM belongs into the unit that has it");
        return NULL;
    }
    ask_for(p, main, place, out);
    for (int k = 0; k < LISTS; k++) {
        LLVMValueRef list = LLVMGetNamedGlobal(m, lists[k]), init = list ? LLVMGetInitializer(list) : NULL;
        for (int i = 0, count = init ? LLVMGetNumOperands(init) : 0; i < count; i++) {
            LLVMValueRef f = entry_function(LLVMGetOperand(init, (unsigned)i));
            if (f && can_run(k, f)) ask_for(p, f, place, out);
        }
    }
    return p;
}

/* ---- the contexts ---- */

static LLVMValueRef new_function(cf_program *p, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMAddFunction(p->module, name, type);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMAppendBasicBlockInContext(LLVMGetModuleContext(p->module), f, "entry");
    return f;
}

static LLVMValueRef declared(cf_program *p, const char *name, LLVMTypeRef type) {
    LLVMValueRef f = LLVMGetNamedFunction(p->module, name);
    return f ? f : LLVMAddFunction(p->module, name, type);
}

static LLVMValueRef new_variable(cf_program *p, const char *name, LLVMTypeRef type) {
    LLVMValueRef g = LLVMAddGlobal(p->module, type, name);
    LLVMSetInitializer(g, l_zero(type));
    LLVMSetLinkage(g, LLVMInternalLinkage);
    return g;
}

/* Builds a call of atexit(handler), by what it is in every program of the Itanium C++ ABI. */
static void register_handler(cf_program *p, LLVMBuilderRef b, LLVMValueRef handler, LLVMValueRef argument) {
    LLVMContextRef c = LLVMGetModuleContext(p->module);
    LLVMTypeRef t[3] = {p->pointer, p->pointer, p->pointer};
    LLVMTypeRef type = LLVMFunctionType(LLVMInt32TypeInContext(c), t, 3, false);
    LLVMValueRef f = declared(p, "__cxa_atexit", type);
    LLVMValueRef object = LLVMGetNamedGlobal(p->module, "__dso_handle");
    if (!object) {
        object = LLVMAddGlobal(p->module, LLVMInt8TypeInContext(c), "__dso_handle");
        LLVMSetVisibility(object, LLVMHiddenVisibility);
    }
    LLVMValueRef args[3] = {handler, argument, object};
    LLVMBuildCall2(b, type, f, args, 3, "");
}

/* What makes context k: its CF_BEGIN function, or zeroed memory. */
static LLVMValueRef build_context(cf_program *p, LLVMBuilderRef b, size_t k) {
    const cf_context *x = p->context[k];
    if (x->begin) return l_call(b, x->begin, NULL, 0, "");
    LLVMTypeRef bytes =
        LLVMArrayType2(LLVMInt8TypeInContext(LLVMGetModuleContext(p->module)), x->size ? x->size : 16);
    LLVMValueRef memory = new_variable(p, cf_text(p->arena, "cf.memory.%s", x->name), bytes);
    LLVMSetAlignment(memory, 64);
    return memory;
}

/* `void begin(void)`: makes the contexts that are not there yet. */
static LLVMValueRef make_begin(cf_program *p, LLVMValueRef *slot, LLVMValueRef destructors) {
    LLVMContextRef c = LLVMGetModuleContext(p->module);
    LLVMTypeRef nothing = LLVMVoidTypeInContext(c);
    LLVMValueRef f = new_function(p, "cf.program.begin", LLVMFunctionType(nothing, NULL, 0, false));
    LLVMValueRef done = new_variable(p, "cf.program.begun", LLVMInt8TypeInContext(c));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(b, LLVMGetEntryBasicBlock(f));
    LLVMBasicBlockRef make = LLVMAppendBasicBlockInContext(c, f, "make"),
                      end = LLVMAppendBasicBlockInContext(c, f, "end");
    LLVMValueRef is_done = LLVMBuildLoad2(b, LLVMInt8TypeInContext(c), done, "");
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, is_done, ""), make, end);
    LLVMPositionBuilderAtEnd(b, make);
    LLVMBuildStore(b, l_i8(c, 1), done);
    for (size_t k = p->n; k-- > 0;) {
        LLVMValueRef made = build_context(p, b, k);
        LLVMBuildStore(b, made, slot[k]);
        if (p->context[k]->end) register_handler(p, b, p->context[k]->end, made);
    }
    if (destructors) register_handler(p, b, destructors, l_zero(p->pointer));
    LLVMBuildBr(b, end);
    LLVMPositionBuilderAtEnd(b, end);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

/* ---- the functions that the system calls ---- */

typedef struct installer {
    cf_program *program;
    LLVMValueRef begin, *slot;
} installer;

/* What a provided function takes first: the contexts, the outermost before the others. With room for n more arguments. */
static LLVMValueRef *load_contexts(cf_program *p, LLVMBuilderRef b, const LLVMValueRef *slot, unsigned n) {
    LLVMValueRef *args = CF_ARRAY(p->arena, LLVMValueRef, p->n + n + 1);
    for (size_t k = 0; k < p->n; k++) args[k] = LLVMBuildLoad2(b, p->pointer, slot[p->n - 1 - k], "");
    return args;
}

/* A function like part k, that calls what was provided for it. */
static LLVMValueRef make_wrapper(const installer *x, const part *k, const char *name) {
    cf_program *p = x->program;
    LLVMValueRef inside = LLVMGetNamedFunction(p->module, k->provided);
    LLVMValueRef f = new_function(p, name, l_function_type(k->function));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(p->module));
    LLVMPositionBuilderAtEnd(b, LLVMGetEntryBasicBlock(f));
    unsigned n = LLVMCountParams(f);
    l_call(b, x->begin, NULL, 0, "");
    LLVMValueRef *args = load_contexts(p, b, x->slot, n);
    LLVMGetParams(f, args + p->n);
    LLVMValueRef r = l_call(b, inside, args, (unsigned)p->n + n, "");
    l_is_void_type(LLVMTypeOf(r)) ? LLVMBuildRetVoid(b) : LLVMBuildRet(b, r);
    LLVMDisposeBuilder(b);
    return f;
}

static const part *part_of(const cf_program *p, LLVMValueRef f) {
    for (size_t i = 0; f && i < p->part.n; i++)
        if (p->part.at[i].function == f) return &p->part.at[i];
    return NULL;
}

static void replace_list(LLVMValueRef old, LLVMValueRef *entries, unsigned n) {
    LLVMModuleRef m = LLVMGetGlobalParent(old);
    const char *name = l_begins(l_name(old), lists[CONSTRUCTORS]) ? lists[CONSTRUCTORS] : lists[DESTRUCTORS];
    LLVMTypeRef type = LLVMGetElementType(LLVMGlobalGetValueType(old));
    LLVMDeleteGlobal(old);
    if (!n) return;
    LLVMValueRef init = LLVMConstArray2(type, entries, n), made = LLVMAddGlobal(m, LLVMTypeOf(init), name);
    LLVMSetInitializer(made, init);
    LLVMSetLinkage(made, LLVMAppendingLinkage);
}

/* Constructors: the entries of the list name wrappers. */
static void install_constructors(const installer *x) {
    cf_program *p = x->program;
    LLVMValueRef list = LLVMGetNamedGlobal(p->module, lists[CONSTRUCTORS]);
    LLVMValueRef init = list ? LLVMGetInitializer(list) : NULL;
    unsigned n = init ? (unsigned)LLVMGetNumOperands(init) : 0;
    LLVMValueRef *made = CF_ARRAY(p->arena, LLVMValueRef, n + 1);
    for (unsigned i = 0; i < n; i++) {
        made[i] = LLVMGetOperand(init, i);
        const part *k = part_of(p, entry_function(made[i]));
        if (!k) continue;
        LLVMValueRef piece[3] = {LLVMGetOperand(made[i], 0),
                                 make_wrapper(x, k, cf_text(p->arena, "%s.begin", k->provided)),
                                 LLVMGetOperand(made[i], 2)};
        made[i] = LLVMConstStructInContext(LLVMGetModuleContext(p->module), piece, 3, false);
    }
    if (n) replace_list(list, made, n);
}

typedef struct ending {
    uint64_t priority;
    unsigned order;
    const part *part;
} ending;

/* The order in which destructors run. */
static int descending(const void *x, const void *y) {
    const ending *a = x, *b = y;
    if (a->priority != b->priority) return a->priority > b->priority ? -1 : 1;
    return a->order > b->order ? -1 : 1;
}

/* `void f(ptr)` that runs n destructors inside the contexts. */
static LLVMValueRef make_destructors(cf_program *p, const LLVMValueRef *slot, const ending *all, unsigned n) {
    LLVMContextRef c = LLVMGetModuleContext(p->module);
    LLVMTypeRef pointer = p->pointer;
    LLVMValueRef f = new_function(p, "cf.program.destructors",
                                  LLVMFunctionType(LLVMVoidTypeInContext(c), &pointer, 1, false));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
    LLVMPositionBuilderAtEnd(b, LLVMGetEntryBasicBlock(f));
    for (unsigned i = 0; i < n; i++)
        l_call(b, LLVMGetNamedFunction(p->module, all[i].part->provided), load_contexts(p, b, slot, 0),
               (unsigned)p->n, "");
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return f;
}

/* Takes the destructors out of their list: a function that runs them. NULL when there are none. */
static LLVMValueRef take_destructors(cf_program *p, LLVMValueRef *slot) {
    LLVMValueRef list = LLVMGetNamedGlobal(p->module, lists[DESTRUCTORS]),
                 init = list ? LLVMGetInitializer(list) : NULL;
    unsigned n = init ? (unsigned)LLVMGetNumOperands(init) : 0, kept = 0, count = 0;
    LLVMValueRef *keep = CF_ARRAY(p->arena, LLVMValueRef, n + 1);
    ending *all = CF_ARRAY(p->arena, ending, n + 1);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef entry = LLVMGetOperand(init, i);
        const part *k = part_of(p, entry_function(entry));
        if (k && can_run(DESTRUCTORS, k->function))
            all[count++] = (ending){LLVMConstIntGetZExtValue(LLVMGetOperand(entry, 0)), i, k};
        else
            keep[kept++] = entry;
    }
    if (!count) return NULL;
    replace_list(list, keep, kept);
    qsort(all, count, sizeof *all, descending);
    return make_destructors(p, slot, all, count);
}

/* The program's main becomes a local function, and the wrapper takes its name, linkage and place in the table. */
static void install_main(const installer *x) {
    cf_program *p = x->program;
    const part *k = &p->part.at[0];
    l_set_name(k->function, "cf.program.main");
    LLVMSetLinkage(k->function, LLVMInternalLinkage);
    LLVMSetLinkage(make_wrapper(x, k, "main"), LLVMExternalLinkage);
}

void cf_program_install(cf_program *p) {
    installer x = {.program = p, .slot = CF_ARRAY(p->arena, LLVMValueRef, p->n)};
    for (size_t k = 0; k < p->n; k++)
        x.slot[k] = new_variable(p, cf_text(p->arena, "cf.context.%s", p->context[k]->name), p->pointer);
    x.begin = make_begin(p, x.slot, take_destructors(p, x.slot));
    install_constructors(&x);
    install_main(&x);
}
