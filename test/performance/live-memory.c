/* live-memory.c - a dump takes little memory for each live chunk while it is made: peak and resident size, by the kernel.
   Whatever the chunks are, of one point or of several: at most 32 bytes for each, and 2 MiB in all beside them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   RUN: %clang_heapprof -w -O1 -fno-builtin %s -o %t
   RUN: %env_heapprof_opts=checkpoint_ms=0 %run %t | FileCheck %s
   CHECK: none: 0 chunks, {{[0-9]+}} KiB more: within the limit
   CHECK-NEXT: one point: 1000000 chunks, {{[0-9]+}} KiB more: within the limit
   CHECK-NEXT: four points: 1000000 chunks, {{[0-9]+}} KiB more: within the limit

   The limit can be missed.
   RUN: %clang_heapprof -w -O1 -fno-builtin -DBYTES_EACH=8 %s -o %t.less
   RUN: %env_heapprof_opts=checkpoint_ms=0 %run %t.less | FileCheck --check-prefix=LESS %s
   LESS: one point: {{.*}}: beyond the limit

   Nor does the dump at the end, before which it is asked what the program can still reach.
   RUN: %env_heapprof_opts=checkpoint_ms=0 %run %t end | FileCheck --check-prefix=END %s
   END: at the end: 1000000 chunks, {{[0-9]+}} KiB more: within the limit
 */
#include "Inputs/own_memory.h"
#include <sanitizer/heapprof_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef BYTES_EACH
#define BYTES_EACH 32
#endif
enum { CHUNKS = 1000000, BYTES_IN_ALL = 2 << 20 };

static void *live[CHUNKS];

/* MORE: KiB. */
static void tell(const char *what, long chunks, long more) {
  const int is_within = more * 1024 <= BYTES_IN_ALL + chunks * BYTES_EACH;
  char line[100];
  const int size = snprintf(
      line, sizeof line, "%s: %ld chunks, %ld KiB more: %s the limit\n", what,
      chunks, more, is_within ? "within" : "beyond");
  if (write(1, line, (size_t)size) != size)
    exit(3);
}

static void dump(const char *what, long chunks) {
  forget_peak();
  const long before = status("VmRSS:");
  if (__heapprof_dump() != 0)
    exit(1);
  tell(what, chunks, status("VmHWM:") - before);
}

static void allocate(void) {
  for (int i = 0; i < CHUNKS; i++)
    live[i] = malloc(24);
}

/* What a child comes to by ending. */
static int end_a_child(void) {
  int ends[2];
  long before;
  struct rusage used;
  if (pipe(ends))
    return 4;
  if (!fork()) {
    allocate();
    before = status("VmHWM:");
    return write(ends[1], &before, sizeof before) != sizeof before;
  }
  if (read(ends[0], &before, sizeof before) != sizeof before ||
      wait4(-1, NULL, 0, &used) < 0)
    return 5;
  tell("at the end", CHUNKS, used.ru_maxrss - before);
  return 0;
}

#define ALLOCATE_AT(n)                                                         \
  case n:                                                                      \
    live[i] = malloc(24);                                                      \
    break;
int main(int argc, char **argv) {
  if (argc > 1)
    return end_a_child();
  dump("none", 0);
  allocate();
  dump("one point", CHUNKS);
  for (int i = 0; i < CHUNKS; i++)
    free(live[i]);
  for (int i = 0; i < CHUNKS; i++)
    switch (rand() % 4) {
      ALLOCATE_AT(0)
      ALLOCATE_AT(1)
      ALLOCATE_AT(2)
      ALLOCATE_AT(3)
    }
  dump("four points", CHUNKS);
  return 0;
}
