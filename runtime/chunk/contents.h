/* contents.h - what chunks hold, by point: how much is zero, how many different
   contents there are.  Of the exact chunks, with contents=1.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_CONTENTS_H
#define HP_CONTENTS_H

#include "contents_measure.h"
#include "heap/chunk.h"
#include "heap/chunk_reference.h"

/* Chunks with one of these flags are looked at as they end; 0: none. */
extern HP_HIDDEN uint64_t hp_contents_of;

/* The CHUNK of COLD ends, which is one of those: adds what it holds to what is
   known of its point.  From any thread and any handler, waits for nobody; in the
   gate. */
void hp_contents_end(const struct hp_chunk *chunk, const struct hp_cold *cold);

/* What is known of the chunks of POINT that ended; chunks 0: nothing.  Points
   beyond 4096 are not known. */
struct hp_contents_sum hp_contents_sum_of(uint32_t point);
/* The same; if their chunks are not as many, the bits say nothing. */
void hp_contents_bits_of(struct hp_content_bits *bits, uint32_t point);

/* Adds LIVE to SUM and BITS, each of which is of its point and was asked for before, if it lives
   still and is one of those.  Of one dump, between these two; what is known of
   chunks that ended stays as it is. */
void hp_contents_begin_dump(void);
void hp_contents_add_live(struct hp_contents_sum *sum,
                          struct hp_content_bits *bits,
                          const struct hp_chunk_reference *live);
void hp_contents_end_dump(void);

void hp_contents_start(void); /* a window begins, as options say; ahead of
                                 hp_free_stacks_start() */

#endif
