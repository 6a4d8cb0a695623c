/* stats.h - options.stats: what the runtime itself took, in a few lines.
   Memory beside the chunk records, events, and bytes written.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STATS_H
#define HP_STATS_H

#include "chunk/window_totals.h"
#include "dump/dump_write.h"

/* Prints them, of a dump that was WRITTEN. */
void hp_stats_print(const struct hp_dump_totals *totals,
                    const struct hp_dump_written *written);

#endif
