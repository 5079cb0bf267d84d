/* Descriptors (include/cofactor/descriptor.h) that the command and the library leave in a program for its user, so that
 * there is one way to ask, and one reader. */
#include "llvm/l.h"
#include "request/program.h"

static LLVMValueRef text_constant(LLVMModuleRef m, const char *text) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMValueRef s = LLVMConstStringInContext2(c, text, strlen(text), false);
    LLVMValueRef g = LLVMAddGlobal(m, LLVMTypeOf(s), ".str.cofactor");
    LLVMSetInitializer(g, s);
    LLVMSetLinkage(g, LLVMPrivateLinkage);
    LLVMSetGlobalConstant(g, true);
    return g;
}

void cf_descriptor_add(LLVMModuleRef m, const char *kind, const char *words, cf_place place,
                       LLVMValueRef primal, LLVMValueRef provided) {
    LLVMContextRef c = LLVMGetModuleContext(m);
    LLVMValueRef null = l_zero(LLVMPointerTypeInContext(c, 0));
    LLVMValueRef part[] = {l_i32(c, 1),
                           l_i32(c, place.line),
                           text_constant(m, kind),
                           text_constant(m, words),
                           text_constant(m, place.file ? place.file : ""),
                           primal ? primal : null,
                           provided ? provided : null};
    LLVMValueRef init = LLVMConstStructInContext(c, part, sizeof part / sizeof *part, false);
    LLVMValueRef g = LLVMAddGlobal(m, LLVMTypeOf(init), "cf_request_made");
    LLVMSetInitializer(g, init);
    LLVMSetLinkage(g, LLVMInternalLinkage);
    LLVMSetGlobalConstant(g, true);
    LLVMSetSection(g, "cofactor");
}

const char *cf_descriptor_words(LLVMValueRef g, const char *kind, size_t *length) {
    const char *section = LLVMGetSection(g);
    LLVMValueRef c = section && strstr(section, "cofactor") ? LLVMGetInitializer(g) : NULL;
    if (!c || !LLVMIsAConstantStruct(c) || LLVMGetNumOperands(c) != 7) return NULL;
    size_t n;
    const char *s = l_text(LLVMGetOperand(c, 2), &n);
    if (!s || n != strlen(kind) || strncmp(s, kind, n) != 0) return NULL;
    return l_text(LLVMGetOperand(c, 3), length);
}
