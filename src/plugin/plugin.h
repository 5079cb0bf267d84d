/* What the plugin's C++ entry calls. */
#ifndef CF_PLUGIN_H
#define CF_PLUGIN_H
#include <llvm-c/Types.h>
#include <stdbool.h>
#ifdef __cplusplus
extern "C" {
#endif

/* Serves all requests of a module; errors go to the diagnostic handler of its context. `link`: the module is the whole
 * program of a full LTO link. True when the module changed. */
bool cf_plugin_run(LLVMModuleRef m, bool link);

#ifdef __cplusplus
}
#endif
#endif
