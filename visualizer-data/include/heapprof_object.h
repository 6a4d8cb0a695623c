/* heapprof_object.h - allocation objects: chunks of one size, with one caller of the allocation and one of the free.
   Which of them are made and freed far too often; docs/metrics.md has the definitions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_OBJECT_H
#define HEAPPROF_OBJECT_H

#include "heapprof.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hp_made_object {
  uint64_t size;     /* bytes requested */
  bool sizes_vary;   /* of further sizes than those told apart; size is 0 */
  bool reallocated;  /* ended by realloc, some at least */
  bool callers_vary; /* the freeing caller is that of some of its chunks */
  const struct hp_frame *allocated_by, *freed_by; /* NULL: not known */
  /* Call stacks, leaf first, of the part with the most chunks. */
  const struct hp_frame *const *allocated, *const *freed;
  size_t allocated_count, freed_count;
  uint64_t frequency;      /* ended chunks */
  double mean_lifetime_ns; /* at least a tick of the clock */
  double ratio;            /* frequency per ms of mean lifetime */
  const uint64_t *points;  /* ids of its points, ascending */
  size_t point_count;
  int cluster;    /* of hp_objects_judge: from 0; -1: none */
  bool excessive; /* the same */
};

typedef struct hp_objects hp_objects;

/* The objects of POINTS, which are no groups, most frequent first.  BY_STACK:
   the whole stacks tell them apart instead of the callers. */
hp_status hp_objects_make(hp_objects **out,
                          const struct hp_point *const *points, size_t count,
                          bool by_stack, struct hp_error *error);
void hp_objects_free(hp_objects *objects); /* NULL is allowed */

size_t hp_object_count(const hp_objects *objects);
const struct hp_made_object *hp_object_at(const hp_objects *objects, size_t i);
/* Ended chunks of the points that are in no object: nobody noted where they
   were freed. */
uint64_t hp_objects_unknown(const hp_objects *objects);

enum hp_excess { HP_EXCESS_IQR, HP_EXCESS_CLUSTERS };
enum hp_verdict_of_excess {
  HP_VERDICT_UNDETERMINED,
  HP_VERDICT_NOT_FOUND,
  HP_VERDICT_FOUND
};
#define HP_EXCESS_MU 3.0 /* unless others are asked for */
#define HP_EXCESS_K 3u
struct hp_excess_rules {
  enum hp_excess method;
  double mu;              /* of HP_EXCESS_IQR */
  unsigned k;             /* clusters, of HP_EXCESS_CLUSTERS */
  uint64_t min_frequency; /* rarer objects take no part */
};
struct hp_excess_verdict {
  enum hp_verdict_of_excess verdict;
  uint64_t objects, members; /* that took part; that are excessive */
  double q1, q3, bound;      /* of HP_EXCESS_IQR: of the ratios */
  unsigned clusters;         /* of HP_EXCESS_CLUSTERS */
  int cluster;               /* the excessive one; -1: none */
};
/* Sets cluster and excessive of each object. */
hp_status hp_objects_judge(hp_objects *objects,
                           const struct hp_excess_rules *rules,
                           struct hp_excess_verdict *verdict,
                           struct hp_error *error);
/* "found", "not found", "undetermined" */
const char *hp_verdict_of_excess_name(enum hp_verdict_of_excess verdict);

#ifdef __cplusplus
}
#endif
#endif
