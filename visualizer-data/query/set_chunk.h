/* set_chunk.h - which chunks are in a set: asked of the log, chunk by chunk.
   Instants become ticks of a process, the peak spans of time, frees frames.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_CHUNK_H
#define HP_SET_CHUNK_H

#include "profile/profile_inside.h"
#include "query/set.h"
#include "query/set_free.h"

struct hp_set_asker {
  hp_profile *profile;
  struct hp_set_node *root;
  struct hp_set_place place;
  struct hp_store store; /* of what is kept between the questions */
  const struct hp_profile_process *process;
  const struct hp_dump_point *raw;
  uint64_t process_turn, chunk_turn;
  struct hp_frees frees; /* of that process */
  struct hp_error *error;
};

/* Gets ready for the chunks of PROCESS.  An instant that it does not have, such
   as a mark, is an error. */
hp_status hp_set_ask_process(struct hp_set_asker *asker,
                             const struct hp_profile_process *process);

/* CHUNK, of the point RAW that hp_set_look_at was told of last, is in the set.
   Nobody knows if then ASKER's frees.failed is set. */
bool hp_set_has_chunk(struct hp_set_asker *asker,
                      const struct hp_dump_point *raw,
                      const struct hp_chunk_log *chunk);

void hp_set_asker_end(struct hp_set_asker *asker);

#endif
