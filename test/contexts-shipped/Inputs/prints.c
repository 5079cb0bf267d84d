#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int add(int a, int b) {
    printf("a is %d\n", a);
    fprintf(stderr, "b is %d%c", b, '\n');
    return a + b;
}

static void format(const char *text, ...) {
    va_list arguments;
    va_start(arguments, text);
    vprintf(text, arguments);
    va_end(arguments);
}

int run(void) {
    char word[] = "early";
    int sum = add(2, 3);
    printf("%s %s\n", word, "text");
    strcpy(word, "later");
    puts(word);
    fputs("no end", stdout);
    putchar(':');
    fputc('\n', stdout);
    fwrite("bytes\n", 1, 6, stdout);
    format("%d %.1f %s\n", 7, 2.5, "of a list");
    fflush(stdout);
    return sum;
}

#ifndef NO_MAIN
#include <unistd.h>
int main(void) {
    int sum = run();
    write(1, "sum comes first\n", 16);
    return sum != 5;
}
#endif
