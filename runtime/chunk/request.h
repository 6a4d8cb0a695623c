/* request.h - what an allocation asks for, and what becomes of one that cannot be
   met.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REQUEST_H
#define HP_REQUEST_H

#include "heap/chunk.h"
#include "heap/heap_range.h"
#include "heapprof_format.h"
#include "options/options.h"
#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one allocation call asks for. */
struct hp_request {
  size_t size;         /* bytes; 0 is allowed and gives a chunk of its own */
  size_t alignment;    /* power of two; 0 = 16 */
  uint32_t zeroed;     /* bool: as calloc's; without padding behind it */
  enum hp_entry entry; /* which function was called */
  struct hp_caller caller;
};

/* Some chunks are not for hp_allocate(): there is sampling, or some are bare. */
extern HP_HIDDEN bool hp_allocate_asks;

/* False: chunks that begin now are not profiled. */
extern HP_HIDDEN bool hp_recording;

/* False: no module that is loaded has hooks, so that of no chunk all accesses are
   seen.  A chunk that begins then is as if all of it had been accessed, but has
   no first access: so what libc does to it is usual, of which nothing is told,
   but where it goes beyond the chunk. */
extern HP_HIDDEN bool hp_access_hooked;
extern HP_HIDDEN bool hp_access_began_unhooked; /* some of them were such */

/* The largest request that is met. */
HP_INLINE size_t hp_allocator_max_size(void) {
  uint64_t mib = hp_options.max_allocation_size_mb;
  return mib && mib < HP_SIZE_MAX >> 20 ? (size_t)mib << 20 : HP_SIZE_MAX;
}

/* Counts a request that never reached hp_allocate: calloc's overflow, a bad
   alignment.  SIZE saturates. */
void hp_count_failed(size_t size);

/* Counts a free by a thread that found no memory for its block: the chunk stays
   as it is. */
void hp_count_unrecorded_free(void);

/* Counts and reports that P, given to WHAT, is no live chunk. */
void hp_report_invalid(const void *p, const char *what,
                       const struct hp_caller *caller);

/* Their counts in the window. */
struct hp_dump_totals;
void hp_request_totals(struct hp_dump_totals *totals);
void hp_requests_start_window(void);

#ifdef __cplusplus
}
#endif
#endif
