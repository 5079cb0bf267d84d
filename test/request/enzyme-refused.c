// Calls of Enzyme's names that ask for what there is not.
// RUN: %not %ad -g -O0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %not %ad -O2 -c %s -o %t.o 2>&1 | %FileCheck --check-prefix=PLAIN %s
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
int __enzyme_autodiff_whole(void *, ...);
int enzyme_dup, enzyme_out, enzyme_width, enzyme_tape;
double f(double x, int n, double *p) { return x * n * *p; }
double far(double x);
double use(double x, double *p, double *q, void *any, int n) {
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: an argument for parameter 3 of `f`, or its shadow, is missing
    x += __enzyme_autodiff((void *)f, x, 2, p);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: this call has more arguments than `f` needs
    x += __enzyme_autodiff((void *)f, x, 2, p, q, 5);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: parameter 2 of `f` cannot be enzyme_dup: it is neither a pointer nor a floating number
    x += __enzyme_autodiff((void *)f, x, enzyme_dup, 2, 3, p, q);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: enzyme_tape is not supported
    x += __enzyme_autodiff((void *)f, enzyme_tape, x, 2, p, q);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: `far` is not defined in this unit
    x += __enzyme_autodiff((void *)far, x);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: the first argument must name the function to differentiate
    x += __enzyme_autodiff(any, x);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: parameter 1 of `f` cannot be enzyme_out: that is for reverse mode
    x += __enzyme_fwddiff((void *)f, enzyme_out, x, 2, p, q);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: argument 2 of this call does not have the type of parameter 1 of `f`
    x += __enzyme_autodiff((void *)f, p, 2, p, q);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: after enzyme_width stands a constant from 1 to 256
    x += __enzyme_autodiff((void *)f, enzyme_width, n, x, 2, p, q);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: parameter 1 of `f` cannot be enzyme_dup: it is a floating number, say enzyme_out
    x += __enzyme_autodiff((void *)f, enzyme_dup, x, x, 2, p, q);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: parameter 3 of `f` cannot be enzyme_out: it is not a floating number
    x += __enzyme_autodiff((void *)f, x, 2, enzyme_out, p);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: this call returns something else than the derivatives asked for
    __enzyme_autodiff_whole((void *)f, x, 2, p, q);
    // CHECK: enzyme-refused.c:[[#@LINE+1]]:{{[0-9]+}}: error: `__enzyme_augmentfwd` is not supported
    __enzyme_augmentfwd((void *)f, x);
    return x;
}
// PLAIN: error: in `use`: an argument for parameter 3 of `f`, or its shadow, is missing
