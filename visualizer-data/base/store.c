/* store.c - bump allocation from slabs.
   A request greater than a slab gets a slab of its own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/store.h"

#include "base/spill.h"

#include <stdlib.h>
#include <string.h>

struct hp_store_slab {
  struct hp_store_slab *older;
  size_t used, size; /* bytes of data */
  bool is_spilled;
  _Alignas(16) unsigned char data[];
};

enum { HP_SLAB_SIZE = 64 << 10 };

/* Zeroed, with room for LEAST bytes. */
static struct hp_store_slab *new_slab(struct hp_spill *spill, size_t least) {
  struct hp_store_slab *slab = NULL;
  size_t capacity = HP_SLAB_SIZE - sizeof *slab;
  if (spill && hp_spill_is_due(spill, spill->slabs) && least <= capacity)
    slab = hp_spill_take(spill, HP_SLAB_SIZE);
  if (slab)
    slab->is_spilled = true;
  else {
    capacity = least > HP_SLAB_SIZE ? least : HP_SLAB_SIZE;
    slab = calloc(1, sizeof *slab + capacity);
    if (!slab)
      return NULL;
    if (spill)
      spill->slabs += capacity;
  }
  slab->size = capacity;
  return slab;
}

void *hp_store_take(struct hp_store *store, size_t count, size_t size) {
  if (size && count > (SIZE_MAX / 2) / size)
    return NULL;
  size_t bytes = (count * size + 15) & ~(size_t)15;
  struct hp_store_slab *slab = store->newest;
  if (!slab || slab->size - slab->used < bytes) {
    slab = new_slab(store->spill, bytes);
    if (!slab)
      return NULL;
    slab->older = store->newest;
    store->newest = slab;
  }
  void *taken = slab->data + slab->used;
  slab->used += bytes;
  return taken;
}

char *hp_store_text(struct hp_store *store, const void *text, size_t length) {
  char *copy = hp_store_take(store, length + 1, 1);
  if (!copy)
    return NULL;
  if (length)
    memcpy(copy, text, length);
  for (size_t i = 0; i < length; i++)
    if (!copy[i])
      copy[i] = '?';
  return copy;
}

bool hp_store_room_for_one(struct hp_store *store, void **array, size_t count,
                           size_t size) {
  if (count & (count - 1))
    return true; /* capacities are powers of two */
  void *bigger = hp_store_take(store, count ? 2 * count : 1, size);
  if (!bigger)
    return false;
  if (count)
    memcpy(bigger, *array, count * size);
  *array = bigger;
  return true;
}

static void free_from(struct hp_store_slab *slab, struct hp_spill *spill) {
  while (slab) {
    struct hp_store_slab *older = slab->older;
    if (spill && !slab->is_spilled)
      spill->slabs -= slab->size;
    if (slab->is_spilled)
      hp_spill_use(spill, HP_SLAB_SIZE); /* was read, to see what is older */
    else
      free(slab);
    slab = older;
  }
}

void hp_store_free(struct hp_store *store) {
  free_from(store->newest, store->spill);
  store->newest = NULL;
}

void hp_store_clear(struct hp_store *store) {
  struct hp_store_slab *slab = store->newest;
  if (!slab)
    return;
  free_from(slab->older, store->spill);
  slab->older = NULL;
  memset(slab->data, 0, slab->used);
  slab->used = 0;
}
