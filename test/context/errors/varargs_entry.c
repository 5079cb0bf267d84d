// RUN: rm -f %t.o
// RUN: %not %ad -g -O1 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O0 -I%S/.. -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not test -e %t.o
// A function with variable arguments cannot be the requested one's: nothing would hand them on. The message says so.
#include <cofactor/context.h>
#include <stdarg.h>

struct count { long n; };
CF_CONTEXT(count, "");
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 0;
    while (n-- > 0) s += va_arg(list, int);
    va_end(list);
    return s;
}
int sum_in(struct count *c, int n);
// CHECK: varargs_entry.c:[[#@LINE+1]]{{.*}}error: {{.*}}sum_in
CF_IN(sum_in, sum, count);
