/* heapprof_contents.h - what chunks of a point hold, in runs with the option contents:
   numbers only.  docs/metrics.md, "Contents", defines each.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_CONTENTS_H
#define HEAPPROF_CONTENTS_H

#include <stdint.h>

/* What the bytes of some chunks say; chunks is 0 if none was looked at.  Bytes are
   of whole chunks, as requested.  Of a group: different contents of its points,
   added up. */
struct hp_contents {
  uint64_t chunks, bytes; /* that were looked at; of these: */
  uint64_t parts_chunks;  /* at parts of them, since they are large */
  uint64_t zero_bytes;    /* bytes of 0 that were accessed and have memory */
  uint64_t uniform_chunks, uniform_bytes; /* all accessed bytes are the same */
  uint64_t sparse_chunks,
      sparse_bytes;         /* three quarters of their bytes are 0 */
  uint64_t different;       /* contents; one chunk has each */
  uint64_t different_bytes; /* of one chunk of each */
  uint64_t unkept;          /* of these, such that were compared with none */
  /* What that makes of all chunks of the point, those not looked at taken to be
     like those that were chosen at random; at most so many are different. */
  uint64_t all_different, all_different_bytes;
  uint64_t all_sparse_chunks, all_sparse_bytes, all_sparse_zero_bytes;
};

/* Its columns: X(column, member). */
#define HP_CONTENTS_COLUMNS(X)                                                 \
  X(content_chunks, chunks)                                                    \
  X(content_bytes, bytes)                                                      \
  X(content_zero_bytes, zero_bytes)                                            \
  X(content_uniform_chunks, uniform_chunks)                                    \
  X(content_sparse_chunks, sparse_chunks)                                      \
  X(content_different, different)                                              \
  X(content_different_bytes, different_bytes)                                  \
  X(content_all_different, all_different)

#endif
