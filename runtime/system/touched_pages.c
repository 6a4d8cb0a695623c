/* touched_pages.c - see touched_pages.h.
   The stack may be small: pages are asked for by some at a time.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "system/touched_pages.h"

#include "system/files.h"
#include "system/memory.h"

#define PAGE ((uintptr_t)4096)
#define BATCH ((size_t)512) /* pages of mincore */
#define WORDS ((size_t)64)  /* pages of pagemap, a word each */
#define PRESENT ((uint64_t)1 << 63)
#define SWAPPED ((uint64_t)1 << 62)
/* In place of a descriptor, while it is not known whether there is swap, if there
   is none, and if there is: */
#define NOT_ASKED (-1000)
#define NOT_NEEDED (-1001)
#define NOT_OPEN (-1002)

struct search {
  uintptr_t begin, end;
  struct hp_touched_bytes *bytes;
  int pagemap;
};

/* Bytes of the range in the page at ADDRESS. */
static uint64_t part_of(const struct search *s, uintptr_t address) {
  const uintptr_t from = address > s->begin ? address : s->begin;
  const uintptr_t to = address + PAGE < s->end ? address + PAGE : s->end;
  return to - from;
}

static void add_page(const struct search *s, uintptr_t address,
                     bool is_resident) {
  const uint64_t part = part_of(s, address);
  s->bytes->touched += part;
  s->bytes->resident += is_resident ? part : 0;
}

static bool ask_pagemap(struct search *s, uintptr_t at, size_t pages) {
  uint64_t words[WORDS];
  if (s->pagemap == NOT_OPEN)
    s->pagemap = hp_sys_open("/proc/self/pagemap");
  if (s->pagemap < 0)
    return false;
  while (pages > 0) {
    const size_t count = pages < WORDS ? pages : WORDS;
    const long size = (long)(count * sizeof *words);
    if (hp_sys_read_at(s->pagemap, words, (size_t)size,
                       at / PAGE * sizeof *words) != size)
      return false;
    for (size_t i = 0; i < count; i++)
      if (words[i] & (PRESENT | SWAPPED))
        add_page(s, at + i * PAGE, words[i] & PRESENT);
    at += count * PAGE;
    pages -= count;
  }
  return true;
}

static bool ask(struct search *s, uintptr_t at, size_t pages) {
  uint8_t in_memory[BATCH];
  if (!hp_sys_in_memory((void *)at, pages * PAGE, in_memory))
    return false;
  size_t count = 0;
  for (size_t i = 0; i < pages; i++)
    count += in_memory[i] & 1;
  if (count < pages && s->pagemap == NOT_ASKED)
    s->pagemap = hp_sys_has_swap() ? NOT_OPEN : NOT_NEEDED;
  if (count < pages && s->pagemap != NOT_NEEDED)
    return ask_pagemap(s, at, pages);
  for (size_t i = 0; i < pages; i++)
    if (in_memory[i] & 1)
      add_page(s, at + i * PAGE, true);
  return true;
}

bool hp_look_at_pages(uintptr_t begin, uintptr_t end,
                      struct hp_touched_bytes *bytes) {
  struct search s = {begin, end, bytes, NOT_ASKED};
  bool is_known = true;
  *bytes = (struct hp_touched_bytes){0};
  for (uintptr_t at = begin & ~(PAGE - 1); is_known && at < end;
       at += BATCH * PAGE) {
    const size_t left = (end - at + PAGE - 1) / PAGE;
    is_known = ask(&s, at, left < BATCH ? left : BATCH);
  }
  if (s.pagemap >= 0)
    hp_sys_close(s.pagemap);
  return is_known;
}
