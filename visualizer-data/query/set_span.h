/* set_span.h - when a process was near its peak: spans of time for peak(p%).
   From all its logged chunks, whatever points a set is of.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_SPAN_H
#define HP_SET_SPAN_H

#include "profile/profile_inside.h"
#include "query/set.h"

/* Ticks [begin, end). */
struct hp_time_span {
  uint64_t begin, end;
};

/* Sets the spans of TERM, which are STORE's. */
hp_status hp_set_find_spans(const hp_profile *profile,
                            const struct hp_profile_process *process,
                            struct hp_set_node *term, struct hp_store *store,
                            struct hp_error *error);

#endif
