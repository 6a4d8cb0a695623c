/* own-places-beside.c - heapprof run --allocator=program leaves addresses to the program that a heap of heapprof's own would take:
   a collector that wants its heap at 2^42, 2^43 and 2^44, as the JVM's ZGC does, or an allocator there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: rm -rf %t && mkdir %t && cd %t && %clang -O1 -fno-builtin %s -o app && %clang -O1 -fno-builtin -DALLOCATOR -shared -fPIC %s -o liballocator.so
// RUN: cd %t && ./app > plain && grep -q "got 3" plain && %heapprof_run --allocator=program ./app > out 2> err && diff plain out && count 1 < err
// It is a mapping of the program's, and what it points to is not lost.
// RUN: cd %t && %heapprof_score --json --limit 0 heapprof.app.* > json && %python -c 'import json; j = json.load(open("json")); m = j["processes"][0]["process_memory"]["end"]; assert m["mapping_bytes"] >= 48 << 20, m; assert m["own_bytes"] < 16 << 20, m; assert m["rss_bytes"] == sum(v for k, v in m.items() if k.endswith("_bytes") and k != "rss_bytes"), m' && not grep -qE '"lost(_indirectly)?": [{]"chunks": [1-9]' json && grep -q '"lost_bytes": 0' json
// Chunks of an allocator there are its own.
// RUN: cd %t && env LD_PRELOAD=./liballocator.so ./app > plain && %heapprof_run -q -o preloaded --allocator=program sh -c 'LD_PRELOAD="$LD_PRELOAD:./liballocator.so" exec ./app' > out 2> err && diff plain out && count 0 < err && grep -q "usable 48" out
// So they are where small chunks of heapprof's own lie, which are not there: such a one is freed by who made it.
// RUN: cd %t && %clang -O1 -fno-builtin -DALLOCATOR -DPLACE=11 -shared -fPIC %s -o libamong.so && %heapprof_run -q -o among --allocator=program sh -c 'LD_PRELOAD="$LD_PRELOAD:./libamong.so" exec ./app' > out 2> err && diff plain out && count 0 < err && %heapprof_score --json among/heapprof.app.* > json && %python -c 'import json; p = json.load(open("json"))["processes"][0]; assert p["invalid_frees"] == 0, p["invalid_frees"]'
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static void *map_at(size_t place, size_t bytes) {
  void *p = mmap((void *)place, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == (void *)place)
    return p;
  munmap(p, bytes);
  return NULL;
}

#ifdef ALLOCATOR
#ifndef PLACE
#define PLACE 5
#endif
static char *next, *heap;
#define HEAP_BYTES ((size_t)64 << 20)

void *malloc(size_t n) {
  if (!heap && !(heap = next = map_at((size_t)PLACE << 40, HEAP_BYTES)))
    abort();
  size_t *p = (size_t *)(void *)next;
  n = (n + 15) / 16 * 16;
  next += n + 16;
  if (next > heap + HEAP_BYTES)
    abort();
  p[1] = n;
  return p + 2;
}
size_t malloc_usable_size(void *p) { return p ? ((size_t *)p)[-1] : 0; }
void free(void *p) {
  if (p)
    memset(p, 0x5a, malloc_usable_size(p));
}
void *calloc(size_t n, size_t size) {
  return memset(malloc(n * size), 0, n * size);
}
void *realloc(void *p, size_t n) {
  void *moved = malloc(n);
  size_t old = malloc_usable_size(p);
  memcpy(moved, p, old < n ? old : n);
  free(p);
  return moved;
}
void *memalign(size_t alignment, size_t n) {
  return alignment <= 16 ? malloc(n) : NULL;
}
void *aligned_alloc(size_t alignment, size_t n) {
  return memalign(alignment, n);
}
int posix_memalign(void **p, size_t alignment, size_t n) {
  return !(*p = memalign(alignment, n));
}
#else
#define BYTES ((size_t)16 << 20)

int main(void) {
  char *volatile small = malloc(40);
  printf("usable %zu\n", malloc_usable_size(small));
  int got = 0;
  for (int shift = 42; shift < 45; shift++) {
    char *heap = map_at((size_t)1 << shift, BYTES);
    if (!heap)
      continue;
    got++;
    memset(heap, 1, BYTES - 1);
    /* Nothing else points to it. */
    *(char **)(void *)heap = malloc(100000);
    memcpy(heap + 64, heap + 4096, 1000); /* libc's */
    if (strlen(heap + 4096) < 1000)
      return 1;
  }
  small = realloc(small, 4000);
  free(small);
  printf("got %d\n", got);
  return 0;
}
#endif
