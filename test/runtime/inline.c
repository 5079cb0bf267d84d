/* The tape's bitcode in a program: push, peek and release inline, only what is rare is called; it links into programs
 * and shared libraries, with and without the program's handlers.
 *
 * RUN: %clang -O1 -Xclang -disable-llvm-passes -fPIC -I%S/../../src -emit-llvm -c %s -o %t.user.bc
 * RUN: %llvm-link %t.user.bc --internalize %build/bitcode/runtime.bc -o %t.linked.bc
 * RUN: %opt -passes='internalize,default<O2>' -internalize-public-api-list=sum -S %t.linked.bc -o %t.ll
 * RUN: %FileCheck %s < %t.ll
 * RUN: %clang -O2 -c %t.ll -o %t.o
 * RUN: %cc %t.o %S/Inputs/main.c -o %t.plain && %t.plain | %FileCheck --check-prefix PLAIN %s
 * RUN: %cc -shared %t.o -o %t.so && %cc -DHANDLERS -I%include %S/Inputs/main.c %t.so -o %t.shared
 * RUN: %t.shared | %FileCheck --check-prefix HANDLERS %s
 *
 * CHECK-LABEL: define {{.*}}@sum
 * CHECK-NOT: call {{.*}}@__cf_tape_{{push|peek|release}}
 * CHECK: call {{.*}}@grow
 * CHECK-NOT: call {{.*}}@__cf_tape_{{push|peek|release}}
 * CHECK: {{^}}}
 *
 * PLAIN: 499999500000
 * HANDLERS: peak {{[0-9]{8}$}}
 * HANDLERS: 499999500000
 */
#include "runtime/tape.h"

double sum(int n) {
    char first[512];
    cf_tape t;
    __cf_tape_begin(&t, first, sizeof first);
    for (int i = 0; i < n; i++) *(double *)__cf_tape_push(&t, 8) = i;
    double s = 0;
    for (int i = 0; i < n; i++) {
        double *p = __cf_tape_peek(&t, 8);
        s += *p;
        __cf_tape_release(&t, p);
    }
    __cf_tape_end(&t);
    return s;
}
