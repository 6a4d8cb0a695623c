/* warm_slots.h - free slots of the secondary that keep their memory for a while: a
   chunk that begins in one takes no page faults, and finds what was there before.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WARM_SLOTS_H
#define HP_WARM_SLOTS_H

#include "heap/heap.h"

/* Bytes of what is freed: of what is larger libc, too, gives all back. */
#define HP_WARM_SLOT_MAX ((size_t)32 << 20)
#define HP_WARM_MAX ((size_t)64 << 20) /* of all of them at one time */

/* All but the last three with the lock of the secondary. */

/* A slot of that class was taken cold, though there were free ones. */
void hp_warm_missed(unsigned size_class, enum hp_range range);
/* Whether one more is to be kept: as many as were missed are. */
bool hp_warm_is_wanted(unsigned size_class, enum hp_range range);

/* The free slot so named keeps BYTES, as far as they were touched; false: it may
   not, or there is no room beside the others. */
bool hp_warm_put(struct hp_chunk *chunk, enum hp_range range, size_t bytes);
/* The last one put of that class; NULL: there is none. */
struct hp_chunk *hp_warm_take(unsigned size_class, enum hp_range range);
void hp_warm_forget(void); /* those slots are not used any more */

/* Whether the slot, free or not, was put since it was made cold: what is in it is
   not zero. */
bool hp_slot_is_warm(const struct hp_chunk *chunk, enum hp_range range);
void hp_slot_is_cold(const struct hp_chunk *chunk, enum hp_range range);

size_t hp_warm_bytes(void); /* that free slots keep, at most */

#endif
