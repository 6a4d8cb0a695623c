/* contents_measure.h - what is told of the bytes that chunks hold: sums by point,
   no byte of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_CONTENTS_MEASURE_H
#define HEAPPROF_CONTENTS_MEASURE_H

#include <stdint.h>

/* In the order of the field "contents": X(name).  Bytes are of whole chunks, as
   requested, but for zero and sparse_zero.  A content is the bytes between the
   first and the last accessed one, where they lie, and the chunk's size. */
#define HP_CONTENTS_SUMS(X)                                                    \
  X(chunks) /* that were looked at; of these: */                               \
  X(bytes)                                                                     \
  X(chosen_chunks) /* at random, so that they stand for others, too */         \
  X(chosen_bytes)                                                              \
  X(parts_chunks)   /* so large that parts of them were looked at */           \
  X(zero)           /* bytes of 0 that have memory and were accessed */        \
  X(uniform_chunks) /* all accessed bytes are one and the same */              \
  X(uniform_bytes)                                                             \
  X(sparse_chunks) /* HP_IS_SPARSE_CONTENT */                                  \
  X(sparse_bytes)                                                              \
  X(sparse_zero)          /* bytes of 0 of those */                            \
  X(chosen_sparse_chunks) /* the same three of those chosen at random */       \
  X(chosen_sparse_bytes)                                                       \
  X(chosen_sparse_zero)                                                        \
  X(different)       /* contents; of these: */                                 \
  X(different_bytes) /* one chunk of each */                                   \
  X(single)          /* of one chunk only */                                   \
  X(single_bytes)                                                              \
  X(chosen_single) /* of these, of one that was chosen at random */            \
  X(chosen_single_bytes)                                                       \
  X(unkept) /* single ones that were compared with none */

struct hp_contents_sum {
#define HP_CONTENTS_MEMBER(name) uint64_t name;
  HP_CONTENTS_SUMS(HP_CONTENTS_MEMBER)
#undef HP_CONTENTS_MEMBER
};
#define HP_CONTENTS_SUM_COUNT 21u
_Static_assert(sizeof(struct hp_contents_sum) ==
                   HP_CONTENTS_SUM_COUNT * sizeof(uint64_t),
               "as many numbers");

/* Three quarters of the chunk's bytes are zero. */
#define HP_IS_SPARSE_CONTENT(zero, size) ((zero) >= (size) - (size) / 4)

/* Which bits of the first words of a point's chunks are set in any of them. */
#define HP_CONTENT_WORDS 64u
struct hp_content_bits {
  uint64_t chunks; /* whose accessed bytes are all there */
  uint64_t words[HP_CONTENT_WORDS];
};

/* Of a chunk with more accessed bytes only so many are looked at, in parts. */
#define HP_CONTENTS_WHOLE ((uint64_t)64 << 10)

#endif
