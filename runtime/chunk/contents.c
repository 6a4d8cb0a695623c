/* contents.c - see contents.h: a table of sums by point, and one of the hashes that
   were seen, by which a chunk is equal to another of its point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/contents.h"

#include "chunk/access.h"
#include "chunk/content.h"
#include "chunk/point_table.h"
#include "chunk/sample.h"
#include "heap/beside_table.h"
#include "heap/heap.h"
#include "options/options.h"
#include "system/clock.h"
#include "thread/event.h"

uint64_t hp_contents_of;

#define ENTRIES 4096u /* powers of two */
struct entry {
  uint32_t point; /* 0: free */
  struct hp_contents_sum sum;
  struct hp_content_bits bits;
};
static struct hp_point_map points;
static bool is_used;

/* ---- what was seen ------------------------------------------------------- */

/* A content of one point.
     +0  u64 key    hash of content and point, never 0; 0: free
     +8  u64 state  size, times 4, and one of those below                    */
struct seen {
  uint64_t key, state;
};
#define SEEN ((uint64_t)1 << 18) /* a power of two: 4 MiB where all are used */
#define SEEN_MAX (SEEN / 4 * 3)
#define SEEN_PROBES 64u
enum {
  SEEN_ONCE = 1,        /* in a chunk that stands for itself */
  SEEN_ONCE_CHOSEN = 2, /* in one that was chosen at random */
  SEEN_OFTEN = 3
};
struct seen_table {
  struct hp_point_map map;
  uint64_t count;
};
static struct seen_table ended;
static struct seen_table living; /* of one dump */

/* NULL: it has no entry, and there is no room for one, or none is to be taken. */
static struct seen *find(struct seen_table *table, uint64_t key, bool take) {
  struct seen *entries =
      hp_point_map_entries(&table->map, SEEN * sizeof *entries, take);
  for (uint32_t i = 0; entries && i < SEEN_PROBES; i++) {
    struct seen *at = &entries[(key + i) % SEEN];
    uint64_t seen = __atomic_load_n(&at->key, __ATOMIC_RELAXED);
    if (seen == key)
      return at;
    if (seen)
      continue;
    if (!take || __atomic_load_n(&table->count, __ATOMIC_RELAXED) >= SEEN_MAX)
      return NULL;
    if (__atomic_compare_exchange_n(&at->key, &seen, key, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      __atomic_fetch_add(&table->count, 1, __ATOMIC_RELAXED);
      return at;
    }
    if (seen == key)
      return at;
  }
  return NULL;
}

/* Notes a chunk of SIZE bytes at AT; the state before, UINT64_MAX: it is of another
   size, so that only the hashes are the same. */
static uint64_t note(struct seen *at, uint64_t size, bool is_chosen) {
  uint64_t before = __atomic_load_n(&at->state, __ATOMIC_RELAXED);
  uint64_t state;
  do {
    if (before && before >> 2 != size)
      return UINT64_MAX;
    state = size << 2 | (before      ? SEEN_OFTEN
                         : is_chosen ? SEEN_ONCE_CHOSEN
                                     : SEEN_ONCE);
  } while (before != state &&
           !__atomic_compare_exchange_n(&at->state, &before, state, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return before;
}

/* ---- sums ---------------------------------------------------------------- */

static uint64_t key_of(uint32_t point, const struct hp_content *content) {
  const uint64_t key =
      (content->hash ^ point * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  return (key ^ key >> 32) | 1;
}

/* What a chunk of CONTENT adds to the sums, but for how often it was seen. */
static struct hp_contents_sum measure(const struct hp_content *content,
                                      bool is_chosen) {
  const uint64_t size = content->size, zero = content->zero;
  const bool is_sparse = HP_IS_SPARSE_CONTENT(zero, size);
  return (struct hp_contents_sum){
      .chunks = 1,
      .bytes = size,
      .chosen_chunks = is_chosen,
      .chosen_bytes = is_chosen ? size : 0,
      .parts_chunks = content->is_parts,
      .zero = zero,
      .uniform_chunks = content->is_uniform,
      .uniform_bytes = content->is_uniform ? size : 0,
      .sparse_chunks = is_sparse,
      .sparse_bytes = is_sparse ? size : 0,
      .sparse_zero = is_sparse ? zero : 0,
      .chosen_sparse_chunks = is_sparse && is_chosen,
      .chosen_sparse_bytes = is_sparse && is_chosen ? size : 0,
      .chosen_sparse_zero = is_sparse && is_chosen ? zero : 0};
}

/* BEFORE: state of its content; one that was seen once is single no longer, so
   that numbers that wrap are added. */
static void count_different(struct hp_contents_sum *sum, uint64_t before,
                            uint64_t size, bool is_chosen) {
  const uint64_t times = before & 3;
  const bool is_first = before == 0 || before == UINT64_MAX;
  if (is_first) {
    sum->different = sum->single = 1;
    sum->different_bytes = sum->single_bytes = size;
    sum->chosen_single = is_chosen;
    sum->chosen_single_bytes = is_chosen ? size : 0;
    sum->unkept = before == UINT64_MAX;
  } else if (times != SEEN_OFTEN) {
    sum->single = (uint64_t)-1;
    sum->single_bytes = -size;
    sum->chosen_single = times == SEEN_ONCE_CHOSEN ? (uint64_t)-1 : 0;
    sum->chosen_single_bytes = times == SEEN_ONCE_CHOSEN ? -size : 0;
  }
}

static void add(struct hp_contents_sum *to,
                const struct hp_contents_sum *more) {
#define ADD(name)                                                              \
  if (more->name)                                                              \
    __atomic_fetch_add(&to->name, more->name, __ATOMIC_RELAXED);
  HP_CONTENTS_SUMS(ADD)
#undef ADD
}

/* Whether the chunk speaks for others, that were not looked at. */
static bool is_for_others(uint64_t t0) {
  return !hp_options.exact_time && (hp_sampling || hp_access_is_chosen(t0));
}

void hp_contents_end(const struct hp_chunk *chunk, const struct hp_cold *cold) {
  struct hp_content content;
  if (!hp_events_wanted || !(cold->word & hp_contents_of) || !cold->point ||
      cold->t0 < hp_clock_window_start ||
      !hp_content_look(chunk, cold->word, &content))
    return;
  struct entry *table =
      hp_point_map_entries(&points, ENTRIES * sizeof *table, true);
  struct entry *entry = table ? hp_point_table_find(table, sizeof *table,
                                                    ENTRIES, cold->point, true)
                              : NULL;
  if (!entry)
    return;
  __atomic_store_n(&is_used, true, __ATOMIC_RELAXED);
  const bool is_chosen = is_for_others(cold->t0);
  struct seen *at = find(&ended, key_of(cold->point, &content), true);
  const uint64_t before = at ? note(at, content.size, is_chosen) : UINT64_MAX;
  struct hp_contents_sum more = measure(&content, is_chosen);
  count_different(&more, before, content.size, is_chosen);
  add(&entry->sum, &more);
  hp_content_add_bits(&entry->bits, chunk, cold->word);
}

static void limit(uint64_t *part, uint64_t whole) {
  if (*part > whole)
    *part = whole;
}

/* A thread may be adding: parts are not to be more than what they are of. */
static void settle(struct hp_contents_sum *sum) {
  limit(&sum->chosen_chunks, sum->chunks);
  limit(&sum->chosen_bytes, sum->bytes);
  limit(&sum->parts_chunks, sum->chunks);
  limit(&sum->zero, sum->bytes);
  limit(&sum->uniform_chunks, sum->chunks);
  limit(&sum->uniform_bytes, sum->bytes);
  limit(&sum->sparse_chunks, sum->chunks);
  limit(&sum->sparse_bytes, sum->bytes);
  limit(&sum->sparse_zero, sum->sparse_bytes);
  limit(&sum->sparse_zero, sum->zero);
  limit(&sum->chosen_sparse_chunks, sum->sparse_chunks);
  limit(&sum->chosen_sparse_bytes, sum->sparse_bytes);
  limit(&sum->chosen_sparse_zero, sum->sparse_zero);
  limit(&sum->different, sum->chunks);
  limit(&sum->different_bytes, sum->bytes);
  limit(&sum->single, sum->different);
  limit(&sum->single_bytes, sum->different_bytes);
  limit(&sum->chosen_single, sum->single);
  limit(&sum->chosen_single, sum->chosen_chunks);
  limit(&sum->chosen_single_bytes, sum->single_bytes);
  limit(&sum->unkept, sum->single);
}

static const struct entry *entry_of(uint32_t point) {
  struct entry *table = point ? hp_point_map_entries(&points, 0, false) : NULL;
  return table
             ? hp_point_table_find(table, sizeof *table, ENTRIES, point, false)
             : NULL;
}

struct hp_contents_sum hp_contents_sum_of(uint32_t point) {
  const struct entry *entry = entry_of(point);
  struct hp_contents_sum sum = {0};
  if (!entry)
    return sum;
#define COPY(name)                                                             \
  sum.name = __atomic_load_n(&entry->sum.name, __ATOMIC_RELAXED);
  HP_CONTENTS_SUMS(COPY)
#undef COPY
  settle(&sum);
  return sum;
}

/* The number of chunks first: bits that come meanwhile are too many, never too few. */
void hp_contents_bits_of(struct hp_content_bits *bits, uint32_t point) {
  const struct entry *entry = entry_of(point);
  bits->chunks = 0;
  if (!entry)
    return;
  bits->chunks = __atomic_load_n(&entry->bits.chunks, __ATOMIC_ACQUIRE);
  for (uint32_t i = 0; i < HP_CONTENT_WORDS; i++)
    bits->words[i] = __atomic_load_n(&entry->bits.words[i], __ATOMIC_RELAXED);
}

/* ---- a dump -------------------------------------------------------------- */

void hp_contents_begin_dump(void) { hp_contents_end_dump(); }

void hp_contents_end_dump(void) {
  if (living.map.entries)
    hp_sys_unmap(living.map.entries, SEEN * sizeof(struct seen));
  living = (struct seen_table){0};
}

/* The state before of a content of a live chunk: those that ended count, too. */
static uint64_t note_live(uint32_t point, const struct hp_content *content,
                          bool is_chosen) {
  const uint64_t key = key_of(point, content);
  const struct seen *before = find(&ended, key, false);
  struct seen *at = find(&living, key, true);
  if (!at)
    return UINT64_MAX;
  if (before && !at->state)
    at->state = before->state;
  return note(at, content->size, is_chosen);
}

/* One whose reference is odd has ended (live_view.c). */
void hp_contents_add_live(struct hp_contents_sum *sum,
                          struct hp_content_bits *bits,
                          const struct hp_chunk_reference *live) {
  const struct hp_chunk *chunk = live->chunk;
  if (!hp_contents_of || (uintptr_t)chunk & 1 || !live->point ||
      !hp_heap_holds(chunk))
    return;
  const struct hp_cold *cold = hp_cold_of(chunk);
  const uint64_t word = __atomic_load_n(&cold->word, __ATOMIC_ACQUIRE);
  struct hp_content content;
  if (!(word & HP_RECORD_LIVE) || !(word & hp_contents_of) ||
      !hp_content_look_live(chunk, word, &content))
    return;
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  if (!(__atomic_load_n(&cold->word, __ATOMIC_RELAXED) & HP_RECORD_LIVE) ||
      __atomic_load_n(&cold->t0, __ATOMIC_RELAXED) != live->t0)
    return;
  const bool is_chosen = is_for_others(live->t0);
  struct hp_contents_sum more = measure(&content, is_chosen);
  count_different(&more, note_live(live->point, &content, is_chosen),
                  content.size, is_chosen);
  hp_content_add_bits(bits, chunk, word);
#define ADD(name) sum->name += more.name;
  HP_CONTENTS_SUMS(ADD)
#undef ADD
}

void hp_contents_start(void) {
  /* Records of the program's own allocator are not ahead of the chunks. */
  hp_contents_of =
      hp_options.contents && !hp_beside ? HP_RECORD_EXACT | HP_RECORD_AGED : 0;
  if (hp_contents_of)
    hp_content_start();
  if (!is_used)
    return;
  is_used = false;
  struct entry *table = points.entries;
  if (table)
    hp_sys_release(table, ENTRIES * sizeof *table);
  if (ended.map.entries)
    hp_sys_release(ended.map.entries, SEEN * sizeof(struct seen));
  ended.count = 0;
}
