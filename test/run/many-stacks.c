/* many-stacks.c - a checkpoint and the last dump take no memory for each stack while they are made: both sizes of the process, by the kernel.
   Of 131072 stacks, whose aggregates are some 8 MiB on disk; what is written ahead says as much as all in one piece.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   RUN: rm -rf %t && mkdir %t && cd %t && %clang -O0 -g %s -o app
   RUN: HEAPPROF_OPTIONS=collapse_recursion=0:checkpoint_ms=1:leak_check=0:dump_compression=0 %heapprof_run ./app 2>&1 | FileCheck %s
   CHECK: aggregates of {{[6-9]}} MiB, {{[0-9]+}} KiB more: within the limit
   RUN: %heapprof_score %t/heapprof.app.* | FileCheck --check-prefix=ALL %s
   ALL: exit with status 0
   ALL: points 1310{{7[0-9]}}, chunks
   RUN: find %t -name aggregates.new | not grep new
 */
#include "../performance/Inputs/own_memory.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DEEP = 17, KIB = 8192 };

static void *kept;

/* Bytes of the aggregates on disk; 0: there are none. */
static long size(const char *path, ino_t *inode) {
  struct stat found;
  if (stat(path, &found))
    return 0;
  *inode = found.st_ino;
  return (long)found.st_size;
}

__attribute__((noinline)) static void stacks(int deep) {
  if (deep) {
    stacks(deep - 1);
    stacks(deep - 1);
    return;
  }
  void **chunk = malloc(16);
  *chunk = kept;
  kept = chunk;
}

/* Until a checkpoint that began behind the last stack has been written.  *LEAST: what
   was resident while there was none. */
static long wait_for_checkpoint(const char *path, long *least) {
  ino_t before = 0, now = 0;
  long bytes = 0;
  size(path, &before);
  for (int i = 0; i < 4; before = now, i++)
    while (!(bytes = size(path, &now)) || now == before) {
      const long resident = status("VmRSS:");
      *least = resident < *least ? resident : *least;
      free(malloc(16)); /* else checkpoints get rare */
      nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
  return bytes;
}

int main(void) {
  static char path[100];
  snprintf(path, sizeof path, "heapprof.app.%d/aggregates", (int)getpid());
  stacks(DEEP);
  forget_peak();
  long least = status("VmRSS:");
  const long bytes = wait_for_checkpoint(path, &least);
  const long more = status("VmHWM:") - least;
  printf("aggregates of %ld MiB, %ld KiB more: %s the limit\n", bytes >> 20,
         more, more <= KIB ? "within" : "beyond");
  return 0;
}
