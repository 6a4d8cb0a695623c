/* members.c - see members.h: from an address to the place in its chunk, or in one
   of the records that the chunk is an array of.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/members.h"

#include "chunk/member_table.h"
#include "chunk/shared_lines.h"
#include "heap/beside_table.h"
#include "heap/heap.h"
#include "heap/owner.h"
#include "hook_abi.h"
#include "options/options.h"
#include "origin/point.h"
#include "system/clock.h"
#include "thread/thread_state.h"

uint64_t hp_members_of;
static uint32_t let_go; /* chunks of which enough was counted */

/* So many turns of a loop through a chunk without records have entries of their
   own; more are one. */
#define TURNS_MAX 64u

/* An address that is counted. */
struct place {
  struct hp_member_point *of;
  uint64_t life;   /* tells the chunk from others */
  uint64_t offset; /* from the chunk's start, or of its first record */
  uint64_t rest;   /* bytes of the chunk from there */
  uint64_t record; /* 0: the offset is the chunk's */
  bool is_foreign; /* another thread allocated the chunk */
};

/* ---- where it is --------------------------------------------------------- */

static void know(struct hp_member_point *of, uint32_t id) {
  const struct hp_alloc_point *point = hp_point_get(id);
  const struct hp_type *type = hp_point_type(point);
  const uint64_t record = type ? type->element_size : 0;
  const bool is_array = point->entry == HP_ENTRY_NEW_ARRAY;
  __atomic_store_n(&of->record, record <= UINT32_MAX ? record : 0,
                   __ATOMIC_RELAXED);
  __atomic_store_n(&of->what,
                   HP_MEMBER_KNOWN | (is_array ? HP_MEMBER_ARRAY : 0),
                   __ATOMIC_RELEASE);
}

/* A chunk of several records: then it consists of them, but for the number of
   those that have destructors.  False: the place is in that. */
static bool find_record(struct place *place, uint64_t size) {
  struct hp_member_point *of = place->of;
  const uint64_t record = of->record;
  if (!record || size <= record)
    return true;
  const uint32_t ahead = (uint32_t)size % (uint32_t)record;
  if (ahead) {
    if (!(of->what & HP_MEMBER_ARRAY) || (ahead != 8 && ahead != 16))
      return true;
    if (place->offset < ahead)
      return false;
    place->offset -= ahead;
  }
  place->record = record;
  return true;
}

/* False: it is not in a chunk that is counted. */
static HP_NOINLINE bool find(const void *p, struct place *place) {
  if (!hp_heap_holds(p))
    return false;
  const struct hp_chunk *chunk = hp_owner_of(p).chunk;
  if (!(chunk->thread & HP_THREAD_EXACT))
    return false;
  const struct hp_cold *cold = hp_cold_of(chunk);
  const uint64_t word = cold->word, size = word & HP_SIZE_MAX;
  const uint64_t offset = (uintptr_t)p - hp_chunk_start(chunk);
  if (!(word & HP_RECORD_LIVE) || (word & HP_RECORD_HUGE) || offset >= size ||
      cold->t0 < hp_clock_window_start ||
      !(place->of = hp_member_point(cold->point, true)))
    return false;
  if (HP_UNLIKELY(!__atomic_load_n(&place->of->what, __ATOMIC_ACQUIRE)))
    know(place->of, cold->point);
  place->life =
      (cold->t0 ^ (uintptr_t)chunk * 0xff51afd7ed558ccdu) * 0x9e3779b97f4a7c15u;
  place->life ^= place->life >> 32;
  place->offset = offset;
  place->rest = size - offset;
  place->record = 0;
  place->is_foreign = cold->thread != hp_thread_number();
  return find_record(place, size);
}

/* ---- counting ------------------------------------------------------------ */

static void count(const struct place *place, struct hp_member_key *key,
                  uint64_t offset, uint64_t times) {
  key->offset = (uint32_t)(place->record && offset >= place->record
                               ? (uint32_t)offset % (uint32_t)place->record
                               : offset);
  hp_member_count(place->of, key, place->life, times);
}

static uint64_t divisor_of(uint64_t a, uint64_t b) {
  while (b) {
    const uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* The group of KEY is accessed TIMES at OFFSET, and by the COUNT steps further. */
static void walk(const struct place *place, const struct hp_member_key *key,
                 uint64_t offset, const uint64_t *steps, uint32_t count_left,
                 uint64_t times) {
  if (!count_left) {
    struct hp_member_key own = *key;
    count(place, &own, offset, times);
    return;
  }
  const uint64_t record = place->record, turns = steps[1];
  const uint64_t step = record ? steps[0] % record : steps[0];
  if (!step || !turns) {
    walk(place, key, offset, steps + 2, count_left - 1, times * turns);
    return;
  }
  if (!record && turns > TURNS_MAX) {
    struct hp_member_key longer = *key;
    longer.bytes += (uint32_t)(step * (turns - 1));
    walk(place, &longer, offset, steps + 2, count_left - 1, times * turns);
    return;
  }
  const uint64_t period = record ? record / divisor_of(record, step) : turns;
  for (uint64_t i = 0; i < turns && i < period; i++)
    walk(place, key, offset + i * step, steps + 2, count_left - 1,
         times * ((turns - i + period - 1) / period));
}

/* ---- by line ------------------------------------------------------------- */

/* Who writes where is asked once a thread writes to another one's chunk. */
HP_INLINE bool is_shared(const struct place *place, bool writes) {
  return HP_UNLIKELY((place->is_foreign && writes) ||
                     __atomic_load_n(&place->of->lines, __ATOMIC_RELAXED));
}

static void note_line(const struct place *place, uint64_t ahead, uint64_t bytes,
                      uint64_t reads, uint64_t writes) {
  const uint32_t many = (uint32_t)1 << 24;
  hp_shared_line_note(
      place->of,
      &(struct hp_line_use){.life = place->life,
                            .offset = place->offset + ahead,
                            .bytes = bytes,
                            .reads = reads < many ? (uint32_t)reads : many,
                            .writes = writes < many ? (uint32_t)writes : many,
                            .is_foreign = place->is_foreign});
}

/* All TIMES at one place: what walks through a chunk writes whole lines. */
static HP_NOINLINE void note_group(const struct place *place,
                                   const uint32_t *group, uint64_t times) {
  for (uint32_t i = 0; i < group[HP_GROUP_PLACES]; i++) {
    const uint32_t *at = &group[HP_GROUP_HEAD + i * HP_GROUP_PLACE];
    note_line(place, at[0], at[1], at[2] * times, at[3] * times);
  }
}

static void count_group(const struct place *place, uint64_t reads,
                        uint64_t writes, const uint32_t *group, uintptr_t pc) {
  struct hp_member_key key = {.group = group,
                              .pc = pc,
                              .kind = place->record ? HP_MEMBER_IN_RECORD : 0};
  const uint64_t times = group[HP_GROUP_READS]
                             ? reads / group[HP_GROUP_READS]
                             : writes / group[HP_GROUP_WRITES];
  if (is_shared(place, group[HP_GROUP_WRITES]) &&
      (times == 1 || !group[HP_GROUP_STEP]))
    note_group(place, group, times);
  if (HP_LIKELY(times == 1)) {
    count(place, &key, place->offset, 1);
    return;
  }
  const uint64_t steps[] = {group[HP_GROUP_STEP], times};
  if (times)
    walk(place, &key, place->offset, steps, 1, 1);
}

static HP_NOINLINE HP_PRESERVE_MOST void group_in_chunk(const void *p,
                                                        uint32_t accesses,
                                                        const uint32_t *group,
                                                        uintptr_t pc) {
  struct place place;
  if (find(p, &place))
    count_group(&place, HP_SLOW_READS(accesses), HP_SLOW_WRITES(accesses),
                group, pc);
}

/* Most are of no chunk that is counted. */
HP_PRESERVE_MOST void hp_members_group(const void *p, uint32_t accesses,
                                       const uint32_t *group, uintptr_t pc) {
  const uintptr_t mask = hp_owner_mask(p);
  if (mask && ((const struct hp_chunk *)((uintptr_t)p & mask))->thread &
                  HP_THREAD_EXACT)
    group_in_chunk(p, accesses, group, pc);
}

void hp_members_many(const void *p, uint64_t reads, uint64_t writes,
                     const uint32_t *group, uintptr_t pc) {
  struct place place;
  if (find(p, &place))
    count_group(&place, reads, writes, group, pc);
}

void hp_members_loop(const void *p, const uint32_t *group,
                     const uint64_t *steps, uintptr_t pc) {
  struct place place;
  const struct hp_member_key key = {.group = group, .pc = pc};
  if (!find(p, &place))
    return;
  struct hp_member_key own = key;
  own.kind = place.record ? HP_MEMBER_IN_RECORD : 0;
  walk(&place, &own, place.offset, steps, group[HP_GROUP_STEPS], 1);
}

HP_PRESERVE_MOST void hp_members_range(const void *p, uint64_t size, int kind,
                                       uintptr_t pc) {
  struct place place;
  if (!find(p, &place) || !size)
    return;
  const uint64_t bytes = size < place.rest ? size : place.rest;
  const bool writes = kind & HP_ACCESS_WRITE;
  if (is_shared(&place, writes))
    note_line(&place, 0, bytes, (kind & HP_ACCESS_READ) != 0, writes);
  struct hp_member_key key = {.pc = pc,
                              .bytes = (uint32_t)bytes,
                              .kind = (uint32_t)kind |
                                      (place.record ? HP_MEMBER_IN_RECORD : 0)};
  if (place.record && bytes > place.record) { /* all of one, at least */
    key.bytes = (uint32_t)place.record;
    place.offset = 0;
  }
  count(&place, &key, place.offset, 1);
}

/* ---- a chunk ------------------------------------------------------------- */

/* Who fills a large array of records, one by one, accesses each of its words. */
static uint64_t array_of(const struct hp_chunk *chunk) {
  const struct hp_cold *cold = hp_cold_of(chunk);
  const uint64_t half = (cold->word & HP_SIZE_MAX) / 2;
  if (half - HP_MEMBERS_ARRAY > HP_MEMBERS_FILLING)
    return 0;
  const struct hp_member_point *of = hp_member_point(cold->point, false);
  return of && of->record > HP_MEMBERS_LINE ? half : 0;
}

bool hp_members_are_enough(const struct hp_chunk *chunk,
                           const struct hp_chunk *by) {
  const uint64_t reads = hp_chunk_reads(by), writes = hp_chunk_writes(by);
  const uint32_t more =
      by != chunk && writes >= reads / 4 ? HP_MEMBERS_SHARED : 0;
  const uint64_t least = HP_MEMBERS_ACCESSES << more, array = array_of(chunk);
  const uint32_t heavy =
      __atomic_load_n(&let_go, __ATOMIC_RELAXED) / HP_MEMBERS_HEAVY;
  const uint32_t most = HP_MEMBERS_HALVES + more;
  const uint32_t halves = heavy < most ? heavy : most;
  if (reads + writes < (array > least ? array : least) >> halves)
    return false;
  __atomic_fetch_add(&let_go, 1, __ATOMIC_RELAXED);
  return true;
}

void hp_members_start(void) {
  hp_members_of =
      hp_options.members && !hp_beside ? HP_RECORD_EXACT | HP_RECORD_AGED : 0;
  let_go = 0;
  hp_member_table_start();
  hp_shared_lines_start();
}
