/* rank_list.h - lists of MPI ranks, as "0,3-5": the runtime's option, and what
   filters and merging take.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_RANK_LIST_H
#define HEAPPROF_RANK_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number that *TEXT begins with; moves *TEXT behind it.  False: none, or of
   more than 18 digits. */
static inline bool hp_rank_number(const char **text, uint64_t *number) {
  size_t digits = 0;
  *number = 0;
  for (; **text >= '0' && **text <= '9' && digits <= 18; ++*text, digits++)
    *number = *number * 10 + (uint64_t)(**text - '0');
  return digits > 0 && digits <= 18;
}

/* Whether RANK is in LIST; NULL, or what is no number, is in none. */
static inline bool hp_rank_is_in(const char *list, const char *rank) {
  uint64_t number = 0, from, to;
  bool found = false;
  if (!rank || !hp_rank_number(&rank, &number) || *rank)
    return false;
  for (;; list++) {
    if (!hp_rank_number(&list, &from))
      return found;
    to = from;
    if (*list == '-') {
      list++;
      if (!hp_rank_number(&list, &to))
        return found;
    }
    found = found || (from <= number && number <= to);
    if (*list != ',')
      return found;
  }
}

/* Whether it is such a list: ranges ascend, and nothing is empty. */
static inline bool hp_rank_list_is_good(const char *list) {
  uint64_t from, to;
  for (;; list++) {
    if (!hp_rank_number(&list, &from))
      return false;
    to = from;
    if (*list == '-') {
      list++;
      if (!hp_rank_number(&list, &to))
        return false;
    }
    if (to < from || (*list && *list != ','))
      return false;
    if (!*list)
      return true;
  }
}

#endif
