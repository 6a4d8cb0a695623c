// moment.c - a thread that does not allocate goes on while dumps are written; each dump is of one moment all the same.
// What the log says of a live chunk is what its point says.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang_heapprof -w -fno-builtin -O1 -pthread %s -o %t
// RUN: %env_heapprof_opts=chunk_log=all %run %t
// RUN: ls %dump | count 6 && %python %S/Inputs/moment.py %heapprof_score %dump/*
#include <pthread.h>
#include <sanitizer/heapprof_interface.h>
#include <stdlib.h>

#define CHUNKS 2000

static volatile int *chunks[CHUNKS];
static int rounds;

static void *count(void *unused) {
  for (;; __atomic_fetch_add(&rounds, 1, __ATOMIC_RELEASE))
    for (int i = 0; i < CHUNKS; i++)
      ++*chunks[i];
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < CHUNKS; i++)
    chunks[i] = calloc(1, sizeof **chunks);
  pthread_create(&thread, NULL, count, NULL);
  for (int i = 0; i < 5; i++) {
    int before = __atomic_load_n(&rounds, __ATOMIC_ACQUIRE);
    while (__atomic_load_n(&rounds, __ATOMIC_ACQUIRE) < before + 3)
      ;
    if (__heapprof_dump() != 0)
      return 1;
  }
  return 0;
}
