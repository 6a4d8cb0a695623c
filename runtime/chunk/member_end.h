/* member_end.h - the end of a chunk whose accesses are counted by place: how many
   there were in all (members.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBER_END_H
#define HP_MEMBER_END_H

#include "heap/chunk.h"

/* The CHUNK of COLD ends: whatever it is.  From any thread and any handler, waits
   for nobody. */
void hp_member_end(const struct hp_chunk *chunk, const struct hp_cold *cold);

#endif
