/* point.c - see point.h: a hash table of chains over an arena of points.
   Readers follow published ids; who adds holds the lock and looks again first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "point.h"
#include "arena.h"

#define HP_BUCKETS ((size_t)1 << 22)
#define HP_POINTS_ARENA ((size_t)1 << 36)
#define HP_IDS_ARENA ((size_t)1 << 32)

static struct hp_lock lock;
static struct hp_arena buckets; /* newest point, by hash */
static struct hp_arena points;  /* struct hp_alloc_point, one after another */
static struct hp_arena ids;     /* struct hp_alloc_point *, by id - 1 */
static uint32_t last_id;

void hp_point_lock(void) {
  hp_lock_take(&lock);
  hp_type_lock();
}

void hp_point_unlock(void) {
  hp_type_unlock();
  hp_lock_release(&lock);
}

uint32_t hp_point_count(void) {
  return __atomic_load_n(&last_id, __ATOMIC_ACQUIRE);
}

static struct hp_alloc_point *by_id(uint32_t id) {
  return ((struct hp_alloc_point **)(void *)ids.base)[id - 1];
}

const struct hp_alloc_point *hp_point_get(uint32_t id) { return by_id(id); }

static uint64_t hash_stack(const uint64_t *pc, size_t depth,
                           enum hp_entry entry, const struct hp_type *type) {
  uint64_t hash = depth << 8 | (uint64_t)entry;
  hash ^= type ? type->hash : 0;
  for (size_t i = 0; i < depth; i++) {
    hash = (hash ^ pc[i]) * 0x9fb21c651e98df25u;
    hash ^= hash >> 32;
  }
  return hash;
}

static bool is(const struct hp_alloc_point *point, uint64_t hash,
               const uint64_t *pc, size_t depth, bool truncated,
               enum hp_entry entry, const struct hp_type *type) {
  if (point->hash != hash || point->depth != depth ||
      point->entry != (uint8_t)entry || point->truncated != truncated ||
      point->type != type)
    return false;
  for (size_t i = 0; i < depth; i++)
    if (point->pc[i] != pc[i])
      return false;
  return true;
}

static bool start(void) {
  size_t size = HP_BUCKETS * sizeof(struct hp_alloc_point *);
  return (buckets.base || hp_arena_reserve(&buckets, size, size)) &&
         (points.base ||
          hp_arena_reserve(&points, HP_POINTS_ARENA, (size_t)1 << 20)) &&
         (ids.base || hp_arena_reserve(&ids, HP_IDS_ARENA, (size_t)1 << 20)) &&
         hp_arena_commit(&buckets, size);
}

static struct hp_alloc_point *add(struct hp_alloc_point **bucket, uint64_t hash,
                                  const uint64_t *pc, size_t depth,
                                  bool truncated, enum hp_entry entry,
                                  const struct hp_type *type) {
  struct hp_alloc_point *point =
      hp_arena_take(&points, sizeof *point + depth * sizeof pc[0]);
  if (!point)
    return NULL;
  struct hp_alloc_point **slot = hp_arena_take(&ids, sizeof *slot);
  if (!slot)
    return NULL;
  point->hash = hash;
  point->next = *bucket;
  point->id = last_id + 1;
  point->depth = (uint16_t)depth;
  point->entry = (uint8_t)entry;
  point->truncated = truncated;
  point->type = type;
  for (size_t i = 0; i < depth; i++)
    point->pc[i] = pc[i];
  *slot = point;
  __atomic_store_n(&last_id, point->id, __ATOMIC_RELEASE);
  __atomic_store_n(bucket, point, __ATOMIC_RELEASE);
  return point;
}

struct hp_alloc_point *hp_point_intern(const uint64_t *pc, size_t depth,
                                       bool truncated, enum hp_entry entry,
                                       const struct hp_type *type) {
  uint64_t hash = hash_stack(pc, depth, entry, type);
  struct hp_alloc_point *seen = NULL, **bucket = NULL;
  if (HP_LIKELY(hp_point_count() > 0)) {
    bucket = (struct hp_alloc_point **)(void *)buckets.base + hash % HP_BUCKETS;
    seen = __atomic_load_n(bucket, __ATOMIC_ACQUIRE);
    for (struct hp_alloc_point *at = seen; at; at = at->next)
      if (is(at, hash, pc, depth, truncated, entry, type))
        return at;
  }
  struct hp_alloc_point *point = NULL;
  hp_lock_take(&lock);
  if (HP_LIKELY(start())) {
    bucket = (struct hp_alloc_point **)(void *)buckets.base + hash % HP_BUCKETS;
    for (struct hp_alloc_point *at = *bucket; at != seen && !point;
         at = at->next)
      if (is(at, hash, pc, depth, truncated, entry, type))
        point = at;
    if (!point)
      point = add(bucket, hash, pc, depth, truncated, entry, type);
  }
  hp_lock_release(&lock);
  return point;
}
