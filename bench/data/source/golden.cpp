// The tape, the files, and the table of cases.
#include "golden.h"
#include <cstring>
#include <sys/stat.h>

std::vector<operation> tape;
std::string folder;

uint64_t generator::next() {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

// The inputs are the first operations; they have no operands.
vars begin_tape(const quads &x) {
    tape.clear();
    vars in(x.size());
    for (size_t i = 0; i < x.size(); i++) {
        in[i].v = x[i];
        in[i].at = (int)i;
        tape.push_back({-1, -1, 0, 0});
    }
    return in;
}

void sweep(const var &y, size_t inputs, quad *row) {
    static quads adjoint;
    adjoint.assign(tape.size(), 0);
    if (y.at >= 0) adjoint[(size_t)y.at] = 1;
    for (int i = y.at; i >= (int)inputs; i--) {
        const operation &o = tape[(size_t)i];
        quad bar = adjoint[(size_t)i];
        if (bar == 0) continue;
        if (o.a >= 0) adjoint[(size_t)o.a] += bar * o.da;
        if (o.b >= 0) adjoint[(size_t)o.b] += bar * o.db;
    }
    for (size_t i = 0; i < inputs; i++) row[i] = adjoint[i];
}

quads direction_for(size_t n) {
    generator g{4711};
    quads v(n);
    fill_sym(g, v, 1);
    return v;
}

void compare_along(const char *name, const jacobian &j, const quads &x, const quads &above,
                   const quads &below, const quads &direction, quad h) {
    quad worst = 0, scale = 0;
    for (size_t i = 0; i < j.y.size(); i++) {
        quad along = 0, size = 0;
        for (size_t k = 0; k < x.size(); k++) {
            along += j.J[i * x.size() + k] * direction[k];
            size += fabsq(j.J[i * x.size() + k] * direction[k]);
        }
        worst = fmaxq(worst, fabsq(along - (above[i] - below[i]) / (2 * h)));
        scale = fmaxq(scale, size);
    }
    if (worst <= number("1e-15") * scale + number("1e-20")) return; // the second: rounding of the difference
    fprintf(stderr, "%s: the derivative and the difference are %.1e apart, of %.1e\n", name, (double)worst,
            (double)scale);
    exit(1);
}

golden::golden(const std::string &name) {
    std::string path = folder + "/golden/" + name + ".txt";
    f = fopen(path.c_str(), "w");
    if (!f) {
        perror(path.c_str());
        exit(1);
    }
    fprintf(f, "# golden values of %s\n", name.c_str());
}

golden::~golden() { fclose(f); }

void golden::reals(const char *section, const quads &a) {
    fprintf(f, "real %s %zu\n", section, a.size());
    char text[64];
    for (quad x : a) {
        quadmath_snprintf(text, sizeof text, "%.18Qg", x == 0 ? quad(0) : x);
        fprintf(f, "%s\n", text);
    }
}

void golden::ints(const char *section, const std::vector<int> &a) {
    fprintf(f, "int %s %zu\n", section, a.size());
    for (int x : a) fprintf(f, "%d\n", x);
}

// What size small needs.
static const char *const cases[] = {"lse_unit_n100_s71",
                                    "lse_wide_n40_s72",
                                    "llsq_gen_m6_n17_s61",
                                    "llsq_gen_m32_n64_s62",
                                    "det_gen_l5_s41",
                                    "det_gen_l7_s42",
                                    "kmeans_gen_k5_d3_n60_s51",
                                    "kmeans_gen_k10_d8_n1000_s52",
                                    "ode_gen_n6_steps4_s81",
                                    "ode_gen_n12_steps10_s82",
                                    "gmm_gen_d2_K3_n1_s10",
                                    "gmm_gen_d3_K4_n20_s11",
                                    "gmm_gen_d10_K5_n1000_s13",
                                    "lstm_gen_l2_c8_b4_s31",
                                    "lstm_gen_l2_c1024_b14_s32",
                                    "gpt2_gen_L1_H2_C8_T5_M6_B2_V11_P16_s141",
                                    "gpt2_gen_L2_H4_C16_T12_M16_B3_V27_P32_s142",
                                    "ba_gen_n2_m3_p4_s20",
                                    "ba_gen_n5_m20_p40_s21",
                                    "ht_gen_simple_n2_s151",
                                    "ht_gen_complicated_n2_s152",
                                    "ht_gen_simple_n20_s153",
                                    "ht_gen_complicated_n20_s154",
                                    "heat_gen_n8_steps20_s91",
                                    "heat_gen_n16_steps100_s92",
                                    "lbm_gen_nx8_ny6_steps10_s101",
                                    "lbm_gen_nx16_ny8_steps40_s102",
                                    "bruss_gen_n4_s111",
                                    "bruss_gen_n8_s112",
                                    "lj_cluster_n7_s121",
                                    "lj_box_n64_s122",
                                    "bs_gen_n12_s131",
                                    "mgh_01_rosenbrock",
                                    "mgh_02_freudenstein_roth",
                                    "mgh_03_powell_badly_scaled",
                                    "mgh_07_helical_valley",
                                    "mgh_08_bard",
                                    "mgh_10_meyer",
                                    "mgh_12_box3d",
                                    "mgh_13_powell_singular",
                                    "mgh_15_kowalik_osborne",
                                    "mgh_16_brown_dennis",
                                    "mgh_17_osborne1",
                                    "mgh_19_osborne2",
                                    "mgh_20_watson",
                                    "mgh_26_trigonometric",
                                    "mgh_30_broyden_tridiagonal",
                                    "mgh_35_chebyquad"};

static void write_case(const std::string &name) {
    bool (*const problems[])(const std::string &) = {write_small, write_gmm,     write_lstm,
                                                     write_gpt2,  write_ba,      write_ht,
                                                     write_grid,  write_physics, write_mgh};
    for (auto problem : problems)
        if (problem(name)) return;
    fprintf(stderr, "no problem has a case of this name: %s\n", name.c_str());
    exit(1);
}

// golden FOLDER [CASE...]: without names, the hand model and all that size small needs.
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    folder = argv[1];
    mkdir(folder.c_str(), 0777);
    mkdir((folder + "/golden").c_str(), 0777);
    for (int i = 2; i < argc; i++) write_case(argv[i]);
    if (argc > 2) return 0;
    write_hand_model();
    for (const char *name : cases) write_case(name);
}
