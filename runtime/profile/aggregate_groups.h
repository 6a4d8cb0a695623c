/* aggregate_groups.h - the lifetime groups of a point: chunks that begin soon after
   each other (aggregate.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_GROUPS_H
#define HP_AGGREGATE_GROUPS_H

#include "profile/aggregate_state.h"

#define HP_GROUPS_BUDGET ((size_t)16 << 20) /* bytes, of all points' parts */

/* Of those in parts, the last one that begins up to T0, or the first. */
struct group *hp_aggregate_older_group(const struct record *r, uint64_t t0);

/* All but the tail. */
void hp_aggregate_give_groups(struct record *r);

/* The chunk that began at T0 does not join the tail. */
void hp_aggregate_begin_group(struct record *r, uint64_t t0, uint32_t weight);

/* The group that covers T0, or the one next to it. */
HP_INLINE struct group *group_of(struct record *r, uint64_t t0) {
  return HP_LIKELY(t0 >= r->tail.first || !r->groups)
             ? &r->tail
             : hp_aggregate_older_group(r, t0);
}

/* The tail of a record without chunks is all zero: what begins at 0 joins it, and
   nothing else does. */
HP_INLINE void join_group(struct record *r, uint64_t t0, uint32_t weight) {
  struct group *tail = &r->tail;
  const uint64_t gap = t0 - tail->last;
  if (HP_LIKELY(t0 >= tail->last) &&
      HP_LIKELY(gap <= t0 / 1000 || gap <= r->tau)) {
    tail->last = t0;
    tail->chunks_lives += weight;
  } else {
    hp_aggregate_begin_group(r, t0, weight);
  }
}

#endif
