/* free_site.h - where the ended chunks of each point were freed, kept online.
   Exact for each (point, free site, size), in bounded memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FREE_SITE_H
#define HP_FREE_SITE_H

#include "encode/encode.h"
#include "heapprof_format.h"
#include "system/platform.h"

/* One caller at a time.  A site is the return address of the free; BY_STACK:
   its whole call stack, which every chunk brings then.  Else some chunks do, and
   the row keeps that of the first.

   Memory: 64 bytes a row and 16 to find it, at most HP_FREE_ROWS of them.  A
   point has HP_FREE_SIZES sizes at one site, and a row for all further ones;
   what finds no room is in one row for all points (HP_FREE_REST). */
#define HP_FREE_ROWS 65536u
#define HP_FREE_SIZES 32u

/* Begins a window and forgets the one before, in a forked child also.  False:
   no memory. */
bool hp_free_sites_start(bool by_stack);

/* To be said before chunks are added that ended after code was unloaded. */
void hp_free_sites_look(void);

/* CHUNK has ended, was live before, and its times are those of the window. */
void hp_free_site_add(const struct hp_chunk_log *chunk);

/* False: all rows are in use, most have a stack, and no new one can have any. */
bool hp_free_sites_want_stacks(void);

/* Fetches ahead what the two will need: FAR's first, so NEAR was FAR before. */
void hp_free_site_prefetch(const struct hp_chunk_log *far,
                           const struct hp_chunk_log *near);

uint32_t hp_free_site_count(void); /* rows; those without a chunk, too */

/* Appends the fields of row number I's FREES record; false: it has no chunk. */
bool hp_free_site_put(struct hp_bytes *to, uint32_t i);

size_t hp_free_site_memory(void); /* bytes in use */

#endif
