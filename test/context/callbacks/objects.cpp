// RUN: for l in -O0 -O2; do %adxx $l -std=c++17 -Wall -Wextra -Werror -I%S/.. %s -pthread -o %t && %t > %t.txt && %FileCheck %s < %t.txt || exit 1; done
// C++: the destructor of an object that lives to the end of the program or of a thread runs inside the context that made it; so do
// functions that std::sort and std::function call, for their bodies are here, and what std::thread's function calls.
#include "events.h"
#include <algorithm>
#include <functional>
#include <thread>

struct count { long n, adds; };
CF_PREHOOK(count, "call work*") static void on_work(count *c, const cf_site *, int which) {
    c->n++;
    if (which == 9) printf("destroyed inside, %ld\n", c->n), fflush(stdout);
}
CF_PREHOOK(count, "fadd in=*total*") static void on_add(count *c) { c->adds++; }

static int last, compared;
APART void work(int which) { last = which, compared += which == 2; }
struct lasting {
    int which;
    explicit lasting(int w) : which(w) { work(1); }
    ~lasting() { work(which); }
};
static int made() {
    static lasting object(9);
    return object.which;
}
APART void in_thread(int *to) {
    thread_local lasting object(3);
    *to += object.which;
}
static int by_thread() {
    int n = 0;
    std::thread t(in_thread, &n);
    t.join();
    return n;
}
APART double total(double x, double y) { return x + y; }
static double by_algorithm(int *x, int n) {
    std::sort(x, x + n, [](int a, int b) { return work(2), a > b; });
    std::function<double(double)> f = [](double v) { return total(v, 1); };
    return f(x[0]);
}
static int by_local_thread() {
    int n = 0;
    in_thread(&n);
    return n;
}
int made_in(count *c);
CF_IN(made_in, made, count);
int by_thread_in(count *c);
CF_IN(by_thread_in, by_thread, count);
double by_algorithm_in(count *c, int *x, int n);
CF_IN(by_algorithm_in, by_algorithm, count);
int by_local_thread_in(count *c);
CF_IN(by_local_thread_in, by_local_thread, count);

int main() {
    static count c, d, e, f;
    WANT(made_in(&c), 9), WANT(c.n, 1);
    WANT(made_in(&c), 9), WANT(c.n, 1);
    WANT(by_thread_in(&d), 3), WANT(d.n, 2); /* constructor and destructor */
    int x[5] = {3, 1, 5, 2, 4};
    WANT(by_algorithm_in(&e, x, 5), 6), WANT(x[0] == 5 && x[4] == 1, 1), WANT(e.n >= 4, 1), WANT(e.n, compared), WANT(e.adds, 1);
    int ok = 0;
    std::thread own([&ok] { ok = by_local_thread_in(&f); });
    own.join();
    /* The constructor, and at the end of the thread the destructor. */
    WANT(ok, 3), WANT(f.n, 2);
    // CHECK: destroyed inside, 2
    return wrong;
}
