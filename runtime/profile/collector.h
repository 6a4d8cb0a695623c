/* collector.h - puts the events of all threads in order of time, and passes
   them on to the aggregates and to the chunk log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COLLECTOR_H
#define HP_COLLECTOR_H

#include "chunk/window_totals.h"
#include "heap/bare.h"
#include "thread/event.h"

/* Makes room in the calling thread's rings. */
void hp_collector_empty(struct hp_events *mine);

/* Takes every event there is.  Only while no other thread is in the allocator,
   or where one is that will not come out again. */
void hp_collect_all(void);

/* These three are called with the collector's lock held.  drain() takes the
   events that are settled, or ALL as hp_collect_all() does; totals() fills in
   what the events taken so far say; events() is their number. */
void hp_collector_drain(bool all);
void hp_collector_totals(struct hp_dump_totals *totals);
uint64_t hp_collector_events(void);

/* Begins a window; WANTED: its profile will be written.  False: no memory. */
bool hp_collector_start(bool wanted);

void hp_collector_lock(void);
void hp_collector_unlock(void);

/* Takes what is settled, and says what there was by then: the most bytes live
   at once, and chunks begun.  From any thread, the runtime's own too. */
void hp_collect_counts(uint64_t *peak_bytes, uint64_t *allocations);

/* The live CHUNK, or where it is not NULL the one of BARE, is one of point TO from
   its beginning on: in its record and in what was counted, so that no dump finds
   it in one only. */
void hp_collector_move(struct hp_chunk *chunk, struct hp_bare *bare,
                       uint32_t to);

#endif
