/* inference.h - what the chunks of a point say about it, without a score.
   Called by metric.c only, which owns the tally.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_INFERENCE_H
#define HP_INFERENCE_H

#include "metric.h"

/* Bytes of [lo, hi) inside the requested size. */
static inline uint64_t hp_chunk_span(const struct hp_chunk_log *chunk) {
  uint64_t lo = chunk->lo < chunk->size ? chunk->lo : chunk->size;
  uint64_t hi = chunk->hi < chunk->size ? chunk->hi : chunk->size;
  return hi > lo ? hi - lo : 0;
}

/* The coarse clock is good enough for this chunk's last access. */
bool hp_last_is_known(const struct hp_chunk_log *chunk,
                      const struct hp_rules *rules);

void hp_infer_chunks(struct hp_tally *tally, const struct hp_chunk_log *chunks,
                     size_t count, const struct hp_rules *rules);
void hp_infer_add(struct hp_tally *sum, const struct hp_tally *tally);
void hp_infer_finish(const struct hp_tally *tally, struct hp_point *point);

#endif
