/* Preparation: brings the private module into the form that derivatives are made from. */
#ifndef CF_PREPARE_H
#define CF_PREPARE_H
#include "ir/job.h"

/* Simplifies every function of job->module by LLVM passes that never speculate an operation on numbers, inlines small
 * functions, and brings loops and joins into normal form. Returns false after reporting an error.
 *
 * The form of a prepared function:
 * - memory that need not be memory is in SSA values; one block returns; no irreducible cycles (unless it has an
 *   indirectbr or callbr).
 * - No number is undefined (poison, undef).
 * - No call must reuse its caller's frame (musttail), but for those that pass variable arguments on.
 * - A loop has a preheader, one latch, and exit blocks whose predecessors are all inside; values leave loops through
 *   phis (LCSSA). Its header begins with %cf.iv (metadata cf.iv): an i64 phi that counts iterations from 0.
 * - A loop with one way out (not counting those to abort()) and a known number of iterations is counted: its
 *   preheader has %cf.last (metadata cf.last), a freeze of the i64 that %cf.iv is in the last iteration.
 * - Every exit block of another loop has an i64 phi %cf.exit (metadata cf.exit) whose incoming values are all that
 *   loop's %cf.iv.
 * - Header phis of integers and pointers that change by the same amount in each iteration are computed from %cf.iv.
 * - A block with several predecessors that is no loop header has a phi %cf.from (metadata cf.from), i8 (i32 above 256
 *   predecessors): predecessors numbered from 0; an edge that stands twice has one number.
 * A loop that LLVM cannot bring into the form (entered by an indirectbr, say) stays without %cf.iv.
 *
 * Attributes of functions, all texts:
 * - "cf-keep" (in): has rules of its own; calls of it stay.
 * - "cf-made" (in): made or being made by Cofactor; left alone.
 * - "cf-prepared" (out). May be called again when functions came in: those that are prepared are not changed. */
bool cf_prepare(cf_job *job);

/* Takes "cf-made", "cf-prepared" and all metadata of the form from a function: it is to be prepared like any. */
void cf_unprepare(LLVMValueRef f);

#endif
