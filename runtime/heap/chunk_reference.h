/* chunk_reference.h - a chunk that was seen live, and what names it: whoever
   comes back to its record may find another one's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CHUNK_REFERENCE_H
#define HP_CHUNK_REFERENCE_H

#include "system/platform.h"

/* A chunk that lies elsewhere, and what it is sorted by: comparing two of them
   does not touch what they refer to.
     +0   u64 t0       ticks
     +8   u32 point
     +12  u32 thread
     +16  ptr chunk    whatever the caller knows it by                       */
struct hp_chunk_reference {
  uint64_t t0;
  uint32_t point;
  uint32_t thread;
  const void *chunk;
};
_Static_assert(sizeof(struct hp_chunk_reference) == 24, "layout");

#endif
