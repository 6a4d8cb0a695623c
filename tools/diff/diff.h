/* diff.h - two runs side by side: totals and rows, noise apart.
   A row is noise if its change is a small share of the whole.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_DIFF_H
#define HP_DIFF_H

#include "pairing.h"
#include "unnamed.h"

#include <stdio.h>

/* X(name, member of hp_point): what rows can be compared and sorted by. */
#define HP_DIFF_METRICS(X)                                                     \
  X(bytes, bytes)                                                              \
  X(chunks, chunks)                                                            \
  X(peak, peak_bytes)                                                          \
  X(live, live_bytes)
enum hp_diff_metric {
#define X(name, member) HP_DIFF_##name,
  HP_DIFF_METRICS(X)
#undef X
      HP_DIFF_METRIC_COUNT
};
const char *hp_diff_metric_name(enum hp_diff_metric metric);

/* 0 if POINT is NULL. */
uint64_t hp_diff_value(enum hp_diff_metric metric,
                       const struct hp_point *point);

struct hp_diff_row {
  struct hp_pair pair;
  bool noise;
};

struct hp_diff {
  const hp_profile *old_profile, *new_profile;
  const char *by; /* as hp_query.by; NULL = point */
  enum hp_diff_metric metric;
  double threshold;         /* share of the whole, in percent */
  struct hp_diff_row *rows; /* greatest change first */
  size_t count;
  uint64_t totals[2][HP_DIFF_METRIC_COUNT]; /* old, new */
  bool has[2][HP_LINES +
              1]; /* old, new: points of whose program so much is known */
};

/* Pairs and sorts; profiles, by, metric and threshold are given.  False without
   memory. */
bool hp_diff_make(struct hp_diff *diff, struct hp_points old_points,
                  struct hp_points new_points);
void hp_diff_free(struct hp_diff *diff);

/* "added", "removed", "changed" or "same": whether any metric differs. */
const char *hp_diff_status(const struct hp_pair *pair);

/* ALL: with noise, in grey.  LIMIT rows at most.  STACKS: under each row the
   numbers of its points, and the call stack. */
struct hp_diff_look {
  bool all, stacks, color;
  size_t limit, width;
};
void hp_diff_table(FILE *out, const struct hp_diff *diff,
                   const struct hp_diff_look *look);
void hp_diff_json(FILE *out, const struct hp_diff *diff);

#endif
