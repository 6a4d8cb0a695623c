/* sides.h - sets of one of two runs, asked of points of either: old:leak, new:leak.
   A point of a run goes by the one that it is paired with.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SIDES_H
#define HP_SIDES_H

#include "pairing.h"

#include "heapprof_set.h"

struct hp_sides {
  hp_profile *const *profiles; /* old, new */
  const char *sets_file;
  bool of_new; /* whose points are asked now */
  struct hp_pair *pairs;
  size_t pair_count;
  struct hp_side_answer *answers;
};

/* hp_set_options.find_side, of a struct hp_sides. */
hp_status hp_sides_find(void *sides, bool is_new, const char *name,
                        const bool **has, struct hp_error *error);
void hp_sides_free(struct hp_sides *sides);

#endif
