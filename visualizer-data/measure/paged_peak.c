/* paged_peak.c - see paged_peak.h: by pages where they are known, else by accesses.
   The formulas are those of docs/metrics.md.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/paged_peak.h"

#define PAGE ((uint64_t)4096)
#define SAMPLED_LEAST 8u /* chunks: fewer say nothing of others */

uint64_t hp_paged_class(const struct hp_class_sum *class) {
  if (class->bytes / PAGE < class->chunks)
    return class->bytes;
  const uint64_t touched =
      hp_add(class->span, hp_multiply(PAGE, class->chunks));
  return touched < class->bytes ? touched : class->bytes;
}

/* Of OTHERS bytes in chunks whose accesses are not known: all, unless some of
   them had pages of their own and were large enough to tell. */
static uint64_t unknown(const struct hp_page_sum *few, uint64_t others) {
  if (few->chunks < SAMPLED_LEAST || few->bytes / PAGE < few->chunks)
    return others;
  return hp_paged_share(others, few->touched, few->bytes);
}

uint64_t hp_paged_touched(const struct hp_tally *tally) {
  const struct hp_page_sum *pages = &tally->pages;
  const uint64_t large =
      pages->touched < pages->bytes ? pages->touched : pages->bytes;
  const uint64_t others =
      tally->bytes > pages->bytes ? tally->bytes - pages->bytes : 0;
  const uint64_t touched = tally->unknown_points
                               ? unknown(&tally->sampled_pages, others)
                               : tally->touched;
  const uint64_t sum = hp_add(large, touched < others ? touched : others);
  return sum < tally->bytes ? sum : tally->bytes;
}

uint64_t hp_paged_share(uint64_t bytes, uint64_t part, uint64_t whole) {
  if (whole == 0)
    return 0;
  if (part >= whole)
    return bytes;
  return (uint64_t)((hp_u128)bytes * part / whole);
}
