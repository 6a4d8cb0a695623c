/* store.h - memory that is freed all at once: strings, stacks, points.
   What it hands out never moves and is zeroed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_STORE_H
#define HP_STORE_H

#include <stdbool.h>
#include <stddef.h>

/* Slabs in a list, newest first; {0} is an empty store. */
struct hp_store {
  struct hp_store_slab *newest;
  struct hp_spill *spill; /* where slabs go that are many; NULL: nowhere */
};

/* COUNT x SIZE zeroed bytes; NULL without memory or if the product overflows.
   A request of 0 bytes gives a valid pointer. */
void *hp_store_take(struct hp_store *store, size_t count, size_t size);

/* A terminated copy of the LENGTH bytes at TEXT; NUL bytes become '?'. */
char *hp_store_text(struct hp_store *store, const void *text, size_t length);

/* Makes room for one more element of SIZE bytes behind the COUNT in an array of
   STORE's that only this fills.  What it held before stays in the store. */
bool hp_store_room_for_one(struct hp_store *store, void **array, size_t count,
                           size_t size);

/* SPILL stays. */
void hp_store_free(struct hp_store *store);

/* Frees what was handed out, and keeps a slab for the next requests. */
void hp_store_clear(struct hp_store *store);

#endif
