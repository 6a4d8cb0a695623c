/* own-places.c - a program that has its heap at addresses of its choice, as CLISP has, from 2^44 on: nothing is there, and what it
   puts there is its own mapping.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -pthread %s -o app && ./app > plain && %heapprof_run ./app > out 2> err && diff plain out && count 1 < err
// RUN: cd %t && %heapprof_score --json heapprof.app.* > json && %python -c 'import json; m = json.load(open("json"))["processes"][0]["process_memory"]["end"]; assert m["mapping_bytes"] >= 32 << 20, m; assert m["own_bytes"] < 16 << 20, m; assert m["rss_bytes"] == sum(v for k, v in m.items() if k.endswith("_bytes") and k != "rss_bytes"), m'
// So it is for programs with hooks, whose threads' areas begin at the other end.
// RUN: cd %t && %clang_heapprof -O1 -pthread %s -o hooked && env HEAPPROF_OPTIONS=dump_dir=hooks ./hooked > out 2> err && diff plain out && count 0 < err
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HEAP ((char *)0x100000000000)
#define BYTES ((size_t)32 << 20)
#define CHUNKS 2000

static char *chunks[CHUNKS];

static void *touch(void *unused) {
  for (int i = 0; i < CHUNKS; i++)
    chunks[i][0]++;
  return unused;
}

int main(void) {
  for (int i = 0; i < CHUNKS; i++)
    chunks[i] = calloc(1, (size_t)i * 50 + 1);
  char *large = calloc(1, BYTES);
  /* Without a look at what is there, as CLISP does. */
  char *heap = mmap(HEAP, BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
  if (heap != HEAP)
    return 1;
  memset(heap, 1, BYTES);
  pthread_t thread;
  if (pthread_create(&thread, NULL, touch, NULL) || pthread_join(thread, NULL))
    return 2;
  large = realloc(large, 3 * BYTES);
  size_t sum = (size_t)large[BYTES - 1];
  free(large);
  for (int i = 0; i < CHUNKS; i++) {
    chunks[i] = realloc(chunks[i], (size_t)i * 60 + 1);
    sum += (size_t)chunks[i][0];
    free(chunks[i]);
  }
  for (size_t i = 0; i < BYTES; i++)
    sum += (size_t)heap[i];
  printf("%zu\n", sum);
  return 0;
}
