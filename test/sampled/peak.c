// peak.c - live bytes and their peak are counted of all chunks, sampled or not: exact with one thread, else within the
// bound that the dump says. Whoever frees, and however chunks are made larger.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 -g -pthread %s -o %t
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/churn':sample_every=100" %t churn
// RUN: %python %S/Inputs/heap_bytes.py %heapprof_score %t.d/churn | FileCheck %s --check-prefix=CHURN
// CHURN: live 70 peak 100000 error 0
// RUN: %heapprof_score %t.d/churn | FileCheck %s --check-prefix=TABLE
// TABLE: counted of all chunks: peak 97.7KiB, live at the end 70B
// TABLE: peak ~97.7KiB
//
// So a sum of weights, which is a hundred times a sample, is never more than that, and its error is said.
// RUN: %python %S/Inputs/point_peaks.py %heapprof_score %t.d/churn 100000 | grep -x bounded
// RUN: %heapprof_score --stacks %t.d/churn | FileCheck %s --check-prefix=STACKS
// STACKS: estimated from {{[0-9]+}} samples: chunks +-{{.*}}, bytes +-{{.*}}, peak +-{{[0-9.]+}}KiB, usage
// RUN: %heapprof_report --json %t.d/churn | %python -c 'import json, sys; d = json.load(sys.stdin); t = d["timeline"]; \
// RUN:   print(max(t["high"] + sum(t["points"], []) + d["points"]["peak_bytes"]), d["points"]["peak_bytes_error"][0] > 0)' \
// RUN:   | grep -x '100000 True'
//
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/bytes':sample_bytes=5000" %t churn
// RUN: %python %S/Inputs/heap_bytes.py %heapprof_score %t.d/bytes | FileCheck %s --check-prefix=CHURN
// RUN: %python %S/Inputs/point_peaks.py %heapprof_score %t.d/bytes 100000 | grep -x bounded
//
// Everything a sample, and next to nothing.
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/all':sample_every=1" %t churn
// RUN: %python %S/Inputs/heap_bytes.py %heapprof_score %t.d/all | FileCheck %s --check-prefix=CHURN
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/none':sample_every=16777216" %t churn
// RUN: %python %S/Inputs/heap_bytes.py %heapprof_score %t.d/none | FileCheck %s --check-prefix=CHURN
//
// A realloc ends its chunk before it begins one; one that fails leaves it.
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/grow':sample_every=2" %t grow
// RUN: %python %S/Inputs/heap_bytes.py %heapprof_score %t.d/grow | FileCheck %s --check-prefix=GROW
// GROW: live 500 peak 3000000 error 0
// RUN: %python %S/Inputs/point_peaks.py %heapprof_score %t.d/grow 3000000 | grep -x bounded
//
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/aligned':sample_every=2" %t aligned
// RUN: %python %S/Inputs/heap_bytes.py %heapprof_score %t.d/aligned | FileCheck %s --check-prefix=ALIGNED
// ALIGNED: live 0 peak 2011111 error 0
//
// What is live at the end is an estimate, too, and not more than the peak either, whatever was chosen.
// RUN: for s in 1 2 3 4 5 6; do env HEAPPROF_OPTIONS="dump_dir='%t.d/keep':sample_every=100:sample_seed=$s" %t keep || exit 1; done
// RUN: for d in %t.d/keep/*; do %heapprof_score --json $d | %python -c 'import json, sys; p = json.load(sys.stdin)["processes"][0]; \
// RUN:   print(p["live_bytes_at_end"] <= p["sampling"]["heap_peak"] == 19900)'; done | sort -u | tr '\n' ' ' | grep -x 'True '
//
// A window's peak begins with what is live, and chunks that nothing records count.
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/window':sample_every=2" %t window
// RUN: %python %S/Inputs/heap_bytes.py %heapprof_score %t.d/window | FileCheck %s --check-prefix=WINDOW
// WINDOW: live 1500 peak 2500 error 0
//
// A child goes on with what its parent had, and has a peak of its own.
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/fork':sample_every=3" %t fork
// RUN: %python %S/Inputs/heap_bytes.py %heapprof_score %t.d/fork/* | sort | FileCheck %s --check-prefix=FORK
// FORK: live 1000 peak 1000 error 0
// FORK: live 8000 peak 9000 error 0
//
// Chunks of 4 threads, which others free: 4 MB within the bound, and a little that threads themselves take.
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/threads':sample_every=10" %t threads
// RUN: %python %S/Inputs/heap_bytes.py --near 4000000 %heapprof_score %t.d/threads | FileCheck %s --check-prefix=THREADS
// THREADS: near
// RUN: %python %S/Inputs/point_peaks.py %heapprof_score %t.d/threads 4000000 | grep -x bounded
// RUN: %heapprof_score %t.d/threads | FileCheck %s --check-prefix=BOUND
// BOUND: counted of all chunks: peak {{.*}}MiB +- {{.*}}KiB, live at the end
//
// A full profile needs no such numbers.
// RUN: env HEAPPROF_OPTIONS="dump_dir='%t.d/full'" %t churn
// RUN: %heapprof_score %t.d/full | FileCheck %s --check-prefix=FULL
// FULL-NOT: counted of all chunks
#include <malloc.h>
#include <pthread.h>
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *kept[200];

static void churn(void) {
  for (int round = 0; round < 100; round++) {
    for (int i = 0; i < 100; i++)
      kept[i] = malloc(1000);
    for (int i = 0; i < 100; i++)
      free(kept[i]);
  }
  kept[0] = malloc(70);
}

static void keep(void) {
  for (int i = 0; i < 199; i++)
    kept[i] = malloc(100);
}

static void grow(void) {
  char *p = NULL;
  for (size_t size = 100; size <= 3000000; size += size < 3000 ? 100 : 59940)
    p = realloc(p, size);
  p = realloc(p, 3000000);
  void *failed = realloc(p, (size_t)1 << 50);
  if (failed)
    abort();
  for (int i = 0; i < 50; i++)
    p = realloc(p, i % 2 ? 500 : 70000);
}

static void aligned(void) {
  void *p[6] = {0};
  for (int round = 0; round < 20; round++) {
    p[0] = aligned_alloc(64, 1000);
    posix_memalign(&p[1], 4096, 10000);
    p[2] = calloc(10, 10);
    p[3] = malloc(2000000);
    p[4] = malloc(0);
    p[5] = memalign(1 << 20, 11);
    for (int i = 0; i < 6; i++)
      free(p[i]);
  }
}

static void window(void) {
  void *early = malloc(100000);
  kept[0] = malloc(1000);
  free(early);
  __heapprof_reset();
  __heapprof_stop();
  kept[1] = malloc(500);
  __heapprof_start();
  free(malloc(1000));
}

static void in_child(void) {
  for (int i = 0; i < 10; i++)
    kept[i] = malloc(100);
  if (fork() == 0) {
    for (int i = 0; i < 10; i++)
      kept[100 + i] = malloc(800);
    for (int i = 0; i < 10; i++)
      free(kept[i]);
  } else {
    wait(NULL);
  }
}

enum { THREADS = 4, EACH = 10000 };
static void *shared[THREADS][EACH];
static pthread_barrier_t barrier;

static void *work(void *arg) {
  size_t me = (size_t)arg;
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < EACH; i++)
      shared[me][i] = malloc(100);
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < EACH; i++)
      free(shared[(me + 1) % THREADS][i]);
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

static void threads(void) {
  pthread_t t[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (size_t i = 0; i < THREADS; i++)
    pthread_create(&t[i], NULL, work, (void *)i);
  for (size_t i = 0; i < THREADS; i++)
    pthread_join(t[i], NULL);
}

int main(int argc, char **argv) {
  switch (argv[1][0]) {
  case 'c':
    churn();
    break;
  case 'k':
    keep();
    break;
  case 'g':
    grow();
    break;
  case 'a':
    aligned();
    break;
  case 'w':
    window();
    break;
  case 'f':
    in_child();
    break;
  default:
    threads();
  }
}
