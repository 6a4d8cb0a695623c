// An executable gets the whole runtime, its dynamic list and the libraries it needs.
// Row "link an executable" of docs/compiling.md.
//
// RUN: %clang_heapprof -### %s -o %t -lfoo 2>&1 | FileCheck %s --check-prefixes=LD
// RUN: %clangxx_heapprof -### %s -o %t -lfoo 2>&1 | FileCheck %s --check-prefixes=LD
// RUN: %clang_heapprof -### -xc %s -o %t -lfoo 2>&1 | FileCheck %s --check-prefixes=LD
// RUN: %clang_heapprof -### -o %t -lfoo -x c -- %s 2>&1 | FileCheck %s --check-prefixes=DASH
// LD: "--whole-archive" "{{[^"]*}}/lib/heapprof/libheapprof_rt.a" "--no-whole-archive"
// LD-SAME: "--dynamic-list={{[^"]*}}/lib/heapprof/libheapprof_rt.a.syms"
// LD-SAME: "-lfoo"
// LD-SAME: "-lpthread" "-lrt" "-lm" "-ldl" "-lresolv"
// DASH: libheapprof_rt.a" "--no-whole-archive"
// DASH-SAME: "-lresolv"
//
// A link-only call gets the runtime and no flags of the compiler.
// RUN: %clang_heapprof -c %s -o %t.o
// RUN: %clang_heapprof -### %t.o -o %t 2>&1 | FileCheck %s --check-prefix=ONLY
// RUN: %clang_heapprof -Werror %t.o -o %t && %t
// RUN: %if lld %{ %clang_heapprof %t.o -fuse-ld=lld -Wl,--icf=safe,--fatal-warnings -o %t && %t %}
// RUN: rm -f %t.a && ar rcs %t.a %t.o
// RUN: %clang_heapprof -Werror %t.a -o %t && %t
// ONLY-NOT: {{pass-plugin|__HEAPPROF__|frame-pointer}}
// ONLY: libheapprof_rt.a
// ONLY-NOT: {{pass-plugin|__HEAPPROF__|frame-pointer}}
//
// With either linker, and although the user drops what is not needed.
// RUN: %clang_heapprof -Wl,--as-needed %t.o -o %t && %t
// RUN: %if lld %{ %clang_heapprof -fuse-ld=lld %t.o -o %t && %t %}
//
// -nostdlib: runtime and dynamic list, but no library.
// RUN: %clang_heapprof -nostdlib -### %t.o 2>&1 | FileCheck %s --check-prefix=NOLIB
// RUN: %clang_heapprof -nodefaultlibs -### %t.o 2>&1 | FileCheck %s --check-prefix=NOLIB
// NOLIB-NOT: -lresolv
// NOLIB: libheapprof_rt.a"
// NOLIB-NOT: -lresolv
//
// -nostartfiles leaves out __dso_handle, which libc's part of the program needs.
// RUN: for linker in bfd gold %if lld %{ lld %} %if mold %{ mold %}; do \
// RUN:   %clang_heapprof -nostartfiles -DSTART -fuse-ld=$linker %s -o %t && %t || { echo "with $linker"; exit 1; }; done
//
// -fno-sanitize-link-runtime: none of it; the last one of the two counts.
// RUN: %clang_heapprof -fno-sanitize-link-runtime -### %t.o 2>&1 | FileCheck %s --check-prefix=NORT
// RUN: %clang_heapprof -fno-sanitize-link-runtime -fsanitize-link-runtime -### %t.o 2>&1 | FileCheck %s --check-prefix=ONLY
// NORT-NOT: {{libheapprof_rt|-lresolv}}
int main(void) { return 0; }
#ifdef START
#include <stdlib.h>
__attribute__((force_align_arg_pointer)) void _start(void) { exit(main()); }
#endif
