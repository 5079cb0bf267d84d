/* The command: picks the subcommand. */
#include "cli/cli.h"
#include <llvm-c/ErrorHandling.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct subcommand {
    const char *name;
    int (*run)(int argc, char **argv); /* returns the exit status */
    const char *purpose;
} subcommand;

static const subcommand subcommands[] = {
    {"grad", cf_command_grad, "write derivatives of functions to an object, LLVM IR and a header"},
    {"check", cf_command_check, "test derivatives of a function against each other and against differences"},
    {"explain", cf_command_explain, "say what was active, cached, reloaded, recomputed and logged, and why"},
    {"run", cf_command_run, "run a program inside a context, or as it is"},
    {"in", cf_command_in, "write a program, or functions of it, inside a context"},
};
enum { SUBCOMMANDS = sizeof subcommands / sizeof *subcommands };

static void print_usage(FILE *out) {
    fputs("usage: cofactor COMMAND [OPTION...] FILE... [-- CLANG-FLAG...]\n\n"
          "Makes derivatives of C, C++ and LLVM IR programs, and runs programs inside contexts.\n\n",
          out);
    for (int i = 0; i < SUBCOMMANDS; i++)
        fprintf(out, "  %-9s %s\n", subcommands[i].name, subcommands[i].purpose);
    fputs("\n`cofactor COMMAND --help` says more; `cofactor --version` prints the version.\n", out);
}

/* LLVM gives up (a construct that its code generator does not know). Nothing has been written then: outputs are made
 * in memory. */
static void on_fatal_error(const char *reason) {
    fprintf(stderr, "cofactor: error: LLVM cannot make code of this program: %s\n", reason);
    fflush(NULL);
    _exit(1);
}

int main(int argc, char **argv) {
    argp_err_exit_status = 1;
    LLVMInstallFatalErrorHandler(on_fatal_error);
    if (argc < 2) {
        print_usage(stderr);
        return 1;
    }
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        print_usage(stdout);
        return 0;
    }
    if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
        printf("cofactor %s\n", cofactor_version());
        return 0;
    }
    for (int i = 0; i < SUBCOMMANDS; i++) {
        if (strcmp(argv[1], subcommands[i].name) != 0) continue;
        char name[64];
        snprintf(name, sizeof name, "cofactor %s", argv[1]);
        argv[1] = name;
        return subcommands[i].run(argc - 1, argv + 1);
    }
    fprintf(stderr, "cofactor: error: there is no command `%s`; there are grad, check, explain, run and in\n",
            argv[1]);
    return 1;
}
