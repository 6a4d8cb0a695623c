/* replay_event.h - what a replay does, one event after the other: the file between heapprof-allocators and the driver.
   Both are of one build; the file has no header and lives as long as the command.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPLAY_EVENT_H
#define HP_REPLAY_EVENT_H

#include <stdint.h>

/* A slot holds one chunk at a time.  Threads are numbered by their first events, from 0 on. */
struct hp_replay_event {
  uint32_t slot;
  uint32_t thread;
  uint32_t is_free;
  uint32_t is_last; /* of its thread */
  uint64_t size;    /* requested; of a free nothing from here on */
  uint64_t lo, hi;  /* the bytes of it whose pages are touched: [lo, hi) */
};

#endif
