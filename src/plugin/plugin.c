/* The pass of the plugin: requests of one module, messages through the host's diagnostics. */
#include "plugin/plugin.h"
#include "llvm/cfx.h"
#include "request/request.h"
#include <stdlib.h>
#include <string.h>

/* Errors and warnings are the host's; clang drops remarks and notes of plugins, which are printed here. */
static void report(void *user, const cf_message *m) {
    const cf_place *at = &m->place;
    if (m->severity == CF_REMARK || m->severity == CF_NOTE) {
        cf_print_message(NULL, m);
        return;
    }
    cf_arena *a = cf_arena_new();
    const char *text = m->text;
    if (!at->file && m->function) text = cf_text(a, "in `%s`: %s", m->function, m->text);
    /* A place without a line would be shown as some other. */
    const char *file = at->line ? at->file : NULL;
    if (at->file && !file) text = cf_text(a, "%s: %s", at->file, m->text);
    cfx_diagnose((LLVMModuleRef)user, m->severity == CF_ERROR, file, at->line, at->column, text);
    cf_arena_free(a);
}

/* COFACTOR_CHECK: 0 none, anything else all. */
static cf_check_which what_to_check(void) {
    const char *said = getenv("COFACTOR_CHECK");
    return !said || !*said ? CF_CHECK_AS_SAID : !strcmp(said, "0") ? CF_CHECK_NONE : CF_CHECK_ALL;
}

bool cf_plugin_run(LLVMModuleRef m, bool link) {
    if (!cf_has_requests(m)) return false;
    cf_sink sink = {report, m, 0};
    cf_options options = {.explain = getenv("COFACTOR_EXPLAIN") != NULL,
                          .check = what_to_check(),
                          .no_inline = getenv("COFACTOR_NO_INLINE") != NULL,
                          .whole_program = link};
    cf_run_requests(m, &sink, &options, NULL, 0);
    return true;
}
