/* pools.c - see pools.h: a hash table of pools, and for each end of an object one
   use of the allocator, since a use may say one thing at most.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/pools.h"

#include "chunk/chunk_life.h"
#include "chunk/window_totals.h"
#include "heap/beside_table.h"
#include "system/arena.h"
#include "system/message.h"

#define BUCKETS 4096u /* a power of two */
#define POOLS_RESERVED ((size_t)4 << 30)
#define POOLS_LEAST ((size_t)1 << 20)
#define NAME_MAX 64u

/* With the lock of pooled.h, as all that follows. */
struct pool {
  struct hp_pool_list list;
  uintptr_t key;
  uint32_t next; /* of the same bucket, or free */
  uint16_t name;
  bool is_created;
};
static struct hp_arena arena;
static uint32_t count, free_pool, buckets[BUCKETS];

static struct pool *pool_at(uint32_t number) {
  return (struct pool *)(void *)arena.base + number;
}

/* ---- names --------------------------------------------------------------- */

static char names[HP_POOL_NAMES + 1][NAME_MAX];
static uint32_t name_count;

const char *hp_pool_name(uint32_t number) { return names[number]; }

static bool is_name(const char *known, const char *name) {
  size_t i = 0;
  while (i < NAME_MAX - 1 && name[i] && known[i] == name[i])
    i++;
  return known[i] == (i < NAME_MAX - 1 ? name[i] : '\0');
}

static uint16_t name_number(const char *name) {
  if (!name || !*name)
    name = "pool";
  for (uint32_t i = 1; i <= name_count; i++)
    if (is_name(names[i], name))
      return (uint16_t)i;
  if (name_count == HP_POOL_NAMES)
    return HP_POOL_NAMES;
  const bool is_last = name_count + 1 == HP_POOL_NAMES;
  char *to = names[name_count + 1];
  if (is_last)
    name = "further pools";
  for (size_t i = 0; i < NAME_MAX - 1 && name[i]; i++)
    to[i] = name[i];
  __atomic_store_n(&name_count, name_count + 1, __ATOMIC_RELEASE);
  return (uint16_t)name_count;
}

/* ---- the table ----------------------------------------------------------- */

static uint32_t *bucket_of(uintptr_t key) {
  return &buckets[(key * 0x9e3779b97f4a7c15u) >> 52 & (BUCKETS - 1)];
}

static uint32_t find(uintptr_t key) {
  uint32_t number = *bucket_of(key);
  while (number && pool_at(number)->key != key)
    number = pool_at(number)->next;
  return number;
}

/* 0: no memory. */
static uint32_t add(uintptr_t key, const char *name, bool is_created) {
  uint32_t number = free_pool;
  if (number) {
    free_pool = pool_at(number)->next;
  } else if ((arena.base ||
              hp_arena_reserve(&arena, POOLS_RESERVED, POOLS_LEAST)) &&
             hp_arena_commit(&arena,
                             ((size_t)count + 2) * sizeof(struct pool))) {
    number = ++count;
  } else {
    return 0;
  }
  *pool_at(number) = (struct pool){.key = key,
                                   .next = *bucket_of(key),
                                   .name = name_number(name),
                                   .is_created = is_created};
  *bucket_of(key) = number;
  return number;
}

static void take_out(uint32_t number) {
  uint32_t *at = bucket_of(pool_at(number)->key);
  while (*at != number)
    at = &pool_at(*at)->next;
  *at = pool_at(number)->next;
  pool_at(number)->next = free_pool;
  free_pool = number;
}

static void forget_if_empty(struct pool *pool) {
  if (!pool->is_created && !pool->list.count)
    take_out((uint32_t)(pool - pool_at(0)));
}

/* ---- what was said wrongly ----------------------------------------------- */

static struct {
  uint64_t unknown_frees, outside, overlaps, lost;
} wrong;

static void note(uint64_t *of) { __atomic_fetch_add(of, 1, __ATOMIC_RELAXED); }

void hp_pool_totals(struct hp_dump_totals *totals) {
  totals->pool_unknown_frees = wrong.unknown_frees;
  totals->pool_outside = wrong.outside;
  totals->pool_overlaps = wrong.overlaps;
  totals->pool_lost = wrong.lost;
}

static void end_all(struct hp_thread *self, const struct hp_chunk *chunk,
                    const struct hp_caller *caller);

void hp_pools_start(void) {
  hp_cut_end = end_all;
  wrong.unknown_frees = wrong.outside = wrong.overlaps = wrong.lost = 0;
  hp_pooled_start();
}

/* Where chunks are not all profiled, or lie elsewhere, hooks do not see what is done
   to most objects. */
/* What pools are cut of is to have a record that says so. */
static bool is_of_use(void) {
  hp_bare_is_on = false;
  return !hp_sampling && !hp_beside;
}

static void tell_once(void) {
  static bool is_told;
  if (!hp_recording || __atomic_exchange_n(&is_told, true, __ATOMIC_RELAXED))
    return;
  hp_sys_warn("WARNING: objects of pools are not told of with %s; leave it out "
              "to see them",
              hp_beside ? "allocator=program" : "sample_every or sample_bytes");
}

/* ---- ends ---------------------------------------------------------------- */

/* Which objects end, and by whom. */
struct ending {
  struct hp_thread *self;
  const struct hp_caller *caller;
  uint32_t (*next)(struct ending *ending); /* with the lock; 0: none */
  const void *p;                           /* what it is asked of */
  uint64_t size;
  uint64_t left; /* no more than so many */
};

static bool wants_stack(const struct hp_pooled *object) {
  return hp_options.free_stacks || hp_options.exact_time || !object->point ||
         hp_point_get(object->point)->chunks < HP_EXACT_FIRST ||
         object->t0 * 0x9e3779b97f4a7c15u >> 61 == 0;
}

/* As hp_end_chunk(). */
static void say_end(const struct ending *ending, const struct hp_pooled *object,
                    uint64_t now) {
  struct hp_thread *self = ending->self;
  if (object->t0 < hp_clock_window_start) {
    self->inherited_frees++;
    return;
  }
  if (!hp_events_wanted)
    return;
  const uint32_t stack = wants_stack(object)
                             ? hp_call_stack(&self->last_stack, ending->caller)
                             : HP_STACK_NONE;
  struct hp_chunk_log *event = hp_events_end(&self->events);
  hp_pooled_describe(object, event);
  event->free_pc = ending->caller->pc;
  event->free_stack = stack;
  event->free_thread = hp_thread_number();
  event->step = 0;
  __atomic_store_n(&event->t1, now, __ATOMIC_RELEASE);
}

/* False: there was none. */
static bool end_one(struct ending *ending) {
  struct hp_thread *self = ending->self;
  const uint64_t outer = hp_gate_enter(self);
  const uint64_t mask = hp_pooled_lock();
  const uint32_t number = ending->next(ending);
  if (number) {
    struct pool *pool = (struct pool *)(void *)hp_pooled_at(number)->pool;
    const uint64_t now = hp_event_time(self, hp_clock_now());
    say_end(ending, hp_pooled_at(number), now);
    hp_pooled_remove(number, now);
    forget_if_empty(pool);
  }
  hp_pooled_unlock(mask);
  hp_gate_leave(self, outer, HP_AN_END);
  return number;
}

static uint64_t end_each(struct ending *ending) {
  uint64_t ended = 0;
  while (ended < ending->left && end_one(ending))
    ended++;
  return ended;
}

static uint32_t next_at(struct ending *ending) {
  return hp_pooled_find(ending->p);
}

static uint32_t next_of_pool(struct ending *ending) {
  const uint32_t pool = find((uintptr_t)ending->p);
  return pool ? pool_at(pool)->list.first : 0;
}

static uint32_t next_in(struct ending *ending) {
  const uintptr_t begin = (uintptr_t)ending->p;
  const struct hp_chunk *chunk = hp_pooled_chunk(ending->p, 0);
  const struct hp_cut_block *block =
      chunk && hp_cut_is(chunk, hp_cold_of(chunk)->word) ? hp_cut_of(chunk)
                                                         : NULL;
  return block ? hp_pooled_in(block, begin, begin + ending->size) : 0;
}

/* The caller is in the gate (thread/gate.h) and has said nothing yet; what it says
   then is at last_event. */
static void end_all(struct hp_thread *self, const struct hp_chunk *chunk,
                    const struct hp_caller *caller) {
  struct ending ending = {.self = self,
                          .caller = caller,
                          .next = next_in,
                          .p = (const void *)hp_chunk_start(chunk),
                          .size = hp_chunk_size(chunk),
                          .left = UINT64_MAX};
  /* What this thread says yet is later: others need not wait for it. */
  while (end_one(&ending))
    __atomic_store_n(&self->events.entered, self->last_event, __ATOMIC_RELAXED);
  hp_event_time(self, hp_clock_now());
}

void hp_pool_free(const void *p, bool is_named,
                  const struct hp_caller *caller) {
  struct hp_thread *self = p && is_of_use() ? hp_thread_get() : NULL;
  if (!self)
    return;
  struct ending ending = {
      .self = self, .caller = caller, .next = next_at, .p = p, .left = 1};
  if (end_each(&ending))
    return;
  const struct hp_chunk *chunk = hp_pooled_chunk(p, 0);
  const bool is_cut = chunk && hp_cut_is(chunk, hp_cold_of(chunk)->word);
  const bool is_whole = chunk && hp_chunk_start(chunk) == (uintptr_t)p;
  /* A whole chunk is no object.  Functions that are named take what others handed
     out, too, as SQLite's, which has a head of its own before it. */
  if (is_cut || (!is_named && !is_whole))
    note(&wrong.unknown_frees);
}

static void end_pool(const void *pool, const struct hp_caller *caller,
                     bool is_destroyed) {
  struct hp_thread *self = is_of_use() ? hp_thread_get() : NULL;
  if (!self)
    return;
  uint64_t mask = hp_pooled_lock();
  uint32_t number = find((uintptr_t)pool);
  struct ending ending = {.self = self,
                          .caller = caller,
                          .next = next_of_pool,
                          .p = pool,
                          .left = number ? pool_at(number)->list.count : 0};
  if (number && is_destroyed)
    pool_at(number)->is_created = false;
  if (number)
    forget_if_empty(pool_at(number));
  hp_pooled_unlock(mask);
  end_each(&ending);
}

void hp_pool_destroy(const void *pool, const struct hp_caller *caller) {
  end_pool(pool, caller, true);
}

void hp_pool_clear(const void *pool, const struct hp_caller *caller) {
  end_pool(pool, caller, false);
}

/* ---- beginnings ---------------------------------------------------------- */

void hp_pool_create(const void *pool, const char *name) {
  if (!is_of_use())
    return;
  const uint64_t mask = hp_pooled_lock();
  const uint32_t number = find((uintptr_t)pool);
  if (number) {
    pool_at(number)->is_created = true;
    pool_at(number)->name = name_number(name);
  } else if (!add((uintptr_t)pool, name, true)) {
    note(&wrong.lost);
  }
  hp_pooled_unlock(mask);
}

/* As hp_begin_chunk(). */
static bool begin(struct hp_thread *self, uintptr_t key, const char *name,
                  struct hp_chunk *chunk, const struct hp_request *request,
                  uintptr_t place) {
  struct hp_alloc_point *point = hp_find_point(self, request, 0);
  const uint64_t now = hp_event_time(self, hp_clock_now());
  const bool recorded = hp_recording;
  const struct hp_pooled object = {
      .place = place,
      .size = request->size,
      .t0 = recorded ? now : 0,
      .point = point ? hp_point_id(point) : 0,
      .thread = hp_thread_number(),
      /* The pool may have set it to anything before this. */
      .flags = HP_CHUNK_POOLED | HP_CHUNK_ZEROED |
               (hp_access_hooked ? (uint32_t)HP_CHUNK_EXACT : 0)};
  if (point)
    hp_is_among_first(point);
  const uint64_t mask = hp_pooled_lock();
  uint32_t pool = find(key);
  if (!pool) /* another thread emptied it meanwhile */
    pool = add(key, name, false);
  const uint32_t number =
      pool ? hp_pooled_add(&pool_at(pool)->list, chunk, &object) : 0;
  if (pool && !number)
    forget_if_empty(pool_at(pool));
  hp_pooled_unlock(mask);
  if (number && recorded)
    hp_events_begin(&self->events, now, request->size | HP_BEGIN_POOLED,
                    object.point, object.thread);
  return number;
}

/* What is known before an object begins. */
struct before {
  uint16_t name; /* number of the pool's; 0: no memory */
  bool is_same;  /* an allocator that is made of another says the same twice */
  bool is_taken; /* others live there */
};

static struct before look_before(uintptr_t key, const char *name,
                                 const struct ending *over) {
  struct before found = {0};
  struct ending asked = *over;
  const uint64_t mask = hp_pooled_lock();
  uint32_t pool = find(key);
  const uint32_t number = next_in(&asked);
  const struct hp_pooled *object = number ? hp_pooled_at(number) : NULL;
  found.is_same = object && pool && object->place == (uintptr_t)over->p &&
                  object->size == over->size &&
                  object->pool == &pool_at(pool)->list;
  found.is_taken = number != 0;
  if (!pool && !found.is_same)
    pool = add(key, name, false);
  found.name = pool ? pool_at(pool)->name : 0;
  hp_pooled_unlock(mask);
  return found;
}

/* All of CHUNK, but for what its size was rounded up by, is a chunk already. */
static bool is_whole(const struct hp_chunk *chunk, const void *p,
                     uint64_t size) {
  return !hp_cut_is(chunk, hp_cold_of(chunk)->word) &&
         hp_chunk_start(chunk) == (uintptr_t)p &&
         hp_chunk_size(chunk) - size < HP_CUT_GRANULE;
}

void hp_pool_alloc(const void *pool, void *p, size_t size, const char *name,
                   const struct hp_caller *caller) {
  const uintptr_t key = (uintptr_t)(pool ? pool : name);
  struct hp_thread *self = p && is_of_use() ? hp_thread_get() : NULL;
  if (!self) {
    if (p && !is_of_use())
      tell_once();
    return;
  }
  struct hp_chunk *chunk = hp_pooled_chunk(p, size);
  if (!chunk) {
    if (size) /* nothing at the end of a chunk lies in none */
      note(&wrong.outside);
    return;
  }
  if (is_whole(chunk, p, size))
    return;
  struct ending over = {.self = self,
                        .caller = caller,
                        .next = next_in,
                        .p = p,
                        .size = size,
                        .left = UINT64_MAX};
  const struct before known = look_before(key, name, &over);
  if (known.is_same)
    return;
  if (known.is_taken && end_each(&over))
    note(&wrong.overlaps);
  const uint16_t number = known.name;
  const struct hp_request request = {
      .size = size,
      .entry = (enum hp_entry)(HP_ENTRY_POOL | number << HP_POINT_POOL_SHIFT),
      .caller = *caller};
  const uint64_t outer = hp_gate_enter(self);
  const bool begun =
      number && begin(self, key, name, chunk, &request, (uintptr_t)p);
  hp_gate_leave(self, outer, HP_A_BEGIN);
  if (!begun)
    note(&wrong.lost);
}
