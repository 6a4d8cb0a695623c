/* watch.h - chunks whose accesses stay exact when they are old, to tell what
   takes them down from what uses them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WATCH_H
#define HP_WATCH_H

#include "chunk/filling.h"
#include "heap/chunk.h"
#include "teardown_measure.h"

/* An exact chunk that grows old is no longer exact (HP_EXACT_STEPS).  Of each
   point the first HP_WATCH_FIRST and one in HP_WATCH_ONE_IN of those that are
   chosen for the others are watched instead: their thread is written as
   HP_THREAD_LATE, so that all that is done to them goes the long way, with the
   address of who does it.  One of them is let go after HP_WATCH_ACCESSES.
   Some are watched from their first access on, for what is initialised only
   (filling.h). */
#define HP_WATCH_FIRST 4u
#define HP_WATCH_ONE_IN 8u
#define HP_WATCH_ACCESSES 256u

/* The accesses of a chunk are in bursts: one ends where a pause begins that is
   longer than 1/HP_WATCH_PART of the age.  The last one took the chunk down if
   it began within the last such part of the life, is of HP_WATCH_BURST accesses
   at most, reads HP_WATCH_WORDS bytes at once at most, and from at most
   HP_TEARDOWN_READERS places.  Who these are, the reader of the dump looks at. */
#define HP_WATCH_PART 16u
#define HP_WATCH_BURST 32u
#define HP_WATCH_WORDS 64u

/* Accesses of SIZE bytes by code that goes on at PC; 0: not known; those within the
   chunk are [FROM, TO).  The chunk is old enough for its teardown to be watched,
   these are its first accesses, and it IS_CHOSEN for the others (access.c). */
struct hp_touch {
  uint64_t size, from, to, reads, writes;
  uintptr_t pc;
  bool is_old, is_first, is_chosen;
};

/* CHUNK, which is exact, is accessed by its own thread NOW; its record does not say
   so yet.  True: it is watched.  False: it is not, nor will it be before it is
   old.  From any thread and any handler, waits for nobody. */
bool hp_watch_touch(struct hp_chunk *chunk, const struct hp_touch *touch,
                    uint64_t now);

/* CHUNK is no longer watched, if it was. */
void hp_watch_leave(struct hp_chunk *chunk);

/* CHUNK, of COLD, is freed. */
void hp_watch_free(const struct hp_chunk *chunk, const struct hp_cold *cold);

/* CHUNK, of COLD, lives: adds to SUM what is known of its initialisation. */
void hp_watch_add_live(const struct hp_chunk *chunk, const struct hp_cold *cold,
                       struct hp_initialised_sum *sum);

/* What is known of POINT; watched 0: nothing. */
struct hp_teardown_sum hp_teardown_of(uint32_t point);

void hp_watch_start(void); /* a window begins */

#endif
