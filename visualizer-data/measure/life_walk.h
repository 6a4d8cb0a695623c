/* life_walk.h - the beginnings and ends of many chunks in the order of time.
   Takes memory for what is live at a time, not for all chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LIFE_WALK_H
#define HP_LIFE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HP_NEVER                                                               \
  UINT64_MAX /* the end of what is still live after all others                 \
              */

/* A chunk's bytes are live in [begin, end), begin < end. */
struct hp_life {
  uint64_t begin, end;
  uint64_t bytes;
  uint32_t weight; /* chunks */
};

/* The next life of run RUN, in the order of their beginnings; false past the
   last. */
typedef bool hp_life_next(void *context, size_t run, struct hp_life *life);

struct hp_life_event {
  uint64_t time, bytes;
  size_t run;
  uint32_t weight;
  bool begins;
};

typedef struct hp_life_walk hp_life_walk;

/* So many LIVES in all, the last of which begins about LAST.  NULL: no
   memory. */
hp_life_walk *hp_life_walk_new(size_t runs, size_t lives, uint64_t last,
                               hp_life_next *next, void *context);
void hp_life_walk_free(hp_life_walk *walk);

/* The next event: at equal time the ends first.  False past the last, and
   without memory. */
bool hp_life_walk_next(hp_life_walk *walk, struct hp_life_event *event);
bool hp_life_walk_failed(const hp_life_walk *walk);

#endif
