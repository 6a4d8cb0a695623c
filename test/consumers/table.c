/* table.c - grows by one element at a time, so that every addition is a realloc.
   Returns 0 if there is no memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "table.h"

#include <stdlib.h>

int table_add(struct table *table, int number) {
  int *item = realloc(table->item, (table->count + 1) * sizeof(*item));
  if (item == NULL)
    return 0;
  item[table->count++] = number;
  table->item = item;
  return 1;
}
