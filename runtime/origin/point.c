/* point.c - see point.h: an array of points, a list of them for each stack.
   Readers follow published ids; who adds holds the lock and looks again first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/point.h"
#include "system/arena.h"

#define HP_POINTS_ARENA ((size_t)1 << 36)

static struct hp_lock lock;
static struct hp_arena points = {.dense = true};
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
  return points.used + hp_stack_memory() + hp_type_memory();
}

uint32_t hp_point_count(void) {
  return __atomic_load_n(&last_id, __ATOMIC_ACQUIRE);
}

static struct hp_alloc_point *by_id(uint32_t id) {
  return (struct hp_alloc_point *)(void *)points.base + (id - 1);
}

const struct hp_alloc_point *hp_point_get(uint32_t id) { return by_id(id); }

static struct hp_alloc_point *find(const struct hp_stack_node *stack,
                                   enum hp_entry entry,
                                   const struct hp_type *type) {
  uint32_t id = __atomic_load_n(&stack->point, __ATOMIC_ACQUIRE);
  while (id) {
    struct hp_alloc_point *point = by_id(id);
    if (point->type == type && point->entry == (uint16_t)entry)
      return point;
    id = point->next;
  }
  return NULL;
}

static struct hp_alloc_point *add(struct hp_stack_node *node, uint32_t stack,
                                  enum hp_entry entry,
                                  const struct hp_type *type) {
  if (!points.base &&
      !hp_arena_reserve(&points, HP_POINTS_ARENA, (size_t)1 << 20))
    return NULL;
  struct hp_alloc_point *point = hp_arena_take(&points, sizeof *point);
  if (!point)
    return NULL;
  *point = (struct hp_alloc_point){.type = type,
                                   .stack = stack,
                                   .next = node->point,
                                   .id = last_id + 1,
                                   .entry = (uint16_t)entry};
  __atomic_store_n(&last_id, point->id, __ATOMIC_RELEASE);
  __atomic_store_n(&node->point, point->id, __ATOMIC_RELEASE);
  return point;
}

static HP_COLD struct hp_alloc_point *intern_new(struct hp_stack_node *node,
                                                 uint32_t stack,
                                                 enum hp_entry entry,
                                                 const struct hp_type *type) {
  uint64_t mask = hp_lock_take_held(&lock);
  struct hp_alloc_point *point = find(node, entry, type);
  if (!point)
    point = add(node, stack, entry, type);
  hp_lock_release_held(&lock, mask);
  return point;
}

struct hp_alloc_point *hp_point_intern(uint32_t stack, enum hp_entry entry,
                                       const struct hp_type *type) {
  if (HP_UNLIKELY(!stack))
    return NULL;
  struct hp_stack_node *node = hp_stack_node(stack);
  struct hp_alloc_point *point = find(node, entry, type);
  return HP_LIKELY(point != NULL) ? point
                                  : intern_new(node, stack, entry, type);
}
