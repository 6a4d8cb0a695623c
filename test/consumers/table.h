/* table.h - a growing array of numbers: the library of the consumer projects.
   Written as if profilers did not exist.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef TABLE_H
#define TABLE_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
struct table {
  int *item;
  size_t count;
};
int table_add(struct table *table, int number);
#ifdef __cplusplus
}
#endif
#endif
