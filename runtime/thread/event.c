/* event.c - see event.h: what all rings have in common.
   Nothing empties a ring before the first window.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "thread/event.h"

bool hp_events_wanted;
uint64_t hp_events_due;

static void leave_full(struct hp_events *mine) { (void)mine; }
void (*hp_events_empty)(struct hp_events *mine) = leave_full;

void hp_events_forget(struct hp_events *events) {
  while (events->begins_taken != events->begins_reserved)
    events->begins[events->begins_taken++ % HP_BEGINS].t0 = 0;
  while (events->ends_taken != events->ends_reserved)
    events->ends[events->ends_taken++ % HP_ENDS].t1 = 0;
}
