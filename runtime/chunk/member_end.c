/* member_end.c - see member_end.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/member_end.h"

#include "chunk/describe.h"
#include "chunk/member_table.h"
#include "chunk/members.h"
#include "system/clock.h"
#include "thread/event.h"

void hp_member_end(const struct hp_chunk *chunk, const struct hp_cold *cold) {
  if (!hp_events_wanted || !(cold->word & hp_members_of) ||
      cold->t0 < hp_clock_window_start)
    return;
  struct hp_member_point *of = hp_member_point(cold->point, true);
  struct hp_chunk_log entry;
  if (!of)
    return;
  hp_describe(&entry, chunk, cold);
  __atomic_fetch_add(&of->accesses, entry.reads + entry.writes,
                     __ATOMIC_RELAXED);
  __atomic_fetch_add(&of->chunks, 1, __ATOMIC_RELAXED);
}
