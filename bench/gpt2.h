#ifndef GPT2_H
#define GPT2_H
#include "real.h"
#include <stddef.h>

/* Layers, heads, channels, tokens, room for positions, sequences, vocabulary, padded vocabulary. */
typedef struct gpt2_sizes {
    int L, H, C, T, M, B, V, P;
} gpt2_sizes;

/* Where the tensors lie in the one allocation of all parameters (or of their adjoints). */
typedef struct gpt2_params {
    real *wte, *wpe, *ln1w, *ln1b, *qkvw, *qkvb, *attw, *attb, *ln2w, *ln2b, *fcw, *fcb, *projw, *projb,
        *lnfw, *lnfb;
} gpt2_params;

typedef struct gpt2_acts {
    real *emb, *ln1, *ln1_mean, *ln1_rstd, *qkv, *mix, *score, *att, *attout, *res2, *ln2, *ln2_mean,
        *ln2_rstd, *fc, *gelu, *proj, *res3, *lnf, *lnf_mean, *lnf_rstd, *logits, *probs, *losses;
} gpt2_acts;

/* Fill in the pointers for tensors that begin at `at`; return the count of numbers. */
size_t gpt2_place_params(const gpt2_sizes *z, real *at, gpt2_params *p);
size_t gpt2_place_acts(const gpt2_sizes *z, real *at, gpt2_acts *a);

/* Mean loss of predicting target from input, B x T tokens each. acts is room for all intermediate results. */
real gpt2_loss(const gpt2_sizes *z, const int *input, const int *target, real *params, real *acts);
real gpt2_loss_grad(const gpt2_sizes *z, const int *input, const int *target, real *params, real *params_bar,
                    real *acts, real *acts_bar);
real gpt2_loss_tan(const gpt2_sizes *z, const int *input, const int *target, real *params, real *params_dot,
                   real *acts, real *acts_dot);
real gpt2_loss_hand(const gpt2_sizes *z, const int *input, const int *target, real *params, real *params_bar,
                    real *acts, real *acts_bar);

#endif
