/* heap.h - the one reserved address range: ownership is one comparison, a
   record is arithmetic. The same place in every process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HEAP_H
#define HP_HEAP_H

#include "heap/chunk.h"
#include "heap/heap_range.h"
#include "hook_abi.h"
#include "system/arena.h"

/* Nothing else is put there: executables and libraries lie far above, or below
   4 GiB, whether addresses are random, and stacks limited, or not.

     6 * 2^38                                           records and chunks
     |  region 6    64 B slots      2^38 bytes  |
     |  region 7    128 B slots     2^38 bytes  |
     |  ...                                     |
     |  region 16   64 KiB slots    2^38 bytes  |       last of the primary
     |  region 17   128 KiB slots   2^38 bytes  |       first of the secondary
     |  ...                                     |
     |  region 38   one slot of     2^38 bytes  |
     HP_AREAS_BASE                                      ours, as it is needed
     |  HP_RECORDS_DISTANCE bytes apart the areas of threads: an hp_chunk each
     |  (share.h), from the end on.  CLISP's heap begins here, and ZGC's third
     |  one, whatever is there: so nothing is that has to be there from the start
     HP_RECORDS_BASE                                    ours, mostly untouched
     |  region r's hp_cold from r * 2^(43-r) on, 2^(43-r) bytes
     |  at the same distance further on hp_others, then hp_crowd,
     |  then hp_chain_state
     HP_ARENAS_BASE                                     ours (arena.h)
     HP_MAPS_BASE                                       ours (hp_sys_map)

   A slot of the heap is an hp_chunk and behind it the program's memory:

     slot  |  hp_chunk  |  up to the alignment  |  the chunk  |  slack  |

   The region is in the address itself, which shifted right by it is the number
   of its hp_cold.

   Slots begin some way into their region, in each at another place.  AMD's data
   caches find a line by its place in the page and 8 bits made of bits 12 to 27,
   and hold one line only of those that share all of that.  The records of the
   first chunks of all classes would: two that take turns cost 40 cycles then
   each time.

   Chunks that are not sampled (plain.h) lie where all addresses have
   HP_ELSEWHERE_BIT, as those of stacks and libraries do, so that a hook ends at its
   first test: between areas and arenas.  Their records would only be in the way:
   small slots have tighter classes and a word each, and those of the secondary,
   which are like their profiled twins, a record apart.

     HP_PLAIN_BASE
     |  class 0      16 B slots      2^36 bytes  |       program's data
     |  ...                                      |
     |  class 43     64 KiB slots    2^36 bytes  |
     HP_PLAIN_SIZES_BASE                                 ours
     |  u16 for each slot of these: its chunk's requested bytes and 1
     |  (slot_class.h)
     HP_PLAIN_RECORDS_BASE
     |  hp_cold, as from HP_RECORDS_BASE on, of regions 17 to 38
     HP_PLAIN_BASE + 17 * 2^38
     |  regions 17 to 38 as above                |       program's data

   Chunks of processes without hooks have a range of their own, between those of
   HP_HEAP_BASE and their records (bare_range.h).

   Where the system does not grant address space ahead of its use (RLIMIT_AS),
   the parts in use are at the same places and the rest is not reserved
   (limit.h). */
#define HP_CLASS_MIN_SHIFT ((unsigned)HP_REGION_FIRST) /* 64 bytes */
#define HP_CLASS_COUNT 11u                             /* of the primary */
#define HP_SMALL_MAX ((size_t)1 << (HP_CLASS_MIN_SHIFT + HP_CLASS_COUNT - 1))
#define HP_SLOT_MAX ((size_t)1 << (HP_REGION_COUNT - 1))
#define HP_ALL_CLASS_COUNT (HP_REGION_COUNT - HP_CLASS_MIN_SHIFT)
#define HP_RECORDS_BASE ((uintptr_t)0x400000000000)
#define HP_RECORD_KINDS 4u /* hp_cold, hp_others, hp_crowd, hp_chain_state */
#define HP_RECORDS_DISTANCE ((uintptr_t)1 << 40)
#define HP_RECORDS_SIZE (HP_RECORD_KINDS * HP_RECORDS_DISTANCE)
#define HP_RECORDS_END (HP_RECORDS_BASE + HP_RECORDS_SIZE)
#define HP_SHARE_AREAS 48u
#define HP_AREAS_BASE (HP_RECORDS_BASE - HP_SHARE_AREAS * HP_RECORDS_DISTANCE)
/* The first bytes of each kind are the records of large regions, of which
   several share a page.  These bytes are committed at once, unless memory is
   limited. */
#define HP_SHARED_RECORDS ((size_t)1 << 20)
#define HP_HEAP_BASE ((uintptr_t)HP_REGION_FIRST << HP_REGION_SHIFT)
#define HP_HEAP_SIZE                                                           \
  ((uintptr_t)(HP_REGION_COUNT - HP_REGION_FIRST) << HP_REGION_SHIFT)

enum hp_range { HP_PROFILED, HP_PLAIN, HP_BARE };
#define HP_RANGES 2         /* that have large chunks, too */
#define HP_PRIMARY_RANGES 3 /* bare_range.h has the third one */
#define HP_PLAIN_BASE ((uintptr_t)0x440000000000) /* with HP_ELSEWHERE_BIT */
#define HP_PLAIN_SIZE ((uintptr_t)HP_REGION_COUNT << HP_REGION_SHIFT)
#define HP_PLAIN_REGION_SHIFT 36
#define HP_PLAIN_CLASS_COUNT 44u /* of the primary */
#define HP_PLAIN_SIZES_BASE                                                    \
  (HP_PLAIN_BASE + ((uintptr_t)HP_PLAIN_CLASS_COUNT << HP_PLAIN_REGION_SHIFT))
#define HP_PLAIN_RECORDS_BASE                                                  \
  (HP_PLAIN_SIZES_BASE + ((uintptr_t)6 << HP_PLAIN_REGION_SHIFT))

bool hp_heap_reserve(void);       /* once; false if the range cannot be had */
bool hp_heap_reserve_plain(void); /* the same for the second, after it */
/* Makes all that is reserved touchable, so that the heap grows without system
   calls; does nothing where the system does not allow that. */
void hp_heap_commit_ahead(void);
extern HP_HIDDEN uint64_t hp_heap_masks[HP_MASK_COUNT]; /* hook_abi.h */
extern bool hp_heap_reserved; /* as a whole; else part by part */
/* From HP_HEAP_BASE on these bytes are the heap's: HP_HEAP_SIZE, but beside the
   program's own allocator only the region of its records (beside_table.h).  What
   lies behind is the program's then, chunks of that allocator maybe. */
extern size_t hp_heap_bytes;
extern bool hp_heap_has_plain; /* the second was reserved */

/* Where area NUMBER begins, and whose number an area is. */
HP_INLINE uintptr_t hp_heap_area(unsigned number) {
  return HP_RECORDS_BASE - (number + 1) * HP_RECORDS_DISTANCE;
}
HP_INLINE unsigned hp_heap_area_number(uintptr_t area) {
  return (unsigned)((HP_RECORDS_BASE - 1 - area) / HP_RECORDS_DISTANCE);
}

HP_INLINE unsigned hp_heap_slot_shift(unsigned size_class) {
  return size_class + HP_CLASS_MIN_SHIFT;
}

/* How far into its region, in units of 2 MiB.  Of slots of 256 MiB and more all
   records have the same bits 12 to 27, wherever they begin. */
extern HP_HIDDEN const uint8_t hp_heap_class_start[HP_ALL_CLASS_COUNT];
#define HP_START_SHIFT 21

/* By the region that an address lies in (hook_abi.h). */
extern HP_HIDDEN uint64_t hp_heap_masks[HP_MASK_COUNT];

HP_INLINE uintptr_t hp_heap_class_base(unsigned size_class) {
  return ((uintptr_t)hp_heap_slot_shift(size_class) << HP_REGION_SHIFT) +
         ((uintptr_t)hp_heap_class_start[size_class] << HP_START_SHIFT);
}

HP_INLINE size_t hp_heap_class_bytes(unsigned size_class) {
  return ((size_t)1 << HP_REGION_SHIFT) -
         ((size_t)hp_heap_class_start[size_class] << HP_START_SHIFT);
}

HP_INLINE size_t hp_heap_class_slots(unsigned size_class) {
  return hp_heap_class_bytes(size_class) >> hp_heap_slot_shift(size_class);
}

/* The slot at ADDRESS, which is where its record is. */
HP_INLINE struct hp_chunk *hp_heap_record(uintptr_t address, unsigned shift) {
  return (struct hp_chunk *)(address >> shift << shift);
}

HP_INLINE struct hp_chunk *hp_heap_slot(unsigned size_class, uint64_t index) {
  return (struct hp_chunk *)(hp_heap_class_base(size_class) +
                             (index << hp_heap_slot_shift(size_class)));
}

/* The plain classes: 16, 32, ... 128 bytes, then four from each power of two to
   the next.  SIZE is at most HP_SMALL_MAX. */
HP_INLINE unsigned hp_plain_class(size_t size) {
  if (size <= 128)
    return (unsigned)((size + (size == 0) - 1) / 16);
  unsigned digits = 63u - (unsigned)__builtin_clzll(size - 1);
  return 4 * digits - 20 + (unsigned)((size - 1) >> (digits - 2) & 3);
}

HP_INLINE size_t hp_plain_slot_size(unsigned size_class) {
  if (size_class < 8)
    return 16 * (size_t)(size_class + 1);
  return (size_t)(size_class % 4 + 5) << (size_class / 4 + 3);
}

/* Where the slots of a plain class begin: each at another place, too. */
HP_INLINE uintptr_t hp_plain_class_base(unsigned size_class) {
  return HP_PLAIN_BASE + ((uintptr_t)size_class << HP_PLAIN_REGION_SHIFT) +
         ((uintptr_t)(2 * size_class + 5) << HP_START_SHIFT);
}

/* Bytes ahead of a chunk in its slot.  A chunk of less than a cache line has one of
   its own: the program waits for that one only, and the record's comes meanwhile.
   Not one that fills the line: what points right behind it would point to the
   next record, as what the allocator leaves on stacks does (leak_slot.h).
   One that is up to a quarter larger has all but its first quarter in the second
   line: what a search looks at in a node of std::map with its key. */
HP_INLINE size_t hp_front_for(size_t size, size_t alignment) {
  size_t front = HP_FRONT;
  if (size - HP_FRONT - 1 < HP_CACHE_LINE + HP_CACHE_LINE / 4 - HP_FRONT - 1)
    front = size < HP_CACHE_LINE   ? HP_CACHE_LINE
            : alignment < HP_FRONT ? HP_FRONT_LATER
                                   : HP_FRONT;
  return alignment > front ? alignment : front;
}

/* Bytes of a slot that a chunk of SIZE takes: one at least, so that its address
   lies in the slot. */
HP_INLINE size_t hp_slot_need(size_t size, size_t front) {
  return front + size + (size == 0);
}

/* Smallest class whose slots hold SIZE bytes, which are at most HP_SLOT_MAX: a
   slot is aligned to its own size. */
HP_INLINE unsigned hp_slot_class(size_t size) {
  if (size <= (size_t)1 << HP_CLASS_MIN_SHIFT)
    return 0;
  return 64u - (unsigned)__builtin_clzll(size - 1) - HP_CLASS_MIN_SHIFT;
}

HP_INLINE unsigned hp_chunk_shift(const struct hp_chunk *chunk) {
  return (unsigned)((uintptr_t)chunk >> HP_REGION_SHIFT);
}

HP_INLINE unsigned hp_chunk_class(const struct hp_chunk *chunk) {
  return hp_chunk_shift(chunk) - HP_CLASS_MIN_SHIFT;
}

/* The rest of the record of the slot at ADDRESS. */
HP_INLINE struct hp_cold *hp_cold_at(uintptr_t address) {
  return (struct hp_cold *)HP_RECORDS_BASE +
         (address >> (address >> HP_REGION_SHIFT));
}

HP_INLINE struct hp_cold *hp_cold_of(const struct hp_chunk *chunk) {
  return hp_cold_at((uintptr_t)chunk);
}

/* A class's records of one kind, DISTANCE bytes behind its hp_cold, or ahead; of
   each. */
struct hp_arena hp_heap_record_arena(unsigned size_class, ptrdiff_t distance);
struct hp_record_arenas {
  struct hp_arena of[HP_RECORD_KINDS];
};
struct hp_record_arenas hp_heap_record_arenas(unsigned size_class);
bool hp_heap_commit_shared(uintptr_t base); /* of the kind that begins there */
bool hp_heap_commit_records(struct hp_record_arenas *records, uint64_t slots);
/* Keeps those of SLOTS slots; nothing is done where pages are shared. */
void hp_heap_shrink_records(struct hp_record_arenas *records, uint64_t slots);
void hp_heap_shrink_record_arena(struct hp_arena *arena, size_t size);

/* The slot of the secondary that is named by CHUNK, in either range. */
HP_INLINE uintptr_t hp_large_slot(const struct hp_chunk *chunk,
                                  enum hp_range range) {
  return (uintptr_t)chunk + (range == HP_PLAIN ? HP_PLAIN_BASE : 0);
}

/* What is kept of the slot so named. */
HP_INLINE struct hp_cold *hp_large_record(const struct hp_chunk *chunk,
                                          enum hp_range range) {
  if (range == HP_PROFILED)
    return hp_cold_of(chunk);
  return (struct hp_cold *)((uintptr_t)hp_cold_of(chunk) - HP_RECORDS_BASE +
                            HP_PLAIN_RECORDS_BASE);
}

HP_INLINE uintptr_t hp_chunk_start(const struct hp_chunk *chunk) {
  return (uintptr_t)chunk + hp_front_of(hp_cold_of(chunk)->word);
}

HP_INLINE uint64_t hp_chunk_size(const struct hp_chunk *chunk) {
  return hp_cold_of(chunk)->word & HP_SIZE_MAX;
}

HP_INLINE struct hp_others *hp_others_of(const struct hp_chunk *chunk) {
  return (struct hp_others *)((uintptr_t)hp_cold_of(chunk) +
                              HP_RECORDS_DISTANCE);
}

HP_INLINE struct hp_crowd *hp_crowd_of(const struct hp_chunk *chunk) {
  return (struct hp_crowd *)((uintptr_t)hp_cold_of(chunk) +
                             2 * HP_RECORDS_DISTANCE);
}

HP_INLINE struct hp_chain_state *hp_chain_of(const struct hp_chunk *chunk) {
  return (struct hp_chain_state *)((uintptr_t)hp_cold_of(chunk) +
                                   3 * HP_RECORDS_DISTANCE);
}
_Static_assert(HP_SLOT_MAX <= (size_t)1 << HP_CHAIN_SIZE_BITS,
               "sizes fit hp_chain_state");

#endif
