/* resident_total.h - how much of the process is resident, as the system counts it; no part of it is told apart.
   What looks at the parts one after another holds its sum against this.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RESIDENT_TOTAL_H
#define HP_RESIDENT_TOTAL_H

#include "system/platform.h"

enum hp_resident_way {
  HP_RESIDENT_QUICK, /* /proc/self/statm: may lack what a processor or thread
                        has counted for itself */
  HP_RESIDENT_EXACT, /* /proc/self/smaps_rollup: asks each page, as dear as a
                        look at the parts */
};

/* Bytes; 0: it cannot be read. */
uint64_t hp_resident_total(enum hp_resident_way way);

/* A sixteenth and 256 KiB more: what is no more than that is not worth a look,
   nor a doubt. */
uint64_t hp_resident_much_more(uint64_t bytes);

/* SEEN, the sum of parts that were looked at one after another, can have been
   there at once, with BEFORE and AFTER in all: what went while others came is
   in no part or in two.  A total that cannot be read contradicts nothing. */
bool hp_resident_may_be(uint64_t seen, uint64_t before, uint64_t after);

#endif
