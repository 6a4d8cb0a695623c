/* aggregate.h - all that the metrics need of each point's chunks, kept online.
   Exact in bounded memory, whatever becomes of the chunk log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_AGGREGATE_H
#define HP_AGGREGATE_H

#include "encode/encode.h"
#include "heapprof_format.h"
#include "system/platform.h"

/* One caller at a time, who gives the events of all threads in one order: by
   time; at equal time ends before beginnings; of these by thread.  A chunk's
   end comes after its beginning and has its point, or that of the last move.
   All times are ticks since the window's start.

   What is kept are whole numbers (chunk_measure.h has the formulas), so that no
   sum depends on the order in which chunks end:

     classes   chunks, bytes and accessed bytes of each set of HP_CLASS bits
     shares    sum of a and e over known chunks; of a, a*a, e over the samples,
               that of the first 64 chunks apart; steps of 2^-32
     groups    first and last t0, greatest t1, chunks, sum of lives.  Chunks
               join when they begin, if the gap is at most tau = time / 1000;
               since tau only grows, groups are merged and never split, and a
               point has at most 1000 of them after a merge
     growth    chains of chunks that took over one from the other, as each
               chunk of them ends (growth_measure.h)
     peaks     own bytes live; and what was live at the peak of the process,
               copied before the first event after it
     sizes, lives   histograms, by the number of binary digits

   Where not all chunks are profiled, each counts as so many as its WEIGHT says:
   all of the above are estimates then, and the sums of struct hp_sampling say
   how good they are.

   Memory: 16 bytes a point; 16 more for each chunk if there are 2 to 8 of them, in
   blocks that double, and 32 more for each that has ended and was accessed, large,
   or lived for long, which counts three times among the 8.  A point of more takes 192, 64
   more if accesses of any are known; blocks of 32 bytes and more for what varies:
   sizes, lives, classes, more than one group, more than 64 chunks.  Groups of
   all points together stay within 16 MiB and 4 groups for each
   point.  Beyond, the tau of the point that asks for more is doubled until half
   of its groups are gone, and its record says so. */

/* Begins a window and forgets the one before, in a forked child also.  A chunk
   that lives less than SHORT_TICKS is HP_CLASS_SHORT.  SAMPLED: not all weights
   are 1.  False: no memory. */
bool hp_aggregate_start(uint64_t short_ticks, bool sampled);

/* Nobody knows yet which bytes of any chunk are accessed, so that no memory is
   taken for that. */
extern HP_HIDDEN bool hp_aggregate_without_accesses;

/* Whether there are so many points that what follows is worth it. */
bool hp_aggregate_is_large(void);

/* Some events later a chunk of point FAR begins, or ends; sooner one of MIDDLE,
   which was FAR before, and sooner still one of NEAR, which was MIDDLE. */
void hp_aggregate_prefetch_begin(uint32_t far, uint32_t middle, uint32_t near);
void hp_aggregate_prefetch_end(uint32_t far, uint32_t middle, uint32_t near);

void hp_aggregate_begin(uint32_t point, uint64_t t0, uint64_t size,
                        uint32_t weight);
/* An object of a pool: it lies in another chunk, so that it is in no sum of what
   all points together have live. */
void hp_aggregate_begin_pooled(uint32_t point, uint64_t t0, uint64_t size);
/* False: it was not live, and is left out. */
bool hp_aggregate_end(const struct hp_chunk_log *chunk);

/* A live chunk is said to be of another point.  TO is as if it had begun there;
   FROM keeps its size in minimum and maximum. */
void hp_aggregate_move(uint32_t from, uint32_t to, uint64_t t0, uint64_t size,
                       uint32_t weight);

/* How many chunks are in doubt if CHUNKS are those of POINT that live, and have asked
   for BYTES: 0 if as many began and did not end.  They are not where a handler of a
   signal jumped out of malloc or free. */
uint64_t hp_aggregate_doubt(uint32_t point, uint64_t chunks, uint64_t bytes);

/* Live chunks of POINT. */
uint64_t hp_aggregate_live(uint32_t point);

/* Chunks of POINT that began, and the bytes they asked for. */
void hp_aggregate_counts(uint32_t point, uint64_t *chunks, uint64_t *bytes);

/* How often a chunk of POINT began when no other of it was live; UINT64_MAX: that is
   not known, for want of memory. */
uint64_t hp_aggregate_generations(uint32_t point);

/* Some points later FAR is put, and sooner NEAR, which was FAR before. */
void hp_aggregate_prefetch_put(uint32_t far, uint32_t near);

/* Begins POINT's AGGREGATES record as it stands at END, which is not before any
   event.  False: the point has no chunk. */
bool hp_aggregate_put_begin(uint32_t point, uint64_t end);
/* Then the chunks of it that are live, some at a time, by the time they began; if
   there are none of many, they are unknown. */
void hp_aggregate_put_live(const struct hp_chunk_log *live, size_t count);
/* Appends its fields to TO.  Of the aggregates nothing has changed. */
void hp_aggregate_put_end(struct hp_bytes *to);

/* Appends the TIMELINE records up to END; their number. */
size_t hp_aggregate_put_timeline(struct hp_bytes *to, uint64_t end);

struct hp_aggregate_totals {
  uint64_t bytes, chunks; /* live now */
  uint64_t pooled;        /* objects of pools that are; not among these */
  uint64_t peak_bytes, peak_chunks;
  uint64_t peak_time; /* ticks; when the peak was first reached */
  uint32_t points;    /* ids are 0 .. points - 1 */
  uint64_t short_ticks;
  uint64_t orphans; /* ends of no chunk that was live; left out */
  bool failed;      /* memory was refused: no record is right any more */
};
void hp_aggregate_totals(struct hp_aggregate_totals *totals);

size_t hp_aggregate_memory(void); /* bytes in use */

#endif
