// RUN: %adxx -O0 -g -std=c++20 -I%S/.. %s -o %t 2> %t.txt && %t && %FileCheck %s < %t.txt
// RUN: %adxx -O2 -g -std=c++20 -I%S/.. %s -o %t 2> %t.txt && %t && %FileCheck %s < %t.txt
// RUN: %not %adxx -O2 -g -std=c++20 -DSTRICT -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=STRICT %s
// A coroutine is not brought into a context: a warning with its place, and it runs as it is; under strict an error.
#include "events.h"
#include <coroutine>

struct count { long mul; };
#ifdef STRICT
CF_CONTEXT(count, "strict");
#endif
CF_PREHOOK(count, "fmul") static void on_mul(count *c) { c->mul++; }

struct generator {
    struct promise_type {
        double value;
        generator get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(double x) { return value = x, std::suspend_always{}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
};
// CHECK: coroutine.cpp:[[#@LINE+3]]:{{.*}}warning:{{.*}}coroutine
// STRICT: coroutine.cpp:[[#@LINE+2]]:{{.*}}error:{{.*}}coroutine
// STRICT-NOT: warning: {{.*}}coroutine
APART generator powers(double x) {
    for (double p = 1;; p = p * x) co_yield p;
}
static double f(double x) {
    generator g = powers(x);
    double s = 0;
    for (int i = 0; i < 4; i++) g.handle.resume(), s += g.handle.promise().value;
    g.handle.destroy();
    return s * 2;
}
double f_in(count *c, double x);
CF_IN(f_in, f, count);

int main() {
    count c = {0};
    WANT(f_in(&c, 3), 80), WANT(c.mul, 1);
    return wrong;
}
