/* chunk_order.c - a merge sort from the bottom up: no recursion, no surprise.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk_order.h"

#include "sanitizer_binding.h"

static bool before(const struct hp_chunk_reference *a,
                   const struct hp_chunk_reference *b) {
  if (a->point != b->point)
    return a->point < b->point;
  return a->t0 != b->t0 ? a->t0 < b->t0 : a->thread < b->thread;
}

static bool is_ascending(const struct hp_chunk_reference *r, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (before(&r[i], &r[i - 1]))
      return false;
  return true;
}

void hp_chunk_order_sort(struct hp_chunk_reference *references, size_t count,
                         struct hp_chunk_reference *scratch) {
  struct hp_chunk_reference *from = references, *to = scratch;
  if (is_ascending(references, count))
    return;
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t low = 0; low < count; low += 2 * width) {
      size_t middle = low + width < count ? low + width : count;
      size_t high = middle + width < count ? middle + width : count;
      size_t a = low, b = middle;
      for (size_t i = low; i < high; i++)
        to[i] = b == high || (a < middle && !before(&from[b], &from[a]))
                    ? from[a++]
                    : from[b++];
    }
    struct hp_chunk_reference *swap = from;
    from = to;
    to = swap;
  }
  if (from != references)
    hp_real_memcpy(references, from, count * sizeof *references);
}
