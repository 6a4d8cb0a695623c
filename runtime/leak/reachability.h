/* reachability.h - which live chunks the program could still find at its end:
   a walk along all pointers, from globals, stacks and registers on.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REACHABILITY_H
#define HP_REACHABILITY_H

#include "heap/chunk.h"
#include "system/stopped_world.h"

/* Takes down where the globals are, for which libc's lock is needed that a
   thread may have who waits at the gate: before that is closed.  With the lock of
   modules, for which fork waits: libc leaves its own taken in the child. */
void hp_reachability_prepare(void);

/* Walks while no thread but the calling one, SELF, runs; the gate is closed.
   Returns HP_REACH_DONE, or why the answer is not known. */
const char *hp_reachability_check(const struct hp_sys_stopped *self);
#define HP_REACH_DONE "done"

/* What follows is of the last walk, until hp_reachability_end().

   HP_CHUNK_LOST and HP_CHUNK_REFERRED of the live CHUNK; 0: not known. */
uint32_t hp_reachability_flags(const struct hp_chunk *chunk);

/* What hangs from the chunks of POINT that are lost and not referred to. */
struct hp_held {
  uint64_t chunks, bytes;
};
struct hp_held hp_reachability_held(uint32_t point);

void hp_reachability_end(void);

#endif
