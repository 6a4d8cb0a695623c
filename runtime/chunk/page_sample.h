/* page_sample.h - which small chunks get pages of their own, so that it is known
   of a few, without hooks, whether they were ever touched.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PAGE_SAMPLE_H
#define HP_PAGE_SAMPLE_H

#include "heap/secondary.h"
#include "thread/thread_state.h"

/* Only while no module has hooks, and not where an address map is to be drawn, which
   is of chunks as they lie by themselves (options.addresses).  Such a chunk lies in a slot of the secondary,
   begins at a page and has all else from others: what it may be asked, how it is
   resized and ends.

     slot  |  hp_chunk  |     |  the chunk, of less than 128 KiB  |     |
           0                  HP_APART_FRONT

   Of a thread's first 256 allocations an eighth are, in no regular step; then one for each of
   its timed calls (chunk_life.h), of which ever more are passed over, so that N
   calls have 32 + 64 + 64 * ln(N / 4096) about and one in 16384 at least.  No
   more live at one time than 32 and one for each 512 KiB of the heap, of 1024 at
   most: each takes two pages more than others. */

/* A slot for SIZE bytes at a multiple of ALIGNMENT, if it is to be one: the chunk
   begins at HP_APART_FRONT.  NULL: as others.  Called where self->small_max is 0
   and for all that is large. */
struct hp_chunk *hp_page_sample_take(struct hp_thread *self, size_t size,
                                     size_t alignment);

/* A chunk with such a WORD in a slot of the secondary gives it back. */
void hp_page_sample_give(uint64_t word);

/* One of SELF's calls was timed. */
void hp_page_sample_tick(struct hp_thread *self);

#endif
