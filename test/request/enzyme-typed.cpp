// Calls behind an interface of types: words, arguments and shadows go through rows of values, which all functions on the way pass
// on; which word stands for the result is a constant of a template. Results come back as rows within rows.
// RUN: for l in "-O0 -g" -O0 -O1 -O2 -O3; do %adxx -std=c++17 $l -w %s -o %t && %t || exit 1; done
// RUN: %not %adxx -std=c++17 -O1 -g -w -DUNKNOWN -c %s -o %t.o 2>&1 | grep 'enzyme-typed.cpp:.*error: enzyme_tape is not supported'
#include <cmath>
#include <cstdio>
#include <utility>

extern int enzyme_dup, enzyme_out, enzyme_const, enzyme_tape;
extern int enzyme_const_return, enzyme_active_return, enzyme_dup_return, enzyme_primal_return, enzyme_noret;
template <typename R, typename... T> R __enzyme_autodiff(T...);
template <typename R, typename... T> R __enzyme_fwddiff(T...);

namespace typed {
#define INLINED __attribute__((always_inline))
template <int i, typename T> struct cell { T value; };
template <typename S, typename... T> struct cells;
template <int... i, typename... T> struct cells<std::integer_sequence<int, i...>, T...> : cell<i, T>... {};
template <typename... T> struct row : cells<std::make_integer_sequence<int, sizeof...(T)>, T...> {};
template <typename... T> INLINED row(T...) -> row<T...>;
template <int i, typename T> INLINED T &pick(cell<i, T> &c) { return c.value; }
template <int i, typename T> INLINED const T &pick(const cell<i, T> &c) { return c.value; }

template <typename... A, int... i, typename... B, int... j>
INLINED row<A..., B...> joined(row<A...> &&a, row<B...> &&b, std::integer_sequence<int, i...>, std::integer_sequence<int, j...>) {
    return {pick<i>(a)..., pick<j>(b)...};
}
template <typename A> INLINED A join(A &&a) { return a; }
template <typename... A, typename... B, typename... Rest> INLINED auto join(row<A...> &&a, row<B...> &&b, Rest &&...rest) {
    return join(joined(std::move(a), std::move(b), std::make_integer_sequence<int, sizeof...(A)>{},
                       std::make_integer_sequence<int, sizeof...(B)>{}),
                std::move(rest)...);
}

template <typename T> struct both { T x, d; };
template <typename T> struct out { T x; };
template <typename T> struct fixed { T x; };
template <typename T> INLINED row<int, T, T> expanded(const both<T> &a) { return {enzyme_dup, a.x, a.d}; }
template <typename T> INLINED row<int, T *, T *> expanded(const both<T &> &a) { return {enzyme_dup, &a.x, &a.d}; }
template <typename T> INLINED row<int, T *> expanded(const fixed<T &> &a) { return {enzyme_const, &a.x}; }
template <typename T> INLINED row<int, T> expanded(const out<T> &a) { return {enzyme_out, a.x}; }
template <typename T> INLINED row<int, T> expanded(const fixed<T> &a) { return {enzyme_const, a.x}; }

template <bool value> struct word { static constexpr int *is = &enzyme_noret; };
template <> struct word<true> { static constexpr int *is = &enzyme_primal_return; };
template <bool number> struct about { static constexpr int *is = &enzyme_active_return; };
template <> struct about<false> { static constexpr int *is = &enzyme_const_return; };

template <typename R, typename T, int... i> INLINED R reverse(void *f, int *result, T &&t, std::integer_sequence<int, i...>) {
    return __enzyme_autodiff<R>(f, result, pick<i>(t)...);
}
template <typename R, typename T, int... i> INLINED R forward(void *f, int *result, T &&t, std::integer_sequence<int, i...>) {
    return __enzyme_fwddiff<R>(f, result, pick<i>(t)...);
}
template <typename... T> INLINED constexpr auto count(const row<T...> &) { return std::make_integer_sequence<int, sizeof...(T)>{}; }

template <typename R, bool value, bool number = true, typename F, typename... A> INLINED R gradient(F &&f, A &&...a) {
    auto all = join(row{word<value>::is}, expanded(a)...);
    return reverse<R>((void *)f, about<number>::is, std::move(all), count(all));
}
template <typename R, bool value, typename F, typename... A> INLINED R along(F &&f, A &&...a) {
    auto all = join(row{word<value>::is}, expanded(a)...);
    return forward<R>((void *)f, &enzyme_dup_return, std::move(all), count(all));
}
} // namespace typed
using namespace typed;

static double square(double x) { return x * x; }
static double product(double x, const double &y, const float *z) { return x * y * *z; }
static float narrow(const float &x, float y) { return x * x * y; }
struct pair { double x, y; };
static double mixed(pair p, double w) { return p.x * p.x * p.y * w; }

static int bad;
static void want(double got, double wanted, int line) {
    if (!(std::fabs(got - wanted) <= 1e-9)) bad++, std::printf("line %d: %g, not %g\n", line, got, wanted);
}
#define WANT(got, wanted) want(got, wanted, __LINE__)

int main() {
    auto one = gradient<row<row<double>>, false>(square, out<double>{3});
    WANT(pick<0>(pick<0>(one)), 6);
    auto two = gradient<row<double, row<double>>, true>(square, out<double>{3});
    WANT(pick<0>(two), 9), WANT(pick<0>(pick<1>(two)), 6);
    double y = 5, yb = 0;
    float z = 7, zb = 0;
    auto three = gradient<row<double, row<double>>, true>(product, out<double>{3}, both<const double &>{y, yb},
                                                         both<const float *>{&z, &zb});
    WANT(pick<0>(three), 105), WANT(pick<0>(pick<1>(three)), 35), WANT(yb, 21), WANT(zb, 15);
    auto only = gradient<row<row<double>>, false>(product, out<double>{3}, fixed<const double &>{y}, fixed<const float *>{&z});
    WANT(pick<0>(pick<0>(only)), 35);
    auto none = gradient<row<row<double>>, false, false>(square, out<double>{3});
    WANT(pick<0>(pick<0>(none)), 0);
    const float u = 3, du = 1;
    WANT(pick<0>(along<row<float>, false>(narrow, both<const float &>{u, du}, both<float>{2, 10})), 12 + 90);
    auto pair_of = along<row<float, float>, true>(narrow, both<const float &>{u, du}, fixed<float>{2});
    WANT(pick<0>(pair_of), 18), WANT(pick<1>(pair_of), 12);
    WANT(pick<0>(along<row<double>, false>(mixed, both<pair>{{2, 3}, {1, 10}}, fixed<double>{7})), 7 * 52);
    auto bars = gradient<row<row<pair, double>>, false>(mixed, out<pair>{{2, 3}}, out<double>{7});
    WANT(pick<0>(pick<0>(bars)).x, 84), WANT(pick<0>(pick<0>(bars)).y, 28), WANT(pick<1>(pick<0>(bars)), 12);
#ifdef UNKNOWN
    auto all = join(row{&enzyme_tape}, expanded(out<double>{3}));
    reverse<double>((void *)square, &enzyme_noret, std::move(all), count(all));
#endif
    return bad;
}
