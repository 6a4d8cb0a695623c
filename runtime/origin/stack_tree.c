/* stack_tree.c - see stack_tree.h: nodes in an arena, which lists the first
   callees of each; the others, and return addresses, are in hash tables that double.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "origin/stack_tree.h"
#include "options/options.h"
#include "system/memory.h"

#define HP_NODES_ARENA (sizeof(struct hp_stack_node) << 30)
#define HP_PCS_ARENA (sizeof(uint64_t) << 31)

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
struct hp_arena hp_stack_nodes = {.dense = true}, hp_stack_pcs;
static uint32_t count;
static struct table *table;
static uint64_t hashed; /* nodes in it */
/* Numbers of return addresses; 0: none.  With the lock. */
static struct {
  uint32_t *slots;
  uint32_t mask;  /* slots - 1 */
  uint32_t count; /* addresses, with the one that is none */
} pcs;

void hp_stack_lock(void) { hp_lock_take(&lock); }
void hp_stack_unlock(void) { hp_lock_release(&lock); }

/* No program is loaded above: a frame that is set aside is equal to none. */
#define ADDRESS_BITS 48
_Static_assert(HP_STACK_ASIDES >> (63 - ADDRESS_BITS) == 0, "bit 63 stays 0");

static uint64_t address_in(uint64_t pc) {
  return pc & (((uint64_t)1 << ADDRESS_BITS) - 1);
}

static uint64_t address_of(const struct hp_stack_node *node) {
  return address_in(hp_stack_pc(node));
}

static uint32_t caller_of(const struct hp_stack_node *node) {
  return __atomic_load_n(&node->parent, __ATOMIC_RELAXED) & HP_STACK_PARENT;
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
    if (HP_LIKELY(hp_stack_pc(node) == pc && caller_of(node) == parent))
      return hp_stack_frame_of((uint32_t)slot, node);
  }
}

static void insert(struct table *into, uint32_t number) {
  const struct hp_stack_node *node = hp_stack_node(number);
  uint64_t hash = hash_of(caller_of(node), address_of(node));
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

/* ---- return addresses ---------------------------------------------------- */

static uint64_t *pc_at(uint32_t number) {
  return (uint64_t *)(void *)hp_stack_pcs.base + number;
}

static uint32_t *pc_slot(uint64_t pc) {
  uint32_t i = (uint32_t)hash_of(0, address_in(pc)) & pcs.mask;
  while (pcs.slots[i] && *pc_at(pcs.slots[i]) != pc)
    i = (i + 1) & pcs.mask;
  return &pcs.slots[i];
}

static bool grow_pcs(void) {
  if (pcs.slots && pcs.count <= pcs.mask / 4 * 3)
    return true;
  const uint32_t slots = pcs.slots ? 2 * (pcs.mask + 1) : HP_SLOTS_FIRST;
  uint32_t *old = pcs.slots, *new = hp_sys_map(slots * sizeof *new);
  if (!new)
    return false;
  const size_t old_bytes = ((size_t)pcs.mask + 1) * sizeof *old;
  pcs.slots = new;
  pcs.mask = slots - 1;
  for (uint32_t number = 1; number < pcs.count; number++)
    *pc_slot(*pc_at(number)) = number;
  if (old)
    hp_sys_unmap(old, old_bytes);
  return true;
}

/* The number of PC, which no frame that is set aside has; HP_STACK_HOLDER without
   memory. */
static uint32_t number_of(uint64_t pc) {
  if (!grow_pcs())
    return HP_STACK_HOLDER;
  uint32_t *slot = pc_slot(pc);
  if (!*slot) {
    uint64_t *added = hp_arena_take(&hp_stack_pcs, sizeof *added);
    if (!added)
      return HP_STACK_HOLDER;
    *added = pc;
    *slot = pcs.count++;
  }
  return *slot;
}

/* ---- the tree ------------------------------------------------------------ */

/* The node, or *LAST: where the list of PARENT's callees goes on; NULL if it is
   full. */
static uint32_t find(uint32_t parent, uint64_t pc, uint32_t **last) {
  uint32_t *link = &hp_stack_node(parent)->below;
  for (unsigned listed = 0; listed < HP_LISTED;) {
    uint32_t number = __atomic_load_n(link, __ATOMIC_ACQUIRE);
    if (!number || number & HP_STACK_POINT) {
      *last = link;
      return HP_STACK_NONE;
    }
    struct hp_stack_node *node = hp_stack_node(number);
    if (hp_stack_pc(node) == pc)
      return hp_stack_frame_of(number, node);
    listed += node->pc != HP_STACK_HOLDER;
    link = &node->sibling;
  }
  *last = NULL;
  return find_hashed(parent, pc);
}

static struct hp_stack_node *take_node(void) {
  if (count == HP_STACK_PARENT)
    return NULL;
  return hp_arena_take(&hp_stack_nodes, sizeof(struct hp_stack_node));
}

static bool start(void) {
  if (!hp_stack_nodes.base &&
      !hp_arena_reserve(&hp_stack_nodes, HP_NODES_ARENA, (size_t)1 << 20))
    return false;
  if (!hp_stack_pcs.base &&
      !hp_arena_reserve(&hp_stack_pcs, HP_PCS_ARENA, (size_t)1 << 20))
    return false;
  if (!pcs.count) {
    uint64_t *none = hp_arena_take(&hp_stack_pcs, sizeof *none);
    if (!none)
      return false;
    *none = UINT64_MAX;
    pcs.count = 1;
  }
  while (count < HP_STACK_CUT) {
    if (!take_node())
      return false;
    __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
  }
  return true;
}

/* So that the callees of NODE, or its points, which are BELOW, leave room for the
   other kind. */
static struct hp_stack_node *add_holder(struct hp_stack_node *node,
                                        uint32_t below) {
  struct hp_stack_node *holder = take_node();
  if (!holder)
    return NULL;
  const bool is_point = below & HP_STACK_POINT;
  *holder = (struct hp_stack_node){.below = is_point ? below : 0,
                                   .sibling = is_point ? 0 : below};
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
  __atomic_store_n(&node->below, count, __ATOMIC_RELEASE);
  return holder;
}

/* Where to write the point of NODE; NULL without memory. */
static uint32_t *point_place(struct hp_stack_node *node) {
  const uint32_t below = node->below;
  if (!below || below & HP_STACK_POINT)
    return &node->below;
  struct hp_stack_node *holder = hp_stack_node(below);
  if (holder->pc != HP_STACK_HOLDER)
    holder = add_holder(node, below);
  return holder ? &holder->below : NULL;
}

uint32_t hp_stack_point(const struct hp_stack_node *node) {
  uint32_t below = __atomic_load_n(&node->below, __ATOMIC_ACQUIRE);
  if (below && !(below & HP_STACK_POINT) &&
      hp_stack_node(below)->pc == HP_STACK_HOLDER)
    below = __atomic_load_n(&hp_stack_node(below)->below, __ATOMIC_ACQUIRE);
  return below & HP_STACK_POINT ? below & HP_STACK_NUMBERS : 0;
}

bool hp_stack_hold_point(uint32_t stack) {
  return point_place(hp_stack_node(stack)) != NULL;
}

void hp_stack_set_point(uint32_t stack, uint32_t point) {
  uint32_t *place = point_place(hp_stack_node(stack));
  if (place)
    __atomic_store_n(place, point | HP_STACK_POINT, __ATOMIC_RELEASE);
}

/* Of PARENT and its callers, which one made the call PC; 0: none. */
static uint32_t made_already(uint32_t parent, uint32_t pc) {
  while (parent && hp_stack_node(parent)->pc != pc)
    parent = caller_of(hp_stack_node(parent));
  return parent;
}

static uint32_t add(uint32_t parent, uint64_t pc, uint32_t *link) {
  const uint32_t number = number_of(pc);
  if (!number || (!link && !grow()))
    return HP_STACK_NONE;
  if (link && *link) { /* points */
    struct hp_stack_node *holder = add_holder(hp_stack_node(parent), *link);
    if (!holder)
      return HP_STACK_NONE;
    link = &holder->sibling;
  }
  struct hp_stack_node *node = take_node();
  if (!node)
    return HP_STACK_NONE;
  *node = (struct hp_stack_node){.pc = number, .parent = parent};
  const uint32_t frame =
      hp_options.collapse_recursion ? made_already(parent, number) : 0;
  if (frame) {
    node->parent |= HP_STACK_AGAIN;
    node->below = frame;
    __atomic_fetch_or(&hp_stack_node(frame)->parent, HP_STACK_FOLDED,
                      __ATOMIC_RELAXED);
  }
  __atomic_store_n(&count, count + 1, __ATOMIC_RELEASE);
  if (link) {
    __atomic_store_n(link, count, __ATOMIC_RELEASE);
  } else {
    insert(table, count);
    hashed++;
  }
  return frame ? frame : count;
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
  for (; stack > HP_STACK_CUT; stack = caller_of(hp_stack_node(stack)))
    pc[depth++] = address_of(hp_stack_node(stack));
  *truncated = stack == HP_STACK_CUT;
  return depth;
}

bool hp_stack_is_folded(uint32_t stack) {
  while (stack > HP_STACK_CUT &&
         !(hp_stack_node(stack)->parent & HP_STACK_FOLDED))
    stack = caller_of(hp_stack_node(stack));
  return stack > HP_STACK_CUT;
}

/* Those in (START, END] get AS above them, or not. */
static void change(uint64_t start, uint64_t end, uint64_t as) {
  uint64_t mask = hp_lock_take_held(&lock);
  for (uint32_t number = 1; number < pcs.count; number++) {
    uint64_t *pc = pc_at(number);
    if (*pc > start && *pc <= end)
      __atomic_store_n(pc, address_in(*pc) | as << ADDRESS_BITS,
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
  return hp_stack_nodes.used + hp_stack_pcs.used +
         (pcs.slots ? ((size_t)pcs.mask + 1) * sizeof *pcs.slots : 0) +
         (table ? table_bytes(table->mask + 1) : 0);
}
