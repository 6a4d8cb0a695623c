/* query.h - the parts of a query: filter, grouping key, order.
   Each is parsed once and then asked per point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_QUERY_H
#define HP_QUERY_H

#include "base/store.h"
#include "heapprof.h"

/* A parsed filter; {0} lets every point pass. */
struct hp_filter {
  struct hp_filter_term *terms;
  size_t count;
};

hp_status hp_filter_parse(struct hp_filter *filter, const char *text,
                          struct hp_store *store, struct hp_error *error);
bool hp_filter_passes(const struct hp_filter *filter,
                      const struct hp_point *point);

/* What a point is grouped by; the names of hp_query.by. */
enum hp_grouping {
  HP_BY_POINT,
  HP_BY_SITE,
  HP_BY_FUNCTION,
  HP_BY_FILE,
  HP_BY_MODULE,
  HP_BY_TYPE
};
hp_status hp_grouping_parse(const char *by, enum hp_grouping *grouping,
                            struct hp_error *error);

/* The key of POINT's group, never NULL but without memory. */
char *hp_grouping_key(enum hp_grouping grouping, const struct hp_point *point,
                      struct hp_store *store);

/* Sorts POINTS by KEY (hp_query.sort). */
hp_status hp_sort_points(const struct hp_point **points, size_t count,
                         const char *key, bool reverse, struct hp_error *error);

#endif
