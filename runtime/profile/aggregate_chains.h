/* aggregate_chains.h - what a point's record on disk says of growth.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_CHAINS_H
#define HP_AGGREGATE_CHAINS_H

#include "encode/encode.h"
#include "profile/aggregate_record.h"

/* Appends to LIST what SUMS say. */
static inline void put_chains(struct hp_bytes *list,
                              const struct growth *sums) {
  for (unsigned kind = 0; kind < HP_CHAIN_COUNT; kind++) {
    const struct hp_growth_sum *s = &sums->kinds[kind];
    const uint64_t numbers[] = {kind,     s->chains, s->chunks,
                                s->bytes, s->copied, s->length,
                                s->first, s->last,   s->longest_copied};
    for (size_t i = 0; s->chunks && i < sizeof numbers / sizeof numbers[0]; i++)
      hp_put_varint(list, numbers[i]);
  }
}

#endif
