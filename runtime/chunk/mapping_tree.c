/* mapping_tree.c - see mapping_tree.h: ranges are split off and joined again, by
   address; neighbours of one site become one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/mapping_tree.h"

#define RANGES_BYTES ((size_t)256 << 20) /* the kernel has 65530 as a rule */
#define LEAST_BYTES ((size_t)1 << 20)

static struct hp_pool pool;
static uint32_t root;
static uint32_t random_state;

bool hp_mapping_tree_start(void) {
  root = 0;
  random_state = 1;
  return hp_pool_start(&pool, RANGES_BYTES, LEAST_BYTES);
}

struct hp_mapped *hp_mapping_tree_range(uint32_t number) {
  return hp_pool_block(&pool, number);
}

#define AT(number) hp_mapping_tree_range(number)

static uint32_t new_range(uintptr_t begin, uintptr_t end, uint32_t site) {
  const uint32_t number = hp_pool_take(&pool, sizeof(struct hp_mapped));
  if (!number)
    return 0;
  random_state ^= random_state << 13;
  random_state ^= random_state >> 17;
  random_state ^= random_state << 5;
  *AT(number) = (struct hp_mapped){
      .begin = begin, .end = end, .site = site, .priority = random_state};
  return number;
}

/* ---- trees --------------------------------------------------------------- */

/* Those of TREE that begin below ADDRESS, and the others. */
static void split(uint32_t tree, uintptr_t address, uint32_t *below,
                  uint32_t *above) {
  while (tree) {
    struct hp_mapped *range = AT(tree);
    if (range->begin < address) {
      *below = tree;
      below = &range->right;
      tree = range->right;
    } else {
      *above = tree;
      above = &range->left;
      tree = range->left;
    }
  }
  *below = *above = 0;
}

static uint32_t join(uint32_t below, uint32_t above) {
  uint32_t tree, *to = &tree;
  while (below && above) {
    if (AT(below)->priority > AT(above)->priority) {
      *to = below;
      to = &AT(below)->right;
      below = *to;
    } else {
      *to = above;
      to = &AT(above)->left;
      above = *to;
    }
  }
  *to = below ? below : above;
  return tree;
}

static void insert(uint32_t number) {
  uint32_t below, above;
  AT(number)->left = AT(number)->right = 0;
  split(root, AT(number)->begin, &below, &above);
  root = join(join(below, number), above);
}

/* A tree as a list by `right`: the lowest left one is turned up, again and
   again. */
static uint32_t list_of(uint32_t tree) {
  uint32_t first = 0, *to = &first;
  while (tree) {
    struct hp_mapped *range = AT(tree);
    if (range->left) {
      const uint32_t left = range->left;
      range->left = AT(left)->right;
      AT(left)->right = tree;
      tree = left;
    } else {
      *to = tree;
      to = &range->right;
      tree = range->right;
    }
  }
  return first;
}

struct hp_mapped *hp_mapping_tree_find(uintptr_t address) {
  struct hp_mapped *found = NULL;
  for (uint32_t at = root; at;) {
    struct hp_mapped *range = AT(at);
    if (range->end > address) {
      found = range;
      at = range->left;
    } else {
      at = range->right;
    }
  }
  return found;
}

/* ---- ranges -------------------------------------------------------------- */

/* Makes ranges begin at ADDRESS instead of reaching across it; 0: no memory, and
   that one reaches on. */
static struct hp_mapped *cut_at(uintptr_t address) {
  struct hp_mapped *range = hp_mapping_tree_find(address);
  if (!range || range->begin >= address)
    return NULL;
  const uint32_t rest = new_range(address, range->end, range->site);
  if (!rest)
    return range;
  range->end = address;
  insert(rest);
  return NULL;
}

uint32_t hp_mapping_tree_cut(uintptr_t begin, uintptr_t end) {
  uint32_t below, middle, above;
  const struct hp_mapped *across = cut_at(begin);
  if (across) {
    begin = across->begin;
    end = across->end > end ? across->end : end;
  }
  across = cut_at(end);
  end = across ? across->end : end;
  split(root, begin, &below, &middle);
  split(middle, end, &middle, &above);
  root = join(below, above);
  return list_of(middle);
}

/* What ends where BEGIN is goes on, or what begins at END begins earlier. */
static bool lengthen(uintptr_t begin, uintptr_t end, uint32_t site) {
  struct hp_mapped *before = hp_mapping_tree_find(begin - 1);
  if (before && before->end == begin && before->site == site) {
    before->end = end;
    return true;
  }
  struct hp_mapped *behind = hp_mapping_tree_find(begin);
  if (!behind || behind->begin != end || behind->site != site)
    return false;
  behind->begin = begin;
  return true;
}

bool hp_mapping_tree_put(uintptr_t begin, uintptr_t end, uint32_t site) {
  if (lengthen(begin, end, site))
    return true;
  const uint32_t number = new_range(begin, end, site);
  if (number)
    insert(number);
  return number != 0;
}

void hp_mapping_tree_put_back(uint32_t list) {
  while (list) {
    const uint32_t next = AT(list)->right;
    insert(list);
    list = next;
  }
}

void hp_mapping_tree_forget(uint32_t list) {
  while (list) {
    const uint32_t next = AT(list)->right;
    hp_pool_give(&pool, list, sizeof(struct hp_mapped));
    list = next;
  }
}
