/* The backward pass of the transformer: the forward steps from last to first. Nothing was overwritten, so no tape. */
#include "../gpt2.h"

static void linear_back(int rows, int from, int to, const real *x, const real *W, const real *out_bar,
                        real *x_bar, real *W_bar, real *g_bar) {
    for (int i = 0; i < rows; i++)
        for (int o = 0; o < to; o++) {
            real d = out_bar[i * to + o];
            if (g_bar) g_bar[o] += d;
            for (int j = 0; j < from; j++) {
                x_bar[i * from + j] += d * W[o * from + j];
                W_bar[o * from + j] += d * x[i * from + j];
            }
        }
}

static void layer_norm_back(int rows, int C, const real *x, const real *w, const real *mean, const real *rstd,
                            const real *out_bar, real *x_bar, real *w_bar, real *g_bar) {
    for (int i = 0; i < rows; i++, x += C, x_bar += C, out_bar += C) {
        real r = rstd[i], sum = 0, along = 0;
        for (int c = 0; c < C; c++) {
            real n = (x[c] - mean[i]) * r, d = out_bar[c] * w[c];
            w_bar[c] += out_bar[c] * n;
            g_bar[c] += out_bar[c];
            sum += d;
            along += d * n;
        }
        for (int c = 0; c < C; c++) {
            real n = (x[c] - mean[i]) * r;
            x_bar[c] += r * (out_bar[c] * w[c] - sum / (real)C - n * along / (real)C);
        }
    }
}

static void attend_back(int t, int hs, int stride, const real *qkv, real *qkv_bar, int C, const real *att,
                        real *att_bar, const real *mix_bar) {
    const real *query = qkv + t * stride, *keys = qkv + C, *values = qkv + 2 * C;
    real *query_bar = qkv_bar + t * stride, *keys_bar = qkv_bar + C, *values_bar = qkv_bar + 2 * C;
    real scale = 1 / sqrt((real)hs), mean = 0;
    for (int u = 0; u <= t; u++) {
        real d = 0;
        for (int i = 0; i < hs; i++) {
            d += mix_bar[i] * values[u * stride + i];
            values_bar[u * stride + i] += att[u] * mix_bar[i];
        }
        att_bar[u] = d;
        mean += att[u] * d;
    }
    for (int u = 0; u <= t; u++) {
        real s = att[u] * (att_bar[u] - mean) * scale;
        for (int i = 0; i < hs; i++) {
            query_bar[i] += s * keys[u * stride + i];
            keys_bar[u * stride + i] += s * query[i];
        }
    }
}

static void attention_back(const gpt2_sizes *z, const real *qkv, real *qkv_bar, const real *att,
                           real *att_bar, const real *mix_bar) {
    int C = z->C, T = z->T, hs = C / z->H;
    for (int b = 0; b < z->B; b++)
        for (int h = 0; h < z->H; h++)
            for (int t = 0; t < T; t++) {
                int first = b * T * 3 * C + h * hs, at = ((b * z->H + h) * T + t) * T;
                attend_back(t, hs, 3 * C, qkv + first, qkv_bar + first, C, att + at, att_bar + at,
                            mix_bar + (b * T + t) * C + h * hs);
            }
}

static void gelu_back(int n, const real *x, const real *out_bar, real *x_bar) {
    const real a = (real)0.79788456080286535588, k = (real)0.044715;
    for (int i = 0; i < n; i++) {
        real h = tanh(a * (x[i] + k * x[i] * x[i] * x[i]));
        x_bar[i] += out_bar[i] * ((1 + h) / 2 + x[i] / 2 * (1 - h * h) * a * (1 + 3 * k * x[i] * x[i]));
    }
}

static void add_to(int n, const real *from, real *to) {
    for (int i = 0; i < n; i++) to[i] += from[i];
}

/* x: the layer's input; its adjoint gets added to x_bar. g: adjoints of parameters, d: of activations. */
static void layer_back(const gpt2_sizes *z, int l, const gpt2_params *p, const gpt2_params *g,
                       const gpt2_acts *a, const gpt2_acts *d, const real *x, real *x_bar) {
    int C = z->C, n = z->B * z->T, scores = z->B * z->H * z->T * z->T;
    int row = l * n * C, wide = l * n * 4 * C;
    add_to(n * C, d->res3 + row, d->res2 + row);
    add_to(n * C, d->res3 + row, d->proj + row);
    linear_back(n, 4 * C, C, a->gelu + wide, p->projw + l * 4 * C * C, d->proj + row, d->gelu + wide,
                g->projw + l * 4 * C * C, g->projb + l * C);
    gelu_back(n * 4 * C, a->fc + wide, d->gelu + wide, d->fc + wide);
    linear_back(n, C, 4 * C, a->ln2 + row, p->fcw + l * 4 * C * C, d->fc + wide, d->ln2 + row,
                g->fcw + l * 4 * C * C, g->fcb + l * 4 * C);
    layer_norm_back(n, C, a->res2 + row, p->ln2w + l * C, a->ln2_mean + l * n, a->ln2_rstd + l * n,
                    d->ln2 + row, d->res2 + row, g->ln2w + l * C, g->ln2b + l * C);
    add_to(n * C, d->res2 + row, x_bar);
    add_to(n * C, d->res2 + row, d->attout + row);
    linear_back(n, C, C, a->mix + row, p->attw + l * C * C, d->attout + row, d->mix + row,
                g->attw + l * C * C, g->attb + l * C);
    attention_back(z, a->qkv + 3 * row, d->qkv + 3 * row, a->att + l * scores, d->att + l * scores,
                   d->mix + row);
    linear_back(n, C, 3 * C, a->ln1 + row, p->qkvw + l * 3 * C * C, d->qkv + 3 * row, d->ln1 + row,
                g->qkvw + l * 3 * C * C, g->qkvb + l * 3 * C);
    layer_norm_back(n, C, x, p->ln1w + l * C, a->ln1_mean + l * n, a->ln1_rstd + l * n, d->ln1 + row, x_bar,
                    g->ln1w + l * C, g->ln1b + l * C);
}

static void loss_back(const gpt2_sizes *z, const int *target, const gpt2_acts *a, const gpt2_acts *d) {
    int n = z->B * z->T;
    for (int i = 0; i < n; i++)
        for (int v = 0; v < z->V; v++)
            d->logits[i * z->P + v] = (a->probs[i * z->P + v] - (real)(v == target[i])) / (real)n;
}

static void embed_back(const gpt2_sizes *z, const int *input, const gpt2_acts *d, const gpt2_params *g) {
    int C = z->C;
    for (int i = 0; i < z->B * z->T; i++) {
        add_to(C, d->emb + i * C, g->wte + input[i] * C);
        add_to(C, d->emb + i * C, g->wpe + i % z->T * C);
    }
}

real gpt2_loss_hand(const gpt2_sizes *z, const int *input, const int *target, real *params, real *params_bar,
                    real *acts, real *acts_bar) {
    real loss = gpt2_loss(z, input, target, params, acts);
    int n = z->B * z->T, C = z->C;
    gpt2_params p, g;
    gpt2_acts a, d;
    gpt2_place_params(z, params, &p);
    gpt2_place_params(z, params_bar, &g);
    gpt2_place_acts(z, acts, &a);
    gpt2_place_acts(z, acts_bar, &d);
    loss_back(z, target, &a, &d);
    linear_back(n, C, z->P, a.lnf, p.wte, d.logits, d.lnf, g.wte, NULL);
    int last = (z->L - 1) * n * C;
    layer_norm_back(n, C, a.res3 + last, p.lnfw, a.lnf_mean, a.lnf_rstd, d.lnf, d.res3 + last, g.lnfw,
                    g.lnfb);
    for (int l = z->L - 1; l >= 0; l--) {
        int before = (l - 1) * n * C;
        layer_back(z, l, &p, &g, &a, &d, l ? a.res3 + before : a.emb, l ? d.res3 + before : d.emb);
    }
    embed_back(z, input, &d, &g);
    return loss;
}
