/* The pass of the plugin: requests of one module, messages through the host's diagnostics. */
#include "plugin/plugin.h"
#include "llvm/cfx.h"
#include "request/request.h"
#include <stdlib.h>

static void report(void *user, const cf_message *m) {
    const cf_place *at = &m->place;
    if (at->file || !m->function) {
        cfx_diagnose((LLVMModuleRef)user, m->severity, at->file, at->line, at->column, m->text);
        return;
    }
    cf_arena *a = cf_arena_new();
    cfx_diagnose((LLVMModuleRef)user, m->severity, NULL, 0, 0,
                 cf_text(a, "in `%s`: %s", m->function, m->text));
    cf_arena_free(a);
}

bool cf_plugin_run(LLVMModuleRef m, bool link) {
    if (!cf_has_requests(m)) return false;
    cf_sink sink = {report, m, 0};
    cf_options options = {.explain = getenv("COFACTOR_EXPLAIN") != NULL, .whole_program = link};
    cf_run_requests(m, &sink, &options, NULL, 0);
    return true;
}
