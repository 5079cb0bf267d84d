/* Calling a function of any signature: a caller with one fixed signature is made for it in the program.
 *
 * In:     the name of a function
 * Out:    `void name(void **slots)`
 * Needs:  derivatives made, code not       Keeps: everything else
 */
#include "jit/session.h"
#include "llvm/l.h"

/* What the ABI needs to know at the call too. */
static void copy_abi(LLVMValueRef f, LLVMValueRef call, unsigned n) {
    static const char *const plain[] = {"zeroext", "signext", "inreg", "nest"}, *const typed[] = {"byval",
                                                                                                  "sret"};
    for (unsigned at = 0; at <= n; at++) {
        for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
            if (l_has(f, at, plain[i])) l_add_call(call, at, plain[i], 0);
        for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
            LLVMAttributeRef a = l_get(f, at, typed[i]);
            if (a) LLVMAddCallSiteAttribute(call, at, a);
        }
    }
}

static void write_body(LLVMValueRef f, LLVMValueRef caller) {
    LLVMContextRef context = l_context(f);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(context, caller, "entry"));
    unsigned n = LLVMCountParams(f);
    LLVMValueRef slots = LLVMGetParam(caller, 0), *arguments = malloc((n + 1) * sizeof *arguments);
    for (unsigned i = 0; arguments && i < n; i++) {
        LLVMValueRef slot =
            LLVMBuildLoad2(b, pointer, l_element(b, pointer, slots, l_i64(context, i), ""), "");
        arguments[i] = LLVMBuildLoad2(b, LLVMTypeOf(LLVMGetParam(f, i)), slot, "");
    }
    LLVMValueRef call = l_call(b, f, arguments, n, "");
    copy_abi(f, call, n);
    if (!l_is_void_type(l_return_type(f))) {
        LLVMValueRef slot =
            LLVMBuildLoad2(b, pointer, l_element(b, pointer, slots, l_i64(context, n), ""), "");
        LLVMBuildStore(b, call, slot);
    }
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    free(arguments);
}

bool cf_session_add_caller(cofactor *c, const char *function, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(c->module, function);
    if (!f) {
        cf_fail(c, COFACTOR_BAD_REQUEST, "there is no function `%s`", function);
        return false;
    }
    LLVMContextRef context = l_context(f);
    LLVMTypeRef pointer = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &pointer, 1, 0);
    write_body(f, LLVMAddFunction(c->module, name, type));
    return true;
}
