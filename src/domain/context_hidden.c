/* What Cofactor added to a program for a context, as another context around it sees it: arguments that nobody wrote, and
 * functions that are its own. They are marked where they are made, by attributes. */
#include "domain/context.h"
#include "llvm/l.h"

static const char hide[] = "cf-hide";

static char hidden_in(LLVMAttributeRef a, unsigned i) {
    unsigned n = 0;
    const char *text = a ? LLVMGetStringAttributeValue(a, &n) : NULL;
    return i < n ? text[i] : '0';
}

bool cf_is_hidden(LLVMValueRef call, unsigned i) {
    LLVMAttributeRef a = LLVMGetCallSiteStringAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                                        hide, sizeof hide - 1);
    return hidden_in(a, i) == '1';
}

void cf_hide(LLVMValueRef call, const char *which) {
    LLVMAttributeRef a =
        LLVMCreateStringAttribute(l_context(call), hide, sizeof hide - 1, which, (unsigned)strlen(which));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

void cf_hide_parameter(cf_job *job, LLVMValueRef from, LLVMValueRef to, unsigned at) {
    unsigned n = LLVMCountParams(to);
    char *which = CF_ARRAY(job->arena, char, n + 1);
    for (unsigned i = 0; i < n; i++)
        which[i] = i == at ? '1' : hidden_in(l_get_text(from, hide), i - (i > at));
    which[n] = 0;
    l_add_text(to, hide, which);
}

void cf_hide_arguments(cf_job *job, LLVMValueRef call, LLVMValueRef made, unsigned at) {
    unsigned n = LLVMGetNumArgOperands(made), old = LLVMGetNumArgOperands(call);
    char *which = CF_ARRAY(job->arena, char, n + 1);
    for (unsigned i = 0; i < n; i++) {
        unsigned was = i - (i > at);
        which[i] = i == at || was >= old || cf_is_hidden(call, was) ? '1' : '0';
    }
    which[n] = 0;
    cf_hide(made, which);
}

static const char shown[] = "cf-shown";

void cf_show_call(LLVMValueRef call) {
    LLVMAttributeRef a = LLVMCreateStringAttribute(l_context(call), shown, sizeof shown - 1, "", 0);
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, a);
}

bool cf_is_shown(LLVMValueRef call) {
    return LLVMGetCallSiteStringAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, shown,
                                          sizeof shown - 1) != NULL;
}

bool cf_is_machine(LLVMValueRef f) { return l_begins(l_name(f), "cf."); }

/* A call through a pointer, made into one of a function that looks up where it goes. */
bool cf_is_through(LLVMValueRef at, LLVMValueRef called) {
    unsigned n = LLVMGetNumArgOperands(at);
    return LLVMIsAFunction(called) && l_begins(l_name(called), "cf.through") && n && cf_is_hidden(at, n - 1);
}

LLVMValueRef cf_pointer_called(LLVMValueRef at, LLVMValueRef now) {
    LLVMValueRef called = LLVMGetCalledValue(now);
    return cf_is_through(at, LLVMGetCalledValue(at)) ? LLVMGetOperand(now, LLVMGetNumArgOperands(now) - 1)
                                                     : called;
}

bool cf_is_hidden_parameter(LLVMValueRef f, unsigned i) { return hidden_in(l_get_text(f, hide), i) == '1'; }
