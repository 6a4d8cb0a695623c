/* resident_series.h - how much of the process was resident over time: in intervals
   of the timeline's lengths, of which neighbours merge as time goes on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_RESIDENT_SERIES_H
#define HP_RESIDENT_SERIES_H

#include "heapprof_format.h"
#include "system/platform.h"

#define HP_TIMELINE_SHIFT 10u /* 2^10 ticks: the shortest interval */

/* Least and most bytes that were seen in an interval; most 0: nobody looked. */
struct hp_resident_bytes {
  uint64_t least, most;
};

/* Apart from the timeline, which events advance that are known only later. */
struct hp_resident_series {
  uint32_t doubled; /* interval i is as hp_timeline's with this */
  uint32_t last;
  struct hp_resident_bytes intervals[HP_TIMELINE_MAX];
};

/* SERIES as such: its owner looks after it. */
void hp_resident_series_add(struct hp_resident_series *series, uint64_t time,
                            uint64_t bytes);
void hp_resident_series_double(struct hp_resident_series *series);

/* The process's own.  At TIME, ticks of the window, so much was resident.  From
   any thread; waits for nobody: what cannot be noted at once is left out. */
void hp_resident_note(uint64_t time, uint64_t bytes);

/* Is the caller's until it is closed; NULL: it cannot be had. */
struct hp_resident_series *hp_resident_open_series(void);
void hp_resident_close_series(void);

/* Ticks of an interval, as they are now. */
uint64_t hp_resident_series_step(void);

void hp_resident_series_start(void); /* a window begins */

#endif
