/* Contexts through the library: functions and whole programs, run in this process and written.
 *
 * RUN: rm -rf %t.d && mkdir -p %t.d
 * RUN: %cc -std=c11 -Wall -Wextra -Wpedantic -Werror -I%include %s -L%lib -lcofactor -Wl,-rpath,%lib -lm -o %t
 * RUN: cd %t.d && %t
 */
#include "library.h"

static void put(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    REQUIRE(f && fputs(text, f) >= 0 && !fclose(f));
}

/* Reads a file of a few numbers, one a line. */
static int number_in(const char *path) {
    FILE *f = fopen(path, "r");
    int n = -1;
    if (!f) return -2;
    if (fscanf(f, "%d", &n) != 1) n = -1;
    fclose(f);
    return n;
}

static const char flops[] =
    "#include <cofactor/context.h>\n#include <stdio.h>\n"
    "struct flops { int n; };\n"
    "CF_PREHOOK(flops, \"fp\") static void one(struct flops *c) { c->n++; }\n"
    "CF_CONTEXT(flops, \"size=4\");\n"
    "CF_END(flops) static void end(struct flops *c) { FILE *f = fopen(\"flops\", \"w\"); fprintf(f, \"%d\\n\", c->n); fclose(f); }\n";
static const char two[] = "#include <cofactor/context.h>\nCF_CONTEXT(one, \"\");\nCF_CONTEXT(other, \"\");\n";
static const char program[] =
    "#include <stdlib.h>\n"
    "static double square(double x) { return x * x; }\n"
    "double f(const double *x, int n) { double s = 0; for (int i = 0; i < n; i++) s += square(x[i]); return s; }\n"
    "static void bye(void) { volatile double x = 2; x = square(x); }\n"
    "int main(int argc, char **argv) { double x[] = {1, 2, 3}; atexit(bye); return (int)f(x, 3) + argc + atoi(argv[1]); }\n";

typedef double inside(void *context, const double *x, int n);

static void functions(void) {
    messages m = {0};
    double x[] = {1, 2, 3};
    cofactor *c = cofactor_new(keep, &m);
    REQUIRE(cofactor_optimise(c, 2) == COFACTOR_OK);
    REQUIRE(cofactor_add_context(c, "flops.c", NULL) == COFACTOR_OK);
    REQUIRE(cofactor_add_source(c, program, "c", "program.c", NULL) == COFACTOR_OK);
    REQUIRE(cofactor_in(c, "f", NULL, NULL, NULL) == COFACTOR_OK);
    REQUIRE(cofactor_in(c, "f", "flops", "nohooks", "quiet") == COFACTOR_OK);
    REQUIRE(cofactor_request(c, COFACTOR_REVERSE, "f", "dup const", NULL) == COFACTOR_OK);
    inside *f_in = (inside *)cofactor_function(c, "f_in"), *quiet = (inside *)cofactor_function(c, "quiet");
    REQUIRE(f_in && quiet);
    int n = 0;
    REQUIRE(f_in(&n, x, 3) == 14 && n == 6);
    REQUIRE(quiet(&n, x, 3) == 14 && n == 6);
    double (*grad)(const double *, double *, int), x_bar[3] = {0};
    grad = (double (*)(const double *, double *, int))cofactor_function(c, "f_grad");
    REQUIRE(grad && grad(x, x_bar, 3) == 14 && x_bar[2] == 6 && n == 6);
    REQUIRE(cofactor_write(c, "f.o", COFACTOR_OBJECT) == COFACTOR_OK);
    REQUIRE(cofactor_write_header(c, "f.h") == COFACTOR_OK);
    REQUIRE(cofactor_in(c, "f", NULL, NULL, "late") == COFACTOR_BAD_CALL && strstr(m.text, "too late"));
    cofactor_free(c);
}

/* The session of a program that ran stays: what it left for the end of the process is still to run. */
static void whole_program(void) {
    messages m = {0};
    cofactor *c = cofactor_new(keep, &m);
    char *arguments[] = {"program", "20", NULL};
    int result = 0;
    REQUIRE(cofactor_add_context(c, "flops.c", NULL) == COFACTOR_OK);
    REQUIRE(cofactor_add_source(c, program, "c", "program.c", NULL) == COFACTOR_OK);
    REQUIRE(cofactor_in_program(c, NULL) == COFACTOR_OK);
    REQUIRE(cofactor_run(c, 2, arguments, &result) == COFACTOR_OK && result == 14 + 2 + 20);
    REQUIRE(cofactor_run(c, 2, arguments, &result) == COFACTOR_BAD_CALL);
    REQUIRE(number_in("flops") == -2); /* not before the end of this process */
}

static void refuse(void) {
    messages m = {0};
    cofactor *c = cofactor_new(keep, &m);
    int result;
    REQUIRE(cofactor_run(c, 0, NULL, &result) == COFACTOR_BAD_REQUEST && strstr(m.text, "no file was added"));
    REQUIRE(cofactor_add_context(c, "no/such.c", NULL) == COFACTOR_BAD_INPUT && !strcmp(m.file, "no/such.c"));
    REQUIRE(cofactor_add_context(c, "nowhere", NULL) == COFACTOR_BAD_INPUT && strstr(m.text, "there is no context `nowhere`"));
    REQUIRE(cofactor_add_context(c, "two.c", NULL) == COFACTOR_BAD_INPUT && strstr(m.text, "several contexts"));
    REQUIRE(cofactor_add_context(c, "plain.c", NULL) == COFACTOR_BAD_INPUT && strstr(m.text, "no context in this file"));
    REQUIRE(cofactor_add_file(c, "plain.c", NULL) == COFACTOR_OK);
    REQUIRE(cofactor_in(c, "p", NULL, NULL, NULL) == COFACTOR_BAD_REQUEST && strstr(m.text, "say which context"));
    REQUIRE(cofactor_in_program(c, "flops") == COFACTOR_BAD_REQUEST && strstr(m.text, "no `main`"));
    REQUIRE(cofactor_run(c, 0, NULL, &result) == COFACTOR_BAD_REQUEST && strstr(m.text, "no `main`"));
    REQUIRE(cofactor_add_context(c, "flops.c", NULL) == COFACTOR_OK);
    REQUIRE(cofactor_in(c, "nobody", NULL, NULL, NULL) == COFACTOR_BAD_REQUEST);
    REQUIRE(cofactor_in(c, "p", NULL, NULL, "p") == COFACTOR_BAD_REQUEST);
    REQUIRE(cofactor_in(c, "p", "gone", NULL, "q") == COFACTOR_OK); /* found out when it is made */
    int before = m.errors;
    REQUIRE(cofactor_differentiate(c) == COFACTOR_BAD_REQUEST && m.errors == before + 1);
    REQUIRE(strstr(m.text, "no context `gone`"));
    REQUIRE(cofactor_write(c, "none.o", COFACTOR_OBJECT) == COFACTOR_BAD_REQUEST && number_in("none.o") == -2);
    cofactor_free(c);
}

static void after(void) {
    /* 6 of main, 1 of what it registered for the end. _Exit: nothing can change the status after exit any more. */
    int n = number_in("flops");
    if (n != 7) printf("%d operations, not 7\n", n), fflush(stdout), _Exit(1);
}

int main(void) {
    put("flops.c", flops);
    put("two.c", two);
    put("plain.c", "int p(void) { return 1; }\n");
    remove("flops");
    functions();
    refuse();
    atexit(after); /* before the program's own: runs after it */
    whole_program();
    return 0;
}
