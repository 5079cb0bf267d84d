#include <cstdio>
#include <future>
#include <thread>
#include <vector>

static double power(double x, int n) {
    double p = 1;
    for (int i = 0; i < n; i++) p *= x;
    return p;
}

static void work(double *sum) {
    for (int i = 0; i < 1000; i++) *sum += power(1, i % 10);
}

int main() {
    std::vector<double> sum(4);
    std::vector<std::thread> threads;
    for (double &s : sum) threads.emplace_back(work, &s);
    for (std::thread &t : threads) t.join();
    double total = 0;
    for (double s : sum) total += s;
    std::printf("%g\n", total);
    return 0;
}
