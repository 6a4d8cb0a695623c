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

/* What the total was when it was asked last. */
struct hp_resident_seen {
  uint64_t time;           /* ticks */
  uint64_t resident, most; /* bytes: then, and of all times at most */
  uint64_t by_system;      /* bytes: the most by the system's own count */
};

/* Whether it is to be asked anew at NOW.  Once in STEP ticks is enough while the
   system's own count of the most, BY_SYSTEM, stands still, which takes a hundredth of
   the time.  It says nothing where it is more than was ever seen, as of the program
   before exec. */
bool hp_resident_may_differ(const struct hp_resident_seen *seen, uint64_t now,
                            uint64_t by_system, uint64_t step);
void hp_resident_see(struct hp_resident_seen *seen, uint64_t now,
                     uint64_t by_system, uint64_t resident);

/* SEEN, the sum of parts that were looked at one after another, can have been
   there at once, with BEFORE and AFTER in all: what went while others came is
   in no part or in two.  A total that cannot be read contradicts nothing. */
bool hp_resident_may_be(uint64_t seen, uint64_t before, uint64_t after);

#endif
