; Powers with small constant exponents become products; all others, and functions of the program's own, stay.
; RUN: %unit/prepare %s > %t && %FileCheck %s < %t && %opt -passes=verify -disable-output %t

declare double @pow(double, double)
declare float @powf(float, float)
declare double @llvm.pow.f64(double, double)
declare double @llvm.powi.f64.i32(double, i32)
declare double @powl(double, double, double)

; CHECK-LABEL: define double @square(
; CHECK: [[P:%.*]] = fmul fast double %x, %x
; CHECK: ret double [[P]]
define double @square(double %x) {
  %p = call fast double @pow(double %x, double 2.0)
  ret double %p
}

; CHECK-LABEL: define float @inverse(
; CHECK: fdiv float 1.000000e+00, %x
define float @inverse(float %x) {
  %p = call float @powf(float %x, float -1.0)
  ret float %p
}

; CHECK-LABEL: define double @same(
; CHECK: ret double %x
define double @same(double %x) {
  %p = call double @llvm.pow.f64(double %x, double 1.0)
  ret double %p
}

; CHECK-LABEL: define double @fourth(
; CHECK: [[S:%.*]] = fmul double %x, %x
; CHECK: fmul double [[S]], [[S]]
; CHECK-NOT: powi
define double @fourth(double %x) {
  %p = call double @llvm.powi.f64.i32(double %x, i32 4)
  ret double %p
}

; CHECK-LABEL: define double @others(
; CHECK: call double @pow(double %x, double 3.0
; CHECK: call double @pow(double %x, double %x)
; CHECK: call double @llvm.powi.f64.i32(double %x, i32 5)
; CHECK: call double @powl(
define double @others(double %x) {
  %a = call double @pow(double %x, double 3.0)
  %b = call double @pow(double %a, double %x)
  %c = call double @pow(double %x, double %x)
  %d = call double @llvm.powi.f64.i32(double %x, i32 5)
  %e = call double @powl(double %x, double 2.0, double 2.0)
  %s = fadd double %b, %c
  %t = fadd double %s, %d
  %u = fadd double %t, %e
  ret double %u
}
