/* Back-propagation through time. Per step and layer eight rows are kept: input x, old hidden h, old cell c,
 * the four gates and tanh of the new cell. */
#include "../lstm.h"
#include <stdlib.h>
#include <string.h>

enum { X, H, C, FORGET, IN, OUT, CHANGE, TANH, KEPT };

static real sigmoid(real x) { return 1 / (1 + exp(-x)); }

static void layer_forward(int b, const real *w, const real *bias, const real *x, real *h, real *c,
                          real *kept) {
    for (int i = 0; i < b; i++) {
        real f = sigmoid(x[i] * w[i] + bias[i]), g = sigmoid(h[i] * w[b + i] + bias[b + i]);
        real o = sigmoid(x[i] * w[2 * b + i] + bias[2 * b + i]),
             a = tanh(h[i] * w[3 * b + i] + bias[3 * b + i]);
        kept[X * b + i] = x[i];
        kept[H * b + i] = h[i];
        kept[C * b + i] = c[i];
        c[i] = c[i] * f + g * a;
        real t = tanh(c[i]);
        h[i] = o * t;
        kept[FORGET * b + i] = f;
        kept[IN * b + i] = g;
        kept[OUT * b + i] = o;
        kept[CHANGE * b + i] = a;
        kept[TANH * b + i] = t;
    }
}

/* x_bar holds the adjoint of the layer's output and becomes that of its input. */
static void layer_backward(int b, const real *w, real *w_bar, real *bias_bar, const real *kept, real *x_bar,
                           real *h_bar, real *c_bar) {
    for (int i = 0; i < b; i++) {
        real f = kept[FORGET * b + i], g = kept[IN * b + i], o = kept[OUT * b + i], a = kept[CHANGE * b + i];
        real t = kept[TANH * b + i], x = kept[X * b + i], h = kept[H * b + i];
        real out = h_bar[i] + x_bar[i], d = c_bar[i] + out * o * (1 - t * t);
        real by_f = d * kept[C * b + i] * f * (1 - f), by_g = d * a * g * (1 - g);
        real by_o = out * t * o * (1 - o), by_a = d * g * (1 - a * a);
        w_bar[i] += by_f * x;
        w_bar[b + i] += by_g * h;
        w_bar[2 * b + i] += by_o * x;
        w_bar[3 * b + i] += by_a * h;
        bias_bar[i] += by_f;
        bias_bar[b + i] += by_g;
        bias_bar[2 * b + i] += by_o;
        bias_bar[3 * b + i] += by_a;
        x_bar[i] = by_f * w[i] + by_o * w[2 * b + i];
        h_bar[i] = by_g * w[b + i] + by_a * w[3 * b + i];
        c_bar[i] = d * f;
    }
}

typedef struct model {
    int l, c, b;
    const real *weights, *extra, *sequence;
    real *weights_bar, *extra_bar;
    real *kept; /* c-1 steps of l layers of KEPT rows, then per step the last x and y: 2 rows */
    real *z;    /* c-1 */
} model;

static real *layer_of(const model *m, int t, int k) {
    size_t step = (size_t)(m->l * KEPT + 2) * (size_t)m->b;
    return m->kept + (size_t)t * step + (size_t)(k * KEPT * m->b);
}

static real forward(model *m, real *state) {
    int b = m->b;
    real total = 0;
    for (int t = 0; t < m->c - 1; t++) {
        real *x = layer_of(m, t, m->l), *y = x + b, sum = 2;
        for (int i = 0; i < b; i++) x[i] = m->sequence[t * b + i] * m->extra[i];
        for (int k = 0; k < m->l; k++) {
            const real *w = &m->weights[8 * k * b];
            real *h = &state[2 * k * b];
            layer_forward(b, w, w + 4 * b, x, h, h + b, layer_of(m, t, k));
            memcpy(x, h, (size_t)b * sizeof *x);
        }
        for (int i = 0; i < b; i++) {
            y[i] = x[i] * m->extra[b + i] + m->extra[2 * b + i];
            sum += exp(y[i]);
        }
        m->z[t] = log(sum);
        for (int i = 0; i < b; i++) total += m->sequence[(t + 1) * b + i] * (y[i] - m->z[t]);
    }
    return -total / (real)(b * (m->c - 1));
}

/* state_bar: like state; x_bar: b. Both start at 0. */
static void backward(model *m, real *state_bar, real *x_bar) {
    int b = m->b;
    real scale = -1 / (real)(b * (m->c - 1));
    for (int t = m->c - 2; t >= 0; t--) {
        const real *next = &m->sequence[(t + 1) * b], *x = layer_of(m, t, m->l), *y = x + b;
        real ones = 0;
        for (int i = 0; i < b; i++) ones += next[i];
        for (int i = 0; i < b; i++) {
            real y_bar = scale * (next[i] - ones * exp(y[i] - m->z[t]));
            m->extra_bar[b + i] += y_bar * x[i];
            m->extra_bar[2 * b + i] += y_bar;
            x_bar[i] = y_bar * m->extra[b + i];
        }
        for (int k = m->l - 1; k >= 0; k--) {
            real *w_bar = &m->weights_bar[8 * k * b], *h_bar = &state_bar[2 * k * b];
            layer_backward(b, &m->weights[8 * k * b], w_bar, w_bar + 4 * b, layer_of(m, t, k), x_bar, h_bar,
                           h_bar + b);
        }
        for (int i = 0; i < b; i++) m->extra_bar[i] += x_bar[i] * m->sequence[t * b + i];
    }
}

real lstm_hand(int l, int c, int b, const real *weights, real *weights_bar, const real *extra,
               real *extra_bar, const real *state, const real *sequence) {
    size_t row = (size_t)b * sizeof(real), steps = (size_t)(c - 1);
    model m = {l, c, b, weights, extra, sequence, weights_bar, extra_bar, NULL, NULL};
    m.kept = malloc(steps * (size_t)(l * KEPT + 2) * row);
    m.z = malloc(steps * sizeof(real));
    real *s = malloc(2 * (size_t)l * row), *s_bar = calloc((size_t)(2 * l * b), sizeof(real)),
         *x_bar = malloc(row);
    memcpy(s, state, 2 * (size_t)l * row);
    real value = forward(&m, s);
    backward(&m, s_bar, x_bar);
    free(m.kept);
    free(m.z);
    free(s);
    free(s_bar);
    free(x_bar);
    return value;
}
