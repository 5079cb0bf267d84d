/* What running a function meets.
 *
 * In:     a function; a question about one instruction
 * Out:    yes or no, for it and for all functions that had to be looked at
 * Keeps:  everything
 *
 * Idea: a walk over calls, depth first. A yes is one of all functions on the way. A no of a function that leads back to one on
 * the way waits for the answer of that one, as in Tarjan's search of strongly connected components: Tarjan, SIAM Journal on
 * Computing 1 (1972). */
#include "ir/meets.h"
#include "llvm/l.h"
#include "support/vec.h"

typedef struct search {
    cf_job *job;
    cf_map *answers;
    cf_meet *ask;
    void *data;
    cf_map order;              /* open function → when it was opened, from 1 */
    CF_VEC(LLVMValueRef) open; /* on the way, or waiting for one on the way */
} search;

static char yes, no;

static bool visit(search *s, LLVMValueRef f, uintptr_t *back);

static bool meets(search *s, LLVMValueRef f, uintptr_t *back) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            cf_met met = s->ask(s->data, i);
            if (met == CF_MET_IT || (met == CF_MET_CALL && visit(s, l_callee(i), back))) return true;
        }
    return false;
}

/* back: the earliest opened function that f leads to is no later than that. */
static bool visit(search *s, LLVMValueRef f, uintptr_t *back) {
    void *known = cf_map_get(s->answers, f);
    if (known) return known == &yes;
    uintptr_t mine = (uintptr_t)cf_map_get(&s->order, f), lowest;
    if (!mine) {
        size_t first = s->open.n;
        lowest = mine = first + 1;
        cf_map_put(s->job->arena, &s->order, f, (void *)mine);
        cf_push(s->job->arena, &s->open, f);
        if (meets(s, f, &lowest)) return true;
        if (lowest == mine) {
            while (s->open.n > first) cf_map_put(s->job->arena, s->answers, s->open.at[--s->open.n], &no);
            return false;
        }
        mine = lowest;
    }
    if (mine < *back) *back = mine;
    return false;
}

bool cf_meets(cf_job *job, cf_map *answers, LLVMValueRef f, cf_meet *ask, void *data) {
    search s = {.job = job, .answers = answers, .ask = ask, .data = data};
    uintptr_t back = UINTPTR_MAX;
    bool met = visit(&s, f, &back);
    /* All that is open leads to a function on the way to the yes. */
    while (met && s.open.n) cf_map_put(job->arena, answers, s.open.at[--s.open.n], &yes);
    return met;
}
