/* life_span.c - see life_span.h: counts by powers of two, which add up over points and processes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/life_span.h"

#include <math.h>

#include "base/saturate.h"

/* The span of those that lived for less than NS. */
static unsigned span_below(double ns) {
  unsigned i = 0;
  while (i + 1 < HP_LIFE_SPANS && ldexp(1, (int)i) < ns)
    i++;
  return i;
}

void hp_life_spans_of(struct hp_life_spans *spans, const struct hp_point *p) {
  *spans = (struct hp_life_spans){0};
  const double per_ns = p->process ? p->process->ticks_per_ns : 0;
  if (per_ns <= 0)
    return;
  for (unsigned i = 0; i < p->lives.count; i++) {
    const double below = ldexp(1, (int)(p->lives.lowest + i)) / per_ns;
    uint64_t *chunks = &spans->chunks[span_below(below)];
    *chunks = hp_add(*chunks, p->lives.counts[i]);
  }
}

void hp_life_spans_add(struct hp_life_spans *to,
                       const struct hp_life_spans *more) {
  for (unsigned i = 0; i < HP_LIFE_SPANS; i++)
    to->chunks[i] = hp_add(to->chunks[i], more->chunks[i]);
}

double hp_life_spans_half(const struct hp_life_spans *spans) {
  uint64_t all = 0, below = 0;
  for (unsigned i = 0; i < HP_LIFE_SPANS; i++)
    all = hp_add(all, spans->chunks[i]);
  for (unsigned i = 0; all && i < HP_LIFE_SPANS; i++) {
    below = hp_add(below, spans->chunks[i]);
    if (below >= all - below)
      return ldexp(1, (int)i);
  }
  return 0;
}
