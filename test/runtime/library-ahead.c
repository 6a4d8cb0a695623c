/* library-ahead.c - libc's functions in a library ahead of libc that keeps what it needs in thread-local variables, as
   libfaketime does, and says another time: the runtime's own threads, which have none, do not come there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang -O1 -fno-builtin -fPIC -shared -DLIBRARY %s -o %t.ahead.so
// RUN: %clang_heapprof -O1 %s -o %t
// RUN: env LD_PRELOAD=%t.ahead.so %run %t > %t.out && FileCheck %s < %t.out
// RUN: %heapprof_score --json %dump/heapprof.* | FileCheck --check-prefix=DUMP %s
// RUN: %clang -O1 %s -o %t.plain && rm -rf %t.dump
// RUN: env HEAPPROF_OPTIONS=dump_dir=%t.dump LD_PRELOAD=%t.ahead.so %heapprof_run %t.plain 2> /dev/null | FileCheck %s
// RUN: %heapprof_score --json %t.dump/heapprof.* | FileCheck --check-prefix=DUMP %s
// CHECK: year 1970
// DUMP: "window_ns": {{[1-9]}}
// DUMP: "chunks": 1000,
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef LIBRARY
static __thread volatile char seen[1 << 16];

int clock_gettime(clockid_t clock, struct timespec *time) {
  seen[clock & 0xffff]++;
  time->tv_sec = 1000, time->tv_nsec = 0;
  return 0;
}

void *memcpy(void *to, const void *from, size_t n) {
  seen[n & 0xffff]++;
  for (size_t i = 0; i < n; i++)
    ((volatile char *)to)[i] = ((const char *)from)[i];
  return to;
}

void *memset(void *p, int value, size_t n) {
  seen[n & 0xffff]++;
  for (size_t i = 0; i < n; i++)
    ((volatile char *)p)[i] = (char)value;
  return p;
}
#else
int main(void) {
  for (int i = 0; i < 1000; i++) {
    char *volatile p = malloc((size_t)i + 1);
    memset(p, i, (size_t)i + 1);
    free(p);
  }
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  printf("year %d\n", 1900 + gmtime(&now.tv_sec)->tm_year);
  return 0;
}
#endif
