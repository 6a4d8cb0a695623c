/* allocator.h - what malloc, new and their kin share: begin, end, resize.
   What the single functions promise (errno, exceptions) is their callers' work.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ALLOCATOR_H
#define HP_ALLOCATOR_H

#include "heap/heap_range.h"
#include "heapprof_format.h"
#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one allocation call asks for. */
struct hp_request {
  size_t size;         /* bytes; 0 is allowed and gives a chunk of its own */
  size_t alignment;    /* power of two; 0 = 16 */
  bool zeroed;         /* as calloc's */
  enum hp_entry entry; /* which function was called */
  struct hp_caller caller;
};

/* False: chunks that begin now are not profiled. */
extern HP_HIDDEN bool hp_recording;

/* A new chunk, or NULL if it cannot be had (counted as a failed request).
   Never touches errno. */
void *hp_allocate(const struct hp_request *request);

size_t hp_allocator_max_size(void); /* largest request that is met */

/* Counts a request that never reached hp_allocate: calloc's overflow, a bad
   alignment.  SIZE saturates. */
void hp_count_failed(size_t size);

/* Counts and reports that P, given to WHAT, is no live chunk. */
void hp_report_invalid(const void *p, const char *what,
                       const struct hp_caller *caller);

/* Ends the chunk at P; NULL is nothing.  A P that is no live chunk is reported
   on stderr with a stack and counted; nothing else happens. */
void hp_deallocate(void *p, const struct hp_caller *caller);

/* metrics.md section 3, row realloc, for P not NULL and size > 0.  NULL: it
   failed and P is as before. */
void *hp_reallocate(void *p, const struct hp_request *request);

/* Bytes requested for the live chunk at P; 0 for NULL and foreign pointers. */
size_t hp_usable_size(const void *p);

/* Makes the live chunk that begins at P one of TYPE, moving it to the point of
   the same stack and that type.  False if P is no such chunk. */
struct hp_type;
bool hp_set_type(const void *p, const struct hp_type *type);

/* True if P lies in the heap's address range (the chunk need not be live). */
bool hp_heap_owns(const void *p);

/* One access of [P, P+N), clamped per chunk, each chunk touched counts one:
   what libc's functions do; of a range that is not in the heap a comparison is
   all.  KIND is HP_ACCESS_READ, _WRITE or _BOTH. */
void hp_access_heap_range(const void *p, size_t n, int kind, uintptr_t pc);
HP_INLINE void hp_access_range(const void *p, size_t n, int kind) {
  if (hp_heap_holds(p) && n)
    hp_access_heap_range(p, n, kind, (uintptr_t)__builtin_return_address(0));
}

/* A read of FROM and a write of TO, and that one is copied to the other. */
void hp_access_heap_copy(void *to, const void *from, size_t n, uintptr_t pc);

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
