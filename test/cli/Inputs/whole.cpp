// Global objects of C++, static ones of functions and templates, and exceptions.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
static int step(int x) { return x + 1; }
struct object {
    const char *name;
    explicit object(const char *n) : name(n) { std::printf("+%s %d\n", name, step(0)); }
    ~object() { std::printf("-%s %d\n", name, step(1)); }
};
static object one("one");
inline object two("two");
template <int N> struct holder {
    static object held;
};
template <int N> object holder<N>::held("held");
thread_local object local("local");
static int refuse(const void *, const void *) {
    step(2);
    throw std::runtime_error("refused");
}
int main() {
    static object inner("inner");
    int numbers[3] = {3, 1, 2};
    std::printf("%s %s\n", holder<1>::held.name, local.name);
    try {
        std::qsort(numbers, 3, sizeof *numbers, refuse);
    } catch (const std::exception &e) {
        std::puts(e.what());
    }
    return numbers[0];
}
