/* heapprof_teardown.h - what was done at last to chunks of a point: used, or taken down.
   docs/metrics.md, "Last use without teardown", defines each.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_TEARDOWN_H
#define HEAPPROF_TEARDOWN_H

#include <stdint.h>

struct hp_frame;

/* Of chunks that were watched until they were freed, a sample: "torn" are those
   that functions read at last only to take them down.  Of a point of a process. */
struct hp_teardown {
  uint64_t watched, freed, torn; /* chunks; watched 0: nothing is known */
  uint64_t late, unread; /* torn: freed late; written and not read before */
  double useful_lifetime, settled_lifetime; /* of freed; without teardown */
  const struct hp_frame *reader; /* of those torn; NULL: nobody, or not known */
};

/* Its columns: X(column, TYPE, member). */
#define HP_TEARDOWN_COLUMNS(X)                                                 \
  X(watched_chunks, INTEGER, watched)                                          \
  X(watched_freed, INTEGER, freed)                                             \
  X(torn_chunks, INTEGER, torn)                                                \
  X(torn_late_chunks, INTEGER, late)                                           \
  X(torn_unread_chunks, INTEGER, unread)                                       \
  X(watched_useful_lifetime, SCORE, useful_lifetime)                           \
  X(settled_lifetime, SCORE, settled_lifetime)

#endif
