// Character model: loss of a chain of LSTM layers with diagonal weights.
#include "golden.h"

template <class T> T sigmoid(const T &x) { return T(1) / (T(1) + exp(-x)); }

// x: main (2l rows of 4b), extra (3 rows of b); state: 2l rows of b.
template <class T>
std::vector<T> lstm(int l, int c, int b, const quads &state, const std::vector<int> &sequence,
                    const std::vector<T> &x) {
    std::vector<T> s(state.begin(), state.end());
    const T *extra = &x[8 * l * b];
    T total = 0;
    for (int t = 0; t < c - 1; t++) {
        T sum = 2;
        std::vector<T> y;
        for (int i = 0; i < b; i++) {
            T in = T(sequence[t * b + i]) * extra[i];
            for (int k = 0; k < l; k++) {
                const T *w = &x[8 * k * b + i], *bias = w + 4 * b;
                T &h = s[2 * k * b + i], &cell = s[(2 * k + 1) * b + i];
                T forget = sigmoid(in * w[0] + bias[0]), gate = sigmoid(h * w[b] + bias[b]);
                T out = sigmoid(in * w[2 * b] + bias[2 * b]), change = tanh(h * w[3 * b] + bias[3 * b]);
                cell = cell * forget + gate * change;
                h = out * tanh(cell);
                in = h;
            }
            y.push_back(in * extra[b + i] + extra[2 * b + i]);
            sum += exp(y.back());
        }
        T z = log(sum);
        for (int i = 0; i < b; i++)
            if (sequence[(t + 1) * b + i]) total += y[i] - z;
    }
    return {-total / T(b * (c - 1))};
}

bool write_lstm(const std::string &name) {
    int l, c, b;
    unsigned long long seed;
    if (sscanf(name.c_str(), "lstm_gen_l%d_c%d_b%d_s%llu", &l, &c, &b, &seed) != 4) return false;
    generator g{seed};
    quads x((size_t)(8 * l * b + 3 * b)), state((size_t)(2 * l * b));
    std::vector<int> sequence((size_t)(c * b));
    fill_uni(g, x);
    fill_uni(g, state);
    for (int &bit : sequence) bit = g.below(2);
    jacobian j =
        differentiate(name.c_str(), [&](const auto &a) { return lstm(l, c, b, state, sequence, a); }, x);
    golden out(name);
    out.reals("value", j.y);
    out.reals("gradient", j.J);
    return true;
}
