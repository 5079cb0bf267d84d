/* What running a function meets: in its body, and in all that it calls. */
#ifndef CF_MEETS_H
#define CF_MEETS_H
#include "ir/job.h"

/* What an instruction is to the question: not what is looked for; it; or a call of a function with a body, which may meet it. */
typedef enum cf_met { CF_MET_NOTHING, CF_MET_IT, CF_MET_CALL } cf_met;
typedef cf_met cf_meet(void *data, LLVMValueRef instruction);

/* Whether running f meets what `ask` looks for. `answers` are those of earlier questions of the same kind: all functions of a
 * program are asked about in time linear in its size. */
bool cf_meets(cf_job *job, cf_map *answers, LLVMValueRef f, cf_meet *ask, void *data);

#endif
