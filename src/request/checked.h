/* Checked requests: see checked.c. */
#ifndef CF_CHECKED_H
#define CF_CHECKED_H
#include "request/request.h"

/* What a checked request is compared with, each a request of its own for one direction. */
typedef enum cf_companion {
    CF_COMPANION_FORWARD,
    CF_COMPANION_REVERSE,
    CF_COMPANION_RECORD, /* notes what the primal reads and writes */
    CF_COMPANIONS
} cf_companion;
typedef struct cf_company {
    cf_request request[CF_COMPANIONS];
    const char *name[CF_COMPANIONS]; /* of the function; NULL: there is none */
} cf_company;

/* Before the first companion: the names of the runtime are free. */
void cf_checked_make_way(cf_arena *a, LLVMModuleRef m);
/* Declares the companion of a request (whose `checked` is the name of its function). */
cf_request cf_checked_companion(cf_arena *a, const cf_request *r, cf_companion which);
/* When all bodies are made. */
void cf_checked_install(cf_arena *a, const cf_request *r, const cf_requests *all,
                        const cf_company *companions);
/* When all are installed: brings src/runtime/check.c. False after an error was reported. */
bool cf_checked_link(cf_arena *a, LLVMModuleRef m, cf_sink *sink);

#endif
