/* page_facts.h - which pages of large and of sampled small chunks were touched:
   known of every program, with hooks or without, from the pages that have memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PAGE_FACTS_H
#define HP_PAGE_FACTS_H

#include "heap/chunk.h"
#include "heap/chunk_reference.h"
#include "page_measure.h"
#include "stale_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A cold slot of the secondary has no page with memory when a chunk begins there, as
   its pages were given back.  So a page that has none at the end of
   the chunk was never touched: that is certain.  One that has some was touched by
   the program or by the kernel for it, or by what realloc copies; or in the same
   place by the chunk that realloc enlarged; or it is part of a huge page.

   Where a chunk begins in the page of its record that page counts as touched,
   so that it is never unused.

   Pages that are given back cost a fault each when they are touched anew.  Where
   all of those of a point were touched again and again there is nothing to tell by
   them: then one chunk in HP_PAGE_FACTS_EACH is looked at, and the others begin in
   warm slots if there are any (heap/warm_slots.h).  Nothing is known of these.  With
   the option page_facts all are looked at. */
#define HP_PAGE_FACTS_FULL 16u
#define HP_PAGE_FACTS_EACH 16u

struct hp_page_facts {
  struct hp_page_sum large;
  struct hp_page_sum sampled; /* small ones with pages of their own: each counts
                                 for itself alone, also in a sampled run */
  struct hp_stale_sum stale;  /* of large ones that live */
};

/* The CHUNK in a slot of the secondary ends: adds what its pages say to what is known of its point.
   Before anything reads or copies all of it.  From any thread and any handler,
   waits for nobody. */
void hp_page_facts_end(const struct hp_chunk *chunk,
                       const struct hp_cold *cold);

/* Whether the pages of a chunk of POINT that begins now, or grows where it is, shall
   be known. */
bool hp_page_facts_want(uint32_t point);

/* What is known of the chunks of POINT that ended. */
struct hp_page_facts hp_page_facts_of(uint32_t point);

/* Adds LIVE, if it is such a chunk and lives still.  FACTS were asked for before,
   so that no chunk is counted twice. */
void hp_page_facts_add_live(struct hp_page_facts *facts,
                            const struct hp_chunk_reference *live);

/* The program takes memory from pages that it touched: nothing is known of any
   chunk from now on. */
void hp_page_facts_forget(void);

void hp_page_facts_start(void); /* a window begins */

#ifdef __cplusplus
}
#endif
#endif
