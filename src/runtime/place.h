/* What both the makers of checked functions and their runtime (check.h) know: numbers for kinds and ways. */
#ifndef CF_PLACE_H
#define CF_PLACE_H

/* What a place holds. */
enum { CF_PLACE_FLOAT, CF_PLACE_DOUBLE, CF_PLACE_LONG_DOUBLE };
/* Flags of a checked function. */
enum {
    CF_CHECKED_REVERSE = 1,    /* the function itself is a reverse request */
    CF_CHECKED_NO_FORWARD = 2, /* there is no forward derivative to compare with, no reverse one */
    CF_CHECKED_NO_REVERSE = 4,
    CF_CHECKED_UNSEEDED = 8, /* the adjoint of the result is always 1 */
    CF_CHECKED_COARSE = 16,  /* numbers of type float take part */
};

/* What a child evaluates, as __cf_check_run returns it. */
enum { CF_RUN_NOTHING, CF_RUN_RECORD, CF_RUN_PRIMAL, CF_RUN_FORWARD, CF_RUN_REVERSE };

#endif
