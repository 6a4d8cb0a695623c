/* stale_pages.c - see stale_pages.h: a number for each page of the secondary's range,
   of which those are in memory that stand for pages which were written.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/stale_pages.h"

#include "heap/secondary.h"
#include "options/options.h"
#include "system/clock.h"
#include "system/memory.h"
#include "system/touched_pages.h"
#include "system/written_pages.h"

#define BEGIN ((uintptr_t)17 << HP_REGION_SHIFT)
#define END (HP_HEAP_BASE + HP_HEAP_SIZE)
#define PAGES ((END - BEGIN) / HP_PAGE)
#define LOOKS 256u /* whose times are kept */

static struct {
  uint32_t *numbers; /* of looks, by page; 0: none; NULL: nothing is known */
  uint32_t now;      /* number of the last look */
  uint32_t old;      /* of the last one that is long enough ago; 0: none */
  uint64_t times[LOOKS];
  uint64_t due;
  bool is_missing;
} stale;

static uint64_t period(void) {
  return hp_clock_ticks_per_second() / 1000 * hp_options.stale_pages;
}

/* The range is one piece only where all of it is reserved. */
void hp_stale_pages_start(void) {
  if (!hp_options.stale_pages)
    return;
  if (hp_heap_reserved && hp_sys_written_open(BEGIN, END))
    stale.numbers = hp_sys_map(PAGES * sizeof *stale.numbers);
  stale.is_missing = !stale.numbers;
  if (stale.is_missing)
    hp_sys_written_close();
}

void hp_stale_pages_forget(void) {
  if (!stale.numbers)
    return;
  hp_sys_written_close();
  hp_sys_unmap(stale.numbers, PAGES * sizeof *stale.numbers);
  stale.numbers = NULL;
  stale.is_missing = true;
}

bool hp_stale_pages_due(void) {
  return stale.numbers &&
         hp_clock_now() >= __atomic_load_n(&stale.due, __ATOMIC_RELAXED);
}

static void note(uintptr_t begin, uintptr_t end) {
  for (uintptr_t at = begin; at < end; at += HP_PAGE)
    stale.numbers[(at - BEGIN) / HP_PAGE] = stale.now;
}

static bool look_at_class(unsigned size_class) {
  const uintptr_t begin = hp_heap_class_base(size_class);
  const uint64_t used = hp_secondary_bytes(size_class, HP_PROFILED);
  return !used || hp_sys_written_take(begin, begin + used, note);
}

/* Of a look whose time is not kept any more: that of a later one. */
static uint64_t time_of(uint32_t look) {
  const uint32_t kept = stale.now < LOOKS ? 1 : stale.now - LOOKS + 1;
  return stale.times[(look > kept ? look : kept) % LOOKS];
}

static void find_old(uint64_t now) {
  while (stale.old < stale.now && now - time_of(stale.old + 1) >= period())
    stale.old++;
}

void hp_stale_pages_look(void) {
  if (!stale.numbers)
    return;
  bool good = ++stale.now != UINT32_MAX;
  for (unsigned c = HP_CLASS_COUNT; good && c < HP_ALL_CLASS_COUNT; c++)
    good = look_at_class(c);
  if (!good) {
    hp_stale_pages_forget();
    return;
  }
  const uint64_t now = hp_clock_now();
  stale.times[stale.now % LOOKS] = now;
  find_old(now);
  __atomic_store_n(&stale.due, now + period(), __ATOMIC_RELAXED);
}

static bool is_old(uintptr_t page) {
  const uint32_t number = stale.numbers[(page - BEGIN) / HP_PAGE];
  return number && number <= stale.old;
}

/* Bytes of [START, END) in pages of memory, all of them old or not. */
static uintptr_t end_of_run(uintptr_t at, uintptr_t end, bool old) {
  uintptr_t page = at & ~(HP_PAGE - 1);
  while (page < end && is_old(page) == old)
    page += HP_PAGE;
  return page < end ? page : end;
}

void hp_stale_pages_add(struct hp_stale_sum *sum, uintptr_t start,
                        uintptr_t end, uint64_t weight) {
  uint64_t resident = 0, old_bytes = 0;
  struct hp_touched_bytes bytes;
  if (!stale.numbers || start < BEGIN || end > END)
    return;
  for (uintptr_t at = start, next; at < end; at = next) {
    const bool old = is_old(at & ~(HP_PAGE - 1));
    next = end_of_run(at, end, old);
    if (!hp_look_at_pages(at, next, &bytes))
      return;
    resident += bytes.resident;
    old_bytes += old ? bytes.resident : 0;
  }
  sum->chunks += weight;
  sum->resident += weight * resident;
  sum->stale += weight * old_bytes;
}

uint64_t hp_stale_pages_ms(void) {
  return stale.numbers ? hp_options.stale_pages : 0;
}

bool hp_stale_pages_are_missing(void) { return stale.is_missing; }
