/* Adjoints of memory in marks (runtime/marks.h): where the compiler cannot tell what memory holds. Used where the key is
 * `marked`. Builders: s->b for what is of the reverse sweep, s->f for the forward one. */
#ifndef CF_REVERSE_MARKS_H
#define CF_REVERSE_MARKS_H
#include "contents/types.h"
#include "reverse/call.h"

/* Where the adjoint of a homed value lies (NULL: it has none), and the home that a slot stands for. */
LLVMValueRef cf_home(cf_sweep *s, cf_id v, unsigned k);
LLVMValueRef cf_home_in(cf_sweep *s, LLVMValueRef slot);

/* Takes the adjoint of a homed value to a home of its own, which is returned; adds one that lies at a home. */
LLVMValueRef cf_marks_take_home(cf_sweep *s, cf_id v, unsigned k);
void cf_marks_add_home(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef from);
/* The same, as bits: adjoints of a request's parameters, and of its result. */
LLVMValueRef cf_marks_leave(cf_sweep *s, cf_id v, unsigned k);
void cf_marks_enter(cf_sweep *s, cf_id v, unsigned k, LLVMValueRef seed);

/* The shadow of a place in the reverse sweep; NULL where it has none. */
LLVMValueRef cf_marks_place(cf_sweep *s, cf_id pointer, unsigned k);
void cf_marks_move(cf_sweep *s, LLVMValueRef to, LLVMValueRef from, LLVMValueRef bytes);
void cf_marks_forget(cf_sweep *s, LLVMValueRef p, LLVMValueRef bytes);
void cf_marks_clear(cf_sweep *s, LLVMValueRef p, LLVMValueRef bytes);
void cf_marks_flush(cf_sweep *s);

/* The reverse of a typed load (whose adjoint is `bar`), of a store, of an atomic operation. */
void cf_marks_reverse_load(cf_sweep *s, cf_id i, unsigned k, LLVMValueRef bar);
void cf_marks_reverse_store(cf_sweep *s, cf_id i, unsigned k);
void cf_marks_reverse_rmw(cf_sweep *s, cf_id i, unsigned k);
/* The reverse of an operation with homed values in it. False: there are none. *followed: it could be followed. */
bool cf_marks_reverse_operation(cf_sweep *s, cf_id i, unsigned k, bool *followed);

/* Some function of the program loads pointers from memory. */
bool cf_marks_follow_pointers(cf_job *job);
/* What the forward sweep tells the marks: behind a copy, another write, a store, the load of a pointer's shadow. */
void cf_marks_forward_copy(cf_sweep *s, cf_id i, cf_id to, cf_id from, const cf_layout *l,
                           LLVMValueRef bytes);
void cf_marks_forward_write(cf_sweep *s, cf_id i, cf_id to, LLVMValueRef bytes);
void cf_marks_forward_store(cf_sweep *s, cf_id i);
void cf_marks_forward_load(cf_sweep *s, cf_id i, unsigned k);

#endif
