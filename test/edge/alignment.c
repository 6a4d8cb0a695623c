/* alignment.c - malloc is aligned to 16 at every size, aligned requests up to 1 MiB to what they ask for.
   A chunk's size is what was asked for, and usable to its last byte.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
// RUN: %clang_heapprof -O1 -g %s -o %t && %env_heapprof_opts=chunk_log=all %run %t && %expect %dump
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int misaligned(const void *p, size_t alignment) {
  return !p || (uintptr_t)p % alignment != 0;
}

int main(void) {
  for (size_t size = 0; size <= 3000; size++) {
    char *p = malloc(size), *q = malloc(size);
    if (misaligned(p, 16) || misaligned(q, 16) || malloc_usable_size(p) < size)
      return 1;
    memset(p, 1, size);
    memset(q, 2, size);
    for (size_t i = 0; i < size; i += 97)
      if (p[i] != 1 || q[i] != 2)
        return 2;
    free(p);
    if (size % 2)
      free(q);
  }
  for (size_t size = 4000; size < 4000000; size += size / 3) {
    char *p = malloc(size);
    if (misaligned(p, 16))
      return 3;
    p[0] = p[size - 1] = 1;
    free(p);
  }
  for (size_t alignment = 16; alignment <= 1 << 20; alignment *= 2)
    for (size_t size = 1; size <= 200000; size = size * 7 + 1) {
      size_t whole = (size + alignment - 1) & ~(alignment - 1);
      char *p = aligned_alloc(alignment, whole), *q = NULL;
      if (posix_memalign((void **)&q, alignment, size))
        return 4;
      char *r = memalign(alignment, size);
      if (misaligned(p, alignment) || misaligned(q, alignment) ||
          misaligned(r, alignment))
        return 5;
      p[whole - 1] = q[size - 1] = r[size - 1] = 1;
      r = realloc(r, size + 1);
      r[size] = 1;
      free(p);
      free(q);
      free(r);
    }
  char *page = valloc(5000), *pages = pvalloc(5000);
  if (misaligned(page, 4096) || misaligned(pages, 4096))
    return 6;
  pages[8191] = 1; /* pvalloc rounds up to whole pages */
  return 0;
}
// EXPECT: len(chunks(size=1500)) == 2 and len([c for c in chunks(size=1500) if "LIVE" in c.flags]) == 1
// EXPECT: all("OVERRUN" not in c.flags for c in chunks())
// EXPECT: process.invalid_frees == 0 and process.failed_requests == 0
// EXPECT: len(chunks(size=5000)) == 1 and [c.lo for c in chunks(size=8192) if "LIVE" in c.flags] == [8191]
