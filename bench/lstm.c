/* Loss of a character model: l layers of LSTM cells with diagonal weights over a sequence of c vectors of b
 * bits. */
#include "lstm.h"
#include <cofactor/ad.h>
#include <stdlib.h>
#include <string.h>

static real sigmoid(real x) { return 1 / (1 + exp(-x)); }

/* One layer: weight and bias are rows of forget, input, output, change; updates hidden and cell. */
static void cell_step(int b, const real *weight, const real *bias, const real *x, real *hidden, real *cell) {
    for (int i = 0; i < b; i++) {
        real forget = sigmoid(x[i] * weight[i] + bias[i]);
        real ingate = sigmoid(hidden[i] * weight[b + i] + bias[b + i]);
        real outgate = sigmoid(x[i] * weight[2 * b + i] + bias[2 * b + i]);
        real change = tanh(hidden[i] * weight[3 * b + i] + bias[3 * b + i]);
        cell[i] = cell[i] * forget + ingate * change;
        hidden[i] = outgate * tanh(cell[i]);
    }
}

/* Runs all layers on one input; y is the prediction. */
static void predict(int l, int b, const real *weights, const real *extra, real *state, const real *input,
                    real *x, real *y) {
    for (int i = 0; i < b; i++) x[i] = input[i] * extra[i];
    for (int k = 0; k < l; k++) {
        real *hidden = &state[2 * k * b], *cell = hidden + b;
        cell_step(b, &weights[8 * k * b], &weights[8 * k * b + 4 * b], x, hidden, cell);
        memcpy(x, hidden, (size_t)b * sizeof *x);
    }
    for (int i = 0; i < b; i++) y[i] = x[i] * extra[b + i] + extra[2 * b + i];
}

static real log_sum_exp_2(int b, const real *y) {
    real sum = 2;
    for (int i = 0; i < b; i++) sum += exp(y[i]);
    return log(sum);
}

real lstm(int l, int c, int b, const real *weights, const real *extra, const real *state,
          const real *sequence) {
    size_t row = (size_t)b * sizeof(real);
    real *s = malloc(2 * (size_t)l * row), *x = malloc(row), *y = malloc(row);
    memcpy(s, state, 2 * (size_t)l * row);
    real total = 0;
    for (int t = 0; t < c - 1; t++) {
        predict(l, b, weights, extra, s, &sequence[t * b], x, y);
        real z = log_sum_exp_2(b, y);
        for (int i = 0; i < b; i++) total += sequence[(t + 1) * b + i] * (y[i] - z);
    }
    free(s);
    free(x);
    free(y);
    return -total / (real)(b * (c - 1));
}

CF_REVERSE(lstm_grad, lstm, "const const const dup dup const const");
CF_FORWARD(lstm_tan, lstm, "const const const dup dup const const");
