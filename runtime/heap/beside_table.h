/* beside_table.h - chunks that are not in this heap, by address, and the slots that have their records.
   Parts with a lock each; memory is doubled as it is needed, and given back when it is moved.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BESIDE_TABLE_H
#define HP_BESIDE_TABLE_H

#include "heap/heap.h"

/* allocator=program (chunk/beside.h): all chunks are such; set once, before the first. */
extern HP_HIDDEN bool hp_beside;
/* Chunks that got no record, for want of memory. */
extern HP_HIDDEN uint64_t hp_beside_unrecorded;

/* The record of a chunk of another allocator is that of a slot of the smallest class, which holds nothing else:

     slot  |  hp_chunk  |  where the chunk is  |
                        HP_FRONT                                             */
#define HP_BESIDE_CLASS 0u
HP_INLINE uintptr_t *hp_beside_place(const struct hp_chunk *record) {
  return (uintptr_t *)((uintptr_t)record + HP_FRONT);
}

/* A place that has a record already gets RECORD instead; that which it had goes to *BEFORE, or NULL.
   False: there is no memory. */
bool hp_beside_put(uintptr_t place, struct hp_chunk *record,
                   struct hp_chunk **before);

/* The record of PLACE, which has none from then on; NULL: it had none. */
struct hp_chunk *hp_beside_take(uintptr_t place);

/* It keeps it; for questions. */
struct hp_chunk *hp_beside_find(uintptr_t place);

/* Where the chunk of RECORD begins, whoever keeps it. */
HP_INLINE uintptr_t hp_chunk_place(const struct hp_chunk *record) {
  return HP_UNLIKELY(hp_beside) ? *hp_beside_place(record)
                                : hp_chunk_start(record);
}

void hp_beside_lock(void); /* around fork */
void hp_beside_unlock(void);

/* How many there are; calls EACH, which must not use the table, for every one.  What begins or ends meanwhile may be among
   them or not. */
size_t hp_beside_count(void);
void hp_beside_each(void (*each)(const struct hp_chunk *record, void *arg),
                    void *arg);

#endif
