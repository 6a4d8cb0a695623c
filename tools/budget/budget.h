/* budget.h - what a run may use: limits read from a JSON file.
   docs/heapprof-check.md has the form; what is not understood is refused.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_BUDGET_H
#define HP_BUDGET_H

#include "heapprof.h"

#include <stdio.h>

/* What is limited: the whole, or a group of that name. */
enum hp_scope {
  HP_SCOPE_WHOLE,
  HP_SCOPE_FUNCTION,
  HP_SCOPE_TYPE,
  HP_SCOPE_FILE,
  HP_SCOPE_MODULE,
  HP_SCOPE_PLACE, /* the function of it: lines move with each change */
  HP_SCOPE_COUNT
};
const char *hp_scope_name(enum hp_scope scope);
const char *hp_scope_grouping(enum hp_scope scope); /* hp_query.by */
bool hp_scope_parse(const char *name, enum hp_scope *scope);

/* Named like the members of heapprof-score --json; the first are integers. */
enum hp_budget_metric {
  HP_BUDGET_CHUNKS,
  HP_BUDGET_BYTES,
  HP_BUDGET_PEAK_BYTES,
  HP_BUDGET_LIVE_CHUNKS,
  HP_BUDGET_LIVE_BYTES,
  HP_BUDGET_READS,
  HP_BUDGET_WRITES,
  HP_BUDGET_LOST_CHUNKS, /* with what hangs from them */
  HP_BUDGET_LOST_BYTES,
  HP_BUDGET_LIFETIME,
  HP_BUDGET_USAGE,
  HP_BUDGET_USEFUL_LIFETIME,
  HP_BUDGET_METRIC_COUNT
};
const char *hp_budget_metric_name(enum hp_budget_metric metric);
static inline bool hp_is_leak(enum hp_budget_metric metric) {
  return metric == HP_BUDGET_LOST_CHUNKS || metric == HP_BUDGET_LOST_BYTES;
}
static inline bool hp_is_score(enum hp_budget_metric metric) {
  return metric >= HP_BUDGET_LIFETIME;
}

/* A count, or a score in [0, 1]; undefined only when measured. */
struct hp_amount {
  bool defined;
  uint64_t count;
  double score;
};

struct hp_limit {
  enum hp_scope scope;
  const char *name; /* NULL of the whole */
  enum hp_budget_metric metric;
  bool is_min; /* else the bound is a maximum */
  struct hp_amount bound;
};

struct hp_budget {
  struct hp_limit *limits; /* in the order of the file */
  size_t count;
  void *document; /* owns the names */
};

/* False: ERROR is one line with the file and the place in it. */
bool hp_budget_read(struct hp_budget *budget, const char *path,
                    struct hp_error *error);
void hp_budget_free(struct hp_budget *budget);

/* Writes a budget that PROFILE just keeps with SLACK percent to spare: of the
   whole, and of the LIMIT groups by SCOPE with the highest peaks. */
hp_status hp_budget_write(FILE *out, hp_profile *profile, enum hp_scope scope,
                          size_t limit, double slack, struct hp_error *error);

#endif
