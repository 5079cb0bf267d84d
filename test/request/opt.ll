; The pass by name in opt; what surrounds a primal survives the way through the private module: aliases, thread-local
; and private symbols, comdats, constructors, tables of functions, module assembly.
; RUN: %opt -load-pass-plugin=%plugin -passes='cofactor,verify' -S %s -o %t.ll && %FileCheck %s < %t.ll
; RUN: %FileCheck --check-prefix=ONCE %s < %t.ll
; RUN: %lli %t.ll
@words = private constant [8 x i8] c"dup dup\00"
@kind = private constant [8 x i8] c"reverse\00"
@file = private constant [4 x i8] c"a.c\00"
@d = internal constant { i32, i32, ptr, ptr, ptr, ptr, ptr } { i32 1, i32 3, ptr @kind, ptr @words, ptr @file, ptr @f, ptr @f_grad }, section "cofactor"
@keep = internal global i32 7
@llvm.used = appending global [2 x ptr] [ptr @d, ptr @keep], section "llvm.metadata"
@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
@count = internal thread_local global i32 0
@table = internal constant [2 x ptr] [ptr @double, ptr @alias]
@0 = private global double 2.0
$inlined = comdat any
module asm ".globl from_asm"
module asm "from_asm = 5"
; ONCE: module asm
; ONCE-NOT: from_asm = 5{{.*from_asm = 5}}
; CHECK-NOT: section "cofactor"
; CHECK-DAG: @keep = internal global i32 7
; CHECK-DAG: @llvm.used = appending global [1 x ptr] [ptr @keep]
; CHECK-DAG: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @start, ptr null }]
; CHECK-DAG: @count = internal thread_local global i32 0
; CHECK-DAG: @table = internal constant [2 x ptr] [ptr @double, ptr @alias]
; CHECK-DAG: @alias = internal alias double (double), ptr @double
; CHECK-DAG: define internal double @double(double %x)
; CHECK-DAG: define linkonce_odr double @inlined(double %x) comdat
; CHECK-NOT: __cf_local
@alias = internal alias double (double), ptr @double
define internal void @start() {
  ret void
}
define internal double @double(double %x) {
  %y = load double, ptr @0
  %r = fmul double %x, %y
  ret double %r
}
define linkonce_odr double @inlined(double %x) comdat {
  %r = call double @alias(double %x)
  ret double %r
}
define double @f(double %x, double %y) {
  %p = call ptr @llvm.threadlocal.address.p0(ptr @count)
  %c = load i32, ptr %p
  %i = and i32 %c, 1
  %d = add i32 %c, 1
  store i32 %d, ptr %p
  %slot = getelementptr ptr, ptr @table, i32 %i
  %g = load ptr, ptr %slot
  %a = call double %g(double %x)
  %b = call double @inlined(double %y)
  %r = fmul double %a, %b
  ret double %r
}
declare ptr @llvm.threadlocal.address.p0(ptr)
declare double @f_grad(double, ptr, double, ptr)
; 4 x y at (3, 5): value 60, adjoints 20 and 12
define i32 @main() {
  %a = alloca double
  %b = alloca double
  store double 0.0, ptr %a
  store double 1.0, ptr %b
  %v = call double @f_grad(double 3.0, ptr %a, double 5.0, ptr %b)
  %ab = load double, ptr %a
  %bb = load double, ptr %b
  %1 = fcmp une double %v, 60.0
  %2 = fcmp une double %ab, 20.0
  %3 = fcmp une double %bb, 13.0
  %4 = or i1 %1, %2
  %5 = or i1 %4, %3
  %6 = zext i1 %5 to i32
  ret i32 %6
}
