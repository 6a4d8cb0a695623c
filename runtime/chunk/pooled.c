/* pooled.c - see pooled.h: records in an array, which live objects are in the lists
   of their granules and of their pool.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/pooled.h"

#include "chunk/bound.h"
#include "chunk/point_sum.h"
#include "chunk/point_table.h"
#include "chunk/watch.h"
#include "heap/owner.h"
#include "heap/share.h"
#include "system/arena.h"
#include "system/clock.h"
#include "system/process_facts.h"

#define RECORDS_RESERVED ((size_t)64 << 30)
#define RECORDS_LEAST ((size_t)1 << 20)

static struct hp_lock lock;
static struct hp_arena records = {.dense = true};
static uint32_t last_number, free_number;

uint64_t hp_pooled_lock(void) { return hp_lock_take_held(&lock); }
void hp_pooled_unlock(uint64_t mask) { hp_lock_release_held(&lock, mask); }
void hp_pooled_fork_lock(void) { hp_lock_take(&lock); }
void hp_pooled_fork_unlock(void) { hp_lock_release(&lock); }

struct hp_pooled *hp_pooled_at(uint32_t number) {
  return (struct hp_pooled *)(void *)records.base + number;
}

/* ---- by point of the chunks ---------------------------------------------- */

#define ENTRIES 2048u /* a power of two */
struct entry {
  struct hp_block_sum sum;
  struct hp_block_sum live; /* as last judged: only what an end says */
};
static struct hp_point_map facts;

static struct entry *entry_of(const struct hp_cut_block *block, bool take) {
  const struct hp_cold *cold = hp_cold_of(block->chunk);
  const uint32_t point = cold->t0 >= hp_clock_window_start ? cold->point : 0;
  return hp_point_map_find(&facts, sizeof(struct entry), ENTRIES, point, take);
}

/* Adds what is known of BLOCK when it ends, or would end, NOW. */
static void judge(struct hp_block_sum *sum, const struct hp_cut_block *block,
                  uint64_t now) {
  const uint64_t t0 = hp_cold_of(block->chunk)->t0, since = block->since,
                 last = block->last_end;
  const uint64_t life = now > t0 ? now - t0 : 1;
  const unsigned __int128 rest =
      now > since ? (unsigned __int128)block->live * (now - since) : 0;
  const unsigned __int128 mean = (block->area + rest) / life;
  sum->mean_bytes += mean < block->most ? (uint64_t)mean : block->most;
  if (last && !block->count && now > last && now - last > life / 2) {
    sum->idle_chunks++;
    sum->idle_bytes += block->size;
  }
}

static void add_sum(struct hp_block_sum *to, const struct hp_block_sum *more) {
#define ADD(name) to->name += more->name;
  HP_BLOCK_SUMS(ADD)
#undef ADD
}

struct hp_block_sum hp_blocks_of(uint32_t point) {
  const struct entry *entry =
      hp_point_map_find(&facts, sizeof *entry, ENTRIES, point, false);
  if (!entry)
    return (struct hp_block_sum){0};
  struct hp_block_sum sum = entry->sum;
  add_sum(&sum, &entry->live);
  return sum;
}

void hp_blocks_judge(uint64_t now) {
  struct entry *table = hp_point_map_first(&facts, ENTRIES);
  if (!table)
    return;
  const uint64_t mask = hp_pooled_lock();
  for (uint32_t i = 0; i < ENTRIES; i++)
    table[i].live = (struct hp_block_sum){0};
  for (const struct hp_cut_block *block = hp_cut_first(); block;
       block = block->next) {
    struct entry *entry = block->begin ? entry_of(block, false) : NULL;
    if (entry)
      judge(&entry->live, block, now);
  }
  hp_pooled_unlock(mask);
}

void hp_pooled_start(void) {
  void *table = hp_point_map_entries(&facts, 0, false);
  if (table)
    hp_sys_release(table, hp_point_map_size(sizeof(struct entry), ENTRIES));
}

/* ---- chunks that are cut up ---------------------------------------------- */

struct hp_chunk *hp_pooled_chunk(const void *p, uint64_t size) {
  if (!hp_heap_holds(p))
    return NULL;
  struct hp_chunk *chunk = hp_owner_checked(p).chunk;
  if (!chunk || !(hp_cold_of(chunk)->word & HP_RECORD_LIVE))
    return NULL;
  const uint64_t offset = (uintptr_t)p - hp_chunk_start(chunk),
                 bytes = hp_chunk_size(chunk);
  return offset < bytes && size <= bytes - offset ? chunk : NULL;
}

/* All accesses go the long way from now on; what was done to the chunk as a whole
   is forgotten. */
static void mark(struct hp_chunk *chunk, struct hp_cut_block *block) {
  struct hp_cold *cold = hp_cold_of(chunk);
  struct hp_others *others = hp_others_of(chunk);
  hp_watch_leave(chunk);
  others->huge_hi = (uint64_t)(uintptr_t)block;
  __atomic_store_n(&others->huge_lo, HP_CUT_MARK, __ATOMIC_RELEASE);
  __atomic_fetch_or(&cold->word, HP_RECORD_HUGE | HP_RECORD_MULTITHREAD,
                    __ATOMIC_RELEASE);
  __atomic_fetch_and(&cold->word, ~(HP_RECORD_EXACT | HP_RECORD_AGED),
                     __ATOMIC_RELAXED);
  chunk->thread_writes = HP_THREAD_LATE;
  chunk->reads_guard &= ~HP_COUNT_MASK;
  chunk->lo = UINT32_MAX;
  chunk->hi = 0;
  uint64_t areas = others->areas;
  for (struct hp_chunk *share; (share = hp_share_next(chunk, &areas));) {
    share->lo = UINT32_MAX;
    share->hi = 0;
  }
}

static struct hp_cut_block *cut(struct hp_chunk *chunk) {
  const uint64_t word = hp_cold_of(chunk)->word;
  struct hp_cut_block *block = word & HP_RECORD_HUGE ? hp_cut_of(chunk) : NULL;
  if (block)
    return block;
  block = hp_cut_take(hp_chunk_start(chunk), hp_chunk_size(chunk), chunk);
  if (!block)
    return NULL;
  mark(chunk, block);
  struct entry *entry = entry_of(block, true);
  if (entry) {
    entry->sum.chunks++;
    entry->sum.bytes += block->size;
  }
  return block;
}

void hp_pooled_forget(const struct hp_chunk *chunk) {
  struct hp_others *others = hp_others_of(chunk);
  const uint64_t mask = hp_pooled_lock();
  struct hp_cut_block *block = hp_cut_of(chunk);
  if (block) {
    struct entry *entry = entry_of(block, false);
    if (entry)
      judge(&entry->sum, block, hp_clock_now());
    __atomic_store_n(&others->huge_lo, 0, __ATOMIC_RELEASE);
    others->huge_hi = 0;
    hp_cut_give(block);
  }
  hp_pooled_unlock(mask);
}

/* ---- where objects are --------------------------------------------------- */

static uint64_t granule_of(const struct hp_cut_block *block, uintptr_t p) {
  return (p - block->begin) / HP_CUT_GRANULE;
}

/* Who looks without the lock may find another object's record: it goes no further
   than there can be objects in a granule. */
#define LIST_MAX 64u

/* The one of the list of GRANULE that has byte P; else the first one behind P, at
   *BEHIND, unless that knows of a nearer one. */
static struct hp_pooled *look(const struct hp_cut_block *block,
                              uint64_t granule, uintptr_t p,
                              struct hp_pooled **behind) {
  uint32_t number = hp_cut_head(block, granule);
  for (unsigned i = 0; number && i < LIST_MAX; i++) {
    struct hp_pooled *object = hp_pooled_at(number);
    if (p >= object->place && p - object->place < object->size)
      return object;
    if (object->place > p && object->size &&
        (!*behind || object->place < (*behind)->place))
      *behind = object;
    number = object->next;
  }
  return NULL;
}

/* The object that has the byte P of BLOCK, or the first one that begins behind it
   and has any; NULL: there is none. */
static struct hp_pooled *object_from(const struct hp_cut_block *block,
                                     uintptr_t p) {
  const uint64_t here = granule_of(block, p);
  struct hp_pooled *behind = NULL, *found = look(block, here, p, &behind);
  uint64_t at = here;
  /* Those of no byte hide nothing. */
  for (unsigned i = 0; !found && at && i < 4; i++) {
    at = hp_cut_before(block, at - 1);
    if (at == HP_CUT_NONE)
      break;
    found = look(block, at, p, &behind);
  }
  if (found || behind)
    return found ? found : behind;
  at = hp_cut_after(block, here + 1);
  if (at != HP_CUT_NONE)
    look(block, at, block->begin + at * HP_CUT_GRANULE - 1, &behind);
  return behind;
}

static uint32_t number_of(const struct hp_pooled *object) {
  return (uint32_t)(object - hp_pooled_at(0));
}

uint32_t hp_pooled_find(const void *p) {
  struct hp_chunk *chunk = hp_pooled_chunk(p, 0);
  struct hp_cut_block *block = chunk && hp_cold_of(chunk)->word & HP_RECORD_HUGE
                                   ? hp_cut_of(chunk)
                                   : NULL;
  if (!block)
    return 0;
  uint32_t number = hp_cut_head(block, granule_of(block, (uintptr_t)p));
  while (number && hp_pooled_at(number)->place != (uintptr_t)p)
    number = hp_pooled_at(number)->next;
  return number;
}

uint32_t hp_pooled_in(const struct hp_cut_block *block, uintptr_t begin,
                      uintptr_t end) {
  const struct hp_pooled *object = object_from(block, begin);
  if (object && object->place < (end > begin ? end : begin + 1))
    return number_of(object);
  return hp_pooled_find((const void *)begin);
}

/* ---- they begin and end -------------------------------------------------- */

static uint32_t new_number(void) {
  const uint32_t number = free_number;
  if (number) {
    free_number = hp_pooled_at(number)->next;
    return number;
  }
  if ((!records.base &&
       !hp_arena_reserve(&records, RECORDS_RESERVED, RECORDS_LEAST)) ||
      !hp_arena_commit(&records,
                       ((size_t)last_number + 2) * sizeof(struct hp_pooled)))
    return 0;
  __atomic_store_n(&last_number, last_number + 1, __ATOMIC_RELEASE);
  return last_number;
}

/* What lived up to NOW has. */
static void note_area(struct hp_cut_block *block, uint64_t now) {
  if (now <= block->since)
    return;
  block->area += (unsigned __int128)block->live * (now - block->since);
  block->since = now;
}

static void note_begun(struct hp_cut_block *block, uint64_t size,
                       uint64_t now) {
  struct entry *entry = entry_of(block, false);
  note_area(block, now);
  block->count++;
  block->live += size;
  const uint64_t more =
      block->live > block->most ? block->live - block->most : 0;
  block->most += more;
  if (entry) {
    entry->sum.objects++;
    entry->sum.object_bytes += size;
    entry->sum.most_bytes += more;
  }
}

uint32_t hp_pooled_add(struct hp_pool_list *pool, struct hp_chunk *chunk,
                       const struct hp_pooled *object) {
  struct hp_cut_block *block = cut(chunk);
  const uint32_t number = block ? new_number() : 0;
  if (!number)
    return 0;
  struct hp_pooled *record = hp_pooled_at(number);
  const uint64_t granule = granule_of(block, object->place);
  *record = *object;
  record->lo = UINT64_MAX;
  record->hi = 0;
  record->block = block;
  record->pool = pool;
  record->next = hp_cut_head(block, granule);
  record->before = 0;
  record->after = pool->first;
  if (pool->first)
    hp_pooled_at(pool->first)->before = number;
  pool->first = number;
  pool->count++;
  note_begun(block, object->size, object->t0);
  __atomic_store_n(&record->live, 1, __ATOMIC_RELEASE);
  hp_cut_set_head(block, granule, number);
  return number;
}

static void leave_granule(struct hp_cut_block *block, uint32_t number) {
  const struct hp_pooled *object = hp_pooled_at(number);
  const uint64_t granule = granule_of(block, object->place);
  uint32_t at = hp_cut_head(block, granule);
  if (at == number) {
    hp_cut_set_head(block, granule, object->next);
    return;
  }
  while (at && hp_pooled_at(at)->next != number)
    at = hp_pooled_at(at)->next;
  if (at)
    __atomic_store_n(&hp_pooled_at(at)->next, object->next, __ATOMIC_RELEASE);
}

void hp_pooled_remove(uint32_t number, uint64_t now) {
  struct hp_pooled *object = hp_pooled_at(number);
  struct hp_cut_block *block = object->block;
  struct hp_pool_list *pool = object->pool;
  leave_granule(block, number);
  if (object->before)
    hp_pooled_at(object->before)->after = object->after;
  else
    pool->first = object->after;
  if (object->after)
    hp_pooled_at(object->after)->before = object->before;
  pool->count--;
  note_area(block, now);
  block->count--;
  block->live -= object->size;
  block->last_end = now;
  __atomic_store_n(&object->live, 0, __ATOMIC_RELEASE);
  object->next = free_number;
  free_number = number;
}

/* ---- accesses ------------------------------------------------------------ */

/* Objects that were accessed last, by address: most accesses are to one of them.
   What is found here is compared as what look() finds. */
#define RECENT 4096u /* a power of two */
static struct hp_pooled *recent[RECENT];

/* As object_from(). */
static struct hp_pooled *object_near(const struct hp_cut_block *block,
                                     uintptr_t p) {
  struct hp_pooled **at = &recent[p / HP_CUT_GRANULE % RECENT];
  struct hp_pooled *object = __atomic_load_n(at, __ATOMIC_RELAXED);
  if (HP_LIKELY(object && object->block == block &&
                __atomic_load_n(&object->live, __ATOMIC_RELAXED) &&
                p - object->place < object->size))
    return object;
  object = object_from(block, p);
  if (object && p - object->place < object->size)
    __atomic_store_n(at, object, __ATOMIC_RELAXED);
  return object;
}

/* As touch(), by the only thread there is. */
static void touch_alone(struct hp_pooled *object, uint64_t lo, uint64_t hi,
                        uint64_t reads, uint64_t writes, uint64_t now) {
  if (lo < hi) {
    object->lo = lo < object->lo ? lo : object->lo;
    object->hi = hi > object->hi ? hi : object->hi;
  }
  object->reads += reads;
  object->writes += writes;
  object->first = object->first ? object->first : now;
  object->last = now > object->last ? now : object->last;
}

/* Accesses of bytes [LO, HI) of OBJECT; none: only the time is renewed. */
static void touch(struct hp_pooled *object, uint64_t lo, uint64_t hi,
                  uint64_t reads, uint64_t writes, uint64_t now) {
  uint64_t none = 0;
  if (lo < hi) {
    hp_bound_lower(&object->lo, lo);
    hp_bound_raise(&object->hi, hi);
  }
  hp_sum_add(&object->reads, reads);
  hp_sum_add(&object->writes, writes);
  if (!__atomic_load_n(&object->first, __ATOMIC_RELAXED))
    __atomic_compare_exchange_n(&object->first, &none, now, false,
                                __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  hp_bound_raise(&object->last, now);
  if (HP_UNLIKELY(object->thread != hp_thread_number()))
    __atomic_fetch_or(&object->flags, HP_CHUNK_MULTITHREAD, __ATOMIC_RELAXED);
}

bool hp_pooled_access(const struct hp_chunk *chunk, uintptr_t p, uint64_t size,
                      uint64_t reads, uint64_t writes) {
  const struct hp_cut_block *block = hp_cut_of(chunk);
  if (!block)
    return false;
  const uintptr_t begin = __atomic_load_n(&block->begin, __ATOMIC_ACQUIRE);
  if (!begin || p - begin >= block->size)
    return true;
  const uintptr_t rest = begin + block->size - p;
  const uintptr_t end = p + (size < rest ? size : rest);
  const uint64_t now = hp_clock_now();
  /* Then counts need no locked addition, which takes as long as all the rest. */
  const bool alone = hp_sys_is_alone();
  hp_clock_noted(now);
  do {
    struct hp_pooled *object = object_near(block, p);
    if (!object)
      break;
    const uintptr_t from = object->place > p ? object->place : p,
                    behind = object->place + object->size,
                    to = behind < end ? behind : end;
    if (from > p && from >= end)
      break;
    const uint64_t lo = from - object->place,
                   hi = to > from ? to - object->place : 0;
    if (HP_LIKELY(alone && object->thread == hp_thread_self_number))
      touch_alone(object, lo, hi, reads, writes, now);
    else
      touch(object, lo, hi, reads, writes, now);
    p = behind > p ? behind : p + 1; /* it was another one meanwhile */
  } while (p < end);
  return true;
}

/* ---- what is told -------------------------------------------------------- */

void hp_pooled_describe(const struct hp_pooled *object,
                        struct hp_chunk_log *entry) {
  *entry = (struct hp_chunk_log){
      .t0 = object->t0,
      .first = __atomic_load_n(&object->first, __ATOMIC_RELAXED),
      .last = __atomic_load_n(&object->last, __ATOMIC_RELAXED),
      .size = object->size,
      .reads = __atomic_load_n(&object->reads, __ATOMIC_RELAXED),
      .writes = __atomic_load_n(&object->writes, __ATOMIC_RELAXED),
      .point = object->point,
      .thread = object->thread,
      .flags = __atomic_load_n(&object->flags, __ATOMIC_RELAXED),
      .weight = 1,
      .address = object->place};
  const uint64_t lo = __atomic_load_n(&object->lo, __ATOMIC_RELAXED),
                 hi = __atomic_load_n(&object->hi, __ATOMIC_RELAXED);
  if (lo < hi && hi <= object->size) {
    entry->lo = lo;
    entry->hi = hi;
  }
}

void hp_pooled_each_live(uint64_t end,
                         void (*each)(const struct hp_chunk_reference *live,
                                      void *arg),
                         void *arg) {
  const uint32_t count = __atomic_load_n(&last_number, __ATOMIC_ACQUIRE);
  for (uint32_t i = 1; i <= count; i++) {
    const struct hp_pooled *object = hp_pooled_at(i);
    const bool is_live = __atomic_load_n(&object->live, __ATOMIC_ACQUIRE);
    const struct hp_chunk_reference live = {.t0 = object->t0,
                                            .point = object->point,
                                            .thread = object->thread,
                                            .chunk = object};
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    if (is_live && __atomic_load_n(&object->live, __ATOMIC_RELAXED) &&
        __atomic_load_n(&object->t0, __ATOMIC_RELAXED) == live.t0 &&
        live.t0 >= hp_clock_window_start && live.t0 <= end)
      each(&live, arg);
  }
}

bool hp_pooled_describe_live(const struct hp_chunk_reference *live,
                             struct hp_chunk_log *entry) {
  const struct hp_pooled *object = live->chunk;
  hp_pooled_describe(object, entry);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return __atomic_load_n(&object->live, __ATOMIC_RELAXED) &&
         object->t0 == live->t0;
}
