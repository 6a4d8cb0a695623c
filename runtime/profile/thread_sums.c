/* thread_sums.c - see thread_sums.h.
   Only the collector writes here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/thread_sums.h"

#include "system/arena.h"
#include "system/memory.h"

struct hp_thread_sum hp_thread_sums[HP_THREADS_TOLD + 1];
uint64_t hp_thread_deletes, hp_thread_reallocs;

/* Of a point's chunks: what comes with its short lives, so that one line of the
   cache has it. */
struct recycled {
  uint64_t temporary;
  uint64_t generations; /* that its record does not have (aggregate.h) */
};

static bool lost;                /* some of that, for want of memory */
static struct hp_arena recycled; /* struct recycled [points] */
#define RECYCLED_RESERVED ((size_t)1 << 36)

/* NULL without memory. */
static struct recycled *recycled_of(uint32_t point) {
  const size_t size = ((size_t)point + 1) * sizeof(struct recycled);
  if (HP_UNLIKELY(size > recycled.committed) &&
      ((!recycled.base &&
        !hp_arena_reserve(&recycled, RECYCLED_RESERVED, (size_t)1 << 20)) ||
       !hp_arena_commit(&recycled, size))) {
    lost = true;
    return NULL;
  }
  return (struct recycled *)(void *)recycled.base + point;
}

void hp_thread_sums_temporary(uint32_t point) {
  struct recycled *of = recycled_of(point);
  if (of)
    of->temporary++;
}

HP_COLD void hp_thread_sums_generations(uint32_t point, uint64_t n) {
  struct recycled *of = recycled_of(point);
  if (of)
    of->generations += n;
}

/* All 0 where nothing was counted. */
static struct recycled known(uint32_t point) {
  return point < recycled.committed / sizeof(struct recycled)
             ? ((struct recycled *)(void *)recycled.base)[point]
             : (struct recycled){0};
}

uint64_t hp_thread_temporary(uint32_t point) {
  return lost ? UINT64_MAX : known(point).temporary;
}

uint64_t hp_thread_generations(uint32_t point) {
  return lost ? UINT64_MAX : known(point).generations;
}

void hp_thread_sums_start(void) {
  if (recycled.committed)
    hp_sys_release(recycled.base, recycled.committed);
  lost = false;
  hp_clear(hp_thread_sums, sizeof hp_thread_sums);
  hp_thread_deletes = hp_thread_reallocs = 0;
}
