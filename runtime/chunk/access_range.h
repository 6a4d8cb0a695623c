/* access_range.h - what libc's functions do to memory: ranges of any length,
   most of them not in the heap.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ACCESS_RANGE_H
#define HP_ACCESS_RANGE_H

#include "heap/heap_range.h"
#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One access of [P, P+N), clamped per chunk, each chunk touched counts one:
   what libc's functions do; of a range that is not in the heap a comparison is
   all.  KIND is HP_ACCESS_READ, _WRITE or _BOTH. */
void hp_access_heap_range(const void *p, size_t n, int kind, uintptr_t pc);
HP_INLINE void hp_access_range(const void *p, size_t n, int kind) {
  if (hp_heap_may_hold(p) && n)
    hp_access_heap_range(p, n, kind, (uintptr_t)__builtin_return_address(0));
}

/* A read of FROM and a write of TO, and that one is copied to the other. */
void hp_access_heap_copy(void *to, const void *from, size_t n, uintptr_t pc);

/* memcpy or memmove, which COPY is, in a process without hooks: nothing is counted, and
   it is asked whether there is something to tell of the copy. */
typedef void *hp_copy_function(void *to, const void *from, size_t n);
void *hp_copy_without_hooks(void *to, const void *from, size_t n,
                            hp_copy_function *copy);

/* libc's functions of these names, counted: hooks (hook_abi.h), and what the
   interceptors of memcmp and bcmp call. */
HP_EXPORT void *__heapprof_memcpy(void *to, const void *from, size_t n);
HP_EXPORT void *__heapprof_memmove(void *to, const void *from, size_t n);
HP_EXPORT void *__heapprof_memset(void *p, int value, size_t n);
int hp_counted_memcmp(const void *a, const void *b, size_t n);

#ifdef __cplusplus
}
#endif
#endif
