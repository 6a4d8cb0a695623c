/* histogram.h - how many values have so many binary digits.
   Room for those digits only that occur, in a block of a pool.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_HISTOGRAM_H
#define HP_HISTOGRAM_H

#include "encode.h"
#include "pool.h"

/* Adds TIMES to the count of VALUE's digits in *HISTOGRAM, a block of POOL, 0
   at first.  False: it needed memory that there was not. */
bool hp_histogram_count(uint32_t *histogram, struct hp_pool *pool,
                        uint64_t value, uint64_t times);

/* Appends the lowest digits that occur, and the counts from there on. */
void hp_histogram_put(uint32_t histogram, const struct hp_pool *pool,
                      struct hp_bytes *to);

#endif
