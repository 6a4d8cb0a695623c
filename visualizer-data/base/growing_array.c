/* growing_array.c - an array that doubles when it is full.
   It begins with 16 elements, or with as many as are wanted at once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/growing_array.h"

#include <stdint.h>
#include <stdlib.h>

bool hp_grow_array(void **array, size_t count, size_t more, size_t *capacity,
                   size_t size) {
  size_t bigger = *capacity ? *capacity : 16;
  if (more > SIZE_MAX / 2 - count)
    return false;
  while (bigger - count < more)
    bigger *= 2;
  if (bigger > PTRDIFF_MAX / size)
    return false;
  void *moved = realloc(*array, bigger * size);
  if (!moved)
    return false;
  *array = moved;
  *capacity = bigger;
  return true;
}
