/* heap_pages.h - what the heap's resident pages hold: live chunks, what is lost
   beside them, and what is free.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HEAP_PAGES_H
#define HP_HEAP_PAGES_H

#include "heap/bare_range.h"
#include "heap/heap.h"
#include "heap/share.h"
#include "system/memory.h"

/* Bytes on resident pages.  A slot that holds a chunk:

     slot  |  hp_chunk  |          |  requested  |         |
             own          slack      live          slack

   A plain slot (heap.h), and a bare one (bare_range.h), has nothing of ours in it. */
struct hp_heap_pages {
  uint64_t live, slack, own;
  uint64_t retained; /* in no slot that holds a chunk */
};

/* RESIDENT bytes are of the heap, in all ranges.  All that threads do meanwhile
   may be counted or not.  hp_resident_open() was called. */
struct hp_heap_pages hp_heap_pages(uint64_t resident);

/* Whether P lies where the heap has slots: the program's data. */
HP_INLINE bool hp_heap_is_data(uintptr_t p) {
  const uintptr_t large = (uintptr_t)17 << HP_REGION_SHIFT;
  return p - HP_HEAP_BASE < hp_heap_bytes ||
         p - HP_PLAIN_BASE < HP_PLAIN_SIZES_BASE - HP_PLAIN_BASE ||
         p - (HP_PLAIN_BASE + large) < HP_PLAIN_SIZE - large ||
         hp_bare_holds((const void *)p);
}

/* Whether P lies where the runtime keeps what it knows of chunks. */
HP_INLINE bool hp_heap_is_kept(uintptr_t p) {
  const uintptr_t sizes_end =
      HP_PLAIN_BASE + ((uintptr_t)17 << HP_REGION_SHIFT);
  if (p - HP_AREAS_BASE < HP_RECORDS_BASE - HP_AREAS_BASE)
    return hp_share_is_given(hp_heap_area_number(p));
  return (p - HP_RECORDS_BASE < HP_MAPS_END - HP_RECORDS_BASE &&
          p - HP_PLAIN_BASE >= HP_PLAIN_SIZE) ||
         p - HP_PLAIN_SIZES_BASE < sizes_end - HP_PLAIN_SIZES_BASE ||
         p - HP_BARE_RECORDS_BASE < HP_BARE_SIZE - HP_BARE_DATA;
}

#endif
