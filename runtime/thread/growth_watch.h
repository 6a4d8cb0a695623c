/* growth_watch.h - what a thread remembers of its last chunks, so that it sees
   which takes over from which (growth.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_GROWTH_WATCH_H
#define HP_GROWTH_WATCH_H

#include "system/platform.h"

struct hp_chunk;

#define HP_GROWTH_BEGUN 16u /* by point */
#define HP_GROWTH_COPIES 8u /* by source */
struct hp_growth_watch {
  /* The last chunk that began, and none of its point was freed since; size 0:
     none. */
  struct hp_growth_begun {
    _Alignas(HP_CACHE_LINE) uint64_t size;
    const struct hp_chunk *chunk;
    uint64_t t0;
    uintptr_t sp; /* of who allocated it */
  } begun[HP_GROWTH_BEGUN];
  struct hp_growth_copy {
    _Alignas(HP_CACHE_LINE) const struct hp_chunk *from;
    const struct hp_chunk *to;
    uint64_t from_t0, to_t0;
    uint64_t bytes;  /* so far */
    uint64_t reads;  /* of `from` by this thread then */
    bool has_others; /* `from` was copied into another chunk before */
  } copies[HP_GROWTH_COPIES];
};

#endif
