/* heap_usage.h - what of the heap is in use now: for libc's functions that say
   it.  Right for all that happened before the call, without a profile, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HEAP_USAGE_H
#define HP_HEAP_USAGE_H

#include "heap/secondary.h"

/* Slots up to 128 KiB, which are kept when they are free: as libc's arenas. */
struct hp_slots_usage {
  uint64_t bytes; /* of all slots that were ever used */
  uint64_t live_chunks;
  uint64_t live_bytes; /* as requested */
  uint64_t free_slots;
};

struct hp_mapped_usage hp_heap_mapped(void);

/* Adds up all classes; EACH, if not NULL, gets those that were ever used, with
   the bytes of their slots. */
struct hp_slots_usage hp_heap_slots(
    void (*each)(size_t slot, const struct hp_slots_usage *usage, void *arg),
    void *arg);

#endif
