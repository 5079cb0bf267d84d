; The forms that prepare.h promises.
; RUN: %unit/prepare twice %s > %t && %FileCheck %s < %t && %opt -passes=verify -disable-output %t

declare double @sqrt(double)

; A division that is not always executed is not speculated, in a branch or in a loop; no select appears.
; CHECK-LABEL: define double @guarded(
; CHECK-NOT: select
; CHECK: br i1
; CHECK: fdiv
; CHECK: %cf.from = phi i8 [ {{.*}} ], [ {{.*}} ], !cf.from
; CHECK: ret double
define double @guarded(double %x, double %y) {
  %c = fcmp une double %y, 0.0
  br i1 %c, label %then, label %end
then:
  %q = fdiv double %x, %y
  br label %end
end:
  %r = phi double [ %q, %then ], [ 0.0, %0 ]
  ret double %r
}

; CHECK-LABEL: define double @guarded_in_loop(
; CHECK-NOT: fdiv
; CHECK: %cf.last = freeze i64 {{.*}}, !cf.last
; CHECK: %cf.iv = phi i64 [ 0, {{.*}} ], [ %cf.iv.next, {{.*}} ], !cf.iv
; CHECK: br i1
; CHECK: fdiv
define double @guarded_in_loop(double %x, double %y, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %s = phi double [ 0.0, %entry ], [ %t, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %c = fcmp une double %y, 0.0
  br i1 %c, label %then, label %latch
then:
  %q = fdiv double %x, %y
  %u = fadd double %s, %q
  br label %latch
latch:
  %t = phi double [ %u, %then ], [ %s, %body ]
  %next = add nsw i32 %i, 1
  br label %head
end:
  ret double %s
}

; The sum in memory becomes a value; pointers that step are computed from the number of the iteration.
; CHECK-LABEL: define void @scalar_in_memory(
; CHECK: %cf.iv = phi i64
; CHECK-NOT: phi ptr
; CHECK: phi double
; CHECK: getelementptr inbounds{{.*}} double, ptr %p, i64 %cf.iv
; CHECK-NOT: store
; CHECK: %cf.iv.next = add nuw nsw i64 %cf.iv, 1
; CHECK: store double {{.*}}, ptr %sum
; CHECK: ret void
define void @scalar_in_memory(ptr noalias %sum, ptr noalias %p, ptr %end) {
entry:
  store double 0.0, ptr %sum
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  %s = load double, ptr %sum
  %x = load double, ptr %q
  %t = fadd double %s, %x
  store double %t, ptr %sum
  %next = getelementptr inbounds double, ptr %q, i64 1
  %done = icmp eq ptr %next, %end
  br i1 %done, label %out, label %loop
out:
  ret void
}

; An inner loop that leaves both loops at once: the exit knows both numbers.
; CHECK-LABEL: define i32 @leaves_two(
; CHECK: cf.exit{{[0-9]*}} = phi i64
; CHECK: ret i32
define i32 @leaves_two(ptr %p, i32 %n, i32 %m) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %outer.latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %k = add i32 %i, %j
  %q = getelementptr double, ptr %p, i32 %k
  %x = load double, ptr %q
  %c = fcmp olt double %x, 0.0
  br i1 %c, label %found, label %inner.latch
inner.latch:
  %j.next = add i32 %j, 1
  %d = icmp slt i32 %j.next, %m
  br i1 %d, label %inner, label %outer.latch
outer.latch:
  %i.next = add i32 %i, 1
  %e = icmp slt i32 %i.next, %n
  br i1 %e, label %outer, label %none
found:
  ret i32 %k
none:
  ret i32 -1
}

; Small functions are inlined, those with rules of their own and those that call themselves are not.
define internal double @small(double %x) noinline optnone {
  %y = fmul double %x, %x
  ret double %y
}
define internal double @kept(double %x) noinline "cf-keep" {
  ret double %x
}
define double @fact(double %x, i32 %n) {
  %c = icmp sgt i32 %n, 1
  br i1 %c, label %then, label %end
then:
  %m = sub i32 %n, 1
  %y = call double @fact(double %x, i32 %m)
  %z = fmul double %y, %x
  ret double %z
end:
  ret double %x
}
; CHECK-LABEL: define double @caller(
; CHECK-NOT: @small
; CHECK: call double @kept(
; CHECK: call double @fact(
; CHECK: ret double
define double @caller(double %x) noinline optnone {
  %a = call double @small(double %x)
  %b = call double @kept(double %a)
  %c = call double @fact(double %b, i32 5)
  ret double %c
}

; What Cofactor made is left alone.
; CHECK-LABEL: define double @made(
; CHECK-NEXT: alloca
define double @made(double %x) "cf-made" {
  %p = alloca double
  store double %x, ptr %p
  %y = load double, ptr %p
  ret double %y
}
