/* heapprof_initialised.h - what of a point's chunks was initialised and not accessed
   later.  docs/metrics.md, "Initialised only", defines each.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_INITIALISED_H
#define HEAPPROF_INITIALISED_H

#include <stdint.h>

struct hp_frame;

/* Of chunks that were looked at from their first access on, a sample. */
struct hp_initialised {
  uint64_t chunks; /* to their end, or live; 0: nothing is known */
  uint64_t lost;   /* others, let go before */
  uint64_t filled; /* of chunks: some of it was written later */
  uint64_t bytes;  /* of chunks, requested */
  uint64_t only;   /* of bytes: initialised, and not accessed later */
  const struct hp_frame *reader; /* took them down, which does not count; NULL:
                                    nobody, or not known */
};

/* Its columns: X(column, member). */
#define HP_INITIALISED_COLUMNS(X)                                              \
  X(initialised_chunks, chunks)                                                \
  X(initialised_lost, lost)                                                    \
  X(initialised_filled, filled)                                                \
  X(initialised_bytes, bytes)                                                  \
  X(initialised_only_bytes, only)

#endif
