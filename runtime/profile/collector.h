/* collector.h - puts the events of all threads in order of time, and passes
   them on to the aggregates and to the chunk log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COLLECTOR_H
#define HP_COLLECTOR_H

#include "dump/dump.h"
#include "heap/chunk.h"
#include "thread/event.h"

/* Takes every event there is.  Only while no other thread is in the allocator,
   or where one is that will not come out again. */
void hp_collect_all(void);

/* Fills in what follows from the events taken so far. */
void hp_collector_totals(struct hp_dump_totals *totals);

/* Takes every event, as above, and writes the dump; TOTALS says how it ended;
   NULL: no dump is left.  There are no events from then on. */
void hp_collector_finish(struct hp_dump_totals *totals);

/* The same for a dump of its own, after which the window goes on; what it says
   is taken down, and then written, when threads may allocate again.  WAITS: the
   caller waits for the disk rather than lose chunks of the log.  False: it was
   not written, and why was said. */
void hp_collector_take(struct hp_dump_totals *totals, bool waits);
bool hp_collector_write(void);

/* Asks for a checkpoint if one is due, by any thread; writes it, and what is
   ready of the log, by who has the writer's lock. */
void hp_collector_look(void);
void hp_collector_checkpoint(void);
void hp_collector_write_log(void);

/* Takes what is settled, and says what there was by then: the most bytes live
   at once, and chunks begun.  From any thread, the runtime's own too. */
void hp_collect_counts(uint64_t *peak_bytes, uint64_t *allocations);

/* The live CHUNK is one of point TO from its beginning on: in its record and in
   what was counted, so that no dump finds it in one only. */
void hp_collector_move(struct hp_chunk *chunk, uint32_t to);

/* Begins a window; WANTED: its profile will be written.  False: no memory. */
bool hp_collector_start(bool wanted);
/* Events that were not taken are forgotten: in a forked child. */
void hp_collector_forget(struct hp_events *events);
void hp_collector_lock(void); /* around fork */
void hp_collector_unlock(void);

#endif
