/* mappings.h - what the program mapped itself, for a dump: how much of each is
   resident, and records of all.  With the writer's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MAPPINGS_H
#define HP_MAPPINGS_H

#include "dump/waiting_records.h"

/* A look at all pages begins: nothing was seen to be resident yet. */
void hp_mappings_look(void);

/* Of [BEGIN, END), which the system keeps as one, RESIDENT bytes are: how many
   of these are in what the program mapped by calls that were seen. */
uint64_t hp_mappings_add_resident(uintptr_t begin, uintptr_t end,
                                  uint64_t resident);

/* Resident BYTES without a file that nobody was seen to map. */
void hp_mappings_set_unseen(uint64_t bytes);

/* Takes down the records, and what hp_mappings_put() appends to an END record's
   PAYLOAD; that says how many fields. */
void hp_mappings_take(struct hp_records *records);
size_t hp_mappings_put(struct hp_bytes *payload);

#endif
