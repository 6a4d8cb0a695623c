/* filling.h - which bytes of a chunk were initialised, and which of these were
   accessed later.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FILLING_H
#define HP_FILLING_H

#include "heap/chunk.h"
#include "initialised_measure.h"

/* A chunk is initialised by its first accesses, as long as they are writes, none
   of which is of bytes just written or far behind the others: what a memset, a
   loop or a constructor does.  They go on to both sides of a range of bytes with
   gaps of HP_FILL_GAP at most; there may be HP_FILL_RANGES of such ranges.  What
   is accessed later is known by parts of the chunk, HP_FILL_PARTS of them, of 8
   bytes or more. */
#define HP_FILL_GAP 64u
#define HP_FILL_RANGES 2u
#define HP_FILL_LAST 8u /* writes that are known to the byte */
#define HP_FILL_PARTS 64u
#define HP_FILL_SIZE_MIN 64u
#define HP_FILL_HEAD 32u /* bytes: no table lies in them */

/* Of each point the first chunk, if it is large, and HP_FILL_FIRST behind it are
   looked at: what the first look costs would set the first of many that live short
   apart from the others.  So are, of those that
   are chosen for the others one in HP_FILL_ONE_IN, and with each HP_FILL_HALF
   that were looked at one in twice as many.  One is let go after so many accesses, half as many with
   each HP_FILL_LOST that were. */
#define HP_FILL_FIRST 8u
#define HP_FILL_LARGE 4096u /* bytes */
#define HP_FILL_ONE_IN 2u
#define HP_FILL_HALF 32u
#define HP_FILL_ACCESSES 1024u
#define HP_FILL_LOST 16u
#define HP_FILL_HALVES 4u

struct hp_fill_range {
  uint32_t from, to; /* bytes, from the chunk's start; the same: none */
};

struct hp_fill {
  struct hp_fill_range ranges[HP_FILL_RANGES];
  struct hp_fill_range last[HP_FILL_LAST];
  uint64_t used, used_before; /* parts; before the burst that goes on */
  uint32_t accesses, writes;
  uint8_t shift; /* a part has 1 << so many bytes */
  bool is_over, is_written, was_written;
};

/* How a chunk was taken down (watch.h). */
struct hp_fill_end {
  bool is_torn;
  const uintptr_t *readers;
  uint32_t reader_count;
};

/* Whether any chunk is looked at in this run. */
bool hp_fill_is_possible(void);

/* Whether a chunk is to be looked at from its first access on; IS_CHOSEN for the
   others. */
bool hp_fill_wants(const struct hp_cold *cold, bool is_chosen);
void hp_fill_begin(struct hp_fill *fill, const struct hp_cold *cold);

/* Bytes [FROM, TO) are accessed.  False: there were enough accesses. */
bool hp_fill_touch(struct hp_fill *fill, uint64_t from, uint64_t to,
                   uint64_t reads, uint64_t writes);

/* A burst of accesses begins. */
void hp_fill_burst(struct hp_fill *fill);

/* A chunk of COLD is no longer looked at. */
void hp_fill_lose(const struct hp_cold *cold);

/* CHUNK is freed. */
void hp_fill_end(const struct hp_fill *fill, const struct hp_chunk *chunk,
                 const struct hp_cold *cold, const struct hp_fill_end *end);

/* CHUNK lives: adds what is known of it to SUM. */
void hp_fill_add_live(const struct hp_fill *fill, const struct hp_chunk *chunk,
                      struct hp_initialised_sum *sum);

/* What is known of POINT's chunks that ended. */
struct hp_initialised_sum hp_initialised_of(uint32_t point);

void hp_fill_start(void); /* a window begins */

#endif
