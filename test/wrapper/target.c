// Only x86-64 Linux with glibc is supported, and only when we are asked.
// Rows "-m32, --target" and "-femulated-tls" of docs/compiling.md.
//
// RUN: not %clang_heapprof -m32 -c %s 2>&1 | FileCheck %s --check-prefix=M32
// RUN: not %clang_heapprof -mx32 -c %s 2>&1 | FileCheck %s
// RUN: not %clang_heapprof --target=aarch64-linux-gnu -c %s 2>&1 | FileCheck %s
// RUN: not %clang_heapprof -target i386-pc-linux-gnu -c %s 2>&1 | FileCheck %s
// RUN: not %clang_heapprof --target=x86_64-apple-darwin -c %s 2>&1 | FileCheck %s
// RUN: not %clang_heapprof --target=x86_64-linux-android -c %s 2>&1 | FileCheck %s
// RUN: not %clang_heapprof --target=x86_64-linux-musl -c %s 2>&1 | FileCheck %s
// M32: {{^}}heapprof-clang: error: '-fsanitize=heapprof' is not supported with '-m32': only x86-64 Linux with glibc is; leave it out for this target
// CHECK: {{^}}heapprof-clang: error: '-fsanitize=heapprof' is not supported with '
// RUN: not %clang_heapprof -femulated-tls -c %s 2>&1 | FileCheck %s --check-prefix=TLS
// TLS: {{^}}heapprof-clang: error: '-femulated-tls' is not supported with -fsanitize=heapprof: {{.*}} leave the option out
// RUN: %clang_heapprof -femulated-tls -fno-emulated-tls -c %s -o %t.o
// RUN: %clang_heapprof -femulated-tls -E %s -o %t.i
//
// RUN: %clang_heapprof --target=x86_64-linux-gnu -c %s -o %t.o
// RUN: %clang_heapprof -target x86_64-unknown-linux-gnu -c %s -o %t.o
// RUN: %clang_heapprof -m32 -m64 -c %s -o %t.o
// RUN: %clang_heapprof --target=aarch64-linux-gnu --target=x86_64-pc-linux-gnu -c %s -o %t.o
// RUN: %clang_heapprof -fno-sanitize=heapprof --target=aarch64-linux-gnu -c %s -o %t.o
// RUN: %heapprof_clang --target=aarch64-linux-gnu -c %s -o %t.o
int f(int x) { return x; }
