/* heap_pages.c - see heap_pages.h: small slots page by page, large ones by what
   is known of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heap/heap_pages.h"

#include "heap/primary.h"
#include "heap/secondary.h"
#include "heap/slot_class.h"
#include "heap/warm_slots.h"
#include "system/resident.h"

#define PAGE HP_RESIDENT_PAGE
#define HUGE_PAGE ((uintptr_t)2 << 20)

static uintptr_t least(uintptr_t a, uintptr_t b) { return a < b ? a : b; }

/* Bytes of [BEGIN, END) on the page at PAGE_AT. */
static uint64_t on_page(uintptr_t begin, uintptr_t end, uintptr_t page_at) {
  const uintptr_t from = begin > page_at ? begin : page_at;
  const uintptr_t to = least(end, page_at + PAGE);
  return from < to ? to - from : 0;
}

static uint64_t word_of(const struct hp_cold *record) {
  return __atomic_load_n(&record->word, __ATOMIC_RELAXED);
}

/* ---- small ones ---------------------------------------------------------- */

/* Adds the chunk of SIZE bytes at FRONT in the slot from AT on, of which OWN
   bytes are ours, as far as it is on that page. */
static void add_chunk(struct hp_heap_pages *to, uintptr_t at, size_t slot,
                      size_t own, size_t front, size_t size,
                      uintptr_t page_at) {
  const uint64_t whole = on_page(at, at + slot, page_at);
  const uint64_t ours = on_page(at, at + own, page_at);
  const uint64_t live = on_page(at + front, at + front + size, page_at);
  to->own += ours;
  to->live += live;
  to->slack += whole - ours - live;
}

/* The slots of one page of a profiled class, which lies at PAGE_AT. */
static void add_profiled(struct hp_heap_pages *to, unsigned size_class,
                         uintptr_t page_at, uintptr_t end) {
  const size_t slot = (size_t)1 << hp_heap_slot_shift(size_class);
  const uintptr_t first = page_at & ~(slot - 1);
  for (uintptr_t at = first; at < least(page_at + PAGE, end); at += slot) {
    const uint64_t word = word_of(hp_cold_at(at));
    if (word & HP_RECORD_LIVE)
      add_chunk(to, at, slot, sizeof(struct hp_chunk), hp_front_of(word),
                word & HP_SIZE_MAX, page_at);
  }
}

static void add_plain(struct hp_heap_pages *to, unsigned size_class,
                      uintptr_t page_at, uintptr_t end) {
  const struct hp_slot_class *of = &hp_plain_classes[size_class];
  uint64_t i = (page_at - of->base) / of->slot;
  for (uintptr_t at = of->base + i * of->slot; at < least(page_at + PAGE, end);
       at += of->slot) {
    const uint16_t word =
        __atomic_load_n(&hp_plain_size_words(of)[i++], __ATOMIC_RELAXED);
    if (word)
      add_chunk(to, at, of->slot, 0, 0, word - (size_t)1, page_at);
  }
}

static void add_bare(struct hp_heap_pages *to, unsigned size_class,
                     uintptr_t page_at, uintptr_t end) {
  const size_t slot = hp_bare_slot_size(size_class);
  const uintptr_t base = hp_bare_class_base(size_class);
  uint64_t i = (page_at - base) / slot;
  for (uintptr_t at = base + i * slot; at < least(page_at + PAGE, end);
       at += slot) {
    const uint64_t word = __atomic_load_n(
        &hp_bare_records(size_class)[i++].word, __ATOMIC_RELAXED);
    if (word & HP_RECORD_LIVE)
      add_chunk(to, at, slot, 0, 0, hp_bare_size_of(word), page_at);
  }
}

static uintptr_t base_of(unsigned size_class, enum hp_range range) {
  if (range == HP_PROFILED)
    return hp_heap_class_base(size_class);
  return range == HP_PLAIN ? hp_plain_class_base(size_class)
                           : hp_bare_class_base(size_class);
}

static void add_class(struct hp_heap_pages *to, unsigned size_class,
                      enum hp_range range) {
  static void (*const add_page[])(struct hp_heap_pages *to, unsigned size_class,
                                  uintptr_t page_at, uintptr_t end) = {
      [HP_PROFILED] = add_profiled,
      [HP_PLAIN] = add_plain,
      [HP_BARE] = add_bare};
  const uintptr_t base = base_of(size_class, range);
  const uint64_t used = hp_primary_bytes(size_class, range);
  const uint64_t committed = hp_primary_committed(size_class, range);
  const uintptr_t end = base + (used > committed ? used : committed);
  for (uintptr_t at = base; at < end; at += PAGE) {
    if (!hp_resident_at(at))
      continue;
    const uint64_t before = to->live + to->slack + to->own;
    add_page[range](to, size_class, at, base + used);
    to->retained += PAGE - (to->live + to->slack + to->own - before);
  }
}

/* ---- large ones ---------------------------------------------------------- */

/* What is beside the chunk: the pages ahead of it, and behind it as far as a
   huge page may reach.  All else on its pages is live. */
static void add_large(struct hp_heap_pages *to, uintptr_t slot, size_t whole,
                      size_t own, uint64_t word) {
  const uintptr_t begin = slot + hp_front_of(word);
  const uintptr_t end = begin + (word & HP_SIZE_MAX);
  const uintptr_t reach =
      least(slot + whole, (end + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1));
  uint64_t beside = 0;
  for (uintptr_t at = slot; at < begin; at += PAGE)
    beside += hp_resident_at(at) ? on_page(slot, begin, at) : 0;
  for (uintptr_t at = end & ~(PAGE - 1); at < reach; at += PAGE)
    beside += hp_resident_at(at) ? on_page(end, reach, at) : 0;
  to->own += least(own, beside);
  to->slack += beside - least(own, beside);
}

/* What a warm slot has kept, which lies in its first bytes. */
static void add_warm(struct hp_heap_pages *to, uintptr_t slot, uint64_t kept) {
  const uintptr_t end = slot + least(kept, HP_WARM_SLOT_MAX);
  for (uintptr_t at = slot; at < end; at += PAGE)
    to->retained += hp_resident_at(at) ? PAGE : 0;
}

/* Of what is ahead of a chunk in its slot. */
static size_t own_of(enum hp_range range, uint64_t word) {
  if (range == HP_PLAIN)
    return 0;
  return hp_is_apart(word) ? PAGE : sizeof(struct hp_chunk);
}

static void add_large_class(struct hp_heap_pages *to, unsigned size_class,
                            enum hp_range range) {
  const uint64_t slots = hp_secondary_slots(size_class, range);
  for (uint64_t i = 0; i < slots; i++) {
    const struct hp_chunk *chunk = hp_heap_slot(size_class, i);
    const struct hp_cold *record = hp_large_record(chunk, range);
    const uint64_t word = word_of(record);
    if (word & HP_RECORD_LIVE)
      add_large(to, hp_large_slot(chunk, range),
                (size_t)1 << hp_heap_slot_shift(size_class),
                own_of(range, word), word);
    else if (hp_slot_is_warm(chunk, range))
      add_warm(to, hp_large_slot(chunk, range),
               __atomic_load_n(&record->first, __ATOMIC_RELAXED));
  }
}

struct hp_heap_pages hp_heap_pages(uint64_t resident) {
  struct hp_heap_pages pages = {0};
  for (unsigned c = 0; c < HP_CLASS_COUNT; c++)
    add_class(&pages, c, HP_PROFILED);
  for (unsigned c = 0; c < HP_PLAIN_CLASS_COUNT; c++)
    add_class(&pages, c, HP_PLAIN);
  for (unsigned c = 0; c < HP_BARE_CLASS_COUNT; c++)
    add_class(&pages, c, HP_BARE);
  for (unsigned c = HP_CLASS_COUNT; c < HP_ALL_CLASS_COUNT; c++) {
    add_large_class(&pages, c, HP_PROFILED);
    add_large_class(&pages, c, HP_PLAIN);
  }
  /* What large chunks have, no other page holds. */
  const uint64_t known = pages.live + pages.slack + pages.own + pages.retained;
  pages.live += resident > known ? resident - known : 0;
  return pages;
}
