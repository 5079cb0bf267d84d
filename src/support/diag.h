/* Messages: what went wrong, where, and what to do. A status is returned by the callee; the details go to a sink. */
#ifndef CF_DIAG_H
#define CF_DIAG_H
#include "support/arena.h"

typedef enum cf_severity { CF_ERROR, CF_WARNING, CF_REMARK, CF_NOTE } cf_severity;

/* A place in the user's source. file may be NULL (unknown); line and column count from 1, 0 is unknown. */
typedef struct cf_place {
    const char *file;
    unsigned line, column;
} cf_place;

typedef struct cf_message {
    cf_severity severity;
    cf_place place;
    const char *function; /* the function it is about, or NULL */
    const char *text;     /* one sentence, no newline at the end */
} cf_message;

/* Where messages go. `report` may be called from the thread that runs the job only. */
typedef struct cf_sink {
    void (*report)(void *user, const cf_message *message);
    void *user;
    unsigned errors; /* counted by cf_report */
} cf_sink;

void cf_report(cf_sink *sink, cf_severity severity, cf_place place, const char *function, const char *format,
               ...) __attribute__((format(printf, 5, 6)));

/* Prints `file:line:column: error: text` to stderr, with the source line and a caret when the file can be read. Without
 * a file: `cofactor: error: text (in function)`. */
void cf_print_message(void *unused, const cf_message *message);

#endif
