/* heapprof_generations.h - generations: what was allocated between two marks of the
   program, and what of it was live at each later one.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_GENERATIONS_H
#define HEAPPROF_GENERATIONS_H

#include "heapprof.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hp_generation_sum {
  uint64_t chunks, bytes;
};

/* Born from one moment up to before the next: the start, the marks, the end. */
struct hp_generation {
  const char *from, *to; /* marks; NULL: the start of the window, its end */
  uint64_t from_ns, to_ns;
  struct hp_generation_sum all;
  const struct hp_generation_sum *live; /* at the moment TO, and each later */
  size_t live_count;
};

/* Of a process that set marks, in order of time, the first of each name. */
struct hp_process_generations {
  const struct hp_process *process;
  const struct hp_generation *generations;
  size_t count;
  bool estimated; /* from a thinned log, or samples */
};

typedef struct hp_generations hp_generations;

/* Of the chunks of POINTS, points of PROFILE, no groups.  It is an error if no
   process set a mark, or if the log of one that did cannot tell. */
hp_status hp_generations_make(hp_generations **out, const hp_profile *profile,
                              const struct hp_point *const *points,
                              size_t count, struct hp_error *error);
void hp_generations_free(hp_generations *all);          /* NULL is allowed */
size_t hp_generations_count(const hp_generations *all); /* NULL: 0 */
const struct hp_process_generations *
hp_generations_at(const hp_generations *all, size_t i);

#ifdef __cplusplus
}
#endif
#endif
