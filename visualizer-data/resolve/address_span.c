/* address_span.c - which of many address ranges holds an address.
   A sorted array and a binary search; overlaps are walked backwards.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "resolve/address_span.h"

#include "base/growing_array.h"

#include <stdlib.h>

#define HP_SPANS_MAX ((size_t)8 << 20)

bool hp_spans_add(struct hp_spans *s, uint64_t lo, uint64_t hi, size_t owner) {
  if (lo >= hi)
    return true;
  if (s->count >= HP_SPANS_MAX ||
      !hp_room_for_one((void **)&s->items, s->count, &s->capacity,
                       sizeof *s->items))
    return false;
  s->items[s->count++] = (struct hp_span){lo, hi, hi, owner};
  return true;
}

/* Of two spans with the same start the wider one comes first, so that the
   search meets the narrower one before it. */
static int compare(const void *pa, const void *pb) {
  const struct hp_span *a = pa, *b = pb;
  if (a->lo != b->lo)
    return a->lo < b->lo ? -1 : 1;
  if (a->hi != b->hi)
    return a->hi > b->hi ? -1 : 1;
  return a->owner < b->owner ? -1 : a->owner > b->owner;
}

void hp_spans_sort(struct hp_spans *s) {
  uint64_t reach = 0;
  if (s->count)
    qsort(s->items, s->count, sizeof *s->items, compare);
  for (size_t i = 0; i < s->count; i++) {
    if (s->items[i].hi > reach)
      reach = s->items[i].hi;
    s->items[i].reach = reach;
  }
}

size_t hp_spans_find(const struct hp_spans *s, uint64_t address) {
  size_t low = 0, high = s->count; /* items before low start at or below it */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (s->items[middle].lo <= address)
      low = middle + 1;
    else
      high = middle;
  }
  while (low-- > 0 && s->items[low].reach > address)
    if (s->items[low].hi > address)
      return s->items[low].owner;
  return SIZE_MAX;
}

void hp_spans_free(struct hp_spans *s) {
  free(s->items);
  *s = (struct hp_spans){0};
}
