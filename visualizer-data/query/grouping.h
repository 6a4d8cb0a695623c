/* grouping.h - the key by which points are put together.
   Parsed once and then asked per point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROUPING_H
#define HP_GROUPING_H

#include "base/store.h"
#include "heapprof.h"

/* What a point is grouped by; the names of hp_query.by. */
enum hp_grouping {
  HP_BY_POINT,
  HP_BY_PLACE,
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

#endif
