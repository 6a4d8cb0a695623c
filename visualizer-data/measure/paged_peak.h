/* paged_peak.h - how many of a point's bytes lie on pages that were touched.
   What was asked for and never touched takes no memory, whatever its size.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PAGED_PEAK_H
#define HP_PAGED_PEAK_H

#include "measure/tally.h"

/* Bytes of the chunks of CLASS on touched pages, by their accesses: those of
   less than a page on average count whole, others by what was accessed and a
   page more each, since no chunk begins or ends with its pages. */
uint64_t hp_paged_class(const struct hp_class_sum *class);

/* Bytes of all chunks of TALLY on touched pages: of large ones by the pages that
   had memory, where that is known, of the others by their classes. */
uint64_t hp_paged_touched(const struct hp_tally *tally);

/* PART of WHOLE, as a share of BYTES; 0 of none. */
uint64_t hp_paged_share(uint64_t bytes, uint64_t part, uint64_t whole);

#endif
