/* set_lives.c - see set_lives.h: a run for each point, each chunk by its weight.
   Readers start anew with each walk.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_lives.h"

#include <stdlib.h>

#include "base/saturate.h"
#include "measure/peak.h"

bool hp_set_lives_begin(struct hp_set_lives *lives, const hp_profile *profile,
                        const struct hp_profile_process *process, bool all) {
  const size_t most = process->point_count;
  *lives =
      (struct hp_set_lives){.points = calloc(most + 1, sizeof *lives->points),
                            .readers = calloc(most + 1, sizeof *lives->readers),
                            .window = process->rules.window};
  for (size_t i = 0; lives->points && i < most; i++) {
    const struct hp_profile_point *point =
        &profile->points[process->first_point + i];
    if (point->is_left_out && !all)
      continue;
    lives->points[lives->count++] = point;
    lives->chunks += point->chunks->count;
  }
  return lives->points && lives->readers;
}

static bool next_life(void *context, size_t run, struct hp_life *life) {
  struct hp_set_lives *lives = context;
  struct hp_chunk_log chunk;
  if (!hp_chunks_next_life(&lives->readers[run], &chunk))
    return false;
  *life = hp_chunk_life(&chunk, lives->window);
  life->bytes = hp_multiply(life->bytes, chunk.weight);
  return true;
}

hp_life_walk *hp_set_lives_walk(struct hp_set_lives *lives) {
  for (size_t i = 0; i < lives->count; i++)
    lives->readers[i] = hp_chunks_read(lives->points[i]->chunks);
  return hp_life_walk_new(lives->count, lives->chunks, lives->window, next_life,
                          lives);
}

void hp_set_lives_end(struct hp_set_lives *lives) {
  free(lives->points);
  free(lives->readers);
}
