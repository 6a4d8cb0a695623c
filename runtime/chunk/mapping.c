/* mapping.c - see mapping.h: rows by stack, function and kind, found by hash.
   What is about to be unmapped leaves before the kernel can give its place to
   another thread, and comes back if it was not unmapped.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/mapping.h"

#include "chunk/mapping_tree.h"
#include "chunk/request.h"
#include "heap/heap_pages.h"
#include "origin/call_stack.h"
#include "system/arena.h"
#include "system/clock.h"
#include "system/platform.h"
#include "thread/thread_state.h"

#define PAGE ((uintptr_t)4096)
#define HEADS 1024u
#define SITES_BYTES (HP_MAPPING_SITES * sizeof(struct hp_mapping_site))

static struct hp_lock lock;
static struct {
  struct hp_arena sites;
  uint32_t heads[HEADS];
  uint32_t count;  /* rows; 0: nothing was mapped yet */
  uint32_t peak;   /* times that more was live than ever before */
  uint32_t window; /* number of it */
  bool refused;    /* there is no memory for any */
  uint64_t totals[HP_MAPPED_COUNT];
} all;

struct hp_mapping_site *hp_mapping_site(uint32_t number) {
  return (struct hp_mapping_site *)(void *)all.sites.base + number;
}

/* ---- rows ---------------------------------------------------------------- */

/* Nothing is taken before the first mapping.  False: no memory. */
static bool begin_rows(void) {
  if (all.count || all.refused)
    return !all.refused;
  all.refused = true;
  if (!all.sites.base &&
      !hp_arena_reserve(&all.sites, SITES_BYTES, SITES_BYTES))
    return false;
  if (!hp_arena_commit(&all.sites, sizeof(struct hp_mapping_site)) ||
      !hp_mapping_tree_start())
    return false;
  *hp_mapping_site(0) = (struct hp_mapping_site){0};
  all.count = 1;
  all.refused = false;
  return true;
}

static uint32_t site_of(uint32_t stack, uint32_t key) {
  uint32_t *head = &all.heads[(stack * 0x9e3779b1u + key) % HEADS];
  for (uint32_t i = *head; i; i = hp_mapping_site(i)->next)
    if (hp_mapping_site(i)->stack == stack && hp_mapping_site(i)->key == key)
      return i;
  if (all.count == HP_MAPPING_SITES || stack == HP_STACK_NONE ||
      !hp_arena_commit(&all.sites,
                       (all.count + 1) * sizeof(struct hp_mapping_site)))
    return 0;
  *hp_mapping_site(all.count) = (struct hp_mapping_site){
      .stack = stack, .key = key, .next = *head, .first = hp_clock_now()};
  return *head = all.count++;
}

/* ---- bytes --------------------------------------------------------------- */

/* Before its bytes change: those it had at the last peak are settled. */
static void settle_peak(struct hp_mapping_site *site) {
  if (site->peak != all.peak) {
    site->peak = all.peak;
    site->at_peak = site->live;
  }
}

uint64_t hp_mapping_at_peak(const struct hp_mapping_site *site) {
  return site->peak == all.peak ? site->at_peak : site->live;
}

static void add_live(uint32_t number, uint64_t bytes) {
  struct hp_mapping_site *site = hp_mapping_site(number);
  uint64_t *live = &all.totals[HP_MAPPED_live_bytes];
  settle_peak(site);
  site->live += bytes;
  site->most = site->live > site->most ? site->live : site->most;
  *live += bytes;
  if (*live <= all.totals[HP_MAPPED_peak_bytes])
    return;
  all.totals[HP_MAPPED_peak_bytes] = *live;
  all.totals[HP_MAPPED_peak_time] = hp_clock_now();
  all.peak++;
}

static void take_live(uint32_t number, uint64_t bytes) {
  struct hp_mapping_site *site = hp_mapping_site(number);
  settle_peak(site);
  site->live -= bytes;
  all.totals[HP_MAPPED_live_bytes] -= bytes;
}

/* Each of LIST begins or ends to live. */
static void move_list(uint32_t list, void (*move)(uint32_t, uint64_t)) {
  for (; list; list = hp_mapping_tree_range(list)->right) {
    const struct hp_mapped *range = hp_mapping_tree_range(list);
    move(range->site, range->end - range->begin);
  }
}

static uint32_t cut(uintptr_t begin, uintptr_t end) {
  const uint32_t list = hp_mapping_tree_cut(begin, end);
  move_list(list, take_live);
  return list;
}

/* ---- the program's calls ------------------------------------------------- */

/* In whole pages, as the kernel takes it; false: it will be refused, or is the
   runtime's. */
static bool range_of(const void *p, size_t size, uintptr_t *begin,
                     uintptr_t *end) {
  *begin = (uintptr_t)p & ~(PAGE - 1);
  *end = ((uintptr_t)p + size + PAGE - 1) & ~(PAGE - 1);
  return size && *end > *begin && !hp_heap_is_data(*begin);
}

struct hp_mapping_list hp_mapping_end(const void *p, size_t size) {
  uintptr_t begin, end;
  struct hp_mapping_list list = {0};
  if (!range_of(p, size, &begin, &end))
    return list;
  const uint64_t mask = hp_lock_take_held(&lock);
  if (all.count)
    list = (struct hp_mapping_list){cut(begin, end), all.window};
  hp_lock_release_held(&lock, mask);
  return list;
}

void hp_mapping_ended(struct hp_mapping_list list, bool done) {
  if (!list.first)
    return;
  const uint64_t mask = hp_lock_take_held(&lock);
  if (list.window != all.window) {
    ; /* that range is gone with all others */
  } else if (done) {
    hp_mapping_tree_forget(list.first);
  } else {
    move_list(list.first, add_live);
    hp_mapping_tree_put_back(list.first);
  }
  hp_lock_release_held(&lock, mask);
}

static void begin_live(uintptr_t begin, uintptr_t end, uint32_t stack,
                       uint32_t key) {
  if (all.count) /* the kernel says that nothing is there */
    hp_mapping_tree_forget(cut(begin, end));
  if (!hp_recording)
    return;
  const uint32_t number = begin_rows() ? site_of(stack, key) : 0;
  if (!all.count || !hp_mapping_tree_put(begin, end, number)) {
    all.totals[HP_MAPPED_lost_bytes] += end - begin;
    return;
  }
  struct hp_mapping_site *site = hp_mapping_site(number);
  site->maps++;
  site->bytes = hp_add_saturated(site->bytes, end - begin);
  add_live(number, end - begin);
}

void hp_mapping_begin(const void *p, size_t size, enum hp_mapper function,
                      unsigned kind, const struct hp_caller *caller) {
  uintptr_t begin, end;
  if (!range_of(p, size, &begin, &end))
    return;
  struct hp_thread *self = hp_thread_get();
  const uint32_t stack =
      self ? hp_call_stack(&self->last_stack, caller) : HP_STACK_NONE;
  const uint64_t mask = hp_lock_take_held(&lock);
  begin_live(begin, end, stack, (uint32_t)function | kind << 8);
  hp_lock_release_held(&lock, mask);
}

unsigned hp_mapping_kind_at(const void *p) {
  unsigned kind = 0;
  const uint64_t mask = hp_lock_take_held(&lock);
  const struct hp_mapped *range =
      all.count ? hp_mapping_tree_find((uintptr_t)p) : NULL;
  if (range && range->begin <= (uintptr_t)p)
    kind = hp_mapping_site(range->site)->key >> 8;
  hp_lock_release_held(&lock, mask);
  return kind;
}

void hp_mapping_count(enum hp_mapped_total which) {
  __atomic_fetch_add(&all.totals[which], 1, __ATOMIC_RELAXED);
}

/* ---- all of them --------------------------------------------------------- */

void hp_mappings_start(void) {
  const uint64_t mask = hp_lock_take_held(&lock);
  for (unsigned i = 0; i < HEADS; i++)
    all.heads[i] = 0;
  for (unsigned i = 0; i < HP_MAPPED_COUNT; i++)
    all.totals[i] = 0;
  all.count = all.peak = 0;
  all.refused = false;
  all.window++;
  hp_lock_release_held(&lock, mask);
}

bool hp_mappings_try_lock(void) { return hp_lock_try(&lock); }
void hp_mappings_lock(void) { hp_lock_take(&lock); }
void hp_mappings_unlock(void) { hp_lock_release(&lock); }

uint64_t hp_mapping_total(enum hp_mapped_total which) {
  return __atomic_load_n(&all.totals[which], __ATOMIC_RELAXED);
}

uint32_t hp_mapping_site_count(void) { return all.count; }

void *hp_mapping_hint(void *at) {
  return HP_UNLIKELY(!hp_heap_reserved) && (hp_heap_is_data((uintptr_t)at) ||
                                            hp_heap_is_kept((uintptr_t)at))
             ? NULL
             : at;
}
