/* filter.h - which points a query is of.
   Parsed once and then asked per point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FILTER_H
#define HP_FILTER_H

#include "base/store.h"
#include "heapprof.h"

/* A parsed filter; {0} lets every point pass. */
struct hp_filter {
  struct hp_filter_term *terms;
  size_t count;
};

hp_status hp_filter_parse(struct hp_filter *filter, const char *text,
                          struct hp_store *store, struct hp_error *error);
/* Then each point must be of one process. */
bool hp_filter_asks_for_ranks(const struct hp_filter *filter);
bool hp_filter_passes(const struct hp_filter *filter,
                      const struct hp_point *point);

#endif
