static __attribute__((noinline)) int lib_add(int x) { return x + 1; }
