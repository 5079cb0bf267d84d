// RUN: for l in -O0 -O2; do %adxx $l -std=c++17 -Wall -Wextra -I%S %s -o %t -lpthread && %t || exit 1; done
// C++: what stays inside though the library calls it, and the virtual functions of the program's objects that libstdc++
// calls, which leave.
#include "events.h"
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <new>
#include <ostream>
#include <streambuf>
#include <thread>

struct count {
    long n;
};
CF_PREHOOK(count, "call step*") static void on_step(struct count *c) { __atomic_add_fetch(&c->n, 1, __ATOMIC_SEQ_CST); }

static long natively;
APART int step(int x) { return __atomic_add_fetch(&natively, 1, __ATOMIC_SEQ_CST), x + 1; }

struct thrown {
    int x;
    explicit thrown(int n) : x(n) {}
    thrown(const thrown &t) : x(t.x) {}
    ~thrown() { step(0); }
};
struct functor {
    int *out;
    explicit functor(int *o) : out(o) {}
    functor(const functor &f) : out(f.out) { step(1); }
    void operator()(int x) { *out = step(x); }
};
struct buffer : std::streambuf {
    int sum = 0;
    int overflow(int c) override { return sum += step(c) - 1, c; }
};

extern "C" {
static int catching(int x) {
    try {
        if (x) throw thrown(x);
    } catch (const thrown &t) {
        return t.x;
    }
    return 0;
}
static int thread(int x) {
    int y = 0;
    std::thread t(functor(&y), x);
    t.join();
    return y;
}
static int moved(int x) {
    std::thread t, u([&x] { x = step(x); });
    t = std::move(u);
    t.join();
    return x;
}
static int once(int x) {
    std::once_flag flag;
    for (int i = 0; i < 3; i++) std::call_once(flag, [&](int k) { x = step(k); }, x);
    return x;
}
static int async(int x) { return std::async(std::launch::async, [x] { return step(x); }).get(); }
static int task(int x) {
    std::packaged_task<int(int)> t([](int k) { return step(k); });
    std::future<int> f = t.get_future();
    std::thread(std::move(t), x).join();
    return f.get();
}
static int function(int x) { return std::function<int(int)>([](int k) { return step(k); })(x); }
static int shared(int x) { return std::make_shared<thrown>(x)->x; }
static int no_memory(int x) {
    static int tries;
    tries = 0;
    std::set_new_handler([] {
        if (tries = step(tries), tries == 2) throw std::bad_alloc();
    });
    try {
        volatile std::size_t n = static_cast<std::size_t>(-1) / 4;
        ::operator delete(::operator new(n));
    } catch (const std::bad_alloc &) {
        x += tries;
    }
    std::set_new_handler(nullptr);
    return x;
}
static void new_handler() { step(0); }
static void terminating() { step(0); }
static int set_handlers(int x) { return std::set_new_handler(new_handler), std::set_terminate(terminating), x; }
static int unset_handlers(int x) { return std::set_new_handler(nullptr) == new_handler && std::set_terminate(nullptr) == terminating ? x : -1; }
static int thread_end(int x) {
    std::thread([x] {
        static thread_local std::unique_ptr<thrown> held;
        held.reset(new thrown(x));
    }).join();
    return x;
}
// from here on: outside
static int streamed(int x) {
    buffer b;
    std::ostream out(&b);
    out << x << 'a';
    return b.sum;
}
}

#define IN(f) extern "C" int f##_in(struct count *c, int x); CF_IN(f##_in, f, count)
IN(catching);
IN(thread);
IN(moved);
IN(once);
IN(async);
IN(task);
IN(function);
IN(shared);
IN(no_memory);
IN(set_handlers);
IN(unset_handlers);
IN(thread_end);
IN(streamed);

// The same result as natively, and all that is called is seen, or nothing of it.
#define RUN(f, inside)                                                                                              \
    do {                                                                                                            \
        struct count c = {0};                                                                                       \
        natively = 0;                                                                                               \
        int want = f(3);                                                                                            \
        long calls = natively;                                                                                      \
        WANT(f##_in(&c, 3), want), WANT(natively, 2 * calls), WANT(c.n, inside ? calls : 0);                        \
        if (!calls) printf("%s called nothing\n", #f), wrong = 1;                                                   \
    } while (0)

int main() {
    RUN(catching, true);
    RUN(thread, true);
    RUN(moved, true);
    RUN(once, true);
    RUN(async, true);
    RUN(task, true);
    RUN(function, true);
    RUN(shared, true);
    RUN(no_memory, true);
    RUN(thread_end, true);
    RUN(streamed, false);
    // What the library has for a handler stands in its place, and is inside for all that call it; what it hands back is the
    // handler itself.
    struct count c = {0};
    WANT(set_handlers_in(&c, 3), 3), natively = 0;
    WANT(std::get_new_handler() != new_handler && std::get_terminate() != terminating, 1);
    std::get_new_handler()(), WANT(c.n, 1);
    std::get_terminate()(), WANT(c.n, 2), WANT(natively, 2);
    WANT(unset_handlers_in(&c, 3), 3);
    return wrong;
}
