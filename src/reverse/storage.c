/* Storage: where the forward sweep keeps what the reverse sweep needs.
 *
 * In:     the plan's choices; the forward sweep as cloned, the reverse sweep with its markers
 * Out:    code in both sweeps; cf_storage_load gives the place of a node
 * Needs:  loops with counters (prepare.h)
 *
 * A value is kept in the region that its block is in:
 *   function   outside of loops: a slot of the function. When the sweeps are two functions, the slots are copied to one
 *              record on the tape at the end of the forward sweep.
 *   array      in a loop whose iterations are known before it starts: one array per value, indexed by the iteration, in
 *              one frame per loop. Loops of a nest whose counts are known before the outermost one starts are one
 *              frame, indexed by all their iterations, so that the innermost loops stay free of tape operations.
 *   record     in any other loop: one record per iteration, pushed when the header is entered, linked to the one
 *              before.
 * Addresses of frames are themselves kept in the region around the loop. */
#include "reverse/writers.h"

typedef struct field {
    cf_node node;
    LLVMTypeRef type, memory; /* i1 is kept as i8 */
    uint64_t size, align;
    uint64_t offset;                 /* record: bytes; array: bytes of one iteration before it */
    LLVMValueRef slot_fwd, slot_rev; /* function region */
} field;

typedef struct region {
    cf_id loop; /* CF_NONE: function */
    cf_id root; /* array: outermost loop of the nest */
    CF_VEC(field) fields;
    uint64_t size;
    cf_node base_node; /* its address is kept as this node, in the region around the root */
    LLVMValueRef base,
        base_rev; /* array: address in the forward sweep; slot of the reverse sweep. Record: the same */
    LLVMValueRef linked; /* record: the instruction that links it, in the header */
} region;

typedef struct cf_storage {
    region *region;     /* by loop; the last one is the function's */
    uint32_t *field_of; /* by node: index + 1 in its region */
    cf_id *loop_of;     /* by node */
    cf_node n_nodes, next_node;
} cf_storage;

static LLVMTypeRef i64(const cf_sweep *s) { return LLVMInt64TypeInContext(s->job->context); }
static LLVMTypeRef ptr(const cf_sweep *s) { return LLVMPointerTypeInContext(s->job->context, 0); }

static region *region_of(const cf_sweep *s, cf_id loop) {
    return &s->storage->region[loop == CF_NONE ? s->v->n_loops : loop];
}
static bool counted(const cf_sweep *s, cf_id loop) { return s->v->loop[loop].last != CF_NONE; }

/* --- nests ------------------------------------------------------------------------------------------------------------- */

/* The number of iterations of `inner`, less one, is known before `outer` starts, and `inner` runs in each iteration of
 * the loop around it. */
static bool joins_nest(const cf_sweep *s, cf_id inner, cf_id outer) {
    const cf_view *v = s->v;
    if (!counted(s, inner) || !counted(s, outer)) return false;
    cf_id last = v->value[v->loop[inner].last].operand[0];
    if (cf_is_inst(v, last) && !cf_dominates(v, v->value[last].block, v->loop[outer].preheader)) return false;
    if (cf_is_inst(v, last) && cf_loop_contains(v, outer, v->value[last].block)) return false;
    cf_id around = v->loop[inner].parent;
    return v->loop[around].latch != CF_NONE && v->loop[inner].preheader != CF_NONE &&
           cf_dominates(v, v->loop[inner].preheader, v->loop[around].latch);
}

static cf_id root_of(const cf_sweep *s, cf_id loop) {
    cf_id root = loop;
    for (cf_id up = s->v->loop[loop].parent; up != CF_NONE; up = s->v->loop[up].parent) {
        for (cf_id l = loop; l != up; l = s->v->loop[l].parent)
            if (!joins_nest(s, l, up)) return root;
        root = up;
    }
    return root;
}

static void set_up(cf_sweep *s) {
    cf_storage *st = s->storage = CF_NEW(s->arena, cf_storage);
    st->n_nodes = cf_first_frame_node(s) + 1;
    for (cf_id l = 0; l < s->v->n_loops; l++) st->n_nodes += 1 + s->v->loop[l].n_exits;
    st->next_node = cf_first_frame_node(s);
    st->region = CF_ARRAY(s->arena, region, s->v->n_loops + 1);
    st->field_of = CF_ARRAY(s->arena, uint32_t, st->n_nodes);
    st->loop_of = CF_ARRAY(s->arena, cf_id, st->n_nodes);
    for (cf_id l = 0; l <= s->v->n_loops; l++) {
        st->region[l].loop = l == s->v->n_loops ? CF_NONE : l;
        st->region[l].root = l == s->v->n_loops || !counted(s, l) ? CF_NONE : root_of(s, l);
    }
}

/* --- fields -------------------------------------------------------------------------------------------------------------- */

static LLVMTypeRef memory_type(const cf_sweep *s, LLVMTypeRef t) {
    bool odd = l_is_integer_type(t) && LLVMGetIntTypeWidth(t) < 8;
    return odd ? LLVMInt8TypeInContext(s->job->context) : t;
}

void cf_storage_add(cf_sweep *s, cf_node node, cf_id loop, LLVMTypeRef type) {
    if (!s->storage) set_up(s);
    region *r = region_of(s, loop);
    LLVMTargetDataRef data = LLVMGetModuleDataLayout(s->job->module);
    LLVMTypeRef memory = memory_type(s, type);
    field f = {.node = node, .type = type, .memory = memory, .size = LLVMABISizeOfType(data, memory)};
    f.align = LLVMABIAlignmentOfType(data, memory);
    if (f.align > 16) f.align = 16; /* the tape's own alignment */
    cf_push(s->arena, &r->fields, f);
    s->storage->field_of[node] = (uint32_t)r->fields.n;
    s->storage->loop_of[node] = loop;
}

/* Offsets. Arrays: the largest alignment first, so that every array of a frame is aligned; records likewise, behind the
 * link to the record before. */
static void lay_out(region *r) {
    uint64_t at = r->loop != CF_NONE && r->root == CF_NONE ? 16 : 0;
    for (uint64_t align = 16; align; align /= 2)
        for (size_t i = 0; i < r->fields.n; i++) {
            field *f = &r->fields.at[i];
            if (f->align != align) continue;
            f->offset = at;
            at += f->size;
        }
    r->size = at;
}

/* --- indices ----------------------------------------------------------------------------------------------------------------- */

typedef LLVMValueRef loop_value(cf_sweep *s, cf_id loop);

static LLVMValueRef forward_iteration(cf_sweep *s, cf_id l) { return cf_forward_value(s, s->v->loop[l].iv); }
static LLVMValueRef forward_count(cf_sweep *s, cf_id l) {
    cf_id last = s->v->value[s->v->loop[l].last].operand[0];
    return LLVMBuildAdd(s->f, cf_forward_value(s, last), l_i64(s->job->context, 1), "");
}
static LLVMValueRef reverse_iteration(cf_sweep *s, cf_id l) {
    return LLVMBuildLoad2(s->b, i64(s), s->counter[l], "");
}
static LLVMValueRef reverse_count(cf_sweep *s, cf_id l) {
    if (s->v->loop[l].trips) return l_i64(s->job->context, s->v->loop[l].trips);
    return LLVMBuildLoad2(s->b, i64(s), s->count[l], "");
}

/* The iteration of a nest as one number: ((i0 * n1) + i1) * n2 + i2 ... */
static LLVMValueRef nest_index(cf_sweep *s, LLVMBuilderRef b, region *r, loop_value *iteration,
                               loop_value *count) {
    cf_id chain[64];
    unsigned n = 0;
    for (cf_id l = r->loop;; l = s->v->loop[l].parent) {
        chain[n++] = l;
        if (l == r->root || n == 64) break;
    }
    LLVMValueRef index = iteration(s, chain[n - 1]);
    while (--n > 0) {
        index = LLVMBuildMul(b, index, count(s, chain[n - 1]), "");
        index = LLVMBuildAdd(b, index, iteration(s, chain[n - 1]), "");
    }
    return index;
}

static LLVMValueRef nest_count(cf_sweep *s, LLVMBuilderRef b, region *r, loop_value *count) {
    LLVMValueRef n = count(s, r->root);
    for (cf_id l = r->loop; l != r->root; l = s->v->loop[l].parent) {
        LLVMValueRef a[] = {n, count(s, l)};
        n = b == s->f ? l_call(b, cf_tape_function(s, "__cf_tape_times"), a, 2, "")
                      : LLVMBuildMul(b, a[0], a[1], "");
    }
    return n;
}

static LLVMValueRef array_place(cf_sweep *s, LLVMBuilderRef b, region *r, field *f, LLVMValueRef base,
                                loop_value *iteration, loop_value *count) {
    LLVMValueRef p = base;
    if (f->offset) {
        LLVMValueRef n = nest_count(s, b, r, count);
        p = l_offset(b, p, LLVMBuildMul(b, n, l_i64(s->job->context, f->offset), ""), "");
    }
    return l_element(b, f->memory, p, nest_index(s, b, r, iteration, count), "");
}

/* --- keeping and loading -------------------------------------------------------------------------------------------------------- */

static LLVMValueRef to_memory(LLVMBuilderRef b, const field *f, LLVMValueRef v) {
    return f->memory == f->type ? v : LLVMBuildZExt(b, v, f->memory, "");
}

/* Keeps a node's value where the forward builder is. */
static void keep(cf_sweep *s, cf_node node, LLVMValueRef value) {
    region *r = region_of(s, s->storage->loop_of[node]);
    field *f = &r->fields.at[s->storage->field_of[node] - 1];
    LLVMValueRef place;
    if (r->loop == CF_NONE)
        place = f->slot_fwd;
    else if (r->root == CF_NONE)
        place = l_offset(s->f, r->base, l_i64(s->job->context, f->offset), "");
    else
        place = array_place(s, s->f, r, f, r->base, forward_iteration, forward_count);
    LLVMValueRef store = LLVMBuildStore(s->f, to_memory(s->f, f, value), place);
    LLVMSetAlignment(store, (unsigned)f->align);
}

static LLVMValueRef place_of(cf_sweep *s, cf_node node, field **out) {
    region *r = region_of(s, s->storage->loop_of[node]);
    field *f = *out = &r->fields.at[s->storage->field_of[node] - 1];
    if (r->loop == CF_NONE) return f->slot_rev;
    LLVMValueRef base = LLVMBuildLoad2(s->b, ptr(s), r->base_rev, "");
    if (r->root == CF_NONE) return l_offset(s->b, base, l_i64(s->job->context, f->offset), "");
    return array_place(s, s->b, r, f, base, reverse_iteration, reverse_count);
}

LLVMValueRef cf_storage_load(cf_sweep *s, cf_node node) {
    field *f;
    LLVMValueRef place = place_of(s, node, &f);
    LLVMValueRef v = LLVMBuildLoad2(s->b, f->memory, place, "");
    LLVMSetAlignment(v, (unsigned)f->align);
    return f->memory == f->type ? v : LLVMBuildTrunc(s->b, v, f->type, "");
}

/* --- frames -------------------------------------------------------------------------------------------------------------------- */

LLVMValueRef cf_tape_function(cf_sweep *s, const char *name) {
    LLVMValueRef f = LLVMGetNamedFunction(s->job->module, name);
    if (!f) cf_sweep_error(s, CF_NONE, "internal error: the tape has no function %s", name);
    return f;
}

/* A frame's address is kept around its root, as a node of its own. */
static cf_node frame_node(cf_sweep *s, cf_id around) {
    cf_node n = s->storage->next_node++;
    cf_storage_add(s, n, around, ptr(s));
    return n;
}

/* Addresses are fields too, of regions around: inner loops first. */
static void add_frames(cf_sweep *s) {
    for (cf_id l = s->v->n_loops; l-- > 0;) {
        region *r = region_of(s, l);
        if (!r->fields.n) continue;
        s->uses_tape = true;
        if (r->root != CF_NONE)
            r->base_node = frame_node(s, s->v->loop[r->root].parent);
        else
            for (uint32_t e = 0; e < s->v->loop[l].n_exits; e++) {
                /* One node per exit block: that is where the last record's address is known. */
                cf_node n = frame_node(s, s->v->block[s->v->loop[l].exit[e]].loop);
                if (!e) r->base_node = n;
            }
    }
}

static void emit_array_frame(cf_sweep *s, region *r) {
    LLVMBasicBlockRef p = cf_clone_block(&s->clone, s->v->block[s->v->loop[r->root].preheader].block);
    LLVMPositionBuilderBefore(s->f, LLVMGetBasicBlockTerminator(p));
    LLVMValueRef a[] = {s->tape_fwd, nest_count(s, s->f, r, forward_count), l_i64(s->job->context, r->size)};
    r->base = l_call(s->f, cf_tape_function(s, "__cf_tape_push_array"), a, 3, "cf.frame");
    keep(s, r->base_node, r->base);
}

static LLVMBasicBlockRef new_block_of(cf_sweep *s, cf_id b) {
    return cf_clone_block(&s->clone, s->v->block[b].block);
}

/* What comes into block `to` from `pred`: once for each edge, of which a switch may have several. */
static void add_incoming(cf_sweep *s, LLVMValueRef phi, LLVMValueRef in, cf_id pred, cf_id to) {
    const cf_block *p = &s->v->block[pred];
    LLVMBasicBlockRef from = new_block_of(s, pred);
    for (uint32_t k = 0; k < p->n_succs; k++)
        if (p->succ[k] == to) LLVMAddIncoming(phi, &in, &from, 1);
}

/* Header: push a record and link it to the one before; exits: keep the last one's address. */
static void emit_records(cf_sweep *s, region *r) {
    const cf_loop *l = &s->v->loop[r->loop];
    LLVMBasicBlockRef h = new_block_of(s, l->header);
    LLVMPositionBuilderBefore(s->f, LLVMGetFirstInstruction(h));
    LLVMValueRef before = LLVMBuildPhi(s->f, ptr(s), "cf.before");
    l_at_start(s->f, h);
    LLVMValueRef a[] = {s->tape_fwd, l_i64(s->job->context, r->size)};
    r->base = l_call(s->f, cf_tape_function(s, "__cf_tape_push"), a, 2, "cf.record");
    r->linked = LLVMBuildStore(s->f, before, r->base);
    LLVMValueRef in[] = {LLVMConstNull(ptr(s)), r->base};
    LLVMBasicBlockRef from[] = {new_block_of(s, l->preheader), new_block_of(s, l->latch)};
    LLVMAddIncoming(before, in, from, 2);
    for (uint32_t e = 0; e < l->n_exits; e++) {
        l_at_start(s->f, new_block_of(s, l->exit[e]));
        LLVMValueRef in_exit = r->base;
        const cf_block *x = &s->v->block[l->exit[e]];
        LLVMPositionBuilderBefore(s->f, LLVMGetFirstInstruction(new_block_of(s, l->exit[e])));
        LLVMValueRef phi = LLVMBuildPhi(s->f, ptr(s), "cf.last.record");
        for (uint32_t k = 0; k < x->n_preds; k++) add_incoming(s, phi, in_exit, x->pred[k], l->exit[e]);
        l_at_start(s->f, new_block_of(s, l->exit[e]));
        keep(s, r->base_node + e, phi);
    }
}

/* Where the reverse sweep enters a loop, finds frames; where it leaves, releases them. */
void cf_storage_enter(cf_sweep *s, cf_id loop, cf_id from) {
    for (cf_id l = 0; l < s->v->n_loops; l++) {
        region *r = region_of(s, l);
        if (!r->fields.n) continue;
        cf_node node;
        if (r->root == loop)
            node = r->base_node;
        else if (r->root == CF_NONE && l == loop) {
            uint32_t e = 0;
            while (s->v->loop[l].exit[e] != from) e++;
            node = r->base_node + e;
        } else
            continue;
        LLVMBuildStore(s->b, cf_storage_load(s, node), r->base_rev);
    }
}

static void release(cf_sweep *s, LLVMValueRef p) {
    LLVMValueRef a[] = {s->tape_rev, p};
    l_call(s->b, cf_tape_function(s, "__cf_tape_release"), a, 2, "");
}

void cf_storage_end_iteration(cf_sweep *s, cf_id loop) {
    region *r = region_of(s, loop);
    if (r->root != CF_NONE || !r->fields.n) return;
    LLVMValueRef record = LLVMBuildLoad2(s->b, ptr(s), r->base_rev, "");
    LLVMValueRef before = LLVMBuildLoad2(s->b, ptr(s), record, "");
    release(s, record);
    LLVMBuildStore(s->b, before, r->base_rev);
}

/* The frames of a nest were pushed in the order of its loops: the first one is the lowest. */
void cf_storage_leave(cf_sweep *s, cf_id loop) {
    for (cf_id l = 0; l < s->v->n_loops; l++) {
        region *r = region_of(s, l);
        if (!r->fields.n || r->root != loop) continue;
        release(s, LLVMBuildLoad2(s->b, ptr(s), r->base_rev, ""));
        return;
    }
}

/* --- slots of the function region ------------------------------------------------------------------------------------------------ */

static LLVMValueRef entry_slot(LLVMValueRef f, LLVMTypeRef t, const char *name) {
    LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(t));
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(f);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    first ? LLVMPositionBuilderBefore(b, first) : LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef slot = LLVMBuildAlloca(b, t, name);
    LLVMDisposeBuilder(b);
    return slot;
}

static void make_slots(cf_sweep *s) {
    region *r = region_of(s, CF_NONE);
    for (size_t i = 0; i < r->fields.n; i++) {
        field *f = &r->fields.at[i];
        f->slot_fwd = entry_slot(s->fwd, f->memory, "cf.kept");
        f->slot_rev = s->joined ? f->slot_fwd : entry_slot(s->rev, f->memory, "cf.kept");
    }
    for (cf_id l = 0; l < s->v->n_loops; l++)
        if (region_of(s, l)->fields.n) region_of(s, l)->base_rev = entry_slot(s->rev, ptr(s), "cf.frame");
}

static void copy_slots(cf_sweep *s, LLVMBuilderRef b, region *r, LLVMValueRef record, bool out) {
    for (size_t i = 0; i < r->fields.n; i++) {
        field *f = &r->fields.at[i];
        LLVMValueRef at = l_offset(b, record, l_i64(s->job->context, f->offset), "");
        LLVMValueRef from = out ? f->slot_fwd : at, to = out ? at : f->slot_rev;
        LLVMValueRef kept = LLVMBuildLoad2(b, f->memory, from, "");
        LLVMSetAlignment(kept, (unsigned)f->align);
        LLVMSetAlignment(LLVMBuildStore(b, kept, to), (unsigned)f->align);
    }
}

/* Two functions: the slots travel in one record, pushed last and so found first. */
static void emit_function_record(cf_sweep *s) {
    region *r = region_of(s, CF_NONE);
    if (s->joined || !r->fields.n) return;
    s->uses_tape = true;
    for (cf_id b = 0; b < s->v->n_blocks; b++) {
        if (s->v->value[s->v->block[b].end - 1].op != LLVMRet) continue;
        LLVMPositionBuilderBefore(s->f, LLVMGetBasicBlockTerminator(new_block_of(s, b)));
        LLVMValueRef a[] = {s->tape_fwd, l_i64(s->job->context, r->size)};
        copy_slots(s, s->f, r, l_call(s->f, cf_tape_function(s, "__cf_tape_push"), a, 2, "cf.record"), true);
    }
    LLVMPositionBuilderBefore(s->b, LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(s->rev)));
    LLVMValueRef a[] = {s->tape_rev, l_i64(s->job->context, r->size)};
    LLVMValueRef record = l_call(s->b, cf_tape_function(s, "__cf_tape_peek"), a, 2, "cf.record");
    copy_slots(s, s->b, r, record, false);
    release(s, record);
}

/* --- all of it -------------------------------------------------------------------------------------------------------------------- */

/* Behind the phis of a block, and behind the record that a header pushes. */
static void after_phis(cf_sweep *s, cf_id block) {
    cf_id loop = s->v->block[block].loop;
    region *r = loop != CF_NONE && s->v->loop[loop].header == block ? region_of(s, loop) : NULL;
    if (r && r->linked)
        l_after(s->f, r->linked);
    else
        l_at_start(s->f, new_block_of(s, block));
}

/* In front of a writer: what it is about to overwrite. Of a block: a copy on the tape, and its address. */
static LLVMValueRef overwritten(cf_sweep *s, cf_id w, LLVMValueRef at) {
    const cf_known *known;
    LLVMPositionBuilderBefore(s->f, at);
    if (cf_is_block_write(s, w, &known)) {
        LLVMValueRef bytes = LLVMGetOperand(at, known->size.a), a[] = {s->tape_fwd, bytes};
        LLVMValueRef copy = l_call(s->f, cf_tape_function(s, "__cf_tape_push"), a, 2, "cf.log");
        LLVMBuildMemCpy(s->f, copy, 16, LLVMGetOperand(at, (unsigned)known->pointer), 1, bytes);
        s->uses_tape = true;
        return copy;
    }
    LLVMValueRef value =
        LLVMBuildLoad2(s->f, cf_type_of(s, s->v->value[w].operand[0]), LLVMGetOperand(at, 1), "cf.log");
    LLVMSetAlignment(value, LLVMGetAlignment(at));
    return value;
}

/* Behind the definition of a node in the forward sweep; its value there. */
static LLVMValueRef forward_node(cf_sweep *s, cf_node node) {
    cf_id v = node % s->v->n_values;
    unsigned lane = node / s->v->n_values;
    LLVMValueRef at = cf_forward_value(s, v), value = at;
    if (lane > s->width) return overwritten(s, v, at);
    if (lane) value = cf_forward_shadow(s, v, lane - 1);
    if (LLVMIsAPHINode(at))
        after_phis(s, s->v->value[v].block);
    else
        l_after(s->f, LLVMIsAPHINode(value) ? at : value);
    return value;
}

static cf_id loop_of_node(const cf_sweep *s, cf_node node) {
    cf_id v = node % s->v->n_values;
    return s->v->block[s->v->value[v].block].loop;
}

/* A call that is undone does that itself. */
static bool is_logged_here(const cf_sweep *s, cf_id w) {
    const cf_known *known;
    return s->logged[w] && (cf_is_plain_store(s, w) || cf_is_block_write(s, w, &known));
}

static LLVMTypeRef log_type(const cf_sweep *s, cf_id w) {
    return cf_is_plain_store(s, w) ? cf_type_of(s, s->v->value[w].operand[0]) : ptr(s);
}

void cf_storage_settle(cf_sweep *s) {
    if (!s->storage) set_up(s);
    cf_node planned = cf_first_frame_node(s);
    for (cf_node n = 0; n < planned; n++) {
        cf_id v = n % s->v->n_values;
        bool log = n / s->v->n_values > s->width;
        if (log ? !is_logged_here(s, v) : s->choice[n] != CF_CACHE) continue;
        cf_storage_add(s, n, loop_of_node(s, n), log ? log_type(s, v) : cf_type_of(s, v));
    }
    add_frames(s);
    for (cf_id l = 0; l <= s->v->n_loops; l++) lay_out(&s->storage->region[l]);
    make_slots(s);
    for (cf_id l = 0; l < s->v->n_loops; l++) { /* outer loops first: their frames lie below */
        region *r = region_of(s, l);
        if (!r->fields.n) continue;
        if (r->root != CF_NONE)
            emit_array_frame(s, r);
        else
            emit_records(s, r);
    }
    for (cf_node n = 0; n < planned; n++) {
        if (!s->storage->field_of[n]) continue;
        LLVMValueRef value = forward_node(s, n);
        keep(s, n, value);
    }
}

void cf_storage_finish(cf_sweep *s) { emit_function_record(s); }
