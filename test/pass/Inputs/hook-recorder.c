/* hook-recorder.c - stands in for the runtime: counts what the hooks say of one
   range. Linked uninstrumented; tests of the pass need no other part of the
   product. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "hook-recorder.h"

const char __heapprof_abi_version_15 = 1;
static int init_calls;
static uintptr_t start, end;
static unsigned long reads, writes, read_bytes, written_bytes;

void __heapprof_init(const void *mark) {
  (void)mark;
  ++init_calls;
}

static void count(const void *p, uint64_t n, int kind) {
  uintptr_t at = (uintptr_t)p;
  if (n == 0 || at < start || at >= end)
    return;
  if (kind & 1) {
    ++reads;
    read_bytes += n;
  }
  if (kind & 2) {
    ++writes;
    written_bytes += n;
  }
}

void __heapprof_read(void *p, uint64_t n) { count(p, n, 1); }
void __heapprof_write(void *p, uint64_t n) { count(p, n, 2); }
void __heapprof_read_write(void *p, uint64_t n) { count(p, n, 3); }

void __heapprof_masked(char *p, uint64_t lane, uint64_t mask, int kind) {
  __heapprof_strided(p, (int64_t)lane, lane, mask, kind);
}

/* Lanes are counted one by one, for a test wants to see each. */
void __heapprof_strided(char *p, int64_t stride, uint64_t lane, uint64_t mask,
                        int kind) {
  for (int i = 0; i < 64; ++i)
    if (mask >> i & 1)
      count(p + i * stride, lane, kind);
}

void __heapprof_lanes(char **pointers, int n, uint64_t lane, uint64_t mask,
                      int kind) {
  for (int i = 0; i < n; ++i)
    if (mask >> i & 1)
      count(pointers[i], lane, kind);
}

void *__heapprof_memcpy(void *to, const void *from, uint64_t n) {
  count(from, n, 1);
  count(to, n, 2);
  return memcpy(to, from, n);
}

void *__heapprof_memmove(void *to, const void *from, uint64_t n) {
  count(from, n, 1);
  count(to, n, 2);
  return memmove(to, from, n);
}

void *__heapprof_memset(void *to, int byte, uint64_t n) {
  count(to, n, 2);
  return memset(to, byte, n);
}

int recorder_started(void) { return init_calls; }

void recorder_watch(const void *p, size_t n) {
  start = (uintptr_t)p;
  end = start + n;
  reads = writes = read_bytes = written_bytes = 0;
}

void recorder_print(const char *what) {
  printf("%s: %lu reads %lu bytes, %lu writes %lu bytes\n", what, reads,
         read_bytes, writes, written_bytes);
  start = end = 0;
}

void recorder_print_bytes(const char *what) {
  printf("%s: %lu bytes read, %lu bytes written\n", what, read_bytes,
         written_bytes);
  start = end = 0;
}

/* Types are not recorded: the typed entry points do what they stand for. */
__thread void *__heapprof_scoped_type;
__thread unsigned long __heapprof_scoped_size;
void *_Znwm(size_t size) __attribute__((weak));
void *_Znam(size_t size) __attribute__((weak));
void *__heapprof__Znwm(size_t size, void *type) {
  (void)type;
  return _Znwm(size);
}
void *__heapprof__Znam(size_t size, void *type) {
  (void)type;
  return _Znam(size);
}
