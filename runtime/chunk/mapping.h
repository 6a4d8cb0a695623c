/* mapping.h - what the program maps itself: mmap, mremap, brk, by call stack.
   Kept apart from chunks; exact for the calls that are seen.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAPPING_H
#define HP_MAPPING_H

#include "heapprof_format.h"
#include "system/platform.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What one call stack mapped by one function, of one kind.
     +0   u32 stack    node of the tree
     +4   u32 next     row of the same hash; 0: none
     +8   u32 key      function, and HP_MAPPING bits << 8
     +12  u32 peak     number of the peak that at_peak is of
     +16  u64 maps     ranges mapped
     +24  u64 bytes    of these, in whole pages
     +32  u64 live     bytes, now
     +40  u64 most     bytes, the most at one time
     +48  u64 at_peak  bytes, when most of all sites were live
     +56  u64 resident bytes, when that was looked at last; HP_MAPPING_UNSEEN
     +64  u64 first    ticks; the first of them
     +72                                                                      */
struct hp_mapping_site {
  uint32_t stack, next, key, peak;
  uint64_t maps, bytes, live, most, at_peak, resident, first;
};
_Static_assert(sizeof(struct hp_mapping_site) == 72, "layout");

#define HP_MAPPING_UNSEEN UINT64_MAX /* resident: could not be told */
/* Rows; what finds no room is in the first, which has no stack. */
#define HP_MAPPING_SITES 65536u

/* Begins a window: what was mapped before is nobody's. */
void hp_mappings_start(void);

/* Before the program unmaps [P, P + SIZE), or maps something else there, which
   may not be possible: after that hp_mapping_ended() gets what this returns. */
struct hp_mapping_list {
  uint32_t first;  /* range; 0: none */
  uint32_t window; /* it is of that one only */
};
struct hp_mapping_list hp_mapping_end(const void *p, size_t size);
void hp_mapping_ended(struct hp_mapping_list list, bool done);

/* [P, P + SIZE) was mapped; KIND: HP_MAPPING bits. */
void hp_mapping_begin(const void *p, size_t size, enum hp_mapper function,
                      unsigned kind, const struct hp_caller *caller);

/* HP_MAPPING bits of what was seen to be mapped at P; 0: nothing was. */
unsigned hp_mapping_kind_at(const void *p);

/* A call of one of these: HP_MAPPED_maps, ... */
void hp_mapping_count(enum hp_mapped_total which);

/* ---- a look at all of them ------------------------------------------------ */

/* False: somebody has the lock, and goes on only when the caller does. */
bool hp_mappings_try_lock(void);
void hp_mappings_lock(void); /* around fork */
void hp_mappings_unlock(void);

/* With the lock. */
uint64_t hp_mapping_total(enum hp_mapped_total which);
uint32_t hp_mapping_site_count(void); /* rows 0 .. count - 1 */
struct hp_mapping_site *hp_mapping_site(uint32_t number);
/* Its bytes when most of all were live. */
uint64_t hp_mapping_at_peak(const struct hp_mapping_site *site);

/* Where a mapping may go that is asked for AT, which the system need not heed: NULL where the heap is
   and no address is reserved for it (heap.h).  What is there later would be taken for chunks. */
void *hp_mapping_hint(void *at);

#ifdef __cplusplus
}
#endif
#endif
