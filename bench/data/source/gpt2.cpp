// A small decoder-only transformer: mean loss over all tokens.
#include "golden.h"

struct sizes {
    int L, H, C, T, M, B, V, P;
};

// Where the sixteen tensors of the parameters begin, and where they end.
static std::vector<size_t> starts(const sizes &z) {
    size_t L = (size_t)z.L, C = (size_t)z.C;
    size_t counts[16] = {(size_t)z.P * C, (size_t)z.M * C, L * C, L * C, L * 3 * C * C, L * 3 * C,
                         L * C * C,       L * C,           L * C, L * C, L * 4 * C * C, L * 4 * C,
                         L * 4 * C * C,   L * C,           C,     C};
    std::vector<size_t> at(17);
    for (int i = 0; i < 16; i++) at[i + 1] = at[i] + counts[i];
    return at;
}

template <class S> using row = std::vector<S>;

template <class S> row<S> normalised(const row<S> &x, const S *w, const S *g) {
    S m = 0, v = 0, n = S((int)x.size());
    for (auto &e : x) m += e;
    m = m / n;
    for (auto &e : x) v += square(e - m);
    S r = S(1) / sqrt(v / n + S(number("1e-5")));
    row<S> out;
    for (size_t i = 0; i < x.size(); i++) out.push_back((x[i] - m) * r * w[i] + g[i]);
    return out;
}

template <class S> row<S> linear(const row<S> &x, int to, const S *W, const S *g) {
    row<S> out;
    for (int o = 0; o < to; o++) {
        S sum = g ? g[o] : S(0);
        for (size_t j = 0; j < x.size(); j++) sum += W[o * x.size() + j] * x[j];
        out.push_back(sum);
    }
    return out;
}

template <class S> row<S> softmax(const row<S> &x) {
    quad largest = value(x[0]);
    for (auto &e : x) largest = fmaxq(largest, value(e));
    S sum = 0;
    row<S> out;
    for (auto &e : x) {
        out.push_back(exp(e - S(largest)));
        sum += out.back();
    }
    for (auto &e : out) e = e / sum;
    return out;
}

// The mixture of the values of one head for the last of the tokens in qkv.
template <class S> void attend(const sizes &z, const std::vector<row<S>> &qkv, int h, row<S> &mix) {
    int hs = z.C / z.H;
    const S *query = &qkv.back()[h * hs];
    row<S> score;
    for (auto &token : qkv) {
        S dot = 0;
        for (int i = 0; i < hs; i++) dot += query[i] * token[z.C + h * hs + i];
        score.push_back(dot / S(sqrt(quad(hs))));
    }
    row<S> att = softmax(score);
    for (int i = 0; i < hs; i++)
        for (size_t u = 0; u < qkv.size(); u++) mix[h * hs + i] += att[u] * qkv[u][2 * z.C + h * hs + i];
}

template <class S> S gelu(const S &x) {
    S a = S(sqrt(2 / pi));
    return x / S(2) * (S(1) + tanh(a * (x + S(number("0.044715")) * x * x * x)));
}

template <class S>
void layer(const sizes &z, int l, const std::vector<const S *> &p, std::vector<row<S>> &x) {
    int C = z.C;
    std::vector<row<S>> qkv;
    for (auto &token : x) {
        qkv.push_back(linear(normalised(token, p[2] + l * C, p[3] + l * C), 3 * C, p[4] + l * 3 * C * C,
                             p[5] + l * 3 * C));
        row<S> mix(C, S(0));
        for (int h = 0; h < z.H; h++) attend(z, qkv, h, mix);
        row<S> out = linear(mix, C, p[6] + l * C * C, p[7] + l * C);
        for (int i = 0; i < C; i++) token[i] += out[i];
        row<S> wide = linear(normalised(token, p[8] + l * C, p[9] + l * C), 4 * C, p[10] + l * 4 * C * C,
                             p[11] + l * 4 * C);
        for (auto &e : wide) e = gelu(e);
        out = linear(wide, C, p[12] + l * 4 * C * C, p[13] + l * C);
        for (int i = 0; i < C; i++) token[i] += out[i];
    }
}

template <class S>
std::vector<S> loss(const sizes &z, const std::vector<int> &input, const std::vector<int> &target,
                    const std::vector<S> &params) {
    std::vector<const S *> p;
    for (size_t at : starts(z)) p.push_back(params.data() + at);
    S sum = 0;
    for (int b = 0; b < z.B; b++) {
        std::vector<row<S>> x(z.T, row<S>(z.C));
        for (int t = 0; t < z.T; t++)
            for (int c = 0; c < z.C; c++) x[t][c] = p[0][input[b * z.T + t] * z.C + c] + p[1][t * z.C + c];
        for (int l = 0; l < z.L; l++) layer(z, l, p, x);
        for (int t = 0; t < z.T; t++)
            sum += -log(
                softmax(linear<S>(normalised(x[t], p[14], p[15]), z.V, p[0], nullptr))[target[b * z.T + t]]);
    }
    return {sum / S(z.B * z.T)};
}

bool write_gpt2(const std::string &name) {
    sizes z;
    unsigned long long seed;
    if (sscanf(name.c_str(), "gpt2_gen_L%d_H%d_C%d_T%d_M%d_B%d_V%d_P%d_s%llu", &z.L, &z.H, &z.C, &z.T, &z.M,
               &z.B, &z.V, &z.P, &seed) != 9)
        return false;
    generator g{seed};
    auto at = starts(z);
    quads x(at[16]);
    for (int t = 0; t < 16; t++)
        for (size_t i = at[t]; i < at[t + 1]; i++)
            x[i] = t == 2 || t == 8 || t == 14 ? g.range(0.875, 0.25) : g.sym(z.C >= 64 ? 0.0625 : 0.25);
    std::vector<int> input((size_t)(z.B * z.T)), target(input.size());
    for (int &i : input) i = g.below(z.V);
    for (int &i : target) i = g.below(z.V);
    jacobian j = differentiate(name.c_str(), [&](const auto &a) { return loss(z, input, target, a); }, x);
    golden out(name);
    out.reals("value", j.y);
    out.reals("gradient", j.J);
    return true;
}
