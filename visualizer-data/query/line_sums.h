/* line_sums.h - cache lines of chunks in which threads write side by side, and the members
   that each of them writes.  Pure: rows and a layout in, lines out.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LINE_SUMS_H
#define HP_LINE_SUMS_H

#include "base/store.h"
#include "heapprof_members.h"
#include "resolve/record_layout.h"

/* Of one point or type, while its rows are added. */
struct hp_line_sums {
  struct hp_store *store;         /* of the names */
  const struct hp_layout *layout; /* NULL: not known */
  uint64_t element_size;          /* 0: not known */
  struct hp_member *members;      /* those of the layout; NULL: not asked */
  struct hp_false_line *lines;
  size_t count, room;
};

/* False: no memory. */
bool hp_line_sums_add(struct hp_line_sums *sums, const struct hp_members *rows);
/* Those with most turns first, the store's; NULL: no memory. */
const struct hp_false_line *hp_line_sums_finish(struct hp_line_sums *sums);
void hp_line_sums_free(struct hp_line_sums *sums);

#endif
