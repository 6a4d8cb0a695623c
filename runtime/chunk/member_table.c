/* member_table.c - see member_table.h: tables that are only ever added to, mapped
   when something is counted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/member_table.h"

#include "chunk/point_table.h"
#include "hook_abi.h"
#include "system/clock.h"
#include "system/real_libc.h"

#define POINTS 32768u /* those that come later are not counted */
/* Powers of two. */
#define ENTRIES ((uint32_t)1 << 18)
#define ENTRIES_MAX (ENTRIES / 4 * 3)
#define ENTRIES_OF_POINT 2048u /* at most */
#define SEEN ((uint32_t)1 << 20)
#define SEEN_MAX (SEEN / 4 * 3)
#define PROBES 64u
#define WORDS ((uint32_t)1 << 22) /* of all groups */

/* Filled in by who takes it, and in the list of its point from then on:
     +0   u64 key   hash of point, hook and place, never 0; 0: free
     +8   u64 times                                                          */
struct entry {
  uint64_t key;
  uint64_t times;
  struct hp_member_key of; /* its group is a copy */
  uint32_t next;           /* number of an entry, from 1; 0: none */
  uint32_t chunks;         /* UINT32_MAX: not known */
  uint32_t last;           /* chunk that was counted last, as good as surely */
  uint64_t first_use, last_use;
};

static struct hp_point_map points, entries, seen, words;
static uint32_t entry_count, seen_count, word_count;
static bool is_used;

/* By number: these are given one after the other. */
struct hp_member_point *hp_member_point(uint32_t point, bool take) {
  struct hp_member_point *table =
      point && point < POINTS
          ? hp_point_map_entries(&points, POINTS * sizeof *table, take)
          : NULL;
  if (!table)
    return NULL;
  if (HP_UNLIKELY(!is_used))
    is_used = true;
  return &table[point];
}

static uint64_t mix(uint64_t hash, uint64_t more) {
  hash = (hash ^ more) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

/* ---- groups -------------------------------------------------------------- */

static uint32_t words_of(const uint32_t *group) {
  return HP_GROUP_HEAD + group[HP_GROUP_PLACES] * HP_GROUP_PLACE;
}

/* The module of a group may be unloaded before the dump. */
static const uint32_t *copy_of(const uint32_t *group) {
  uint32_t *all = hp_point_map_entries(&words, WORDS * sizeof *all, true);
  const uint32_t n = words_of(group);
  if (!all || n > WORDS)
    return NULL;
  const uint32_t at = __atomic_fetch_add(&word_count, n, __ATOMIC_RELAXED);
  if (at > WORDS - n) {
    __atomic_fetch_sub(&word_count, n, __ATOMIC_RELAXED);
    return NULL;
  }
  hp_real_memcpy(&all[at], group, n * sizeof *group);
  return &all[at];
}

/* ---- entries ------------------------------------------------------------- */

/* Other modules may come to lie where one was unloaded. */
static uint64_t hash_of(uint32_t point, const struct hp_member_key *key) {
  uint64_t hash = mix(mix(0, point), (uint64_t)key->offset << 32 | key->bytes);
  hash = mix(hash, key->kind);
  const uint32_t *group = key->group;
  if (!group)
    return mix(hash, key->pc) | 1;
  hash = mix(hash, (uintptr_t)group);
  hash =
      mix(hash, (uint64_t)group[HP_GROUP_READS] << 32 | group[HP_GROUP_WRITES]);
  return mix(hash,
             (uint64_t)group[HP_GROUP_HEAD] << 32 | group[HP_GROUP_HEAD + 1]) |
         1;
}

static void enlist(struct hp_member_point *of, struct entry *entry,
                   uint32_t number) {
  uint32_t first = __atomic_load_n(&of->first, __ATOMIC_RELAXED);
  do
    entry->next = first;
  while (!__atomic_compare_exchange_n(&of->first, &first, number, true,
                                      __ATOMIC_RELEASE, __ATOMIC_RELAXED));
}

static void fill(struct hp_member_point *of, struct entry *entry,
                 uint32_t number, const struct hp_member_key *key) {
  entry->of = *key;
  entry->first_use = hp_clock_now();
  if (key->group && !(entry->of.group = copy_of(key->group)))
    return;
  enlist(of, entry, number);
}

static bool may_take(struct hp_member_point *of) {
  return __atomic_load_n(&entry_count, __ATOMIC_RELAXED) < ENTRIES_MAX &&
         __atomic_load_n(&of->entries, __ATOMIC_RELAXED) < ENTRIES_OF_POINT;
}

static struct entry *find(struct hp_member_point *of,
                          const struct hp_member_key *key) {
  struct entry *table =
      hp_point_map_entries(&entries, ENTRIES * sizeof *table, true);
  const uint64_t hash =
      hash_of((uint32_t)(of - (struct hp_member_point *)points.entries), key);
  for (uint32_t i = 0; table && i < PROBES; i++) {
    const uint32_t number = (uint32_t)((hash >> 32) + i) % ENTRIES;
    struct entry *entry = &table[number];
    uint64_t there = __atomic_load_n(&entry->key, __ATOMIC_RELAXED);
    if (there == hash)
      return entry;
    if (there)
      continue;
    if (!may_take(of))
      return NULL;
    if (__atomic_compare_exchange_n(&entry->key, &there, hash, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      __atomic_fetch_add(&entry_count, 1, __ATOMIC_RELAXED);
      __atomic_fetch_add(&of->entries, 1, __ATOMIC_RELAXED);
      fill(of, entry, number + 1, key);
      return entry;
    }
    if (there == hash)
      return entry;
  }
  return NULL;
}

/* ---- which chunks -------------------------------------------------------- */

enum sight { SIGHT_NEW, SIGHT_KNOWN, SIGHT_LOST };

/* Whether the chunk of LIFE was counted by the entry of KEY before. */
static enum sight see(uint64_t key, uint64_t life) {
  uint64_t *table = hp_point_map_entries(&seen, SEEN * sizeof *table, true);
  const uint64_t hash = mix(key, life) | 1;
  for (uint32_t i = 0; table && i < PROBES; i++) {
    uint64_t *at = &table[((hash >> 32) + i) % SEEN];
    uint64_t there = __atomic_load_n(at, __ATOMIC_RELAXED);
    if (there == hash)
      return SIGHT_KNOWN;
    if (there)
      continue;
    if (__atomic_load_n(&seen_count, __ATOMIC_RELAXED) >= SEEN_MAX)
      return SIGHT_LOST;
    if (__atomic_compare_exchange_n(at, &there, hash, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
      __atomic_fetch_add(&seen_count, 1, __ATOMIC_RELAXED);
      return SIGHT_NEW;
    }
    if (there == hash)
      return SIGHT_KNOWN;
  }
  return SIGHT_LOST;
}

static HP_NOINLINE void count_chunk(struct entry *entry, uint64_t life) {
  __atomic_store_n(&entry->last, (uint32_t)life, __ATOMIC_RELAXED);
  uint32_t chunks = __atomic_load_n(&entry->chunks, __ATOMIC_RELAXED);
  if (chunks == UINT32_MAX)
    return;
  const enum sight sight = see(entry->key, life);
  if (sight == SIGHT_LOST)
    __atomic_store_n(&entry->chunks, UINT32_MAX, __ATOMIC_RELAXED);
  while (sight == SIGHT_NEW && chunks < UINT32_MAX - 1 &&
         !__atomic_compare_exchange_n(&entry->chunks, &chunks, chunks + 1, true,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void hp_member_count(struct hp_member_point *of,
                     const struct hp_member_key *key, uint64_t life,
                     uint64_t times) {
  struct entry *entry = find(of, key);
  if (!entry)
    return;
  __atomic_fetch_add(&entry->times, times, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->last_use, hp_clock_now(), __ATOMIC_RELAXED);
  if (HP_UNLIKELY(__atomic_load_n(&entry->last, __ATOMIC_RELAXED) !=
                  (uint32_t)life))
    count_chunk(entry, life);
}

/* ---- a dump -------------------------------------------------------------- */

void hp_member_each(const struct hp_member_point *of,
                    void (*take)(const struct hp_member_entry *entry,
                                 void *arg),
                    void *arg) {
  const struct entry *table = hp_point_map_entries(&entries, 0, false);
  uint32_t number = __atomic_load_n(&of->first, __ATOMIC_ACQUIRE);
  for (; table && number; number = table[number - 1].next) {
    const struct entry *entry = &table[number - 1];
    const uint32_t chunks = __atomic_load_n(&entry->chunks, __ATOMIC_RELAXED);
    const struct hp_member_entry one = {
        .key = entry->of,
        .times = __atomic_load_n(&entry->times, __ATOMIC_RELAXED),
        .chunks = chunks == UINT32_MAX ? 0 : chunks,
        .first_use = entry->first_use,
        .last_use = __atomic_load_n(&entry->last_use, __ATOMIC_RELAXED)};
    take(&one, arg);
  }
}

static void empty(struct hp_point_map *map, size_t size) {
  if (map->entries)
    hp_sys_release(map->entries, size);
}

void hp_member_table_start(void) {
  if (!is_used)
    return;
  is_used = false;
  empty(&points, POINTS * sizeof(struct hp_member_point));
  empty(&entries, ENTRIES * sizeof(struct entry));
  empty(&seen, SEEN * sizeof(uint64_t));
  empty(&words, WORDS * sizeof(uint32_t));
  entry_count = seen_count = word_count = 0;
}
