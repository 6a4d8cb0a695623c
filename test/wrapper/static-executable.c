// A fully static executable is refused when it is linked, with the alternative.
// Row "-static" of docs/compiling.md.
//
// RUN: not %clang_heapprof -static %s -o %t 2>&1 | FileCheck %s --check-prefix=STATIC
// RUN: not %clang_heapprof -static-pie %s -o %t 2>&1 | FileCheck %s --check-prefix=PIE
// RUN: not %clang_heapprof --static %s -o %t 2>&1 | FileCheck %s --check-prefix=STATIC
// STATIC: {{^}}heapprof-clang: error: '-static' is not supported with -fsanitize=heapprof: the runtime needs the dynamic loader; link libc dynamically (-static-libgcc and -static-libstdc++ may stay)
// STATIC-NOT: {{.}}
// PIE: {{^}}heapprof-clang: error: '-static-pie' is not supported
//
// The alternative works; so does compiling, and linking what has no runtime.
// RUN: %clang_heapprof -static-libgcc %s -o %t && %t
// RUN: %clangxx_heapprof -x c++ -static-libgcc -static-libstdc++ %s -o %t && %t
// RUN: %clang_heapprof -Werror -static -c %s -o %t.o
// RUN: %clang_heapprof -static -fno-sanitize=heapprof %s -o %t && %t
// RUN: %heapprof_clang -static %s -o %t && %t
//
// A shared runtime does not exist; a static one is what there is.
// RUN: not %clang_heapprof -shared-libsan %s -o %t 2>&1 | FileCheck %s --check-prefix=SHARED
// SHARED: {{^}}heapprof-clang: error: '-shared-libsan' is not supported with -fsanitize=heapprof: {{.*}} leave the option out
// RUN: %clang_heapprof -Werror -shared-libsan -static-libsan %s -o %t && %t
// RUN: %clang_heapprof -Werror -static-libsan %s -o %t && %t
int main(void) { return 0; }
