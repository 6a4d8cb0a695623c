/* tally.h - everything that is known of the chunks of one point, to be added
   up. What metric.c and inference.c both write into.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_TALLY_H
#define HP_TALLY_H

#include "base/saturate.h"
#include "heapprof.h"
#include "read/point_sums.h"

/* Mean and sum of squared distances from it. */
struct hp_spread {
  uint64_t count;
  double mean, squares;
};

struct hp_value_range {
  uint64_t count, min, max; /* min, max: nothing if count = 0 */
  hp_u128 sum;
};

/* Everything that is known of the chunks of one point, in a form that can be
   added up: the tally of a group is the sum of its points' tallies. */
struct hp_tally {
  uint64_t chunks, bytes, live_chunks, live_bytes;
  struct hp_value_range size, lifetime_ns;
  uint64_t reads, writes, bytes_accessed, elements;
  uint64_t touched; /* bytes on touched pages, by the accesses */
  bool counts_saturated;
  uint64_t unknown_points, unknown_chunks; /* accesses are not known */
  bool shared; /* code without hooks may access chunks, too */

  /* scores: over the chunks that take part in them */
  uint64_t scored;             /* chunks */
  uint64_t groups, singletons; /* lifetime score */
  double group_sum;            /* sum of S_g */
  uint64_t used, usable;       /* usage score: numerator, denominator */
  double active_sum;           /* sum of a, estimates of the unknown included */
  double active_error;         /* sum of the chunks' error bounds */
  uint64_t orphans;        /* unknown chunks without a sample of their own */
  struct hp_spread sample; /* E: a of the chosen chunks */

  /* sampling: as struct hp_sampling has it, a in [0, 1] */
  uint64_t samples;
  double v, vss, vsy, vyy, known_v, va, vaa;
  double unseen; /* square of the bytes that no sample may have hit */
  double v_byte; /* no live byte adds more to the variance of their sum */

  /* inferences */
  struct hp_inference_value inferences[HP_INF_COUNT]; /* flagged: not yet */
  struct hp_inference_value zeroed;                   /* and not accessed */
  uint64_t accessed, late_judged, coverage_judged;    /* chunks */
  struct hp_growth_sum growth[HP_CHAIN_COUNT];
  uint64_t held_chunks, held_bytes;
  uint64_t temporary_chunks;
  bool has_unknown_temporary; /* there may be more */
  uint64_t generations;       /* of one summary; 0: not known */
  struct hp_page_sum pages, sampled_pages;
  struct hp_stale_sum stale;
  struct hp_resize_sum resizes;
  struct hp_contents contents;
  struct hp_blocks blocks;
};

/* Live chunks that the dump did not look at: of all others that were accessed
   and live it is JUDGED whether they are freed late. */
static inline bool hp_is_unseen(const struct hp_class_sum *class) {
  const uint32_t live_unknown = HP_CLASS_LIVE | HP_CLASS_UNKNOWN;
  return (class->classes & (live_unknown | HP_CLASS_JUDGED)) == live_unknown;
}

static inline bool hp_is_accessed(const struct hp_class_sum *class) {
  return class->classes & (HP_CLASS_READ | HP_CLASS_WRITTEN);
}

#endif
