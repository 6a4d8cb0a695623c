/* profile_inside.h - inside of hp_profile: dumps, rules, points and tallies.
   Data only: open.c fills it, answers.c and the wings behind ask it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROFILE_INSIDE_H
#define HP_PROFILE_INSIDE_H

#include <sys/types.h>

#include "heapprof_members.h"
#include "heapprof_set.h"
#include "measure/summary.h"
#include "measure/tally.h"
#include "read/raw_dump.h"
#include "resolve/symbolize.h"

struct hp_profile_process {
  struct hp_process view;
  const struct hp_dump *dump;
  const struct hp_dump_process *of; /* in DUMP */
  struct hp_rules rules;
  size_t first_point, point_count; /* in hp_profile.points; of a merged dump
                                      the first has all */
  bool left_out;
};

/* A directory, by whatever path it was reached. */
struct hp_profile_place {
  dev_t device;
  ino_t number;
};

struct hp_profile_point {
  struct hp_point view;
  struct hp_tally *tally;
  const struct hp_profile_process *process; /* of a merged dump the first */
  const struct hp_chunks *chunks;           /* those that were logged */
  const struct hp_summary *summary; /* of the aggregates; NULL: by the log */
  struct hp_freed *freed;           /* view.freed */
  const struct hp_dump_point *raw;  /* in the dump */
  struct hp_members members;
  bool is_logged;     /* all of its chunks were */
  bool is_thinned;    /* its numbers are from a part of them */
  bool lived_at_fork; /* of a merged dump: in a process that forked then */
  bool is_left_out; /* of the set that is asked of; the rest stays as it was */
  size_t handed_to; /* number of the frame without hooks that called for the
                       chunks; 0: there is none */
};

/* When most of all processes together was live, in ticks of the only one or by
   the wall clock; what was live then is held to MOST of SUM. */
struct hp_profile_peak_time {
  uint64_t time, most, sum;
  bool wall;
};

/* The set that is asked of. */
struct hp_profile_set {
  struct hp_chunk_set view;
  struct hp_chunks *chunks;       /* of each point, where it is a part */
  struct hp_interval **intervals; /* of each process; NULL: not known */
};

/* Where hp_point_chunks was last: chunks are read in order, mostly. */
struct hp_profile_reading {
  const struct hp_profile_point *point;
  size_t next; /* number of the chunk that comes next */
  struct hp_chunk_reader reader;
};

struct hp_profile {
  struct hp_store store, scratch; /* scratch: of the point being measured */
  struct hp_store tallies;        /* of the points */
  struct hp_spill spill; /* of tallies and of what dumps and sets hold */
  struct hp_dump **dumps;
  struct hp_profile_place *places; /* of the dumps */
  size_t dump_count;
  struct hp_profile_process *processes; /* those of a dump side by side */
  struct hp_profile_point *points;
  struct hp_point **views; /* &points[i].view, for score.h */
  size_t process_count, point_count;
  struct hp_global global;
  struct hp_profile_peak_time peak_time;
  struct hp_profile_set *set; /* NULL: all chunks */
  bool weight_by_bytes;
  hp_symbolizer *symbolizer; /* owns the texts of frames; NULL if none */
  const char **notes;
  size_t note_count;
  struct hp_unseen_module *unseen; /* unseen_modules.h; most points first */
  size_t unseen_count;
  const char **reached; /* escape.h */
  size_t reached_count;
  const char **mixed; /* escape.h */
  size_t mixed_count;
  const char **unread; /* escape.h */
  size_t unread_count;
  const char **uncounted; /* escape.h */
  size_t uncounted_count;

  struct hp_profile_reading *reading;
  struct hp_store answer_store; /* the last query's groups */
  const struct hp_point **answer;
};

/* Whether addresses of code in records of its dump are told. */
static inline bool hp_knows_code(const struct hp_profile_process *process) {
  const struct hp_dump_header *header = &process->dump->header;
  return !header->processes || header->own_code;
}

/* Of a dump that heapprof-merge wrote. */
static inline bool hp_is_merged(const struct hp_profile_process *process) {
  return process->dump->header.processes != 0;
}

#endif
