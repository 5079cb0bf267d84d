; Integers that carry numbers, and what is told through calls and memory.
; RUN: %unit/types %s | %FileCheck %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; A number moved as an integer.
; CHECK: move load double@0 every 8
; CHECK: move store double@0 every 8
define double @move(ptr %to, ptr %from) {
  %i = load i64, ptr %from
  store i64 %i, ptr %to
  %x = load double, ptr %to
  ret double %x
}

; Two numbers in one integer.
; CHECK: pair load float@0 every 4
define float @pair(ptr %p) {
  %q = getelementptr i8, ptr %p, i64 4
  %x = load float, ptr %p
  %y = load float, ptr %q
  %i = load i64, ptr %p
  store i64 %i, ptr @pairs
  %s = fadd float %x, %y
  ret float %s
}
; CHECK: pair store float@0 every 4
@pairs = global i64 0

; An integer that is computed with.
; CHECK: counter load other@0 every 1
; CHECK: counter store other@0 every 1
define void @counter(ptr %p) {
  %i = load i64, ptr %p
  %j = add i64 %i, 1
  store i64 %j, ptr %p
  ret void
}

; Number and pointer at one place: not told.
; CHECK: contradiction load unknown
define double @contradiction(ptr %p) {
  %x = load double, ptr %p
  %q = load ptr, ptr %p
  %i = load i64, ptr %p
  store i64 %i, ptr %q
  ret double %x
}
; CHECK: contradiction store

; The callee knows.
; CHECK: caller to double@0 every 8
; CHECK: caller from double@0 every 8
define double @caller(ptr %to, ptr %from, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %n, i1 false)
  %x = call double @callee(ptr %to)
  ret double %x
}
define internal double @callee(ptr %p) {
  %q = getelementptr double, ptr %p, i64 3
  %x = load double, ptr %q
  ret double %x
}

; The caller knows: an array of numbers behind a pointer.
define void @table(ptr %to) {
  call void @move_pair(ptr %to, ptr @entry)
  ret void
}
@entry = global { double, ptr } { double 1.0, ptr null }
; CHECK: move_pair from double@0 ptr@8{{$}}
define internal void @move_pair(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 16, i1 false)
  ret void
}

; Through memory: what is stored in the first slot of the object is loaded from there.
; CHECK: stored to float@0 every 4
define float @stored(ptr %object, i64 %n, i64 %k) {
  %bytes = shl i64 %n, 2
  %block = call ptr @malloc(i64 %bytes)
  %slot = getelementptr { i32, ptr }, ptr %object, i64 0, i32 1
  store ptr %block, ptr %slot
  call void @llvm.memset.p0.i64(ptr %block, i8 0, i64 %bytes, i1 false)
  %again = getelementptr i8, ptr %object, i64 8
  %p = load ptr, ptr %again
  %q = getelementptr float, ptr %p, i64 %k
  %x = load float, ptr %q
  ret float %x
}

; Addresses in bytes, as LLVM's optimiser writes them: fields of an array of structures.
; CHECK: strided to double@0 ptr@8 every 16
define double @strided(ptr %p, i64 %n, i64 %i) {
  %bytes = shl i64 %n, 4
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 %bytes, i1 false)
  %at = shl i64 %i, 4
  %q = getelementptr i8, ptr %p, i64 %at
  %x = load double, ptr %q
  %r = getelementptr i8, ptr %q, i64 8
  %d = load ptr, ptr %r
  %y = load double, ptr %d
  %s = fadd double %x, %y
  ret double %s
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare ptr @malloc(i64)
