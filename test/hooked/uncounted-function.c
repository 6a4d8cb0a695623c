/* uncounted-function.c - what is given to a function of libc that is not counted is likely, and a note names the function.
   A program that calls none has facts; so has one that has such a function of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// DEFINE: %{findings} = %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' > %t.out && FileCheck %s --input-file=%t.out
// RUN: for o in -O0 -O2; do \
// RUN:   %clang_heapprof $o %s -o %t && %run %t && %{findings} --check-prefix=FACT || exit 1; \
// RUN:   %clang_heapprof $o -DOWN %s -o %t && %run %t && %{findings} --check-prefix=FACT || exit 1; \
// RUN:   %clang_heapprof $o -DCALL %s -o %t && %run %t && %{findings} --check-prefix=LIKELY --implicit-check-not=Fact: || exit 1; done
// RUN: %heapprof_score --json %dump/heapprof.* > %t.json
// RUN: %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.score.schema.json %t.json
// RUN: grep -c '"functions": \["backtrace_symbols"\]' %t.json
// Merged with another dump, and in a library with hooks.
// RUN: rm -rf %t.merged && %heapprof_merge -o %t.merged %dump/heapprof.*
// RUN: %heapprof_score --findings %t.merged | tr -s '\n ' ' ' | FileCheck %s --check-prefix=LIKELY --implicit-check-not=Fact:
// RUN: %clang_heapprof -O2 -fPIC -shared -DCALL -Dmain=work %s -o %t.lib.so
// RUN: echo 'int work(void); int main(void) { return work(); }' > %t.main.c
// RUN: %clang_heapprof -O2 %t.main.c -o %t %t.lib.so && %run %t && %{findings} --check-prefix=LIKELY --implicit-check-not=Fact:
// FACT-NOT: note: what is said
// FACT: Fact:
// FACT-SAME: never read
// LIKELY: note: what is said of accesses is likely, not certain: functions of libc (backtrace_symbols) may access what the program gives them
// LIKELY: Likely:
// LIKELY-SAME: as far as was seen
#include <execinfo.h>
#include <stdlib.h>
#include <string.h>

#ifdef OWN
__attribute__((noinline)) char **backtrace_symbols(void *const *from, int n) {
  __asm__ volatile("" : : "r"(from) : "memory");
  return malloc((size_t)n + 1);
}
#endif

static void *volatile sink;

int main(void) {
  long sum = 0;
  for (int i = 0; i < 200; i++) {
    char *path = malloc(100);
    memset(path, '/', 99);
    path[99] = 0;
    sink = path;
#if defined CALL || defined OWN
    char **names = backtrace_symbols((void **)path, 0);
    sum += names != NULL;
    free(names);
#endif
    free(path);
  }
  return sum == 1;
}
