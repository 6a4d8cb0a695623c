/* heap_regions.h - which parts of the heap chunks were ever in: what an address map is drawn on.
   Slots in use are counted, so that a reader knows of chunks that the dump does not have.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HEAP_REGIONS_H
#define HP_HEAP_REGIONS_H

#include "encode/encode.h"
#include "profile/live_view.h"

/* Takes down how far they are used now; nothing without options.addresses.  There is
   one list, which belongs to who has the writer's lock. */
void hp_heap_regions_take(const struct hp_live_chunks *live);

/* Appends it to an END record's PAYLOAD; how many fields. */
size_t hp_heap_regions_put(struct hp_bytes *payload);
void hp_heap_regions_free(void);

#endif
