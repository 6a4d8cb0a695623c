/* point_sums.h - all that the metrics take from the chunks of one point.
   Whole numbers: from the runtime's aggregates, or the same from the log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_POINT_SUMS_H
#define HP_POINT_SUMS_H

#include "chunk_measure.h"
#include "contents_measure.h"
#include "growth_measure.h"
#include "heapprof_members.h"
#include "initialised_measure.h"
#include "page_measure.h"
#include "pool_measure.h"
#include "resize_measure.h"
#include "stale_measure.h"
#include "teardown_measure.h"

struct hp_sample {
  uint64_t count;
  hp_wide active, square, error; /* sums of a, a*a, e: 2^-32, 2^-64, 2^-32 */
};

/* Chunks of the same enum hp_class bits. */
struct hp_class_sum {
  uint32_t classes;
  uint64_t chunks, bytes, span;
};

struct hp_group_sum {
  uint64_t first, last, end; /* ticks: first and last t0, greatest t1 */
  uint64_t chunks;
  hp_wide lives; /* ticks */
};

/* counts[i] is of values with lowest + i binary digits. */
struct hp_digit_counts {
  unsigned lowest, count;
  const uint64_t *counts;
};

/* {0}: no chunk.  What a field means is in heapprof_format.def. */
struct hp_summary {
  uint64_t chunks, bytes, size_min, size_max;
  uint64_t life_min, life_max; /* ticks; 0 if none ended */
  hp_wide life_sum;
  uint64_t reads, writes, elements;
  uint64_t peak_bytes, at_peak_bytes, at_peak_chunks; /* of aggregates only */
  uint64_t tau; /* ticks; that the groups are made by */
  hp_wide active, active_error;
  struct hp_sample first, later;
  struct hp_class_sum *classes;
  struct hp_group_sum *groups;
  size_t class_count, group_count;
  struct hp_digit_counts sizes, lives;
  struct hp_growth_sum growth[HP_CHAIN_COUNT];
  uint64_t process;        /* number of its process in the dump, from 0 */
  struct hp_summary *next; /* of the same point, of another process */
  uint64_t samples;        /* chunks that were profiled; 0: all */
  struct hp_sampling sampling;
  uint64_t held_chunks, held_bytes; /* of aggregates only, as are */
  uint64_t temporary;               /* chunks; if it is known */
  bool knows_temporary;
  uint64_t generations; /* 0: not known */
  struct hp_overrun_sum {
    uint64_t beyond, read_pc, write_pc, flags; /* HP_OVERRUN_* */
  } overrun;
  struct hp_page_sum pages, sampled_pages;
  struct hp_stale_sum stale;
  struct hp_resize_sum resizes;
  struct hp_teardown_sum teardown;
  struct hp_initialised_sum initialised;
  struct hp_contents_sum contents;
  const uint64_t *content_bits; /* HP_CONTENT_WORDS; NULL: not known */
  struct hp_block_sum blocks;
  struct hp_member_sum {
    uint64_t chunks, lost; /* counted ones; accesses in no row */
    struct hp_member_access *rows;
    size_t count;
    struct hp_shared_line *lines; /* that several threads write */
    size_t line_count;
    struct hp_member_use {
      uint64_t first, last; /* ticks */
    } *uses;                /* of each row; or none */
    size_t use_count;
  } members;
};

#endif
