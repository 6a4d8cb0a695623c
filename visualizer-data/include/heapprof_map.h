/* heapprof_map.h - address maps: where the chunks of a process lay at moments, in cells of so many bytes.
   From dumps of runs with the option addresses=1; docs/metrics.md defines the figures.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_MAP_H
#define HEAPPROF_MAP_H

#include "heapprof.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HP_MAP_CELLS_MAX ((size_t)1 << 20)
#define HP_MAP_MOMENTS_MAX 64u

/* A part of the heap: slots of one size side by side. */
struct hp_map_region {
  uint64_t begin; /* address */
  uint64_t
      slot_bytes; /* a chunk and what the allocator keeps of it are in one */
  bool apart;     /* a slot has memory only while a chunk is in it */
};

/* What a region, or all, held at a moment. */
struct hp_map_use {
  uint64_t chunks, live_bytes; /* requested */
  uint64_t taken_bytes;        /* slots of these chunks; apart: whole pages */
  uint64_t
      span_bytes; /* from the region's begin to the last chunk's end; apart:
                            of each chunk, sum */
  uint64_t mapped_bytes; /* all slots ever used by then; apart: as taken */
};

/* In [0, 1], or HP_NULL_SCORE where the divisor is 0. */
double hp_map_fragmentation(const struct hp_map_use *use); /* of the span */
double hp_map_internal(const struct hp_map_use *use);
double hp_map_external(const struct hp_map_use *use);
double hp_map_utilisation(const struct hp_map_use *use);

struct hp_map_cell {
  uint64_t live_bytes, taken_bytes; /* in this cell */
  uint64_t chunks;                  /* that have some of it */
  const struct hp_point *point; /* that has most bytes of it; NULL: no chunk */
  double begun_ns; /* when its live bytes began, on average, since the window's
                      start */
};

/* Addresses without a large gap; from BEGIN on a cell after the other. */
struct hp_map_stretch {
  uint64_t begin;
  size_t region, first_cell, cell_count;
};

struct hp_map_moment {
  uint64_t at_ns;                /* since the window's start */
  const char *name;              /* "end", "peak", a mark's; NULL */
  const struct hp_map_use *uses; /* of each region */
  struct hp_map_use all;
  double mean_fragmentation; /* of the regions that hold chunks */
  const struct hp_map_cell *cells;
};

/* All moments have the same regions, stretches and cells. */
struct hp_map {
  const struct hp_process *process;
  uint64_t cell_bytes;                 /* a power of two */
  const struct hp_map_region *regions; /* ascending, as are stretches */
  const struct hp_map_stretch *stretches;
  const struct hp_map_moment *moments; /* ascending by time */
  size_t region_count, stretch_count, cell_count, moment_count;
  const struct hp_point *const *points; /* that cells name, ascending by id */
  size_t point_count;
  const char *const *notes; /* what to know of it, a line each */
  size_t note_count;
};

/* Moments to be shown.  Those with a NAME are looked up: "end", "peak" or a mark;
   the others are at AT_NS. */
struct hp_map_when {
  const char *name;
  uint64_t at_ns;
};

struct hp_map_options {
  size_t sz;
  uint64_t cell_bytes; /* a power of two from 16 on; 0: as most_cells allow */
  size_t most_cells;   /* without cell_bytes; 0: 2048 */
};

/* Whether there can be a map of process number PROCESS; if not, *ERROR says why.
   *ANY: at any moment, else at the end only. */
hp_status hp_map_check(const hp_profile *profile, size_t process, bool *any,
                       struct hp_error *error);

/* The map of that process at COUNT moments, 1 to HP_MAP_MOMENTS_MAX; O may be
   NULL.  *OUT is the caller's, until the profile is closed. */
hp_status hp_map_make(struct hp_map **out, const hp_profile *profile,
                      size_t process, const struct hp_map_when *when,
                      size_t count, const struct hp_map_options *o,
                      struct hp_error *error);
void hp_map_free(struct hp_map *map); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
