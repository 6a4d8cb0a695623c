/* address_span.h - which of many address ranges holds an address.
   Ranges may overlap; of those that hold it, the one that starts last wins.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_ADDRESS_SPAN_H
#define HP_ADDRESS_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* [lo, hi) belongs to the caller's entry number OWNER.  `reach` is the greatest
   hi of this span and all before it, set by hp_spans_sort: a search backwards
   stops where no earlier span can reach the address. */
struct hp_span {
  uint64_t lo, hi, reach;
  size_t owner;
};

struct hp_spans {
  struct hp_span *items;
  size_t count, capacity;
};

/* Empty ranges are dropped.  False: no memory, or more ranges than any sane
   file has (a damaged file must not take all memory). */
bool hp_spans_add(struct hp_spans *s, uint64_t lo, uint64_t hi, size_t owner);
void hp_spans_sort(struct hp_spans *s);
/* The owner, or SIZE_MAX if no range holds ADDRESS. */
size_t hp_spans_find(const struct hp_spans *s, uint64_t address);
void hp_spans_free(struct hp_spans *s);

#endif
