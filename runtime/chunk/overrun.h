/* overrun.h - accesses beyond the requested size: for each allocation point how
   far, of what kind, and who did it first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_OVERRUN_H
#define HP_OVERRUN_H

#include "system/platform.h"

/* {0}: nothing is known.
     +0   u32 point     0: the entry is free (point_table.h)
     +4   u32 flags     HP_OVERRUN_* (heapprof_format.h)
     +8   u64 beyond    bytes behind the end, at most
     +16  u64 read_pc   return address of the first call that counted a read, 0:
     +24  u64 write_pc  not known; the same of a write                        */
struct hp_overrun_entry {
  uint32_t point;
  uint32_t flags;
  uint64_t beyond;
  uint64_t read_pc;
  uint64_t write_pc;
};
_Static_assert(sizeof(struct hp_overrun_entry) == 32, "two in a cache line");

/* Adds to what is known of MORE->point.  From any thread and any handler, waits
   for nobody.  What has no room is counted by the chunks' flags only. */
void hp_overrun_note(const struct hp_overrun_entry *more);

/* What is known of POINT. */
struct hp_overrun_entry hp_overrun_of(uint32_t point);

void hp_overrun_start(void); /* a window begins */

#endif
