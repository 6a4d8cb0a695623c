/* replay_plan.h - the chunks of a run as events in the order of time, each by its thread, to be repeated by the driver.
   Slots are used again, so that there are as many as chunks lived at once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPLAY_PLAN_H
#define HP_REPLAY_PLAN_H

#include "replay_event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hp_replay_life {
  uint64_t begin, end; /* any unit; END counts only if it ENDS */
  uint64_t size, lo, hi;
  uint32_t thread, free_thread; /* any numbers */
  bool ends;
};

struct hp_replay_plan {
  struct hp_replay_event *events;
  size_t count;
  uint32_t slots, threads;
  uint64_t peak_bytes; /* requested, live at once */
};

/* At equal times those that end go before those that begin, but a chunk never ends before it begins.  False: no memory, or
   more chunks than 2^32.  The events are the caller's to free(). */
bool hp_replay_make(struct hp_replay_plan *plan,
                    const struct hp_replay_life *lives, size_t count);

#endif
