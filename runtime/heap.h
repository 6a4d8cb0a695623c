/* heap.h - the one reserved address range: ownership is one comparison, a
   record is arithmetic. Laid out at start and constant from then on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HEAP_H
#define HP_HEAP_H

#include "chunk.h"
#include "hook_abi.h"

/* R = region_shift: 38 where the system grants it, less under RLIMIT_AS.

     base                                              program's data
     |  class 0   16 B slots     2^R bytes      |      (owner check:
     |  class 1   32 B slots     2^R bytes      |       address - base
     |  ...                                     |         < data_size)
     |  class 12  64 KiB slots   2^R bytes      |
     |  large     16 * 2^R bytes, 64 KiB granules|
     records                                           ours
     |  class 0's records        2^(R+2) bytes  |      one hp_chunk a slot,
     |  ...          as many as 16 B slots need |      mostly never touched
     |  class 12's records       2^(R+2) bytes  |
     |  large chunks' records    2^(R-4) bytes  |
     |  the same again: what other threads than the allocating one do
     |  to a chunk, foreign_distance bytes behind its record          */
#define HP_CLASS_COUNT 13u
#define HP_CLASS_MIN_SHIFT 4u /* 16 bytes */
#define HP_SMALL_MAX ((size_t)1 << (HP_CLASS_MIN_SHIFT + HP_CLASS_COUNT - 1))
#define HP_GRANULE_SHIFT 16u
#define HP_GRANULE ((size_t)1 << HP_GRANULE_SHIFT)

struct hp_heap {
  uintptr_t base;
  uintptr_t data_size; /* 0 until the range is reserved: owns nothing */
  /* Below it instrumented code finds records by itself (hook_abi.h): the size
     of all classes, or 0 if the regions are smaller than it takes them for. */
  uintptr_t inline_size;
  struct hp_chunk *records; /* of class 0 */
  uint32_t region_shift;
  uintptr_t foreign_distance;     /* bytes from a record to its hp_foreign */
  struct hp_chunk *large_records; /* by number of the large chunk, from 1 */
  const uint32_t *
      large_numbers; /* by granule: number of the large chunk there, 0 = none */
};
extern HP_SHARED struct hp_heap hp_heap __asm__(HP_HEAP_SYMBOL);

bool hp_heap_reserve(void); /* once; false if the system refuses every size */

HP_INLINE uintptr_t hp_heap_large_base(void) {
  return hp_heap.base + ((uintptr_t)HP_CLASS_COUNT << hp_heap.region_shift);
}

HP_INLINE struct hp_chunk *hp_heap_class_records(unsigned size_class) {
  return hp_heap.records +
         ((size_t)size_class << (hp_heap.region_shift - HP_CLASS_MIN_SHIFT));
}

/* Where other threads count; all zero but in a chunk with MULTITHREAD set. */
HP_INLINE struct hp_foreign *hp_foreign_of(const struct hp_chunk *chunk) {
  return (struct hp_foreign *)((uintptr_t)chunk + hp_heap.foreign_distance);
}

HP_INLINE unsigned hp_heap_slot_shift(unsigned size_class) {
  return size_class + HP_CLASS_MIN_SHIFT;
}

#endif
