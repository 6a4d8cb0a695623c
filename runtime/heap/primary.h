/* primary.h - chunks up to 64 KiB: slots of a power of two, a cache a thread.
   A free slot is neither read nor written: caches are arrays of their records.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PRIMARY_H
#define HP_PRIMARY_H

#include "heap/heap.h"
#include "system/check.h"

/* Free slots of a class that a thread keeps: so many, and so many bytes. */
#define HP_CACHE_MAX 256u
#define HP_CACHE_BYTES ((size_t)256 << 10)

/* One size class of one thread.  A profiled slot is named by its record, a
   plain one (plain.h) and a bare one (bare_range.h) by its own address. */
struct hp_cache {
  struct hp_chunk *free[HP_CACHE_MAX]; /* the next to be used is the last */
  uint32_t count;
  uint16_t range; /* enum hp_range */
  uint16_t max;   /* of count */
};

void hp_primary_start(void);

/* Refills the empty CACHE from what all threads share; false if there is no
   room. */
bool hp_primary_refill(struct hp_cache *cache, unsigned size_class);
/* Gives all but KEEP of CACHE back, those that were free longest. */
void hp_primary_drain(struct hp_cache *cache, unsigned size_class,
                      uint32_t keep);

/* Past the caches: for a signal's handler, which may have interrupted its
   thread in the middle of one. */
struct hp_chunk *hp_primary_take_shared(unsigned size_class,
                                        enum hp_range range);
void hp_primary_give_shared(unsigned size_class, enum hp_range range,
                            struct hp_chunk *chunk);

/* Bytes of a class's region whose slots were ever used: their records, or size
   words, are readable. */
extern HP_HIDDEN uint64_t
    hp_primary_used[HP_PRIMARY_RANGES][HP_PLAIN_CLASS_COUNT];
/* Where the slots of the profiled classes begin. */
extern HP_HIDDEN uintptr_t hp_primary_first[HP_CLASS_COUNT];
HP_INLINE uint64_t hp_primary_bytes(unsigned size_class, enum hp_range range) {
  return __atomic_load_n(&hp_primary_used[range][size_class], __ATOMIC_ACQUIRE);
}

/* Bytes of it that can be touched, and may have memory. */
size_t hp_primary_committed(unsigned size_class, enum hp_range range);

/* Profiled slots of a class that were ever used. */
HP_INLINE uint64_t hp_primary_slots(unsigned size_class) {
  return hp_primary_bytes(size_class, HP_PROFILED) >>
         hp_heap_slot_shift(size_class);
}

void hp_primary_lock(void); /* every class, around fork */
void hp_primary_unlock(void);
/* Memory was not limited and is now: what was committed ahead is given back;
   with every lock. */
void hp_primary_tighten(void);
/* Gives the pages back of which all bare slots are free, and of their records:
   they read as zero.  Of what lies in threads' caches nothing is known.  A class
   whose lock is taken is left: by the thread itself, if a signal ends it there. */
void hp_primary_release_free(void);
/* The free slots are not used any more, but those in threads' caches. */
void hp_primary_forget_free(void);

HP_INLINE uint32_t hp_cache_max_of(size_t slot) {
  return slot < HP_CACHE_BYTES / HP_CACHE_MAX
             ? HP_CACHE_MAX
             : (uint32_t)(HP_CACHE_BYTES / slot);
}

HP_INLINE uint32_t hp_cache_max(unsigned size_class) {
  size_t slots = HP_CACHE_BYTES >> hp_heap_slot_shift(size_class);
  return slots < HP_CACHE_MAX ? (uint32_t)slots : HP_CACHE_MAX;
}

HP_INLINE struct hp_chunk *hp_primary_take(struct hp_cache *cache,
                                           unsigned size_class) {
  if (HP_UNLIKELY(!cache->count) && !hp_primary_refill(cache, size_class))
    return NULL;
  HP_CHECK(cache->count <= HP_CACHE_MAX);
  return cache->free[--cache->count];
}

HP_INLINE void hp_primary_give(struct hp_cache *cache, unsigned size_class,
                               struct hp_chunk *chunk) {
  if (HP_UNLIKELY(cache->count >= cache->max))
    hp_primary_drain(cache, size_class, cache->max / 2);
  HP_CHECK(cache->count < HP_CACHE_MAX);
  HP_CHECK(!cache->count || cache->free[cache->count - 1] != chunk);
  cache->free[cache->count++] = chunk;
}

#endif
