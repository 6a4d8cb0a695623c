// malloc-questions.c - mallinfo, malloc_stats and malloc_info say what is live when they are asked: in a
// full run, in a sampled one, without a profile, in a forked child and for what other threads hold.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 %s -o %t
// RUN: for opts in "" sample_every=3 sample_bytes=4096 only_programs=none; do \
// RUN:   %env_heapprof_opts=$opts %run %t > %t.out 2> %t.err && FileCheck %s < %t.out && \
// RUN:   FileCheck --check-prefix=STATS --match-full-lines --strict-whitespace %s < %t.err && \
// RUN:   sed -n '/^<malloc/,/^<.malloc/p' %t.out > %t.xml && \
// RUN:   %python %S/Inputs/malloc_info.py %t.xml || exit 1; done
#define _GNU_SOURCE
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define COUNT 5000
static void *kept[COUNT];
static void *large[3];

static int failed;
#define HOLDS(what)                                                            \
  if (!(what))                                                                 \
  printf("line %d: %s\n", __LINE__, #what), failed = 1

static struct mallinfo2 before;

// What is live now, in bytes, more than at first.
static long small(void) { return mallinfo2().uordblks - before.uordblks; }
static long mapped(void) { return mallinfo2().hblkhd - before.hblkhd; }

static void is_consistent(void) {
  struct mallinfo2 m = mallinfo2();
  struct mallinfo narrow = mallinfo();
  HOLDS(m.arena == m.uordblks + m.fordblks);
  HOLDS(m.usmblks == 0 && m.fsmblks == 0 && m.smblks == 0);
  HOLDS(m.keepcost <= m.fordblks);
  HOLDS(narrow.uordblks == (int)m.uordblks && narrow.arena == (int)m.arena &&
        narrow.hblkhd == (int)m.hblkhd && narrow.hblks == (int)m.hblks &&
        narrow.fordblks == (int)m.fordblks && narrow.ordblks == (int)m.ordblks);
}

static void *other_thread(void *freed) {
  free(freed);
  return malloc(700);
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0); // no buffer of the heap
  before = mallinfo2();
  for (int i = 0; i < COUNT; i++)
    kept[i] = malloc(1000);
  HOLDS(small() == COUNT * 1000);
  is_consistent();
  for (int i = 0; i < COUNT; i += 2)
    free(kept[i]);
  HOLDS(small() == COUNT / 2 * 1000);
  kept[0] = realloc(NULL, 40);
  kept[0] = realloc(kept[0], 100);
  HOLDS(small() == COUNT / 2 * 1000 + 100);
  kept[0] = realloc(kept[0], 90000); // below what libc maps
  HOLDS(small() == COUNT / 2 * 1000 + 90000 && mapped() == 0);
  is_consistent();

  large[0] = malloc(1 << 20);
  large[1] = calloc(3, 100000);
  large[2] = memalign(1 << 16, 200000);
  HOLDS(mapped() == (1 << 20) + 303104 + 200704);
  HOLDS(mallinfo2().hblks - before.hblks == 3);
  large[0] = realloc(large[0], (1 << 20) + 5000); // in place, perhaps
  HOLDS(mapped() == (1 << 20) + 8192 + 303104 + 200704);
  large[0] = realloc(large[0], 10 << 20);
  free(large[1]);
  HOLDS(mapped() == (10 << 20) + 200704);
  HOLDS(mallinfo2().hblks - before.hblks == 2);
  HOLDS(small() == COUNT / 2 * 1000 + 90000);
  is_consistent();

  pthread_t thread;
  void *others;
  long without = small();
  pthread_create(&thread, NULL, other_thread, kept[1]);
  pthread_join(thread, &others);
  HOLDS(labs(small() - without + 300) < 1000); // and what libc keeps of it
  free(others);
  kept[1] = NULL;

  int status;
  fflush(stdout);
  long parents = small();
  if (fork() == 0) {
    HOLDS(small() == parents);
    free(kept[3]);
    HOLDS(small() == parents - 1000);
    _exit(failed);
  }
  wait(&status);
  HOLDS(status == 0);
  HOLDS(malloc_info(0, stdout) == 0);
  malloc_stats();
  printf("failed: %d\n", failed);
  return 0;
}
// CHECK-NOT: line
// CHECK: <malloc version="1">
// CHECK-NOT: line
// CHECK: failed: 0
// STATS:Arena 0:
// STATS-NEXT:system bytes     = {{ *[0-9]+}}
// STATS-NEXT:in use bytes     =    {{ *[0-9]+}}
// STATS-NEXT:Total (incl. mmap):
// STATS-NEXT:system bytes     = {{ *[0-9]+}}
// STATS-NEXT:in use bytes     = {{ *[0-9]+}}
// STATS-NEXT:max mmap regions =          4
// STATS-NEXT:max mmap bytes   =   1{{[0-9]+}}
