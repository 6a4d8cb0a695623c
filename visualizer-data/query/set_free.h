/* set_free.h - where a logged chunk was freed: its return address, made frames.
   The callers of that function are known where all its frees of a size had the same.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SET_FREE_H
#define HP_SET_FREE_H

#include "profile/profile_inside.h"
#include "query/set.h"

/* Those that were looked up in a process; {0} is none. */
struct hp_frees {
  struct hp_seen_free *seen;
  struct hp_store store;
  hp_status failed;
  uint64_t shallow; /* chunks of which only the innermost call was asked */
};

/* CHUNK, an ended one of RAW, was freed where TERM says: in a function, or at a
   site.  On failure frees->failed is set. */
bool hp_set_free_holds(struct hp_frees *frees, hp_profile *profile,
                       const struct hp_dump *dump,
                       const struct hp_dump_point *raw,
                       const struct hp_set_node *term,
                       const struct hp_chunk_log *chunk);

/* Where CHUNK was freed: what free_site and freed_in ask. */
struct hp_free_place {
  const struct hp_frame *const *frames; /* innermost first */
  size_t count;
  const struct hp_frame *site;
  bool is_whole;  /* the stack; else the innermost call */
  size_t *number; /* the caller's, 0 at first; one for each place */
};

/* False: no memory. */
bool hp_set_free_place(struct hp_frees *frees, hp_profile *profile,
                       const struct hp_dump *dump,
                       const struct hp_dump_point *raw,
                       const struct hp_chunk_log *chunk,
                       struct hp_free_place *place);

/* Of one process; shallow stays. */
void hp_set_forget_frees(struct hp_frees *frees);

#endif
