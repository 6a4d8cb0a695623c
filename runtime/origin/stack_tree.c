/* stack_tree.c - see stack_tree.h: nodes in an arena, which lists the first
   callees of each; the others are in a hash table that doubles.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/stack_tree.h"
#include "system/memory.h"

#define HP_NODES_ARENA (sizeof(struct hp_stack_node) << 32)

/* Callees of one frame that are listed: mostly all, and neighbours in memory,
   since calls that are made one after another are added so. */
#define HP_LISTED 4u

/* Open addressing.  A slot has the upper half of the hash above the number of
   the node, or is 0; at most three in four are in use, so that a search ends.
   A table that was outgrown is given back to the system but not unmapped: who
   still reads it finds nothing there, and looks again under the lock. */
struct table {
  uint64_t mask; /* slots - 1 */
  uint64_t slots[];
};
#define HP_SLOTS_FIRST 1024u

static struct hp_lock lock; /* for who adds; he looks again first */
struct hp_arena hp_stack_nodes = {.dense = true};
static uint32_t count;
static struct table *table;
static uint64_t hashed; /* nodes in it */

void hp_stack_lock(void) { hp_lock_take(&lock); }
void hp_stack_unlock(void) { hp_lock_release(&lock); }

/* No program is loaded above: a frame that is set aside is equal to none. */
#define ADDRESS_BITS 48
_Static_assert(HP_STACK_ASIDES >> (63 - ADDRESS_BITS) == 0, "bit 63 stays 0");

static uint64_t address_of(const struct hp_stack_node *node) {
  return node->pc & (((uint64_t)1 << ADDRESS_BITS) - 1);
}

/* ---- the table ----------------------------------------------------------- */

static uint64_t hash_of(uint32_t parent, uint64_t pc) {
  uint64_t hash =
      (pc + parent * 0x9e3779b97f4a7c15u) * (uint64_t)0x9fb21c651e98df25u;
  return hash ^ hash >> 32;
}

static uint32_t find_hashed(uint32_t parent, uint64_t pc) {
  const struct table *in = __atomic_load_n(&table, __ATOMIC_ACQUIRE);
  if (!in)
    return HP_STACK_NONE;
  uint64_t hash = hash_of(parent, pc), mask = in->mask;
  for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
    uint64_t slot = __atomic_load_n(&in->slots[i], __ATOMIC_ACQUIRE);
    if (!slot)
      return HP_STACK_NONE;
    if (slot >> 32 != hash >> 32)
      continue;
    const struct hp_stack_node *node = hp_stack_node((uint32_t)slot);
    if (HP_LIKELY(node->pc == pc && node->parent == parent))
      return (uint32_t)slot;
  }
}

static void insert(struct table *into, uint32_t number) {
  const struct hp_stack_node *node = hp_stack_node(number);
  uint64_t hash = hash_of(node->parent, address_of(node));
  uint64_t i = hash & into->mask;
  while (into->slots[i])
    i = (i + 1) & into->mask;
  __atomic_store_n(&into->slots[i], hash >> 32 << 32 | number,
                   __ATOMIC_RELEASE);
}

static size_t table_bytes(uint64_t slots) {
  return sizeof(struct table) + slots * sizeof(uint64_t);
}

/* Makes room for one more. */
static bool grow(void) {
  struct table *old = table;
  if (old && hashed < (old->mask + 1) / 4 * 3)
    return true;
  uint64_t slots = old ? 2 * (old->mask + 1) : HP_SLOTS_FIRST;
  struct table *new = hp_sys_map(table_bytes(slots));
  if (!new)
    return false;
  new->mask = slots - 1;
  for (uint64_t i = 0; old && i <= old->mask; i++)
    if (old->slots[i])
      insert(new, (uint32_t)old->slots[i]);
  __atomic_store_n(&table, new, __ATOMIC_RELEASE);
  if (old)
    hp_sys_release(old, table_bytes(slots / 2));
  return true;
}

/* ---- the tree ------------------------------------------------------------ */

/* The node, or *LAST: where the list of PARENT's callees goes on; NULL if it is
   full. */
static uint32_t find(uint32_t parent, uint64_t pc, uint32_t **last) {
  uint32_t *link = &hp_stack_node(parent)->child;
  for (unsigned i = 0; i < HP_LISTED; i++) {
    uint32_t number = __atomic_load_n(link, __ATOMIC_ACQUIRE);
    if (!number) {
      *last = link;
      return HP_STACK_NONE;
    }
    struct hp_stack_node *node = hp_stack_node(number);
    if (node->pc == pc)
      return number;
    link = &node->sibling;
  }
  *last = NULL;
  return find_hashed(parent, pc);
}

static bool start(void) {
  if (!hp_stack_nodes.base &&
      !hp_arena_reserve(&hp_stack_nodes, HP_NODES_ARENA, (size_t)1 << 20))
    return false;
  while (count < HP_STACK_CUT) {
    if (!hp_arena_take(&hp_stack_nodes, sizeof(struct hp_stack_node)))
      return false;
    __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
  }
  return true;
}

static uint32_t add(uint32_t parent, uint64_t pc, uint32_t *link) {
  if (count == UINT32_MAX || (!link && !grow()))
    return HP_STACK_NONE;
  struct hp_stack_node *node = hp_arena_take(&hp_stack_nodes, sizeof *node);
  if (!node)
    return HP_STACK_NONE;
  *node = (struct hp_stack_node){.pc = pc, .parent = parent};
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
  if (link) {
    __atomic_store_n(link, count, __ATOMIC_RELEASE);
  } else {
    insert(table, count);
    hashed++;
  }
  return count;
}

static HP_COLD uint32_t push_new(uint32_t parent, uint64_t pc) {
  uint32_t number = HP_STACK_NONE, *link;
  uint64_t mask = hp_lock_take_held(&lock);
  if (start() && !(number = find(parent, pc, &link)))
    number = add(parent, pc, link);
  hp_lock_release_held(&lock, mask);
  return number;
}

/* The list of a frame's callees was searched. */
uint32_t hp_stack_push_unlisted(uint32_t parent, uint64_t pc) {
  if (HP_UNLIKELY(!parent))
    return HP_STACK_NONE;
  uint32_t number = HP_STACK_NONE, *link;
  if (HP_LIKELY(parent > HP_STACK_CUT))
    number = find_hashed(parent, pc);
  else if (__atomic_load_n(&count, __ATOMIC_ACQUIRE) >= HP_STACK_CUT)
    number = find(parent, pc, &link);
  return HP_LIKELY(number) ? number : push_new(parent, pc);
}

uint32_t hp_stack_intern(const uint64_t *pc, size_t depth, bool truncated) {
  uint32_t stack = truncated ? HP_STACK_CUT : HP_STACK_ROOT;
  while (depth-- > 0)
    stack = hp_stack_push(stack, pc[depth]);
  return stack;
}

size_t hp_stack_frames(uint32_t stack, uint64_t pc[HP_STACK_MAX],
                       bool *truncated) {
  size_t depth = 0;
  for (; stack > HP_STACK_CUT; stack = hp_stack_node(stack)->parent)
    pc[depth++] = address_of(hp_stack_node(stack));
  *truncated = stack == HP_STACK_CUT;
  return depth;
}

/* The nodes whose pc is in (START, END] get it with AS above it, or without. */
static void change(uint64_t start, uint64_t end, uint64_t as) {
  uint64_t mask = hp_lock_take_held(&lock);
  for (uint32_t number = HP_STACK_CUT + 1; number <= count; number++) {
    struct hp_stack_node *node = hp_stack_node(number);
    if (node->pc > start && node->pc <= end)
      __atomic_store_n(&node->pc, address_of(node) | as << ADDRESS_BITS,
                       __ATOMIC_RELAXED);
  }
  hp_lock_release_held(&lock, mask);
}

void hp_stack_set_aside(uintptr_t start, uintptr_t end, uint32_t as) {
  change(start, end, as);
}

void hp_stack_put_back(uint32_t as) {
  change((uint64_t)as << ADDRESS_BITS, ((uint64_t)as + 1) << ADDRESS_BITS, 0);
}

size_t hp_stack_memory(void) {
  return hp_stack_nodes.used + (table ? table_bytes(table->mask + 1) : 0);
}
