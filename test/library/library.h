/* For tests of the library: errors that a session reports are kept, and what is required ends the program if it is not so. */
#ifndef LIBRARY_H
#define LIBRARY_H
#include <cofactor/cofactor.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* How many there were, and the last one. */
typedef struct messages {
    int errors;
    char text[512], file[256];
    unsigned line, column;
} messages;

static void keep(void *user, const cofactor_message *m) {
    messages *all = user;
    if (m->severity != COFACTOR_ERROR) return;
    all->errors++;
    snprintf(all->text, sizeof all->text, "%s", m->text);
    snprintf(all->file, sizeof all->file, "%s", m->file ? m->file : "");
    all->line = m->line;
    all->column = m->column;
}

#define REQUIRE(condition)                                                                                   \
    do {                                                                                                     \
        if (condition) break;                                                                                \
        printf("line %d: not %s\n", __LINE__, #condition);                                                   \
        exit(1);                                                                                             \
    } while (0)
#endif
