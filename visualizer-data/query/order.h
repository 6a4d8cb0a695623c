/* order.h - the order in which points are shown.
   The same on every run.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ORDER_H
#define HP_ORDER_H

#include "heapprof.h"

/* Sorts POINTS by KEY (hp_query.sort). */
hp_status hp_sort_points(const struct hp_point **points, size_t count,
                         const char *key, bool reverse, struct hp_error *error);

#endif
