/* Weak definitions, whose body another unit may replace when the program is linked. */
#ifndef CF_WEAK_H
#define CF_WEAK_H
#include "ir/job.h"

/* Gives the body of every weak function a local name of its own, and makes the weak name an alias of it: then the program
 * can tell whether the name still means this body. */
void cf_split_weak(cf_job *job);

#endif
