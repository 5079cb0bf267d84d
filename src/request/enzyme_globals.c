/* What a program for Enzyme says about its functions and globals by other globals and by annotations.
 *
 * In:     the user's module, not optimised yet
 * Out:    an error for each: Cofactor has macros for the same, and would give other derivatives without them
 * Keeps:  the module */
#include "llvm/l.h"
#include "request/request.h"

/* How names of such globals begin, and what says the same. */
static const struct row {
    const char *begins, *instead;
} rows[] = {
    {"__enzyme_register_derivative", "CF_RULE_FORWARD(function, rule)"},
    {"__enzyme_register_gradient", "CF_RULE_REVERSE(function, rule)"},
    {"__enzyme_register_splitderivative", "CF_RULE_FORWARD(function, rule)"},
    {"__enzyme_function_like", "CF_RULE_FORWARD and CF_RULE_REVERSE of the function"},
    {"__enzyme_inactivefn", "CF_INACTIVE(function)"},
    {"__enzyme_inactive_global", "a local variable, or CF_INACTIVE for the function that writes the global"},
    {"__enzyme_allocation_like", "an allocator of the C library"},
    {"__enzyme_nofree", "nothing: blocks live until the gradient is done"},
    {"__enzyme_", "the macros of <cofactor/ad.h>"},
};

static bool report(cf_sink *sink, const char *what, const char *instead) {
    cf_report(sink, CF_ERROR, (cf_place){0}, NULL, "`%s` is not read; say %s", what, instead);
    return false;
}

static bool check_global(cf_sink *sink, LLVMValueRef g) {
    const char *name = strstr(l_name(g), "__enzyme_");
    for (size_t i = 0; name && i < sizeof rows / sizeof *rows; i++)
        if (l_begins(name, rows[i].begins)) return report(sink, name, rows[i].instead);
    return true;
}

/* __attribute__((annotate("enzyme_…"))): rows of {what, text, file, line}. */
static bool check_annotations(cf_sink *sink, LLVMModuleRef m) {
    LLVMValueRef all = LLVMGetNamedGlobal(m, "llvm.global.annotations"),
                 init = all ? LLVMGetInitializer(all) : NULL;
    bool ok = true;
    for (int i = 0; init && i < LLVMGetNumOperands(init); i++) {
        LLVMValueRef row = LLVMGetOperand(init, (unsigned)i);
        size_t length = 0;
        const char *text = LLVMGetNumOperands(row) > 1 ? l_text(LLVMGetOperand(row, 1), &length) : NULL;
        if (text && length > 7 && !strncmp(text, "enzyme_", 7))
            ok = report(sink, text, "the macros of <cofactor/ad.h>");
    }
    return ok;
}

bool cf_check_enzyme_globals(LLVMModuleRef m, cf_sink *sink, bool requested) {
    if (!requested) return true;
    bool ok = check_annotations(sink, m);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) ok &= check_global(sink, g);
    return ok;
}
