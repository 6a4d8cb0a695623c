/* members.h - which bytes of a chunk are accessed how often: accesses of the exact
   chunks, by point and by place in the chunk, with members=1.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEMBERS_H
#define HP_MEMBERS_H

#include "heap/chunk.h"

/* Chunks with one of these flags are, or were, counted so; 0: none.  Then exact
   chunks stay exact, and what any thread does to them comes to the hooks' long
   way; from any thread and any handler, waits for nobody. */
extern HP_HIDDEN uint64_t hp_members_of;

/* Each of these looks whether the chunk that P lies in, in the heap or not, is
   counted, and counts nothing else.  PC as in access.h. */

/* ACCESSES as HP_HOOK_SLOW has them, of GROUP (hook_abi.h). */
HP_PRESERVE_MOST void hp_members_group(const void *p, uint32_t accesses,
                                       const uint32_t *group, uintptr_t pc);
void hp_members_many(const void *p, uint64_t reads, uint64_t writes,
                     const uint32_t *group, uintptr_t pc);
/* STEPS as HP_HOOK_LOOP_MEMBERS has them. */
void hp_members_loop(const void *p, const uint32_t *group,
                     const uint64_t *steps, uintptr_t pc);
/* One access of the SIZE bytes at P, as far as they lie in that chunk. */
HP_PRESERVE_MOST void hp_members_range(const void *p, uint64_t size, int kind,
                                       uintptr_t pc);

/* An exact chunk is counted until so many of its accesses were, as its thread's
   record BY has them: halved, down to 1/2^HP_MEMBERS_HALVES, with each
   HP_MEMBERS_HEAVY chunks that were let go so.  Where BY is of a thread that writes
   to another one's CHUNK there may be more to come, who take some time to begin: then
   it is HP_MEMBERS_SHARED bits more at first.  Asked now and then only. */
#define HP_MEMBERS_ACCESSES ((uint64_t)1 << 14)
/* Of an array of records that are longer than a cache line, which is filled first, four
   of each word: if these are HP_MEMBERS_ARRAY, and up to HP_MEMBERS_FILLING more. */
#define HP_MEMBERS_LINE 64u
#define HP_MEMBERS_ARRAY ((uint64_t)1 << 19)
#define HP_MEMBERS_FILLING ((uint64_t)1 << 20)
#define HP_MEMBERS_WALK 1024u /* accesses at once, which let no chunk go */
#define HP_MEMBERS_HALVES 4u
#define HP_MEMBERS_HEAVY 16u
#define HP_MEMBERS_SHARED 4u
bool hp_members_are_enough(const struct hp_chunk *chunk,
                           const struct hp_chunk *by);

void hp_members_start(void); /* a window begins, as options say; ahead of
                                 hp_free_stacks_start() (free_stack.h) */

#endif
