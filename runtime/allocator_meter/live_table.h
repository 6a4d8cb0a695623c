/* live_table.h - the chunks that live: what was requested, and what they may use, by address.
   Parts with a lock each; memory is taken by mmap and doubled, and never given back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIVE_TABLE_H
#define HP_LIVE_TABLE_H

#include "allocator_meter/spin_lock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HP_LIVE_PARTS 64u /* a power of two */

struct hp_meter_live_chunk {
  uintptr_t address; /* 0: none */
  uint64_t bytes, usable;
};

struct hp_meter_live_part {
  struct hp_spin_lock lock;
  struct hp_meter_live_chunk *chunks; /* capacity: 0 or a power of two */
  size_t capacity, count;
};

/* All zero is empty. */
struct hp_meter_live_table {
  struct hp_meter_live_part parts[HP_LIVE_PARTS];
};

/* CHUNK's address, not 0, is not in the table.  False: there is no memory. */
bool hp_meter_put(struct hp_meter_live_table *table,
                  const struct hp_meter_live_chunk *chunk);

/* Takes it out and into CHUNK; false if it is not there. */
bool hp_meter_take(struct hp_meter_live_table *table, uintptr_t address,
                   struct hp_meter_live_chunk *chunk);

/* In no order; VISIT must not use the table. */
void hp_meter_walk(struct hp_meter_live_table *table,
                   void (*visit)(void *context,
                                 const struct hp_meter_live_chunk *chunk),
                   void *context);

#endif
