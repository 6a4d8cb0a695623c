/* growing_array.h - an array that doubles when it is full.
   On the heap; what lies in a store does not grow.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROWING_ARRAY_H
#define HP_GROWING_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for one more element of SIZE bytes in a growing array. */
bool hp_room_for_one(void **array, size_t count, size_t *capacity, size_t size);

#endif
