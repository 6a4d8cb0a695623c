/* hints.c - what a program says of its leaks by sanitizer/lsan_interface.h, and what it does not say.
   A program may also define those functions itself: then it is as if nothing were said.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %run %t && %check_leaks
// RUN: %clang_heapprof -O1 -g -DOWN %s -o %t.own && %run %t.own
// RUN: %python %S/Inputs/check_leaks.py --prefix=OWN %heapprof_score %s %dump
// RUN: %clang_heapprof -O1 -g -DBUILT_IN %s -o %t.built && %run %t.built
// RUN: %python %S/Inputs/check_leaks.py --prefix=BUILT %heapprof_score %s %dump
// A file of suppressions; one that is not there is told of, once, and nothing else happens.
// RUN: printf '# all\nleak:^said_nothing$\nrace:ignored\n' > %t.supp
// RUN: %env_heapprof_opts=suppressions=%t.supp %run %t
// RUN: %python %S/Inputs/check_leaks.py --prefix=FILE %heapprof_score %s %dump
// RUN: %env_heapprof_opts=suppressions=%t.none %run %t 2> %t.err
// RUN: FileCheck --check-prefix=MISSING %s < %t.err
// RUN: %check_leaks
// MISSING: heapprof: suppressions={{.*}}.none: cannot be read: No such file or directory; no leak is suppressed by it
// MISSING-NOT: {{.}}
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef OWN
void __lsan_disable(void) {}
void __lsan_enable(void) {}
void __lsan_ignore_object(const void *p) { (void)p; }
void __lsan_register_root_region(const void *p, size_t n) { (void)p, (void)n; }
void __lsan_unregister_root_region(const void *p, size_t n) {
  (void)p, (void)n;
}
#else
#include <sanitizer/lsan_interface.h>
#endif
#ifdef BUILT_IN
const char *__lsan_default_suppressions(void) { return "leak:said_noth*\n"; }
#endif

#define KIND(name)                                                             \
  __attribute__((noinline)) static void **name(void) {                         \
    void **first = calloc(4, sizeof *first);                                   \
    first[2] = calloc(1, 100);                                                 \
    __asm__ volatile("" ::: "memory");                                         \
    return first;                                                              \
  }
KIND(said_nothing) // LEAK said_nothing lost=1 indirect=1 held=1
KIND(disabled)     // LEAK disabled reachable=2
KIND(nested)       // LEAK nested reachable=2
KIND(enabled)      // LEAK enabled lost=1 indirect=1 held=1
KIND(ignored)      // LEAK ignored reachable=2
KIND(in_region)    // LEAK in_region reachable=2
KIND(in_no_region) // LEAK in_no_region lost=1 indirect=1 held=1
KIND(unmarked)     // LEAK unmarked lost=1 indirect=1 held=1
KIND(last)         // may still be in a register that nobody uses
// OWN disabled lost=1 indirect=1 held=1
// OWN ignored lost=1 indirect=1 held=1
// OWN in_region lost=1 indirect=1 held=1
// BUILT said_nothing indirect=1
// BUILT enabled lost=1 indirect=1 held=1
// FILE said_nothing indirect=1
// FILE enabled lost=1 indirect=1 held=1

__attribute__((noinline)) static void lose(void ***pages) {
  void **volatile gone = said_nothing();
  __lsan_disable();
  gone = disabled();
  __lsan_disable();
  gone = nested();
  __lsan_enable();
  gone = nested() - 0;
  free(gone[2]);
  free(gone);
  __lsan_enable();
  gone = enabled();
  gone = ignored();
  __lsan_ignore_object(gone);
  pages[0][3] = in_region();
  pages[1][3] = in_no_region();
  pages[2][3] = unmarked();
  __lsan_register_root_region(pages[0], 4096);
  __lsan_register_root_region(pages[2], 4096);
  __lsan_unregister_root_region(pages[2], 4096);
  gone = last();
  gone = NULL;
}

int main(void) {
  static void **pages[3];
  const int file =
      fileno(tmpfile()); /* else these would be roots as they are */
  if (ftruncate(file, 3 * 4096) != 0)
    return 1;
  for (int i = 0; i < 3; i++)
    pages[i] =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, i * 4096);
  lose(pages);
  return 0;
}
