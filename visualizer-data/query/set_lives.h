/* set_lives.h - what is live in a process over time, of some of its points.
   For what a set needs of whole processes: their peaks, and timelines.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_LIVES_H
#define HP_SET_LIVES_H

#include "measure/life_walk.h"
#include "profile/profile_inside.h"

struct hp_set_lives {
  const struct hp_profile_point **points;
  struct hp_chunk_reader *readers; /* of each */
  size_t count, chunks;
  uint64_t window;
};

/* Of those of PROCESS that are not left out, or of ALL.  False: no memory. */
bool hp_set_lives_begin(struct hp_set_lives *lives, const hp_profile *profile,
                        const struct hp_profile_process *process, bool all);
/* NULL: no memory. */
hp_life_walk *hp_set_lives_walk(struct hp_set_lives *lives);
void hp_set_lives_end(struct hp_set_lives *lives);

#endif
