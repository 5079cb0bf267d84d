/* Clobbers: which instructions may overwrite what a load read, and when. */
#ifndef CF_CLOBBER_H
#define CF_CLOBBER_H
#include "ir/view.h"

typedef struct cf_clobbers cf_clobbers;

typedef struct cf_threats {
    bool
        hard; /* some writer may lie on a path from the load to one of the points, not through the load again */
    uint32_t n; /* writers that may run after the load, but not so */
    const cf_id *writer;
} cf_threats;

/* The analyses of LLVM over job->module are held until cf_clobbers_free; the function may not change meanwhile, except
 * that instructions may be added that are not asked about. */
cf_clobbers *cf_clobbers_of(cf_job *job, const cf_view *view);
void cf_clobbers_free(cf_clobbers *c);

/* What threatens the memory that `load` reads, seen from the points at which it is to hold what it held then (2*i:
 * before instruction i, 2*i+1: after it). Equal sets of writers are the same array. */
cf_threats cf_threats_to(cf_clobbers *c, cf_id load, const uint32_t *points, uint32_t n_points);

/* The writers that may run after instruction i and may write into the object that a pointer points into. */
cf_threats cf_writers_after(cf_clobbers *c, cf_id i, cf_id pointer);

/* The writers that may run after a call and may write where it may read. */
cf_threats cf_writers_of_call(cf_clobbers *c, cf_id call);

#endif
