// With LTO the pass runs when each file is compiled, and never again in the linker.
// Row "-flto" of docs/compiling.md.
//
// RUN: %clang_heapprof -O2 -flto -### %s 2>&1 | FileCheck %s
// RUN: %clang_heapprof -O2 -flto=thin -fuse-ld=lld -### %s 2>&1 | FileCheck %s
// CHECK: "-cc1"{{.*}} "-fpass-plugin={{[^"]*}}/heapprof-pass.so"
// CHECK: libheapprof_rt.a
// CHECK-NOT: {{load-pass-plugin|heapprof-pass.so}}
//
// RUN: %if lld %{ %clang_heapprof -O2 -flto -fuse-ld=lld %s -o %t && %run %t %}
// RUN: %if lld %{ %clang_heapprof -O2 -flto=thin -fuse-ld=lld %s -o %t && %run %t %}
// RUN: %if lld %{ %clang_heapprof -O2 -flto -c %s -o %t.o && %clang_heapprof -flto -fuse-ld=lld %t.o -o %t && %run %t %}
int main(void) { return 0; }
