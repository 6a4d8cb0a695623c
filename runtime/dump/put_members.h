/* put_members.h - what was counted inside the chunks of a point (members.h), as rows
   of a dump.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PUT_MEMBERS_H
#define HP_PUT_MEMBERS_H

#include "encode/encode.h"
#include "heapprof_format.h"

/* Of one point's live chunks, those that are counted. */
struct hp_live_members {
  uint64_t chunks;
  uint64_t accesses;
};
void hp_put_members_add_live(struct hp_live_members *sum,
                             const struct hp_chunk_log *chunk);

/* The field of POINT, if anything was counted there. */
void hp_put_members(struct hp_bytes *part, uint32_t point,
                    const struct hp_live_members *live);

#endif
