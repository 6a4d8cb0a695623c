/* peak.c - sweeps begins and ends in order of time.
   The running sum has 128 bits, so that it neither wraps nor saturates.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "peak.h"

#include <stdlib.h>

#include "failure.h"
#include "saturate.h"

struct hp_span hp_chunk_life(const struct hp_chunk_log *chunk,
                             uint64_t window) {
  uint64_t end = chunk->t1 > chunk->t0 ? chunk->t1 : hp_add(chunk->t0, 1);
  if (chunk->flags & HP_CHUNK_LIVE && end <= window)
    end = hp_add(window, 1);
  return (struct hp_span){chunk->t0, end, chunk->size};
}

static int by_begin(const void *a, const void *b) {
  const struct hp_span *x = a, *y = b;
  return (x->begin > y->begin) - (x->begin < y->begin);
}

static int by_end(const void *a, const void *b) {
  const struct hp_span *x = *(const struct hp_span *const *)a;
  const struct hp_span *y = *(const struct hp_span *const *)b;
  return (x->end > y->end) - (x->end < y->end);
}

hp_status hp_peak_of(struct hp_span *spans, size_t count, struct hp_peak *peak,
                     struct hp_error *error) {
  *peak = (struct hp_peak){0};
  if (count == 0)
    return HP_OK;
  for (size_t i = 1; i < count; i++)
    if (spans[i - 1].begin > spans[i].begin) {
      qsort(spans, count, sizeof *spans, by_begin);
      break;
    }
  const struct hp_span **ends = reallocarray(NULL, count, sizeof *ends);
  if (!ends)
    return hp_fail_memory(error);
  for (size_t i = 0; i < count; i++)
    ends[i] = &spans[i];
  qsort(ends, count, sizeof *ends, by_end);

  hp_u128 live = 0, most = 0;
  peak->time = spans[0].begin;
  for (size_t begin = 0, end = 0; begin < count; begin++) {
    for (; ends[end]->end <= spans[begin].begin; end++)
      live -= ends[end]->bytes;
    live += spans[begin].bytes;
    if (live > most) {
      most = live;
      peak->time = spans[begin].begin;
    }
  }
  peak->bytes = hp_clamp128(most);
  free(ends);
  return HP_OK;
}
