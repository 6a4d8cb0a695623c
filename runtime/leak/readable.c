/* readable.c - see readable.h: the lines of /proc/self/maps, and for what may have
   a page for itself the words of /proc/self/pagemap.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "leak/readable.h"
#include "system/files.h"
#include "system/memory.h"

#define PAGE ((uintptr_t)4096)
#define SPARE ((size_t)4096) /* mappings that may come while others are read */
#define BATCH 512u           /* words of pagemap at a time */
/* A page is there, or was written to swap.  Any other may not be read: the program may answer
   for it itself (userfaultfd), and stand still, or its file may have been cut. */
#define HAS_CONTENTS ((uint64_t)3 << 62)
/* It kills whoever reads it, MADV_GUARD_INSTALL, and counts as written to swap. */
#define IS_GUARD ((uint64_t)1 << 58)

static void count(const struct hp_sys_mapping *mapping, void *arg) {
  (void)mapping;
  ++*(size_t *)arg;
}

bool hp_readable_start(struct hp_readable *readable) {
  *readable = (struct hp_readable){.pages = hp_sys_open("/proc/self/pagemap")};
  readable->room = SPARE;
  hp_sys_mappings(count, &readable->room);
  readable->mappings = hp_sys_map(readable->room * sizeof *readable->mappings);
  return readable->mappings != NULL;
}

void hp_readable_end(struct hp_readable *readable) {
  if (readable->pages > 0)
    hp_sys_close(readable->pages);
  if (readable->mappings)
    hp_sys_unmap(readable->mappings,
                 readable->room * sizeof *readable->mappings);
  *readable = (struct hp_readable){.pages = -1};
}

static void note(const struct hp_sys_mapping *mapping, void *arg) {
  struct hp_readable *readable = arg;
  if (!mapping->is_readable || !readable->room)
    return;
  if (readable->count == readable->room) {
    readable->count = 0;
    return;
  }
  struct hp_sys_mapping *kept = &readable->mappings[readable->count++];
  *kept = *mapping;
  if (mapping->is_main_stack)
    readable->main_stack = kept;
}

bool hp_readable_fill(struct hp_readable *readable) {
  return hp_sys_mappings(note, readable) && readable->count;
}

/* The first mapping that ends behind ADDRESS, or one past the last. */
static const struct hp_sys_mapping *
mapping_behind(const struct hp_readable *readable, uintptr_t address) {
  size_t low = 0, high = readable->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (readable->mappings[middle].end <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return readable->mappings + low;
}

const struct hp_sys_mapping *hp_readable_at(const struct hp_readable *readable,
                                            uintptr_t address) {
  const struct hp_sys_mapping *found = mapping_behind(readable, address);
  const bool is_inside =
      found != readable->mappings + readable->count && found->begin <= address;
  return is_inside ? found : NULL;
}

/* All of [BEGIN, END) can be read. */
static void each_touched(const struct hp_readable *readable, uintptr_t begin,
                         uintptr_t end,
                         void (*each)(uintptr_t, uintptr_t, void *),
                         void *arg) {
  uint64_t words[BATCH];
  uintptr_t at = begin, from = begin; /* [from, at) is to be given */
  while (at < end) {
    const uintptr_t first = at / PAGE;
    uintptr_t pages = (end + PAGE - 1) / PAGE - first;
    pages = pages < BATCH ? pages : BATCH;
    const size_t size = pages * sizeof *words;
    if (hp_sys_read_at(readable->pages, words, size, first * sizeof *words) !=
        (long)size) {
      each(from, end, arg);
      return;
    }
    for (uintptr_t i = 0; i < pages; i++) {
      const uintptr_t page_end = (first + i + 1) * PAGE;
      const uintptr_t to = page_end < end ? page_end : end;
      if (!(words[i] & HAS_CONTENTS) || words[i] & IS_GUARD) {
        if (from < at)
          each(from, at, arg);
        from = to;
      }
      at = to;
    }
  }
  if (from < at)
    each(from, at, arg);
}

void hp_readable_each(struct hp_readable *readable, uintptr_t begin,
                      uintptr_t end,
                      void (*each)(uintptr_t begin, uintptr_t end, void *arg),
                      void *arg) {
  const struct hp_sys_mapping *in = readable->last;
  if (!in || begin < in->begin || begin >= in->end)
    in = mapping_behind(readable, begin);
  for (; in != readable->mappings + readable->count && in->begin < end; in++) {
    readable->last = in;
    const uintptr_t from = begin > in->begin ? begin : in->begin;
    const uintptr_t to = end < in->end ? end : in->end;
    if (to - from >= PAGE && readable->pages >= 0)
      each_touched(readable, from, to, each, arg);
    else
      each(from, to, arg);
  }
}
