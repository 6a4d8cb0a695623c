/* growing_array.h - an array that doubles when it is full.
   On the heap; what lies in a store grows as store.h says.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROWING_ARRAY_H
#define HP_GROWING_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* The same where it is known that there is no room. */
bool hp_grow_array(void **array, size_t count, size_t more, size_t *capacity,
                   size_t size);

/* Makes room for MORE elements of SIZE bytes behind the COUNT that are there.
   False if there is no memory; then the array is as it was. */
static inline bool hp_room_for(void **array, size_t count, size_t more,
                               size_t *capacity, size_t size) {
  return more <= *capacity - count ||
         hp_grow_array(array, count, more, capacity, size);
}

static inline bool hp_room_for_one(void **array, size_t count, size_t *capacity,
                                   size_t size) {
  return hp_room_for(array, count, 1, capacity, size);
}

#endif
