/* Idioms: and, or, xor and the exponent. Signs, choices by masks, and numbers whose exponent is exchanged. */
#include "ir/idioms_body.h"

/* ---- building ---- */

static LLVMValueRef call(cf_idioms *d, const char *name, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef t = LLVMTypeOf(x);
    return l_call(d->b, l_intrinsic(d->job->module, name, &t, 1), (LLVMValueRef[]){x, y}, y ? 2 : 1, "");
}
static LLVMValueRef negated(cf_idioms *d, LLVMValueRef x) { return LLVMBuildFNeg(d->b, x, ""); }
static LLVMValueRef absolute(cf_idioms *d, LLVMValueRef x) { return call(d, "llvm.fabs", x, NULL); }

static LLVMValueRef lane_constant(const cf_numbers *f, uint64_t bits) {
    return cf_all_lanes(LLVMConstInt(cf_lane_type(f->bits), bits, 0), f->n);
}

/* Numbers with the value of the integer y, and of x the derivative times slope. */
static LLVMValueRef with_slope(cf_idioms *d, const cf_numbers *f, LLVMValueRef y, LLVMValueRef x,
                               LLVMValueRef x_cut, LLVMValueRef slope) {
    LLVMValueRef value = cf_as(d, y, f->type), zero = l_zero(f->type);
    LLVMValueRef nothing = LLVMBuildFSub(d->b, cf_as(d, x_cut, f->type), x, "");
    LLVMValueRef change = LLVMBuildFMul(d->b, slope, nothing, "");
    LLVMValueRef sum = LLVMBuildFSub(d->b, value, change, "");
    /* Not where x or the slope is infinite or NaN. */
    return LLVMBuildSelect(d->b, LLVMBuildFCmp(d->b, LLVMRealOEQ, change, zero, ""), sum, value, "");
}

/* The power of two below a number, from its bits; below the smallest normal number, that one. */
static LLVMValueRef binade(cf_idioms *d, const cf_numbers *f, LLVMValueRef bits) {
    LLVMValueRef e = LLVMBuildAnd(d->b, bits, lane_constant(f, f->all & ~f->sign & ~f->mantissa), "");
    LLVMValueRef none = LLVMBuildICmp(d->b, LLVMIntEQ, e, l_zero(f->bits), "");
    e = LLVMBuildSelect(d->b, none, lane_constant(f, f->mantissa + 1), e, "");
    return LLVMBuildBitCast(d->b, e, f->type, "");
}

/* y has the mantissa of x: dy/dx is the ratio of their powers of two, with the signs of both. */
static LLVMValueRef same_mantissa(cf_idioms *d, const cf_numbers *f, LLVMValueRef y, LLVMValueRef x,
                                  LLVMValueRef x_cut) {
    LLVMValueRef slope = LLVMBuildFDiv(d->b, binade(d, f, y), binade(d, f, x_cut), "");
    LLVMValueRef signs = LLVMBuildXor(d->b, y, x_cut, "");
    LLVMValueRef other = LLVMBuildICmp(d->b, LLVMIntSLT, signs, l_zero(f->bits), "");
    slope = LLVMBuildSelect(d->b, other, negated(d, slope), slope, "");
    return with_slope(d, f, y, x, x_cut, slope);
}

/* ---- lane by lane, with constants ---- */

/* An operand of `or` or `and`: the numbers x, of which the bits in `keep` count. */
typedef struct part {
    LLVMValueRef x;
    uint64_t keep[CF_MOST_LANES];
} part;

typedef enum choice {
    ZERO,
    X,
    NEGATED,
    ABSOLUTE,
    NEGATIVE,
    Y,
    ABSOLUTE_Y,
    X_LIKE_Y,
    Y_LIKE_X,
    NO_CHOICE
} choice;

static LLVMValueRef chosen(cf_idioms *d, choice c, LLVMValueRef x, LLVMValueRef y) {
    switch (c) {
    case X: return x;
    case NEGATED: return negated(d, x);
    case ABSOLUTE: return absolute(d, x);
    case NEGATIVE: return negated(d, absolute(d, x));
    case Y: return y;
    case ABSOLUTE_Y: return absolute(d, y);
    case X_LIKE_Y: return call(d, "llvm.copysign", x, y);
    case Y_LIKE_X: return call(d, "llvm.copysign", y, x);
    default: return l_zero(LLVMTypeOf(x));
    }
}

/* Lane i as choice[i] says. */
static LLVMValueRef by_lane(cf_idioms *d, const cf_numbers *f, const choice *c, LLVMValueRef x,
                            LLVMValueRef y) {
    LLVMValueRef result = NULL, lane[CF_MOST_LANES];
    for (choice k = ZERO; k < NO_CHOICE; k++) {
        bool any = false;
        for (unsigned i = 0; i < f->n; i++) {
            lane[i] = l_i1(d->job->context, c[i] == k);
            any |= c[i] == k;
        }
        if (!any) continue;
        LLVMValueRef v = chosen(d, k, x, y), where = f->n == 1 ? lane[0] : LLVMConstVector(lane, f->n);
        result = result ? LLVMBuildSelect(d->b, where, v, result, "") : v;
    }
    return result;
}

static bool all_chosen(const cf_numbers *f, const choice *c) {
    for (unsigned i = 0; i < f->n; i++)
        if (c[i] == NO_CHOICE) return false;
    return true;
}

/* `zext x`, `shl (zext x), k`: x in one lane, 0 in the others. */
static bool widened_part(cf_idioms *d, const cf_numbers *f, LLVMValueRef v, part *p) {
    LLVMValueRef wide = is_op(v, LLVMShl) ? operand(v, 0) : v;
    if (!is_op(wide, LLVMZExt) || f->n == 1 || l_is_vector_type(LLVMTypeOf(v))) return false;
    LLVMValueRef x = operand(wide, 0);
    bool constant = wide == v || LLVMIsAConstantInt(operand(v, 1));
    unsigned long long by = wide == v || !constant ? 0 : LLVMConstIntGetZExtValue(operand(v, 1));
    if (!constant || cf_bit_count(LLVMTypeOf(x)) != f->width || by % f->width || by / f->width >= f->n)
        return false;
    unsigned at = (unsigned)(by / f->width);
    p->x = cf_with_lane(d->b, l_zero(f->type), cf_as(d, x, cf_lane_type(f->type)), at);
    for (unsigned i = 0; i < f->n; i++) p->keep[i] = i == at ? f->all : 0;
    return true;
}

static void read_part(cf_idioms *d, const cf_numbers *f, LLVMValueRef v, part *p) {
    for (unsigned k = 0; k < 2 && is_op(v, LLVMAnd); k++)
        if (cf_constant_lanes(operand(v, k), f->width, f->n, p->keep)) {
            p->x = cf_as(d, operand(v, !k), f->type);
            return;
        }
    if (widened_part(d, f, v, p)) return;
    for (unsigned i = 0; i < f->n; i++) p->keep[i] = f->all;
    p->x = cf_as(d, v, f->type);
    if (LLVMIsAConstant(v)) cf_constant_lanes(v, f->width, f->n, p->keep);
}

/* Bits of x where x_keep has them, of y where y_keep has them. */
static choice joined(const cf_numbers *f, uint64_t x_keep, uint64_t y_keep, bool y_constant) {
    uint64_t rest = f->all & ~f->sign;
    if (!y_keep) return x_keep == f->all ? X : x_keep == rest ? ABSOLUTE : x_keep ? NO_CHOICE : ZERO;
    if (!x_keep) return y_keep == f->all || y_constant ? Y : y_keep == rest ? ABSOLUTE_Y : NO_CHOICE;
    if (y_constant) return y_keep == f->sign && (x_keep & rest) == rest ? NEGATIVE : NO_CHOICE;
    if (x_keep == rest && y_keep == f->sign) return X_LIKE_Y;
    return x_keep == f->sign && y_keep == rest ? Y_LIKE_X : NO_CHOICE;
}

static LLVMValueRef join_lanes(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    bool second = LLVMIsAConstant(operand(i, 0));
    LLVMValueRef a = operand(i, second), c = operand(i, !second);
    part x, y;
    choice of[CF_MOST_LANES];
    read_part(d, f, a, &x);
    read_part(d, f, c, &y);
    for (unsigned k = 0; k < f->n; k++) of[k] = joined(f, x.keep[k], y.keep[k], LLVMIsAConstant(c));
    return all_chosen(f, of) ? by_lane(d, f, of, x.x, y.x) : NULL;
}

/* ---- masks that are computed ---- */

/* Numbers under a mask: x where the mask (by the highest bit) or the condition says so, or where it does not; else 0. */
typedef struct masked {
    LLVMValueRef x, mask, condition;
    bool inverse;
} masked;

static bool read_masked(LLVMValueRef v, const cf_numbers *f, masked *m) {
    for (unsigned k = 0; k < 2 && is_op(v, LLVMAnd); k++)
        if (cf_is_lane_mask(operand(v, k), f->width) && !LLVMIsAConstant(operand(v, k))) {
            *m = (masked){.x = operand(v, !k), .mask = operand(v, k)};
            return true;
        }
    bool positive = LLVMIsACallInst(v) && l_callee(v) && l_is_intrinsic_of(l_callee(v), "llvm.smax");
    for (unsigned k = 0; k < 2 && positive && cf_lane_count(LLVMTypeOf(v)) == f->n; k++)
        if (l_is_zero(operand(v, k))) {
            *m = (masked){.x = operand(v, !k), .mask = operand(v, !k), .inverse = true};
            return true;
        }
    if (!is_op(v, LLVMSelect)) return false;
    unsigned lanes = cf_lane_count(LLVMTypeOf(operand(v, 0)));
    for (unsigned k = 1; k < 3; k++)
        if (l_is_zero(operand(v, k)) && (lanes == f->n || lanes == 1)) {
            *m = (masked){.x = operand(v, 3 - k), .condition = operand(v, 0), .inverse = k == 1};
            return true;
        }
    return false;
}

static LLVMValueRef masked_or(cf_idioms *d, const cf_numbers *f, const masked *m, LLVMValueRef x,
                              LLVMValueRef other) {
    LLVMValueRef c = m->mask ? cf_condition(d, m->mask, f) : m->condition;
    return m->inverse ? LLVMBuildSelect(d->b, c, other, x, "") : LLVMBuildSelect(d->b, c, x, other, "");
}

/* (x & m) | (y & ~m) */
static LLVMValueRef choose(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    masked x, y;
    if (!read_masked(operand(i, 0), f, &x) || !read_masked(operand(i, 1), f, &y)) return NULL;
    if (!x.mask || !y.mask || x.inverse || y.inverse || !cf_are_complements(x.mask, y.mask)) return NULL;
    return masked_or(d, f, &x, cf_as(d, x.x, f->type), cf_as(d, y.x, f->type));
}

/* (x & m) | (y & n): one of them where one mask has the lane; where both have it, the bits of both (which are no number, or
 * the same one). */
static LLVMValueRef accumulate(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    masked x, y;
    unsigned k = !read_masked(operand(i, 0), f, &x);
    if (k && !read_masked(operand(i, 1), f, &x)) return NULL;
    bool both = read_masked(operand(i, !k), f, &y);
    if (!both && !is_op(operand(i, !k), LLVMOr)) return NULL;
    LLVMValueRef other = cf_as(d, both ? y.x : operand(i, !k), f->type);
    if (both) other = masked_or(d, f, &y, other, l_zero(f->type));
    LLVMValueRef one = masked_or(d, f, &x, cf_as(d, x.x, f->type), other);
    LLVMValueRef part[2];
    for (unsigned j = 0; j < 2; j++) part[j] = cf_cut(d, cf_as(d, operand(i, j), f->bits));
    LLVMValueRef bits = LLVMBuildOr(d->b, part[0], part[1], "");
    LLVMValueRef same = LLVMBuildICmp(d->b, LLVMIntEQ, cf_as(d, one, f->bits), bits, "");
    return LLVMBuildSelect(d->b, same, one, cf_as(d, bits, f->type), "");
}

/* x | m: NaN where the mask is. */
static LLVMValueRef not_a_number(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef m = operand(i, k), x = operand(i, !k);
        if (LLVMIsAConstant(m) || !cf_is_lane_mask(m, f->width) || cf_is_lane_mask(x, f->width)) continue;
        LLVMValueRef all = cf_as(d, lane_constant(f, f->all), f->type);
        return LLVMBuildSelect(d->b, cf_condition(d, m, f), all, cf_as(d, x, f->type), "");
    }
    return NULL;
}

/* ((x ^ y) & m) ^ y */
static LLVMValueRef exchange(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef y = operand(i, !k);
        masked m;
        if (!read_masked(operand(i, k), f, &m) || !is_op(m.x, LLVMXor)) continue;
        for (unsigned j = 0; j < 2; j++)
            if (operand(m.x, j) == y)
                return masked_or(d, f, &m, cf_as(d, operand(m.x, !j), f->type), cf_as(d, y, f->type));
    }
    return NULL;
}

/* An operand that is nothing but signs, and the other one. */
static bool read_signs(LLVMValueRef i, const cf_numbers *f, LLVMValueRef *x, LLVMValueRef *signs) {
    for (unsigned k = 0; k < 2; k++)
        if (cf_has_only_bits(operand(i, k), f->width, f->sign) &&
            !cf_has_only_bits(operand(i, !k), f->width, f->sign)) {
            *signs = operand(i, k);
            *x = operand(i, !k);
            return true;
        }
    return false;
}

/* ---- exponents ---- */

/* (x & mantissa, with or without the sign) | exponent */
static LLVMValueRef set_exponent(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    uint64_t keep[CF_MOST_LANES], other[CF_MOST_LANES];
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef masked = operand(i, k);
        if (!is_op(masked, LLVMAnd) || !cf_has_only_bits(operand(i, !k), f->width, f->all & ~f->mantissa))
            continue;
        for (unsigned j = 0; j < 2; j++) {
            if (!cf_constant_lanes(operand(masked, j), f->width, f->n, keep)) continue;
            bool fits = true, constant = cf_constant_lanes(operand(i, !k), f->width, f->n, other);
            for (unsigned l = 0; l < f->n; l++)
                fits &= (keep[l] & ~f->sign) == f->mantissa &&
                        (constant ? !(other[l] & keep[l]) : keep[l] == f->mantissa);
            if (!fits) continue;
            LLVMValueRef x = operand(masked, !j), x_cut = cf_cut(d, cf_as(d, x, f->bits));
            LLVMValueRef y = LLVMBuildAnd(d->b, x_cut, cf_as(d, operand(masked, j), f->bits), "");
            y = LLVMBuildOr(d->b, y, cf_as(d, operand(i, !k), f->bits), "");
            return same_mantissa(d, f, y, cf_as(d, x, f->type), x_cut);
        }
    }
    return NULL;
}

/* x + d, x - d where d changes the exponent alone. */
LLVMValueRef cf_move_exponent(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    bool minus = is_op(i, LLVMSub);
    uint64_t exponent = f->all & ~f->mantissa;
    if (cf_lane_count(LLVMTypeOf(i)) != f->n) return NULL;
    for (unsigned k = 0; k < 2 - (unsigned)minus; k++) {
        LLVMValueRef x = operand(i, k), by = operand(i, !k);
        if (!cf_has_only_bits(by, f->width, exponent) || cf_has_only_bits(x, f->width, exponent)) continue;
        LLVMValueRef x_cut = cf_cut(d, x);
        LLVMValueRef y = minus ? LLVMBuildSub(d->b, x_cut, by, "") : LLVMBuildAdd(d->b, x_cut, by, "");
        return same_mantissa(d, f, y, cf_as(d, x, f->type), x_cut);
    }
    return NULL;
}

/* x without the lowest bits of its mantissa is x rounded, whose derivative is 1 as that of a conversion to float. */
static LLVMValueRef round_down(cf_idioms *d, const cf_numbers *f, LLVMValueRef x, const uint64_t *keep,
                               LLVMValueRef mask) {
    for (unsigned k = 0; k < f->n; k++) {
        uint64_t cleared = f->all & ~keep[k];
        if (cleared & ~f->mantissa || cleared & (cleared + 1) || cleared == f->mantissa) return NULL;
    }
    LLVMValueRef x_cut = cf_cut(d, cf_as(d, x, f->bits)),
                 y = LLVMBuildAnd(d->b, x_cut, cf_as(d, mask, f->bits), "");
    LLVMTypeRef lane = cf_lane_type(f->type);
    return with_slope(d, f, y, cf_as(d, x, f->type), x_cut, cf_all_lanes(LLVMConstReal(lane, 1), f->n));
}

/* ---- and, or, xor ---- */

/* Signs and exponents alone. */
static LLVMValueRef without_mantissa(cf_idioms *d, const cf_numbers *f, LLVMValueRef x, const uint64_t *keep,
                                     LLVMValueRef mask) {
    for (unsigned k = 0; k < f->n; k++)
        if (keep[k] & f->mantissa) return NULL;
    return LLVMBuildAnd(d->b, cf_cut(d, cf_as(d, x, f->bits)), cf_as(d, mask, f->bits), "");
}

LLVMValueRef cf_read_and(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    LLVMValueRef x, m;
    masked under;
    uint64_t keep[CF_MOST_LANES];
    choice of[CF_MOST_LANES];
    if (read_masked(i, f, &under)) {
        if (cf_is_lane_mask(under.x, f->width)) return NULL;
        return masked_or(d, f, &under, cf_as(d, under.x, f->type), l_zero(f->type));
    }
    for (unsigned k = 0; k < 2; k++) {
        x = operand(i, !k), m = operand(i, k);
        if (LLVMIsAConstant(x) || !cf_constant_lanes(m, f->width, f->n, keep)) continue;
        for (unsigned l = 0; l < f->n; l++) of[l] = joined(f, keep[l], 0, false);
        if (all_chosen(f, of)) return by_lane(d, f, of, cf_as(d, x, f->type), NULL);
        LLVMValueRef made = without_mantissa(d, f, x, keep, m);
        return made ? made : round_down(d, f, x, keep, m);
    }
    return NULL;
}

LLVMValueRef cf_read_or(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    LLVMValueRef x, signs, made = choose(d, f, i);
    if (!made) made = not_a_number(d, f, i);
    if (!made) made = join_lanes(d, f, i);
    if (!made) made = set_exponent(d, f, i);
    if (made) return made;
    if (!read_signs(i, f, &x, &signs)) return accumulate(d, f, i);
    x = cf_as(d, x, f->type);
    return LLVMBuildSelect(d->b, cf_condition(d, signs, f), negated(d, absolute(d, x)), x, "");
}

LLVMValueRef cf_read_xor(cf_idioms *d, const cf_numbers *f, LLVMValueRef i) {
    LLVMValueRef x, signs;
    uint64_t flip[CF_MOST_LANES];
    choice of[CF_MOST_LANES];
    if (!read_signs(i, f, &x, &signs)) return exchange(d, f, i);
    x = cf_as(d, x, f->type);
    if (!cf_constant_lanes(signs, f->width, f->n, flip))
        return LLVMBuildSelect(d->b, cf_condition(d, signs, f), negated(d, x), x, "");
    for (unsigned l = 0; l < f->n; l++) of[l] = flip[l] ? NEGATED : X;
    return by_lane(d, f, of, x, NULL);
}

/* lshr by the mantissa or more: sign and exponent. */
LLVMValueRef cf_read_shift(cf_idioms *d, LLVMValueRef i) {
    cf_numbers f;
    uint64_t by[CF_MOST_LANES];
    LLVMValueRef x = operand(i, 0);
    if (!cf_numbers_of_type(cf_made_from(x, 0), &f) || LLVMTypeOf(x) != f.bits) return NULL;
    if (!cf_constant_lanes(operand(i, 1), f.width, f.n, by)) return NULL;
    for (unsigned k = 0; k < f.n; k++)
        if (by[k] < 64 && f.mantissa >> by[k]) return NULL;
    x = cf_cut(d, x);
    return is_op(i, LLVMAShr) ? LLVMBuildAShr(d->b, x, operand(i, 1), "")
                              : LLVMBuildLShr(d->b, x, operand(i, 1), "");
}
