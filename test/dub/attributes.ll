; Clones keep how values are passed, and no promise about what a body does.
; RUN: %tool/dub identity %s %t.bc && %llvm-dis %t.bc -o - | %FileCheck %s
target triple = "x86_64-unknown-linux-gnu"

define double @f(ptr noalias nocapture readonly byval(i64) align 8 %p, i32 signext %n, double returned noundef %x) memory(none) willreturn nosync norecurse nounwind "target-cpu"="haswell" strictfp {
  ret double %x
}
define double @main(ptr %p) {
  %r = call double @f(ptr byval(i64) align 8 %p, i32 signext 1, double 2.0)
  ret double %r
}
; CHECK: define internal double @f.same(ptr byval(i64) align 8 %p, i32 signext %n, double noundef %x) [[A:#[0-9]+]]
; CHECK: define internal double @main.same(ptr %p)
; CHECK: attributes [[A]] = { strictfp "cf-made" "target-cpu"="haswell" }
