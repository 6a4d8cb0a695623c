/* life_span.h - for how long at most half of the chunks lived, where a mean says little:
   a few that live long make it long.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIFE_SPAN_H
#define HP_LIFE_SPAN_H

#include "heapprof.h"

#define HP_LIFE_SPANS 48u

/* Ended chunks; [i]: of those that lived for less than 2^i ns, and are in none below.
   They are rounded up, as chunks are counted by powers of two of ticks: at most twice. */
struct hp_life_spans {
  uint64_t chunks[HP_LIFE_SPANS];
};

/* Nothing of a point whose lives are not known. */
void hp_life_spans_of(struct hp_life_spans *spans, const struct hp_point *p);

void hp_life_spans_add(struct hp_life_spans *to,
                       const struct hp_life_spans *more);

/* Half of them or more lived for less than so many ns; 0: nothing is known. */
double hp_life_spans_half(const struct hp_life_spans *spans);

#endif
