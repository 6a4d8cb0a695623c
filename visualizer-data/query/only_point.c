/* only_point.c - whether a filter asks for one allocation point and nothing else.
   Then of a chunk log that point's part is enough.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "heapprof.h"

#include <stdlib.h>
#include <string.h>

#include "query/filter.h"
#include "query/set.h"

/* The number in PATTERN, one or several as a term takes them; 0: several. */
static uint64_t number_of(const char *pattern) {
  return strchr(pattern, ',') ? 0
                              : strtoull(pattern + (*pattern == '#'), NULL, 10);
}

uint64_t hp_filter_only_point(const char *text) {
  struct hp_store store = {0};
  struct hp_filter filter;
  struct hp_error error; /* whoever filters says it */
  uint64_t point = 0;
  if (hp_filter_parse(&filter, text, &store, &error) == HP_OK) {
    const struct hp_set_node *node = filter.root;
    while (node && node->kind == HP_SET_ALL_OF && node->first &&
           !node->first->next)
      node = node->first;
    if (node && node->kind == HP_SET_TERM && node->key == HP_KEY_POINT &&
        !node->is_negated)
      point = number_of(node->pattern);
  }
  hp_store_free(&store);
  return point;
}
