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

/* ---- units ---- */

/* A text that ends with a unit, ending with another; NULL: it does not. */
static LLVMValueRef with_unit(LLVMModuleRef m, LLVMValueRef text, const char *unit) {
    size_t n;
    const char *s = l_text(text, &n), *mark = s ? memchr(s, '\n', n) : NULL;
    if (!mark) return NULL;
    size_t kept = (size_t)(mark - s) + 1, length = strlen(unit);
    char *all = malloc(kept + length + 1);
    if (!all) return NULL;
    memcpy(all, s, kept);
    memcpy(all + kept, unit, length + 1);
    LLVMValueRef made = text_constant(m, all);
    free(all);
    return made;
}

/* A constant struct with field i changed. */
static LLVMValueRef changed(LLVMValueRef c, unsigned i, LLVMValueRef to) {
    LLVMValueRef fields[8];
    unsigned n = (unsigned)LLVMGetNumOperands(c);
    for (unsigned k = 0; k < n && k < 8; k++) fields[k] = k == i ? to : LLVMGetOperand(c, k);
    const char *name = LLVMGetStructName(LLVMTypeOf(c));
    return name ? LLVMConstNamedStruct(LLVMTypeOf(c), fields, n)
                : LLVMConstStructInContext(l_context(c), fields, n, LLVMIsPackedStruct(LLVMTypeOf(c)));
}

static void set_unit_of_marks(LLVMModuleRef m, const char *unit) {
    LLVMValueRef list = LLVMGetNamedGlobal(m, "llvm.global.annotations");
    LLVMValueRef init = list ? LLVMGetInitializer(list) : NULL;
    unsigned n = init && LLVMIsAConstantArray(init) ? (unsigned)LLVMGetNumOperands(init) : 0;
    LLVMValueRef *all = n ? malloc(n * sizeof *all) : NULL;
    for (unsigned i = 0; all && i < n; i++) {
        LLVMValueRef one = all[i] = LLVMGetOperand(init, i), text;
        bool plain = LLVMIsAConstantStruct(one) && LLVMGetNumOperands(one) <= 8;
        if (plain && (text = with_unit(m, LLVMGetOperand(one, 1), unit))) all[i] = changed(one, 1, text);
    }
    if (all) LLVMSetInitializer(list, LLVMConstArray2(LLVMTypeOf(all[0]), all, n));
    free(all);
}

void cf_descriptors_set_unit(LLVMModuleRef m, const char *unit) {
    set_unit_of_marks(m, unit);
    for (LLVMValueRef g = LLVMGetFirstGlobal(m); g; g = LLVMGetNextGlobal(g)) {
        const char *section = LLVMGetSection(g);
        LLVMValueRef c = section && strstr(section, "cofactor") ? LLVMGetInitializer(g) : NULL, text;
        if (!c || !LLVMIsAConstantStruct(c) || LLVMGetNumOperands(c) != 7) continue;
        if ((text = with_unit(m, LLVMGetOperand(c, 3), unit))) LLVMSetInitializer(g, changed(c, 3, text));
    }
}
