/* watch.c - see watch.h: a table of those that are watched, found by the cold half
   of their record, and one of sums by point.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/watch.h"

#include "chunk/point_sum.h"
#include "chunk/point_table.h"
#include "heap/heap.h"
#include "system/clock.h"

#define WATCHES 4096u /* a power of two, as is */
#define POINTS 8192u
#define PROBES 8u

enum { TEARDOWN = 1, ASKED = 2, FILL = 4 }; /* what a chunk is watched for */

/* One chunk, and the burst of accesses that goes on. */
struct watch {
  const struct hp_cold *cold; /* NULL: free */
  uint64_t t0;                /* of it: else the slot holds another chunk */
  uint64_t before;            /* last access before the burst, ticks; 0: none */
  uint64_t began;
  uint64_t reads_before;
  uint32_t accesses, burst;
  uint32_t reader_count;
  bool is_use; /* the burst cannot be a teardown */
  uint8_t roles;
  uintptr_t readers[HP_TEARDOWN_READERS];
  struct hp_fill fill;
};

static struct hp_point_map watches, points;

static struct watch *watch_table(bool take) {
  return hp_point_map_entries(&watches, WATCHES * sizeof(struct watch), take);
}

static struct hp_teardown_sum *sum_of(uint32_t point, bool take) {
  return hp_point_map_find(&points, sizeof(struct hp_teardown_sum), POINTS,
                           point, take);
}

static uint64_t value_of(const uint64_t *from) {
  return __atomic_load_n(from, __ATOMIC_RELAXED);
}

/* ---- the table ----------------------------------------------------------- */

static struct watch *place_of(struct watch *table, const struct hp_cold *cold,
                              unsigned probe) {
  const uint64_t hash = (uintptr_t)cold / sizeof *cold * 0x9e3779b97f4a7c15u;
  return &table[((hash >> 32) + probe) % WATCHES];
}

static const struct hp_cold *cold_in(const struct watch *watch) {
  return __atomic_load_n(&watch->cold, __ATOMIC_ACQUIRE);
}

static struct watch *find(const struct hp_cold *cold) {
  struct watch *table = watch_table(false);
  for (unsigned i = 0; table && i < PROBES; i++) {
    struct watch *watch = place_of(table, cold, i);
    if (cold_in(watch) == cold && watch->t0 == cold->t0)
      return watch;
  }
  return NULL;
}

/* A place for COLD. */
static struct watch *claim(const struct hp_cold *cold) {
  struct watch *table = watch_table(true);
  for (unsigned i = 0; table && i < PROBES; i++) {
    struct watch *watch = place_of(table, cold, i);
    const struct hp_cold *there = NULL;
    if (!__atomic_compare_exchange_n(&watch->cold, &there, cold, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
      continue;
    *watch = (struct watch){.cold = cold, .t0 = cold->t0, .is_use = true};
    return watch;
  }
  return NULL;
}

static void release(struct watch *watch) {
  __atomic_store_n(&watch->cold, NULL, __ATOMIC_RELEASE);
}

/* ---- who is watched, and what is done to it ------------------------------ */

static bool is_of_one_thread(const struct hp_cold *cold) {
  return !(cold->word &
           (HP_RECORD_MULTITHREAD | HP_RECORD_CROWD | HP_RECORD_HUGE));
}

static bool is_wanted(const struct hp_cold *cold,
                      const struct hp_touch *touch) {
  const struct hp_teardown_sum *sum = sum_of(cold->point, true);
  const uint64_t mixed = cold->t0 * 0x9e3779b97f4a7c15u;
  return sum && (value_of(&sum->watched) < HP_WATCH_FIRST ||
                 (touch->is_chosen && (mixed >> 32) % HP_WATCH_ONE_IN == 0));
}

/* Asked once of each chunk, when it is old. */
static uint8_t role_of_old(const struct hp_cold *cold,
                           const struct hp_touch *touch) {
  if (!is_wanted(cold, touch))
    return ASKED;
  hp_sum_add(&sum_of(cold->point, true)->watched, 1);
  return ASKED | TEARDOWN;
}

static struct watch *begin(struct hp_chunk *chunk, const struct hp_cold *cold,
                           const struct hp_touch *touch) {
  if (!is_of_one_thread(cold) ||
      !(touch->is_old
            ? is_wanted(cold, touch)
            : touch->is_first && hp_fill_wants(cold, touch->is_chosen)))
    return NULL;
  struct watch *watch = claim(cold);
  if (!watch)
    return NULL;
  if (!touch->is_old) {
    watch->roles = FILL;
    hp_fill_begin(&watch->fill, cold);
  }
  __atomic_fetch_or(&chunk->thread, HP_THREAD_LATE, __ATOMIC_RELAXED);
  return watch;
}

static void note_reader(struct watch *watch, uintptr_t pc) {
  for (uint32_t i = 0; i < watch->reader_count; i++)
    if (watch->readers[i] == pc)
      return;
  if (watch->reader_count < HP_TEARDOWN_READERS)
    watch->readers[watch->reader_count++] = pc;
  else
    watch->is_use = true;
}

static void note_burst(struct watch *watch, const struct hp_chunk *chunk,
                       const struct hp_touch *touch, uint64_t now) {
  if (now > chunk->last &&
      now - chunk->last > (now - watch->t0) / HP_WATCH_PART) {
    watch->before = chunk->last;
    watch->began = now;
    watch->reads_before = hp_chunk_reads(chunk);
    watch->burst = watch->reader_count = 0;
    watch->is_use = false;
    hp_fill_burst(&watch->fill);
  }
  if (++watch->burst > HP_WATCH_BURST || (touch->reads && !touch->pc) ||
      (touch->reads && touch->size > HP_WATCH_WORDS))
    watch->is_use = true;
  if (touch->reads && !watch->is_use)
    note_reader(watch, touch->pc);
}

static void leave(struct hp_chunk *chunk, struct watch *watch) {
  const struct hp_cold *cold = hp_cold_of(chunk);
  const uint16_t tag = hp_record_tag(cold->word, cold->thread);
  if (watch->roles & FILL)
    hp_fill_lose(cold);
  __atomic_store_n(&chunk->thread, tag | HP_THREAD_EXACT, __ATOMIC_RELAXED);
  release(watch);
}

bool hp_watch_touch(struct hp_chunk *chunk, const struct hp_touch *touch,
                    uint64_t now) {
  const struct hp_cold *cold = hp_cold_of(chunk);
  const bool is_late = hp_chunk_tag(chunk) == HP_THREAD_LATE;
  struct watch *watch = is_late ? find(cold) : begin(chunk, cold, touch);
  if (!watch)
    return false;
  if (touch->is_old && !(watch->roles & ASKED))
    watch->roles |= role_of_old(cold, touch);
  if ((watch->roles & TEARDOWN) && watch->accesses++ == HP_WATCH_ACCESSES)
    watch->roles &= ~TEARDOWN;
  note_burst(watch, chunk, touch, now);
  if ((watch->roles & FILL) &&
      !hp_fill_touch(&watch->fill, touch->from, touch->to, touch->reads,
                     touch->writes)) {
    hp_fill_lose(cold);
    watch->roles &= ~FILL;
  }
  if (watch->roles & (TEARDOWN | FILL))
    return true;
  leave(chunk, watch);
  return false;
}

void hp_watch_leave(struct hp_chunk *chunk) {
  struct watch *watch =
      hp_chunk_tag(chunk) == HP_THREAD_LATE ? find(hp_cold_of(chunk)) : NULL;
  if (watch)
    leave(chunk, watch);
}

/* ---- its end ------------------------------------------------------------- */

static uint64_t part_of(uint64_t from, uint64_t to, uint64_t life) {
  const uint64_t used = to > from ? to - from : 0;
  const unsigned __int128 part = (unsigned __int128)used * HP_TEARDOWN_UNIT;
  return used < life ? (uint64_t)(part / life) : HP_TEARDOWN_UNIT;
}

static uint64_t life_of(const struct hp_cold *cold, uint64_t now) {
  return now > cold->t0 ? now - cold->t0 : 1;
}

static bool is_taken_down(const struct watch *watch, const struct hp_cold *cold,
                          uint64_t now) {
  return !watch->is_use &&
         now - watch->began <= life_of(cold, now) / HP_WATCH_PART;
}

static void sum_up(const struct watch *watch, const struct hp_chunk *chunk,
                   const struct hp_cold *cold, struct hp_teardown_sum *sum,
                   uint64_t now) {
  const uint64_t life = life_of(cold, now);
  const bool is_torn = is_taken_down(watch, cold, now);
  const uint64_t used = is_torn ? watch->before : chunk->last;
  hp_sum_add(&sum->useful, part_of(cold->first, chunk->last, life));
  hp_sum_add(&sum->settled, used ? part_of(cold->first, used, life) : 0);
  if (is_torn) {
    if (used < now && now - used > life / 2)
      hp_sum_add(&sum->late, 1);
    if (used && !watch->reads_before)
      hp_sum_add(&sum->unread, 1);
    for (uint32_t i = 0; i < watch->reader_count; i++)
      hp_sum_reader(sum->readers, HP_TEARDOWN_READERS, &sum->overflow,
                    watch->readers[i]);
    hp_sum_add(&sum->torn, 1);
  }
  hp_sum_add(&sum->freed, 1);
}

static void end_fill(const struct watch *watch, const struct hp_chunk *chunk,
                     const struct hp_cold *cold, uint64_t now) {
  const struct hp_fill_end end = {.is_torn = watch->before &&
                                             is_taken_down(watch, cold, now),
                                  .readers = watch->readers,
                                  .reader_count = watch->reader_count};
  if (is_of_one_thread(cold))
    hp_fill_end(&watch->fill, chunk, cold, &end);
  else
    hp_fill_lose(cold);
}

void hp_watch_free(const struct hp_chunk *chunk, const struct hp_cold *cold) {
  struct watch *watch =
      hp_chunk_tag(chunk) == HP_THREAD_LATE ? find(cold) : NULL;
  if (!watch)
    return;
  struct hp_teardown_sum *sum = sum_of(cold->point, false);
  const uint64_t now = hp_clock_now();
  const bool is_in_window = cold->t0 >= hp_clock_window_start;
  if (sum && is_in_window && (watch->roles & TEARDOWN))
    sum_up(watch, chunk, cold, sum, now);
  if (is_in_window && (watch->roles & FILL))
    end_fill(watch, chunk, cold, now);
  release(watch);
}

void hp_watch_add_live(const struct hp_chunk *chunk, const struct hp_cold *cold,
                       struct hp_initialised_sum *sum) {
  const struct watch *watch =
      hp_chunk_tag(chunk) == HP_THREAD_LATE ? find(cold) : NULL;
  if (watch && (watch->roles & FILL) && is_of_one_thread(cold))
    hp_fill_add_live(&watch->fill, chunk, sum);
}

/* A part is never above what it is a part of, which is read last. */
struct hp_teardown_sum hp_teardown_of(uint32_t point) {
  const struct hp_teardown_sum *from = sum_of(point, false);
  struct hp_teardown_sum sum = {0};
  if (!from)
    return sum;
  for (uint32_t i = 0; i < HP_TEARDOWN_READERS; i++)
    sum.readers[i] = value_of(&from->readers[i]);
  sum.overflow = value_of(&from->overflow);
  sum.settled = value_of(&from->settled);
  sum.useful = value_of(&from->useful);
  sum.unread = value_of(&from->unread);
  sum.late = value_of(&from->late);
  sum.torn = value_of(&from->torn);
  sum.freed = value_of(&from->freed);
  sum.watched = value_of(&from->watched);
  return sum;
}

void hp_watch_start(void) {
  void *table = hp_point_map_entries(&points, 0, false);
  if (table)
    hp_sys_release(table,
                   hp_point_map_size(sizeof(struct hp_teardown_sum), POINTS));
  hp_fill_start();
  watch_table(hp_fill_is_possible());
}
