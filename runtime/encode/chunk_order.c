/* chunk_order.c - sorts by the digits of the keys, the last key's lowest first.
   Each pass is stable and asks nothing, so that no branch is mispredicted.
   Too many are split in place by single bits first, the first key's highest ahead.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "encode/chunk_order.h"

#include "system/real_libc.h"

#define DIGIT_BITS 11u
#define DIGITS ((size_t)1 << DIGIT_BITS)
_Static_assert(DIGITS * sizeof(size_t) <=
                   HP_CHUNK_ORDER_SPARE * sizeof(struct hp_chunk_reference),
               "the counters fit behind the references");

enum key { THREAD, T0, POINT };

HP_INLINE uint64_t key_of(const struct hp_chunk_reference *r, enum key key) {
  return key == THREAD ? r->thread : key == T0 ? r->t0 : r->point;
}

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

struct sort {
  struct hp_chunk_reference *from, *to;
  size_t count;
  size_t *places; /* DIGITS of them */
};

/* By the digit of KEY from bit SHIFT on; what was sorted is `from` again. */
HP_INLINE void sort_digit(struct sort *sort, enum key key, unsigned shift) {
  const struct hp_chunk_reference *from = sort->from;
  struct hp_chunk_reference *to = sort->to;
  size_t *places = sort->places, place = 0;
  hp_real_memset(places, 0, DIGITS * sizeof *places);
  for (size_t i = 0; i < sort->count; i++)
    places[(key_of(&from[i], key) >> shift) % DIGITS]++;
  for (size_t digit = 0; digit < DIGITS; digit++) {
    size_t here = places[digit];
    places[digit] = place;
    place += here;
  }
  for (size_t i = 0; i < sort->count; i++)
    to[places[(key_of(&from[i], key) >> shift) % DIGITS]++] = from[i];
  sort->to = sort->from;
  sort->from = to;
}

/* By those digits of KEY that are not the same everywhere. */
HP_INLINE void sort_key(struct sort *sort, enum key key) {
  uint64_t differs = 0, first = key_of(&sort->from[0], key);
  for (size_t i = 1; i < sort->count; i++)
    differs |= key_of(&sort->from[i], key) ^ first;
  for (unsigned shift = 0; shift < 64 && differs >> shift; shift += DIGIT_BITS)
    if ((differs >> shift) % DIGITS)
      sort_digit(sort, key, shift);
}

void hp_chunk_order_sort(struct hp_chunk_reference *references, size_t count,
                         struct hp_chunk_reference *scratch) {
  if (is_ascending(references, count))
    return;
  struct sort sort = {.from = references,
                      .to = scratch,
                      .count = count,
                      .places = (size_t *)(void *)(scratch + count)};
  sort_key(&sort, THREAD);
  sort_key(&sort, T0);
  sort_key(&sort, POINT);
  if (sort.from != references)
    hp_real_memcpy(references, sort.from, count * sizeof *references);
}

/* ---- where they are -------------------------------------------------------- */

/* References that are not in order among themselves, but in their place among all
   others. */
struct part {
  struct hp_chunk_reference *begin;
  size_t count;
};
/* Of two parts the smaller one is next, so that there are never more. */
#define PARTS 64

struct bit {
  enum key key;
  unsigned shift;
};

/* The first bit in which those of PART differ; false: all are equal. */
static bool find_bit(const struct part *part, struct bit *bit) {
  uint64_t differs[3] = {0};
  for (size_t i = 1; i < part->count; i++)
    for (unsigned key = THREAD; key <= POINT; key++)
      differs[key] |= key_of(&part->begin[i], (enum key)key) ^
                      key_of(&part->begin[0], (enum key)key);
  for (unsigned key = POINT + 1; key-- > THREAD;)
    if (differs[key]) {
      bit->key = (enum key)key;
      bit->shift = 63 - (unsigned)__builtin_clzll(differs[key]);
      return true;
    }
  return false;
}

/* Those without BIT come first; how many. */
static size_t split(const struct part *part, struct bit bit) {
  struct hp_chunk_reference *low = part->begin, *high = low + part->count;
  for (;;) {
    while (low < high && !(key_of(low, bit.key) >> bit.shift & 1))
      low++;
    while (low < high && key_of(high - 1, bit.key) >> bit.shift & 1)
      high--;
    if (low >= high)
      return (size_t)(low - part->begin);
    const struct hp_chunk_reference swapped = *low;
    *low++ = *--high;
    *high = swapped;
  }
}

void hp_chunk_order_sort_many(struct hp_chunk_reference *references,
                              size_t count,
                              struct hp_chunk_reference *scratch) {
  struct part parts[PARTS] = {{references, count}}, part;
  struct bit bit;
  size_t waiting = !is_ascending(references, count);
  while (waiting) {
    part = parts[--waiting];
    while (part.count > HP_CHUNK_ORDER_PART && find_bit(&part, &bit)) {
      const size_t low = split(&part, bit), high = part.count - low;
      const struct part lower = {part.begin, low},
                        upper = {part.begin + low, high};
      parts[waiting++] = low < high ? upper : lower;
      part = low < high ? lower : upper;
    }
    if (part.count <= HP_CHUNK_ORDER_PART)
      hp_chunk_order_sort(part.begin, part.count, scratch);
  }
}
