/* Loss of a small decoder-only transformer. Parameters are one allocation, activations another; every intermediate
 * result has a place of its own and is written once. */
#include "gpt2.h"
#include <cofactor/ad.h>

static real *take(real **at, int n) {
    real *p = *at;
    *at += n;
    return p;
}

size_t gpt2_place_params(const gpt2_sizes *z, real *at, gpt2_params *p) {
    int L = z->L, C = z->C;
    real *start = at;
    p->wte = take(&at, z->P * C);
    p->wpe = take(&at, z->M * C);
    p->ln1w = take(&at, L * C);
    p->ln1b = take(&at, L * C);
    p->qkvw = take(&at, L * 3 * C * C);
    p->qkvb = take(&at, L * 3 * C);
    p->attw = take(&at, L * C * C);
    p->attb = take(&at, L * C);
    p->ln2w = take(&at, L * C);
    p->ln2b = take(&at, L * C);
    p->fcw = take(&at, L * 4 * C * C);
    p->fcb = take(&at, L * 4 * C);
    p->projw = take(&at, L * C * 4 * C);
    p->projb = take(&at, L * C);
    p->lnfw = take(&at, C);
    p->lnfb = take(&at, C);
    return (size_t)(at - start);
}

size_t gpt2_place_acts(const gpt2_sizes *z, real *at, gpt2_acts *a) {
    int L = z->L, C = z->C, BT = z->B * z->T, scores = z->B * z->H * z->T * z->T;
    real *start = at;
    a->emb = take(&at, BT * C);
    a->ln1 = take(&at, L * BT * C);
    a->ln1_mean = take(&at, L * BT);
    a->ln1_rstd = take(&at, L * BT);
    a->qkv = take(&at, L * BT * 3 * C);
    a->mix = take(&at, L * BT * C);
    a->score = take(&at, L * scores);
    a->att = take(&at, L * scores);
    a->attout = take(&at, L * BT * C);
    a->res2 = take(&at, L * BT * C);
    a->ln2 = take(&at, L * BT * C);
    a->ln2_mean = take(&at, L * BT);
    a->ln2_rstd = take(&at, L * BT);
    a->fc = take(&at, L * BT * 4 * C);
    a->gelu = take(&at, L * BT * 4 * C);
    a->proj = take(&at, L * BT * C);
    a->res3 = take(&at, L * BT * C);
    a->lnf = take(&at, BT * C);
    a->lnf_mean = take(&at, BT);
    a->lnf_rstd = take(&at, BT);
    a->logits = take(&at, BT * z->P);
    a->probs = take(&at, BT * z->P);
    a->losses = take(&at, BT);
    return (size_t)(at - start);
}

static void embed(const gpt2_sizes *z, const int *input, const real *wte, const real *wpe, real *out) {
    int C = z->C;
    for (int i = 0; i < z->B * z->T; i++) {
        const real *token = wte + input[i] * C, *position = wpe + i % z->T * C;
        for (int c = 0; c < C; c++) out[i * C + c] = token[c] + position[c];
    }
}

static void layer_norm(int rows, int C, const real *x, const real *w, const real *g, real *out, real *mean,
                       real *rstd) {
    for (int i = 0; i < rows; i++, x += C, out += C) {
        real m = 0, v = 0;
        for (int c = 0; c < C; c++) m += x[c];
        m /= (real)C;
        for (int c = 0; c < C; c++) v += (x[c] - m) * (x[c] - m);
        v /= (real)C;
        real r = 1 / sqrt(v + (real)1e-5);
        for (int c = 0; c < C; c++) out[c] = (x[c] - m) * r * w[c] + g[c];
        mean[i] = m;
        rstd[i] = r;
    }
}

/* out = W x + g for each row; g may be NULL. */
static void linear(int rows, int from, int to, const real *x, const real *W, const real *g, real *out) {
    for (int i = 0; i < rows; i++)
        for (int o = 0; o < to; o++) {
            real sum = g ? g[o] : 0;
            for (int j = 0; j < from; j++) sum += W[o * from + j] * x[i * from + j];
            out[i * to + o] = sum;
        }
}

static void attend(int t, int hs, int stride, const real *query, const real *keys, const real *values,
                   real *score, real *att, real *mix) {
    real scale = 1 / sqrt((real)hs), largest = -(real)INFINITY, sum = 0;
    for (int u = 0; u <= t; u++) {
        real dot = 0;
        for (int i = 0; i < hs; i++) dot += query[i] * keys[u * stride + i];
        score[u] = dot * scale;
        if (score[u] > largest) largest = score[u];
    }
    for (int u = 0; u <= t; u++) {
        att[u] = exp(score[u] - largest);
        sum += att[u];
    }
    for (int i = 0; i < hs; i++) mix[i] = 0;
    for (int u = 0; u <= t; u++) {
        att[u] /= sum;
        for (int i = 0; i < hs; i++) mix[i] += att[u] * values[u * stride + i];
    }
}

static void attention(const gpt2_sizes *z, const real *qkv, real *score, real *att, real *mix) {
    int C = z->C, T = z->T, H = z->H, hs = C / H;
    for (int b = 0; b < z->B; b++)
        for (int h = 0; h < H; h++)
            for (int t = 0; t < T; t++) {
                const real *first = qkv + b * T * 3 * C + h * hs;
                int at = ((b * H + h) * T + t) * T;
                for (int u = t + 1; u < T; u++) att[at + u] = score[at + u] = 0;
                attend(t, hs, 3 * C, first + t * 3 * C, first + C, first + 2 * C, score + at, att + at,
                       mix + (b * T + t) * C + h * hs);
            }
}

static void add(int n, const real *a, const real *b, real *out) {
    for (int i = 0; i < n; i++) out[i] = a[i] + b[i];
}

static void gelu(int n, const real *x, real *out) {
    const real a = (real)0.79788456080286535588;
    for (int i = 0; i < n; i++)
        out[i] = (real)0.5 * x[i] * (1 + tanh(a * (x[i] + (real)0.044715 * x[i] * x[i] * x[i])));
}

static void layer(const gpt2_sizes *z, int l, const gpt2_params *p, const gpt2_acts *a, const real *x) {
    int C = z->C, n = z->B * z->T, scores = z->B * z->H * z->T * z->T;
    real *ln1 = a->ln1 + l * n * C, *qkv = a->qkv + l * n * 3 * C, *mix = a->mix + l * n * C;
    real *attout = a->attout + l * n * C, *res2 = a->res2 + l * n * C, *ln2 = a->ln2 + l * n * C;
    real *fc = a->fc + l * n * 4 * C, *act = a->gelu + l * n * 4 * C, *proj = a->proj + l * n * C;
    layer_norm(n, C, x, p->ln1w + l * C, p->ln1b + l * C, ln1, a->ln1_mean + l * n, a->ln1_rstd + l * n);
    linear(n, C, 3 * C, ln1, p->qkvw + l * 3 * C * C, p->qkvb + l * 3 * C, qkv);
    attention(z, qkv, a->score + l * scores, a->att + l * scores, mix);
    linear(n, C, C, mix, p->attw + l * C * C, p->attb + l * C, attout);
    add(n * C, x, attout, res2);
    layer_norm(n, C, res2, p->ln2w + l * C, p->ln2b + l * C, ln2, a->ln2_mean + l * n, a->ln2_rstd + l * n);
    linear(n, C, 4 * C, ln2, p->fcw + l * 4 * C * C, p->fcb + l * 4 * C, fc);
    gelu(n * 4 * C, fc, act);
    linear(n, 4 * C, C, act, p->projw + l * 4 * C * C, p->projb + l * C, proj);
    add(n * C, res2, proj, a->res3 + l * n * C);
}

static void softmax_row(int V, int P, const real *logits, real *probs) {
    real largest = logits[0], sum = 0;
    for (int i = 1; i < V; i++)
        if (logits[i] > largest) largest = logits[i];
    for (int i = 0; i < V; i++) {
        probs[i] = exp(logits[i] - largest);
        sum += probs[i];
    }
    for (int i = 0; i < V; i++) probs[i] /= sum;
    for (int i = V; i < P; i++) probs[i] = 0;
}

real gpt2_loss(const gpt2_sizes *z, const int *input, const int *target, real *params, real *acts) {
    int n = z->B * z->T, C = z->C;
    gpt2_params p;
    gpt2_acts a;
    gpt2_place_params(z, params, &p);
    gpt2_place_acts(z, acts, &a);
    embed(z, input, p.wte, p.wpe, a.emb);
    const real *x = a.emb;
    for (int l = 0; l < z->L; l++) {
        layer(z, l, &p, &a, x);
        x = a.res3 + l * n * C;
    }
    layer_norm(n, C, x, p.lnfw, p.lnfb, a.lnf, a.lnf_mean, a.lnf_rstd);
    linear(n, C, z->P, a.lnf, p.wte, NULL, a.logits);
    real sum = 0;
    for (int i = 0; i < n; i++) {
        softmax_row(z->V, z->P, a.logits + i * z->P, a.probs + i * z->P);
        a.losses[i] = -log(a.probs[i * z->P + target[i]]);
        sum += a.losses[i];
    }
    return sum / (real)n;
}

CF_REVERSE(gpt2_loss_grad, gpt2_loss, "const const const dup dup");
CF_FORWARD(gpt2_loss_tan, gpt2_loss, "const const const dup dup");
