/* meter.c - the functions of malloc's family: each counts, and calls the next in line.
   What the program gets, and errno, are the allocator's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "allocator_meter/meter_count.h"
#include "allocator_meter/meter_next.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#define PROGRAM_CALLS __attribute__((visibility("default")))

static void *early(size_t size, size_t alignment) {
  void *chunk = hp_early_take(size, alignment);
  if (!chunk)
    errno = ENOMEM;
  return chunk;
}

PROGRAM_CALLS void *malloc(size_t size) {
  if (!hp_next_ready())
    return early(size, 0);
  struct hp_count count = hp_count_begin(HP_METER_MALLOC, NULL);
  void *chunk = hp_next.malloc(size);
  hp_count_made(&count, chunk, size, NULL);
  hp_count_leave(&count);
  return chunk;
}

PROGRAM_CALLS void free(void *chunk) {
  if (hp_early_has(chunk) || !hp_next_ready())
    return;
  struct hp_count count = hp_count_begin(HP_METER_FREE, chunk);
  hp_next.free(chunk);
  hp_count_gone(&count, chunk);
  hp_count_leave(&count);
}

PROGRAM_CALLS void *calloc(size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes))
    bytes = 0;
  if (!hp_next_ready())
    return early(bytes, 0); /* all zero */
  struct hp_count count = hp_count_begin(HP_METER_CALLOC, NULL);
  void *chunk = hp_next.calloc(n, size);
  hp_count_made(&count, chunk, bytes, NULL);
  hp_count_leave(&count);
  return chunk;
}

static void *move_early(const void *old, size_t size) {
  void *chunk = malloc(size);
  size_t most = hp_early_size(old);
  if (chunk)
    memcpy(chunk, old, size < most ? size : most);
  return chunk;
}

static void *resize(void *old, size_t n, size_t size, size_t bytes,
                    int is_array) {
  if (hp_early_has(old))
    return move_early(old, bytes);
  if (!hp_next_ready())
    return early(bytes, 0);
  struct hp_count count = hp_count_begin(HP_METER_REALLOC, old);
  void *chunk = is_array ? hp_next.reallocarray(old, n, size)
                         : hp_next.realloc(old, bytes);
  if (!chunk && old && bytes == 0)
    hp_count_gone(&count, old); /* by glibc that is a free */
  else
    hp_count_made(&count, chunk, bytes, old);
  hp_count_leave(&count);
  return chunk;
}

PROGRAM_CALLS void *realloc(void *old, size_t size) {
  return resize(old, 1, size, size, 0);
}

PROGRAM_CALLS void *reallocarray(void *old, size_t n, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(n, size, &bytes)) {
    errno = ENOMEM;
    return NULL;
  }
  return resize(old, n, size, bytes, hp_next.reallocarray != NULL);
}

/* ---- aligned ----------------------------------------------------------------- */

PROGRAM_CALLS void *aligned_alloc(size_t alignment, size_t size) {
  if (!hp_next_ready())
    return early(size, alignment);
  struct hp_count count = hp_count_begin(HP_METER_ALIGNED, NULL);
  void *chunk = hp_next.aligned_alloc(alignment, size);
  hp_count_made(&count, chunk, size, NULL);
  hp_count_leave(&count);
  return chunk;
}

PROGRAM_CALLS void *memalign(size_t alignment, size_t size) {
  if (!hp_next_ready())
    return early(size, alignment);
  struct hp_count count = hp_count_begin(HP_METER_ALIGNED, NULL);
  void *chunk = hp_next.memalign(alignment, size);
  hp_count_made(&count, chunk, size, NULL);
  hp_count_leave(&count);
  return chunk;
}

PROGRAM_CALLS int posix_memalign(void **to, size_t alignment, size_t size) {
  if (!hp_next_ready()) {
    *to = early(size, alignment);
    return *to ? 0 : ENOMEM;
  }
  struct hp_count count = hp_count_begin(HP_METER_ALIGNED, NULL);
  int error = hp_next.posix_memalign(to, alignment, size);
  hp_count_made(&count, error ? NULL : *to, size, NULL);
  hp_count_leave(&count);
  return error;
}

PROGRAM_CALLS void *valloc(size_t size) {
  if (!hp_next_ready())
    return early(size, 4096);
  struct hp_count count = hp_count_begin(HP_METER_ALIGNED, NULL);
  void *chunk = hp_next.valloc(size);
  hp_count_made(&count, chunk, size, NULL);
  hp_count_leave(&count);
  return chunk;
}

PROGRAM_CALLS void *pvalloc(size_t size) {
  if (!hp_next_ready())
    return early(size, 4096);
  struct hp_count count = hp_count_begin(HP_METER_ALIGNED, NULL);
  void *chunk = hp_next.pvalloc(size);
  hp_count_made(&count, chunk, size, NULL);
  hp_count_leave(&count);
  return chunk;
}
