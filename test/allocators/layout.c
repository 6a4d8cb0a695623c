// layout.c - a heap whose layout is known by hand: every second chunk is freed, so that holes of known size are left.
// The program measures its own span; glibc's mallinfo2 says how much the heap has mapped.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang -O1 -fno-builtin %s -o %t
// RUN: %heapprof_allocators --repeat 1 --json -o %t.json %t > %t.own && %python %S/Inputs/layout.py %t.json %t.own
// RUN: %heapprof_allocators --repeat 1 --json -o %t.json %t _exit > %t.own && %python %S/Inputs/layout.py %t.json %t.own
// RUN: %python %S/../score/check_schema.py %heapprof_source_dir/docs/heapprof.allocators.schema.json %t.json
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNKS = 2000, BYTES = 1000 };

static char *chunks[CHUNKS];

/* Of the calls with an array and with alignment none is left. */
static void others(void) {
  void *aligned = NULL;
  char *text = calloc(10, 10);
  text = realloc(text, 200);
  if (posix_memalign(&aligned, 64, 100) != 0)
    abort();
  free(aligned);
  free(text);
}

int main(int argc, char **argv) {
  char text[200];
  (void)argv;
  others();
  for (int i = 0; i < CHUNKS; i++)
    chunks[i] = malloc(BYTES);
  for (int i = 0; i < CHUNKS; i += 2)
    free(chunks[i]);
  uintptr_t begin = (uintptr_t)sbrk(0) - mallinfo2().arena;
  uintptr_t last = (uintptr_t)chunks[CHUNKS - 1] + BYTES;
  int length =
      snprintf(text, sizeof text, "%d %d %lu %lu\n", CHUNKS / 2, BYTES,
               (unsigned long)(last - begin), (unsigned long)mallinfo2().arena);
  if (write(1, text, (size_t)length) != length)
    return 1;
  if (argc > 1)
    _exit(0);
  return 0;
}
