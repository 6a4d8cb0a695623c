/* collector_name.h - whether a function collects garbage, by its name.
   What it frees nobody else gives back: it was dropped long before.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_PROFILE_COLLECTOR_NAME_H
#define HEAPPROF_PROFILE_COLLECTOR_NAME_H

#include "heapprof.h"

/* FUNCTION is called as those that collect: js_gc, sweeplist, collect_garbage. */
bool hp_name_collects(const char *function);

/* Who collects most of POINT's chunks, inward of the function of TURN; NULL: nobody. */
const struct hp_frame *hp_collector_of(const struct hp_point *point,
                                       const struct hp_frame *turn);

#endif
