/* stats.h - options.stats: what the runtime itself took, in a few lines.
   Memory beside the chunk records, events, and bytes written.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STATS_H
#define HP_STATS_H

#include "dump.h"

/* Prints them; WRITTEN bytes are in the dump. */
void hp_stats_print(const struct hp_dump_totals *totals, uint64_t written);

#endif
