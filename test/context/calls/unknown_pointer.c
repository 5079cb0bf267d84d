// RUN: for l in -O0 -O2; do %clang $l -c -DLIBRARY %s -o %t.o && %ad $l -Wall -Wextra -Werror -I%S/.. %s %t.o -lm -o %t && %t || exit 1; done
// A pointer to a function that this unit does not know is called as it is; hooks see the call.
#ifdef LIBRARY
int foreign(int x) { return x * 7; }
int (*foreign_pointer(void))(int) { return foreign; }
#else
#include "every.h"
#include <stdlib.h>

int (*foreign_pointer(void))(int);
static int f(int x) {
    int (*g)(int) = foreign_pointer();
    int (*h)(int) = abs;
    return g(x) + h(-x);
}
int f_in(struct every *c, int x);
CF_IN(f_in, f, every);

int main(void) {
    static struct every c;
    WANT(f_in(&c, 3), 24);
    SAME(c.e, "foreign_pointer( ) [foreign_pointer ptr ] ( 3 ) [ 21 ] ( -3 ) [ 3 ]");
    return wrong;
}
#endif
