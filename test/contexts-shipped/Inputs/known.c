#include <stdio.h>
#include <string.h>

static int all, none, sometimes, never_called;

static int sign(int x) {
    if (x > 0) return 1;
    if (x < 0)
        return -1;
    return 0;
}

static int kind(int x) {
    switch (x) {
    case 0: return 10;
    case 1: return 11;
    default:
        return x > 100
                   ? 12
                   : 13;
    }
}

static void unused(int x) {
    never_called += x;
}

int main(int argc, char **argv) {
    (void)argv;
    for (int i = 1; i <= 4; i++) {
        all += sign(i);
        if (i % 2 == 0 && i < 100)
            sometimes += kind(i - 2);
    }
    if (argc > 5)
        unused(argc);
    printf("%d %d\n", all, sometimes + none);
    return 0;
}
