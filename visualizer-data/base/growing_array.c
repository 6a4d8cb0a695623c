/* growing_array.c - an array that doubles when it is full.
   It begins with 16 elements.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/growing_array.h"

#include <stdlib.h>

bool hp_room_for_one(void **array, size_t count, size_t *capacity,
                     size_t size) {
  if (count < *capacity)
    return true;
  size_t bigger = *capacity ? 2 * *capacity : 16;
  void *moved = reallocarray(*array, bigger, size);
  if (!moved)
    return false;
  *array = moved;
  *capacity = bigger;
  return true;
}
