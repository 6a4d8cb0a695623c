// pools.c - objects of a program's pools are counted exactly, end with what ends them, and what is said wrongly kills nobody.
// Without the runtime nothing is done, in C and in C++.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: cd %t.d && %clang_heapprof -O0 -g %s -o o0 -lpthread && %clang_heapprof -O2 -g %s -o o2 -lpthread
// RUN: cd %t.d && HEAPPROF_OPTIONS=leak_check=0:profile_children=1 ./o0 2> err && FileCheck --check-prefix=QUIET --allow-empty %s < err
// RUN: cd %t.d && HEAPPROF_OPTIONS=leak_check=0:profile_children=1 ./o2 2> err && FileCheck --check-prefix=QUIET --allow-empty %s < err
// QUIET-NOT: heapprof
// RUN: cd %t.d && for o in o0 o2; do for dump in heapprof.$o.*; do %heapprof_score --limit 0 --json $dump | %python %S/Inputs/pools.py; done > $o.out; FileCheck %s < $o.out || exit 1; done
// Of two processes, the child's first or second.  The parent:
// CHECK-DAG: nodes by nodes: 1000 of 48000, type {{node|None}}, reads 2000, writes 2000, accessed 16000, live 0
// CHECK-DAG: nodes by texts: 10 of 1000, type {{char|None}}, reads 0, writes 10, accessed 500, live 0
// CHECK-DAG: block by main: 1 of 65536 into 1010 of 49000, most 48100
// CHECK-DAG: pool by ends_with_block: 700 of 11200, type {{None|char}}, reads 700, writes 700, accessed 2800, live 0
// CHECK-DAG: block by ends_with_block: 1 of 16384 into 700 of 11200, most 11200
// CHECK-DAG: block by moved: 2 of 100100 into 2 of 64, most 64
// CHECK-DAG: pool by moved: 2 of 64, type {{None|char}}, reads 0, writes 2, accessed 2, live 0
// CHECK-DAG: unaligned by unaligned: 100 of 700, type {{None|char}}, reads 0, writes 100, accessed 300, live 0
// CHECK-DAG: whole by whole: 2 of 3000, type {{None|char}}, reads 0, writes 2, accessed 3000, live 0
// CHECK-DAG: threads by work: 4000 of 256000, type {{None|char}}, reads 0, writes 4000, accessed 32000, live 0
// CHECK-DAG: kept by kept: 1 of 32, type {{None|char}}, reads 1, writes 2, accessed 32, live 1
// CHECK-DAG: note: what the program says of its pools is not all right: 3 frees of what is no live object, 3 objects in no one chunk of the heap, 1 objects that began where others lived
// The child inherits a pool and goes on with it.
// CHECK-DAG: child by child: 1 of 40, type {{None|char}}, reads 0, writes 1, accessed 8, live 1
// The chunks' memory alone is that of the process.
// CHECK-DAG: peak {{[0-9]+}}
//
// RUN: cd %t.d && %clang -O2 -Wall -Wextra -Werror %s -o without -lpthread && ./without
// RUN: cd %t.d && %clangxx -x c++ -std=c++17 -O2 -Wall -Wextra -Werror -I%S/../../runtime/include %S/Inputs/pool_calls.inc -o without-cxx && ./without-cxx
// Where not all chunks are profiled objects are none, and the program runs as ever.
// RUN: cd %t.d && rm -rf heapprof.* && HEAPPROF_OPTIONS=sample_every=2:profile_children=0 ./o2 2> err && FileCheck --check-prefix=REFUSED %s < err && %heapprof_score --json heapprof.o2.* | FileCheck --check-prefix=SAMPLED %s
// REFUSED: WARNING: objects of pools are not told of with sample_every or sample_bytes; leave it out to see them
// REFUSED-NOT: WARNING
// SAMPLED-NOT: "pool": "
// Merged, the points are those of both.
// RUN: cd %t.d && rm -rf heapprof.* && HEAPPROF_OPTIONS=profile_children=0 ./o2 && mv heapprof.o2.* a && HEAPPROF_OPTIONS=profile_children=0 ./o2 && %heapprof_merge -o both a heapprof.o2.* && %heapprof_score --limit 0 --json both | %python %S/Inputs/pools.py | FileCheck --check-prefix=BOTH %s
// BOTH-DAG: nodes by nodes: 2000 of 96000, type {{node|None}}, reads 4000, writes 4000, accessed 32000, live 0
// BOTH-DAG: block by main: 2 of 131072 into 2020 of 98000, most 96200
// A set of a pool's objects; their points, not the block's.
// RUN: cd %t.d && %heapprof_score --json --filter 'pool=nod*' a | %python %S/Inputs/pools.py | sort | FileCheck --implicit-check-not=' by ' --check-prefix=POOL %s
// POOL: nodes by nodes: 1000 of 48000
// POOL: nodes by texts: 10 of 1000
// RUN: cd %t.d && COLUMNS=160 %heapprof_score --stacks --limit 0 a | FileCheck --check-prefix=TABLE %s
// TABLE: type{{ +}}pool
// TABLE-DAG: {{node|-}}{{ +}}nodes{{ +}}1000 46.9KiB
// TABLE-DAG: 1 chunk of 64.0KiB cut into 1010 objects; of them live at most 47.0KiB, on average
// TABLE-DAG: accesses are those of its objects
// TABLE: ? cut up into objects of a pool, which have accesses of their own
// RUN: cd %t.d && %heapprof_score --csv --limit 0 a | sed 's/\r//' | FileCheck --check-prefix=CSV %s
// CSV: ,pool,block_chunks,block_bytes,block_objects,block_object_bytes,block_most_bytes,block_mean_bytes,block_idle_chunks,block_idle_bytes,
// CSV-DAG: ,{{(node)?}},{{.*}},nodes,,,,,,,,,
// CSV-DAG: ,,1,65536,1010,49000,48100,
// RUN: cd %t.d && %heapprof_score --limit 0 --json a > json && %heapprof_report --json a > report && %python %S/../report/same_numbers.py json report
#ifdef __has_include
#if __has_include(<sanitizer/heapprof_pools.h>)
#include <sanitizer/heapprof_pools.h>
#else
#include "../../runtime/include/sanitizer/heapprof_pools.h"
#endif
#endif
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SITE __attribute__((noinline))

struct node {
  struct node *volatile next;
  volatile long value;
  long unused[4];
};
struct arena {
  char *block;
  size_t used;
};

SITE static void *arena_alloc(struct arena *a, size_t size) {
  void *p = a->block + a->used;
  a->used += (size + 15) / 16 * 16;
  __heapprof_pool_alloc(a, p, size);
  return p;
}

SITE static long nodes(struct arena *a) {
  struct node *head = NULL;
  long sum = 0;
  for (long i = 0; i < 1000; i++) {
    struct node *n = arena_alloc(a, sizeof *n);
    n->next = head;
    n->value = i;
    head = n;
  }
  while (head) {
    sum += head->value;
    head = head->next;
  }
  return sum;
}

SITE static void texts(struct arena *a) {
  for (int i = 0; i < 10; i++) {
    char *text = arena_alloc(a, 100);
    memset(text, i, 50);
    __heapprof_pool_free(a, text);
  }
}

/* More than fit a ring of events. */
SITE static int ends_with_block(void) {
  char *block = malloc(16384);
  int sum = 0;
  for (int i = 0; i < 700; i++) {
    volatile int *p = (int *)(void *)(block + 16 * i);
    __heapprof_pool_alloc(block, (void *)p, 16);
    *p = i;
    sum += *p;
  }
  free(block);
  return sum;
}

SITE static void moved(void) {
  char *volatile block = malloc(100);
  __heapprof_pool_alloc(block, block + 8, 32);
  *(volatile char *)(block + 8) = 1;
  block = realloc(block, 100000); /* what is in it ends */
  __heapprof_pool_alloc(block, block + 50000, 32);
  *(volatile char *)(block + 50000) = 1;
  block = realloc(block, 100001); /* also where it stays */
  free(block);
}

/* Several begin within 16 bytes; of two bytes at the border each has its own. */
SITE static void unaligned(void) {
  char *block = malloc(1000);
  __heapprof_pool_create(block, "unaligned");
  for (int i = 0; i < 100; i++)
    __heapprof_pool_alloc(block, block + 1 + 7 * i, 7);
  for (int i = 0; i < 100; i++) {
    char *volatile p = block + 1 + 7 * i + 4;
    memset(p, i, 3);
  }
  __heapprof_pool_destroy(block);
  free(block);
}

/* One access of two objects and what lies between is one of each. */
SITE static void whole(void) {
  char *volatile block = malloc(4000);
  __heapprof_pool_create(block, "whole");
  __heapprof_pool_alloc(block, block, 1000);
  __heapprof_pool_alloc(block, block + 1500, 2000);
  memset(block, 1, 4000);
  __heapprof_pool_clear(block);
  memset(block, 1, 4000);
  __heapprof_pool_destroy(block);
  free(block);
}

static void *work(void *unused) {
  char *block = malloc(1 << 16);
  (void)unused;
  for (int i = 0; i < 1000; i++) {
    char *volatile p = block + 64 * i;
    __heapprof_pool_alloc(&work, p, 64);
    memset(p, i, 8);
  }
  for (int i = 0; i < 500; i++)
    __heapprof_pool_free(&work, block + 64 * i);
  free(block);
  return NULL;
}

SITE static void threads(void) {
  pthread_t thread[4];
  __heapprof_pool_create(&work, "threads");
  for (int i = 0; i < 4; i++)
    if (pthread_create(&thread[i], NULL, work, NULL))
      abort();
  for (int i = 0; i < 4; i++)
    pthread_join(thread[i], NULL);
  __heapprof_pool_destroy(&work);
}

static char still[64];

SITE static void wrong(void) {
  char *block = malloc(200), *all = malloc(80);
  char here[8];
  __heapprof_pool_alloc(block, NULL, 10); /* nothing */
  __heapprof_pool_free(block, NULL);
  __heapprof_pool_alloc(all, all, 80); /* no part of a chunk */
  __heapprof_pool_free(all, all);
  __heapprof_pool_alloc(still, still, 10);
  __heapprof_pool_alloc(here, here, 8);
  __heapprof_pool_alloc(block, block + 190, 11);
  __heapprof_pool_free(still, still);
  __heapprof_pool_alloc(block, block, 50);
  __heapprof_pool_alloc(block, block + 49, 50);
  __heapprof_pool_free(block, block); /* ended by the one that lies in it */
  __heapprof_pool_free(block, block + 49);
  __heapprof_pool_free(block, block + 49);
  __heapprof_pool_clear(&still[1]); /* no such pools */
  __heapprof_pool_destroy(&still[2]);
  free(block);
  free(all);
}

static char *volatile live;

SITE static void kept(void) {
  live = malloc(4096);
  __heapprof_pool_create(live, "kept");
  __heapprof_pool_alloc(live, live + 64, 32);
  memset(live + 64, 1, 32);
  live[64] = live[65];
}

SITE static void child(void) {
  __heapprof_pool_create(live, "child");
  __heapprof_pool_free(live, live + 64);
  __heapprof_pool_alloc(live, live + 640, 40);
  *(volatile long *)(void *)(live + 640) = 1;
}

int main(void) {
  struct arena arena = {malloc(65536), 0};
  __heapprof_pool_create(&arena, "nodes");
  const long sum = nodes(&arena);
  texts(&arena);
  __heapprof_pool_clear(&arena);
  __heapprof_pool_destroy(&arena);
  free(arena.block);
  moved();
  unaligned();
  whole();
  threads();
  wrong();
  kept();
  const pid_t pid = fork();
  if (pid == 0) {
    child();
    exit(0);
  }
  waitpid(pid, NULL, 0);
  return sum == 499500 && ends_with_block() == 244650 ? 0 : 1;
}
