/* The demonstration: a few gradients, checked on the spot, and what they cost, as bars to read.
 *
 * Each is compared with golden values and with central differences of the program itself; program, gradient and
 * differences are timed. Ends with one sentence, or with status 1 where a gradient is wrong. */
#include "bench.h"
#include <string.h>

typedef struct show {
    const char *problem, *name, *title;
} show;

static const show shows[] = {
    {"gmm", "gmm_gen_d10_K5_n1000_s13", "Gaussian mixture: gradient by 330 parameters"},
    {"ba", "ba_gen_n5_m20_p40_s21", "bundle adjustment: sparse Jacobian, 1240 entries"},
    {"gpt2", "gpt2_gen_L2_H4_C16_T12_M16_B3_V27_P32_s142", "transformer: gradient by 7360 weights"}};

typedef struct run {
    const bench_way *way;
    void *data;
    bench_result result;
} run;

static void run_way(void *p) {
    run *r = p;
    r->result.n = 0;
    r->way->run(r->data, &r->result);
}

static const bench_way *way_of(const bench_problem *p, const char *tool) {
    for (const bench_way *w = p->ways; w->mode; w++)
        if (!strcmp(w->mode, "reverse") && !strcmp(w->tool, tool) && w->needs) return w;
    bench_fail("this program was built without it", tool);
}

static const bench_problem *problem_of(const char *name) {
    for (int k = 0; bench_problems[k]; k++)
        if (!strcmp(bench_problems[k]->name, name)) return bench_problems[k];
    bench_fail("this program was built without it", name);
}

typedef struct finding {
    double program, gradient, differences; /* seconds */
    double to_golden, to_differences;      /* errors */
} finding;

static double worse(bench_error e) { return e.missing ? INFINITY : fmax(e.rho, e.rel); }

static finding look(const show *s) {
    finding f;
    const bench_problem *p = problem_of(s->problem);
    void *data = p->load(s->name);
    run r = {.way = way_of(p, "cofactor"), .data = data}, d = {.way = way_of(p, "differences"), .data = data};
    p->primal(data);
    f.program = bench_time(p->primal, data, 0.1, 3);
    f.gradient = bench_time(run_way, &r, 0.1, 3);
    bench_poison(&r.result);
    run_way(&r);
    bench_detach(&r.result);
    f.to_golden = worse(golden_compare(s->name, &r.result));
    f.differences = bench_time(run_way, &d, 0.01, 1);
    f.to_differences = worse(result_compare(&d.result, &r.result));
    return f;
}

static int digits(double error) { return error > 0 ? (int)floor(-log10(fmin(error, 1))) : 16; }

static void bar(const char *what, double seconds, double longest) {
    const double width = 60;
    printf("  %-12s%*.*f ms |", what, 10, seconds < 1e-3 ? 4 : 1, 1e3 * seconds);
    for (int i = 0; i < fmax(1, round(width * seconds / longest)); i++) putchar('#');
    putchar('\n');
}

static void draw(const show *s, finding f) {
    double longest = fmax(f.differences, fmax(f.gradient, f.program));
    printf("\n%s (%s)\n", s->title, s->name);
    bar("program", f.program, longest);
    bar("Cofactor", f.gradient, longest);
    bar("differences", f.differences, longest);
    printf("  equal to the differences in %d digits, to golden values in %d\n", digits(f.to_differences),
           digits(f.to_golden));
}

/* Widens the range to hold x. */
static void hold(double range[2], double x) {
    range[0] = fmin(range[0], x);
    range[1] = fmax(range[1], x);
}

int bench_demo(void) {
    double cost[2] = {INFINITY, 0}, gain[2] = {INFINITY, 0}, right[2] = {INFINITY, 0},
           rough[2] = {INFINITY, 0};
    bool good = true;
    for (const show *s = shows; s < shows + sizeof shows / sizeof *shows; s++) {
        finding f = look(s);
        draw(s, f);
        fflush(stdout);
        hold(cost, f.gradient / f.program);
        hold(gain, f.differences / f.gradient);
        hold(right, digits(f.to_golden));
        hold(rough, digits(f.to_differences));
        good &= f.to_golden < 1e-9 && f.to_differences < 1e-5;
    }
    if (!good) {
        printf("\nA derivative is WRONG: it has fewer digits than rounding costs.\n");
        return 1;
    }
    printf("\nThe derivatives took %.1f to %.1f times as long as the programs themselves, and have %.0f to "
           "%.0f right digits;\n"
           "finite differences took %.0f to %.0f times as long as that, for %.0f to %.0f digits.\n",
           cost[0], cost[1], right[0], right[1], gain[0], gain[1], rough[0], rough[1]);
    return 0;
}
