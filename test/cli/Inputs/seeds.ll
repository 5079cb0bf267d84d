;;; straight line
define double @f(double %x, double %y) {
entry:
  %a = fmul double %x, %y
  %b = fadd double %a, 1.0
  %c = fdiv double %a, %b
  %d = call double @llvm.sin.f64(double %c)
  %e = select i1 true, double %d, double %a
  ret double %e
}
declare double @llvm.sin.f64(double)
;;; a loop over an array
define double @f(ptr %p, i64 %n) {
entry:
  %z = icmp sgt i64 %n, 0
  br i1 %z, label %loop, label %end
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s1, %loop ]
  %q = getelementptr double, ptr %p, i64 %i
  %v = load double, ptr %q
  %w = fmul double %v, %v
  %s1 = fadd double %s, %w
  store double %w, ptr %q
  %i1 = add i64 %i, 1
  %c = icmp slt i64 %i1, %n
  br i1 %c, label %loop, label %end
end:
  %r = phi double [ 0.0, %entry ], [ %s1, %loop ]
  ret double %r
}
;;; calls and memory
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal double @g(ptr %p, double %k) {
  %v = load double, ptr %p
  %m = fmul double %v, %k
  store double %m, ptr %p
  ret double %m
}
define double @f(ptr %p, double %k) {
entry:
  %t = alloca [2 x double]
  %h = call ptr @malloc(i64 16)
  call void @llvm.memcpy.p0.p0.i64(ptr %t, ptr %p, i64 16, i1 false)
  %a = call double @g(ptr %t, double %k)
  store double %a, ptr %h
  %b = call double @g(ptr %h, double %a)
  call void @free(ptr %h)
  %r = fsub double %b, %a
  ret double %r
}
;;; branches, switch, recursion
define double @f(double %x, i32 %n) {
entry:
  switch i32 %n, label %other [ i32 0, label %zero
    i32 1, label %one ]
zero:
  ret double 1.0
one:
  %c = fcmp ogt double %x, 0.0
  br i1 %c, label %up, label %down
up:
  br label %join
down:
  %m = fneg double %x
  br label %join
join:
  %j = phi double [ %x, %up ], [ %m, %down ]
  ret double %j
other:
  %k = sub i32 %n, 1
  %l = call double @f(double %x, i32 %k)
  %r = fmul double %l, %x
  ret double %r
}
;;; structs, casts, globals
%pair = type { double, i32, float }
@state = global double 2.0
@table = private constant [2 x double] [double 1.0, double 3.0]
define float @f(ptr %p, float %y) {
  %q = getelementptr %pair, ptr %p, i64 0, i32 2
  %v = load float, ptr %q
  %d = fpext float %v to double
  %s = load double, ptr @state
  %t = load double, ptr getelementptr ([2 x double], ptr @table, i64 0, i64 1)
  %m = fmul double %d, %s
  %n = fmul double %m, %t
  store double %n, ptr @state
  %r = fptrunc double %n to float
  %i = fptosi float %y to i32
  %k = sitofp i32 %i to float
  %z = fadd float %r, %k
  ret float %z
}
