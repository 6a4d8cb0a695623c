/* snapshot.h - all that a dump says of a moment: taken while threads wait,
   and written when they do not.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SNAPSHOT_H
#define HP_SNAPSHOT_H

#include "chunk/window_totals.h"
#include "dump/waiting_records.h"
#include "profile/live_view.h"
#include "profile/log.h"

enum hp_dump_kind {
  HP_DUMP_CHECKPOINT, /* what a kill leaves */
  HP_DUMP_COPY,       /* a dump of its own: that of the window goes on */
  HP_DUMP_LAST        /* the window's whole dump */
};

struct hp_snapshot {
  struct hp_dump_totals totals;
  struct hp_records modules, aggregates, frees, mappings;
  struct hp_bytes timeline;
  uint64_t intervals;   /* of the timeline */
  uint64_t short_ticks; /* of the aggregates */
  struct hp_log_counts log;
  uint64_t log_end; /* what hp_log_write() is given */
  struct hp_log_live live;
  const char *log_failure; /* why not all live chunks were kept; NULL */
  uint32_t marks;
  uint64_t lost_marks;
  uint64_t unsettled; /* chunks */
  /* Live ones of whose accesses nothing is said, for want of memory. */
  uint64_t undescribed;
  bool has_modules, has_aggregates;
  bool is_ahead; /* hp_snapshot_ahead is asked */
  int error;     /* a negative errno; 0: it was taken */
};

/* Belongs to who has the writer's lock. */
extern struct hp_snapshot hp_snapshot;
/* Where blocks of aggregates go ahead of the rest (dump.h); NULL: nowhere. */
extern void (*hp_snapshot_ahead)(struct hp_bytes *blocks);

/* Takes down in memory all that a dump says of this moment: with the
   collector's lock too, and for whole dumps with the load map's. */
void hp_dump_take(enum hp_dump_kind kind, const struct hp_dump_totals *totals,
                  const struct hp_live_chunks *live);
/* Takes down the modules alone, if they were not.  False: they are not there, as
   somebody has their lock. */
bool hp_snapshot_take_modules(void);
void hp_snapshot_free_modules(void);
void hp_snapshot_free(void);

#endif
