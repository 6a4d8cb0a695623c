/* window.h - the window that is profiled: when it begins, what of it is written
   while it goes on, and its end.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WINDOW_H
#define HP_WINDOW_H

#include "system/platform.h"

struct hp_dump_totals;

/* Begins a window; WANTED: its profile will be written.  False: no memory. */
bool hp_window_start(bool wanted);

/* 1 for the first window, 2 for the next, ... */
uint32_t hp_window_number(void);

/* Whether a chunk began or ended in it, or something was mapped.  Only while no other
   thread is in the allocator. */
bool hp_window_has_events(void);

/* Takes every event and writes the dump; TOTALS says how it ended; NULL: no
   dump is left.  There are no events from then on.  Only while no other thread
   is in the allocator, or where one is that will not come out again. */
void hp_window_finish(struct hp_dump_totals *totals);

/* Begins the dump if there is none yet; where it is no longer depends on the root
   directory then. */
void hp_window_begin_dump(void);

/* A dump after which the window goes on, in two steps: hp_window_take() takes down
   what it says, while no other thread is in the allocator; hp_window_write()
   writes that, when threads may allocate again.  WAITS: the caller waits for the
   disk rather than lose chunks of the log.  False: it was not written, and why
   was said. */
void hp_window_take(struct hp_dump_totals *totals, bool waits);
bool hp_window_write(void);

/* Asks for a checkpoint if one is due, by any thread; writes it, and what is
   ready of the log, by who has the writer's lock. */
void hp_window_look(void);
void hp_window_checkpoint(void);
void hp_window_write_log(void);

/* By the ticker: the same, and asks for a look at where the process's memory is
   when that has grown; does that, by who has the writer's lock. */
void hp_window_look_around(void);
void hp_window_look_at_memory(void);

#endif
