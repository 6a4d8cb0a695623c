/* linker-list.c - a dl_iterate_phdr of a library that is preloaded, as fakechroot's, or of the program calls what is ours
   and allocates: the runtime asks libc's own, from its first question on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -O1 -fPIC -shared -DLIBRARY %s -o %t.ahead.so
// RUN: %clang -O1 -fno-builtin %s -o %t.plain && rm -rf %t.dump
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.dump LD_PRELOAD=%t.ahead.so %heapprof_run %t.plain 2> /dev/null | FileCheck %s
// RUN: %heapprof_score --json %t.dump/heapprof.* | FileCheck --check-prefix=DUMP %s
// RUN: %clang_heapprof -O1 -fno-builtin %s -o %t && env LD_PRELOAD=%t.ahead.so %run %t | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=DUMP %s
// RUN: %clang_heapprof -O1 -fno-builtin -DLIBRARY -DPROGRAM %s -o %t.own && rm -rf %dump && %run %t.own | FileCheck %s
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=DUMP %s
// CHECK: called 1 more
// DUMP: "chunks": 1000,
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>

typedef int visitor(struct dl_phdr_info *info, size_t size, void *arg);

#ifdef LIBRARY
static int calls;

int calls_of_list(void) { return calls; }

int dl_iterate_phdr(visitor *visit, void *arg) {
  int (*next)(visitor *, void *) =
      (int (*)(visitor *, void *))dlsym(RTLD_NEXT, "dl_iterate_phdr");
  calls++;
  return getenv("NOT_SET_BY_ANYBODY") ? 0 : next(visit, arg);
}
#else
__attribute__((weak)) int calls_of_list(void);
#endif

#if defined PROGRAM || !defined LIBRARY
static int first(struct dl_phdr_info *info, size_t size, void *arg) {
  (void)info;
  (void)size;
  (void)arg;
  return 1;
}

int main(void) {
  const int before = calls_of_list();
  dl_iterate_phdr(first, NULL);
  printf("called %d more\n", calls_of_list() - before);
  for (int i = 0; i < 1000; i++)
    free(malloc(100));
  return 0;
}
#endif
