/* library.c - stands for a library that was not built for heapprof: keeps records of its own, reads its caller's.
   Compiled without hooks by most tests here, with hooks by one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "library.h"

#include <stdlib.h>
#include <string.h>

struct node *library_push(struct node *list, long value) {
  struct node *node = malloc(sizeof *node);
  node->next = list;
  node->value = value;
  return node;
}

long library_drain(struct node *list) {
  long sum = 0;
  while (list) {
    struct node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  return sum;
}

long library_sum(const unsigned char *bytes, long count) {
  long sum = 0;
  for (long i = 0; i < count; i++)
    sum += bytes[i];
  return sum;
}
