/* page_facts.c - see page_facts.h: the system says which pages have memory, and
   a table by point adds it up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/page_facts.h"

#include "chunk/point_table.h"
#include "chunk/sample.h"
#include "chunk/stale_pages.h"
#include "heap/secondary.h"
#include "heap/warm_slots.h"
#include "options/options.h"
#include "system/clock.h"
#include "system/touched_pages.h"
#include "thread/event.h"

/* Of one that is larger there are too many pages to ask for. */
#define CHUNK_MAX ((uint64_t)16 << 30)

#define ENTRIES 2048u /* powers of two; points beyond are not known */
#define SAMPLED_ENTRIES 4096u
struct entry {
  uint32_t point;   /* 0: free */
  uint32_t full;    /* large ones that were touched all over, in a row */
  uint64_t skipped; /* others, whose pages are not known */
  struct hp_page_sum sum;
};
static struct entry large[ENTRIES];
static struct hp_point_map sampled;
#define SAMPLED_SIZE (SAMPLED_ENTRIES * sizeof(struct entry))
static bool is_used;
static bool is_forgotten;

static struct entry *entry_of(uint32_t point, bool is_sampled, bool take) {
  struct entry *table =
      is_sampled ? hp_point_map_entries(&sampled, SAMPLED_SIZE, take) : large;
  return table ? hp_point_table_find(table, sizeof *table,
                                     is_sampled ? SAMPLED_ENTRIES : ENTRIES,
                                     point, take)
               : NULL;
}

/* ---- one chunk ----------------------------------------------------------- */

/* Adds the chunk of SIZE bytes at START, in the slot of CHUNK; false: it cannot
   be known. */
static bool measure(struct hp_page_sum *sum, const struct hp_chunk *chunk,
                    uint64_t word, bool is_live) {
  const bool is_sampled = hp_is_apart(word);
  const uint64_t size = word & HP_SIZE_MAX;
  const uint64_t weight = is_sampled ? 1 : hp_sample_weight(word);
  const uintptr_t start = (uintptr_t)chunk + hp_front_of(word);
  struct hp_touched_bytes bytes;
  if ((size < HP_PAGE_CHUNK_MIN && !is_sampled) || size > CHUNK_MAX ||
      !hp_chunk_is_large(chunk) || hp_slot_is_warm(chunk, HP_PROFILED) ||
      __atomic_load_n(&is_forgotten, __ATOMIC_RELAXED) ||
      !hp_look_at_pages(start, start + size, &bytes))
    return false;
  const bool is_unused = bytes.touched == 0;
  const bool is_sparse = !is_unused && bytes.touched < size - bytes.touched;
  sum->chunks = weight;
  sum->bytes = weight * size;
  sum->touched = weight * bytes.touched;
  sum->resident = is_live ? weight * bytes.resident : 0;
  sum->unused_chunks = is_unused ? weight : 0;
  sum->unused_bytes = is_unused ? weight * size : 0;
  sum->sparse_chunks = is_sparse ? weight : 0;
  sum->sparse_bytes = is_sparse ? weight * size : 0;
  sum->sparse_touched = is_sparse ? weight * bytes.touched : 0;
  return true;
}

/* ---- which chunks are looked at ------------------------------------------- */

/* What the few are that were chosen from the small chunks of a point is told of all
   but the large ones that are known: so either all of these are, or no small one. */
bool hp_page_facts_want(uint32_t point) {
  struct entry *entry = entry_of(point, false, false);
  if (!entry || hp_options.page_facts ||
      __atomic_load_n(&entry->full, __ATOMIC_RELAXED) < HP_PAGE_FACTS_FULL ||
      entry_of(point, true, false))
    return true;
  return __atomic_add_fetch(&entry->skipped, 1, __ATOMIC_RELAXED) %
             HP_PAGE_FACTS_EACH ==
         0;
}

static void note_full(struct entry *entry, const struct hp_page_sum *sum) {
  if (sum->touched < sum->bytes)
    __atomic_store_n(&entry->full, 0, __ATOMIC_RELAXED);
  else if (__atomic_load_n(&entry->full, __ATOMIC_RELAXED) < HP_PAGE_FACTS_FULL)
    __atomic_fetch_add(&entry->full, 1, __ATOMIC_RELAXED);
}

static bool has_unknown(uint32_t point) {
  const struct entry *entry = entry_of(point, false, false);
  return entry && __atomic_load_n(&entry->skipped, __ATOMIC_RELAXED);
}

/* ---- by point ------------------------------------------------------------ */

/* A part is never seen above what it is a part of: those are added to first, and
   read last. */

static void add(struct hp_page_sum *to, const struct hp_page_sum *more) {
#define ADD(name) __atomic_fetch_add(&to->name, more->name, __ATOMIC_SEQ_CST);
  HP_PAGE_SUMS(ADD)
#undef ADD
}

static struct hp_page_sum read_sum(const struct entry *entry) {
  uint64_t sums[HP_PAGE_SUM_COUNT] = {0};
  struct hp_page_sum sum = {0};
  if (!entry)
    return sum;
  const uint64_t *from = &entry->sum.chunks;
  for (unsigned i = HP_PAGE_SUM_COUNT; i-- > 0;)
    sums[i] = __atomic_load_n(&from[i], __ATOMIC_SEQ_CST);
  unsigned i = 0;
#define COPY(name) sum.name = sums[i++];
  HP_PAGE_SUMS(COPY)
#undef COPY
  return sum;
}

struct hp_page_facts hp_page_facts_of(uint32_t point) {
  if (!is_used || !point)
    return (struct hp_page_facts){0};
  return (struct hp_page_facts){
      .large = read_sum(entry_of(point, false, false)),
      .sampled = read_sum(entry_of(point, true, false))};
}

void hp_page_facts_end(const struct hp_chunk *chunk,
                       const struct hp_cold *cold) {
  struct hp_page_sum sum;
  const bool is_sampled = hp_is_apart(cold->word);
  if (!hp_events_wanted || !cold->point || cold->t0 < hp_clock_window_start ||
      (is_sampled && has_unknown(cold->point)) ||
      !measure(&sum, chunk, cold->word, false))
    return;
  struct entry *entry = entry_of(cold->point, is_sampled, true);
  if (!entry)
    return;
  __atomic_store_n(&is_used, true, __ATOMIC_RELAXED);
  add(&entry->sum, &sum);
  if (!is_sampled)
    note_full(entry, &sum);
}

/* One whose reference is odd has ended (live_view.c). */
void hp_page_facts_add_live(struct hp_page_facts *facts,
                            const struct hp_chunk_reference *live) {
  const struct hp_chunk *chunk = live->chunk;
  struct hp_page_sum more;
  if ((uintptr_t)chunk & 1 || !live->point || !hp_heap_holds(chunk) ||
      !hp_chunk_is_large(chunk))
    return;
  const struct hp_cold *cold = hp_cold_of(chunk);
  const uint64_t word = __atomic_load_n(&cold->word, __ATOMIC_ACQUIRE);
  if (!(word & HP_RECORD_LIVE) || !measure(&more, chunk, word, true))
    return;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  struct hp_page_sum *sum = hp_is_apart(word) ? &facts->sampled : &facts->large;
  if (__atomic_load_n(&cold->word, __ATOMIC_RELAXED) == word &&
      __atomic_load_n(&cold->t0, __ATOMIC_RELAXED) == live->t0) {
#define ADD(name) sum->name += more.name;
    HP_PAGE_SUMS(ADD)
#undef ADD
    if (!hp_is_apart(word))
      hp_stale_pages_add(&facts->stale, hp_chunk_start(chunk),
                         hp_chunk_start(chunk) + (word & HP_SIZE_MAX),
                         hp_sample_weight(word));
  }
}

void hp_page_facts_forget(void) {
  __atomic_store_n(&is_forgotten, true, __ATOMIC_RELAXED);
}

void hp_page_facts_start(void) {
  if (!is_used)
    return;
  is_used = false;
  for (unsigned i = 0; i < ENTRIES; i++)
    large[i] = (struct entry){0};
  struct entry *table = sampled.entries;
  for (unsigned i = 0; table && i < SAMPLED_ENTRIES; i++)
    table[i] = (struct entry){0};
}
