/* point.c - see point.h: an array of points, a list of them for each stack.
   Readers follow published ids; who adds holds the lock and looks again first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/point.h"
#include "system/arena.h"

#define HP_POINTS_ARENA ((size_t)1 << 36)

static struct hp_lock lock;
struct hp_arena hp_points = {.dense = true};
static uint32_t last_id;

void hp_point_lock(void) {
  hp_lock_take(&lock);
  hp_stack_lock();
  hp_type_lock();
}

void hp_point_unlock(void) {
  hp_type_unlock();
  hp_stack_unlock();
  hp_lock_release(&lock);
}

size_t hp_point_memory(void) {
  return hp_points.used + hp_stack_memory() + hp_type_memory();
}

uint32_t hp_point_count(void) {
  return __atomic_load_n(&last_id, __ATOMIC_ACQUIRE);
}

const struct hp_alloc_point *hp_point_get(uint32_t id) {
  return hp_point_at(id);
}

HP_INLINE bool is(const struct hp_alloc_point *point, enum hp_entry entry,
                  const struct hp_type *type) {
  return point->type == hp_type_low(type) && point->entry == (uint16_t)entry;
}

static HP_NOINLINE struct hp_alloc_point *
find(const struct hp_stack_node *stack, enum hp_entry entry,
     const struct hp_type *type) {
  uint32_t id = hp_stack_point(stack);
  while (id) {
    struct hp_alloc_point *point = hp_point_at(id);
    if (is(point, entry, type))
      return point;
    id = point->next;
  }
  return NULL;
}

static struct hp_alloc_point *add(struct hp_stack_node *node, uint32_t stack,
                                  enum hp_entry entry,
                                  const struct hp_type *type) {
  if (!hp_points.base &&
      !hp_arena_reserve(&hp_points, HP_POINTS_ARENA, (size_t)1 << 20))
    return NULL;
  struct hp_alloc_point *point;
  if (!hp_points.used && !hp_arena_take(&hp_points, sizeof *point))
    return NULL;
  if (last_id == HP_STACK_NUMBERS || !hp_stack_hold_point(stack) ||
      !(point = hp_arena_take(&hp_points, sizeof *point)))
    return NULL;
  *point = (struct hp_alloc_point){.type = hp_type_low(type),
                                   .stack = stack,
                                   .next = hp_stack_point(node),
                                   .entry = (uint16_t)entry};
  const uint32_t id = hp_point_id(point);
  __atomic_store_n(&last_id, id, __ATOMIC_RELEASE);
  hp_stack_set_point(stack, id);
  return point;
}

static HP_COLD struct hp_alloc_point *intern_new(struct hp_stack_node *node,
                                                 uint32_t stack,
                                                 enum hp_entry entry,
                                                 const struct hp_type *type) {
  uint64_t mask = hp_lock_take_held(&lock);
  struct hp_alloc_point *point = find(node, entry, type);
  if (!point) {
    hp_stack_lock();
    point = add(node, stack, entry, type);
    hp_stack_unlock();
  }
  hp_lock_release_held(&lock, mask);
  return point;
}

/* Not the newest one of a stack without callees. */
static HP_NOINLINE struct hp_alloc_point *
intern_other(uint32_t stack, enum hp_entry entry, const struct hp_type *type) {
  struct hp_stack_node *node = hp_stack_node(stack);
  struct hp_alloc_point *point = find(node, entry, type);
  return point ? point : intern_new(node, stack, entry, type);
}

struct hp_alloc_point *hp_point_intern(uint32_t stack, enum hp_entry entry,
                                       const struct hp_type *type) {
  if (HP_UNLIKELY(!stack))
    return NULL;
  const uint32_t newest = hp_point_newest(stack, entry, type);
  return HP_LIKELY(newest) ? hp_point_at(newest)
                           : intern_other(stack, entry, type);
}
