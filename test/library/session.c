/* A session's steps, statuses and messages.
 *
 * RUN: rm -rf %t.d && mkdir -p %t.d
 * RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%include %s -L%lib -rdynamic -lcofactor -Wl,-rpath,%lib -lm -o %t
 * RUN: cd %t.d && %t
 * RUN: %cxx -Wall -Wextra -Wpedantic -Werror -I%include -x c++ -fsyntax-only %include/cofactor/cofactor.h
 */
#include "library.h"
#include <math.h>

static int exists(const char *path) {
    FILE *f = fopen(path, "r");
    if (f) fclose(f);
    return f != NULL;
}

static const char program[] =
    "static int calls; __attribute__((constructor)) static void begin(void) { calls = 40; }\n"
    "double scale(double);\n"
    "double f(double x, double *y) { *y *= x; return x * x; }\n"
    "double g(double x) { return scale(x); }\n"
    "int count(void) { return ++calls; }\n"
    "int main(void) { return count(); }\n";

/* Seen by the program that runs in this process. */
double scale(double x);
double scale(double x) { return 3 * x; }

static void run_and_write(void) {
    messages m = {0};
    const char *flags[] = {"-Wall", "-Werror", NULL};
    cofactor *c = cofactor_new(keep, &m);
    REQUIRE(cofactor_add_source(c, program, "c", "program.c", flags) == COFACTOR_OK);
    REQUIRE(cofactor_request(c, COFACTOR_FORWARD, "f", NULL, NULL) == COFACTOR_OK);
    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, "f", "dup dup seed", "grad") == COFACTOR_OK);
    REQUIRE(cofactor_optimise(c, 4) == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_optimise(c, 3) == COFACTOR_OK);
    REQUIRE(cofactor_differentiate(c) == COFACTOR_OK);

    double (*tangent)(double, double, double *, double *);
    tangent = (double (*)(double, double, double *, double *))cofactor_function(c, "f_tan");
    REQUIRE(tangent);
    double y = 5, y_dot = 7;
    REQUIRE(tangent(3, 2, &y, &y_dot) == 12 && y == 15 && y_dot == 5 * 2 + 3 * 7);

    double (*grad)(double, double *, double *, double *, double);
    grad = (double (*)(double, double *, double *, double *, double))cofactor_function(c, "grad");
    REQUIRE(grad);
    double x_bar = 1, y_bar = 2;
    y = 5;
    REQUIRE(grad(3, &x_bar, &y, &y_bar, 10) == 9 && y == 15);
    REQUIRE(x_bar == 1 + 10 * 6 + 2 * 5 && y_bar == 2 * 3);

    int (*count)(void) = (int (*)(void))cofactor_function(c, "count");
    REQUIRE(count && count() == 41 && count() == 42);

    REQUIRE(m.errors == 1); /* the level */
    REQUIRE(!cofactor_function(c, "nobody") && strstr(m.text, "there is no function `nobody`"));
    REQUIRE(cofactor_request(c, COFACTOR_FORWARD, "g", NULL, NULL) == COFACTOR_BAD_CALL);
    REQUIRE(strstr(m.text, "too late"));
    REQUIRE(cofactor_add_source(c, "int z;", "c", "z.c", NULL) == COFACTOR_BAD_CALL);

    REQUIRE(cofactor_write(c, "out.o", COFACTOR_OBJECT) == COFACTOR_OK && exists("out.o"));
    REQUIRE(cofactor_write(c, "out.ll", COFACTOR_LL) == COFACTOR_OK && exists("out.ll"));
    REQUIRE(cofactor_write_header(c, "out.h") == COFACTOR_OK && exists("out.h"));
    REQUIRE(cofactor_write(c, "no/such.o", COFACTOR_OBJECT) == COFACTOR_BAD_OUTPUT &&
            strstr(m.file, "no/such.o"));
    cofactor_free(c);
}

static void call_the_process(void) {
    messages m = {0};
    cofactor *c = cofactor_new(keep, &m);
    REQUIRE(cofactor_add_source(c, program, "c", "program.c", NULL) == COFACTOR_OK);
    double (*g)(double) = (double (*)(double))cofactor_function(c, "g");
    REQUIRE(g && g(2) == 6);
    cofactor_free(c);
}

static void refuse(void) {
    messages m = {0};
    cofactor *c = cofactor_new(keep, &m);
    static const char bad[] = "define double @f(double %x) {\n  ret float %x\n}\n", half[] = "BC\xc0\xde----";
    static const char invalid[] =
        "define double @f(double %x) {\n  %y = fadd double %y, %x\n  ret double %y\n}\n";
    static const char good[] =
        "define double @f(double %x) {\n  %y = fmul double %x, %x\n  ret double %y\n}\n";

    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, "f", NULL, NULL) == COFACTOR_BAD_REQUEST && m.errors == 1);
    REQUIRE(cofactor_differentiate(c) == COFACTOR_BAD_CALL && strstr(m.text, "no file was added"));
    REQUIRE(cofactor_add_file(c, "none.c", NULL) == COFACTOR_BAD_INPUT && !strcmp(m.file, "none.c"));
    REQUIRE(cofactor_add_ir(c, bad, sizeof bad - 1, "bad.ll") == COFACTOR_BAD_INPUT);
    REQUIRE(!strcmp(m.file, "bad.ll") && m.line == 2 && m.column > 0);
    REQUIRE(cofactor_add_ir(c, half, sizeof half - 1, "half.bc") == COFACTOR_BAD_INPUT &&
            strstr(m.text, "bitcode"));
    REQUIRE(cofactor_add_ir(c, invalid, sizeof invalid - 1, "invalid.ll") == COFACTOR_BAD_INPUT);
    REQUIRE(strstr(m.text, "not valid"));
    REQUIRE(cofactor_add_source(c, "int f(void) { return x; }", "c", "bad.c", NULL) == COFACTOR_BAD_INPUT);
    REQUIRE(!strcmp(m.file, "bad.c"));
    REQUIRE(cofactor_add_source(c, "end", "fortran", "f.f", NULL) == COFACTOR_BAD_CALL);

    /* Arguments that must not be NULL. */
    REQUIRE(cofactor_add_file(c, NULL, NULL) == COFACTOR_BAD_CALL && strstr(m.text, "`path` is NULL"));
    REQUIRE(cofactor_add_ir(c, NULL, 3, "none.ll") == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_add_ir(c, good, sizeof good - 1, NULL) == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_add_source(c, NULL, "c", "none.c", NULL) == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_add_source(c, "int x;", NULL, "none.c", NULL) == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_add_source(c, "int x;", "c", NULL, NULL) == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, NULL, NULL, NULL) == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_add_context(c, NULL, NULL) == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_in(c, NULL, NULL, NULL, NULL) == COFACTOR_BAD_CALL);
    REQUIRE(cofactor_write(c, NULL, COFACTOR_OBJECT) == COFACTOR_BAD_CALL);
    REQUIRE(!cofactor_function(c, NULL) && strstr(m.text, "`name` is NULL"));

    /* What was refused has left nothing: the session goes on. */
    REQUIRE(cofactor_add_ir(c, good, sizeof good - 1, "good.ll") == COFACTOR_OK);
    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, "f", "dup dup", "d") == COFACTOR_BAD_REQUEST);
    REQUIRE(!strcmp(m.file, "good.ll") && strstr(m.text, "1 parameter"));
    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, "f", "sure", "d") == COFACTOR_BAD_REQUEST);
    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, "f", "dup", "f") == COFACTOR_BAD_REQUEST);
    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, "f", "dup", "d") == COFACTOR_OK);
    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, "f", "dup", "d") == COFACTOR_BAD_REQUEST);
    double (*d)(double, double *) = (double (*)(double, double *))cofactor_function(c, "d");
    double x_bar = 0;
    REQUIRE(d && d(3, &x_bar) == 9 && x_bar == 6);
    cofactor_free(c);
    cofactor_free(NULL);
}

int main(void) {
    run_and_write();
    call_the_process();
    refuse();
    REQUIRE(strstr(cofactor_version(), "LLVM"));
    return 0;
}
