/* live_list.h - the chunks that live at a moment, sorted, and described some at a
   time: of those of some points there are references, of few all that is known.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIVE_LIST_H
#define HP_LIVE_LIST_H

#include "profile/live_view.h"

#define HP_LIVE_BATCH ((size_t)512) /* chunks described at a time */

/* Chunks of one point: of some all that is known, by (t0, thread). */
struct hp_live_batch {
  const struct hp_chunk_reference *references;
  const struct hp_chunk_log *chunks;
  size_t count;
};

/* What the chunks of a point come to. */
struct hp_live_sum {
  uint64_t chunks, bytes; /* each as many as it stands for */
};

/* Finds what is LIVE at END and of the points from FIRST on, up to UNTIL, which is
   none of them.  False without memory for all; then the list is empty.  There is
   one list, which belongs to who has the writer's lock. */
bool hp_live_list_find(const struct hp_live_chunks *live, uint64_t end,
                       uint32_t first, uint32_t until);
void hp_live_list_free(void);

/* Whether there are points from POINT on. */
bool hp_live_list_reaches(uint32_t point);

/* Goes to the chunks of POINT, one of these; it is called with ascending points. */
struct hp_live_sum hp_live_list_begin(uint32_t point);
/* The next ones of that point; false: there are none left.  Each chunk is looked at
   once, so that whoever is given them says the same. */
bool hp_live_list_next(struct hp_live_batch *batch);

#endif
