/* log.h - the chunk log: which ended chunks are kept, and their way to disk.
   A buffer of fixed size; whatever is in it is written when it is full.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_H
#define HP_LOG_H

#include "heapprof_format.h"
#include "platform.h"

#define HP_LOG_FILE "chunks/log"

/* options.chunk_log=budget: of each point the first chunk_log_point chunks are
   kept.  Then it is every second, and after each further quarter of that number
   every fourth, eighth, ...  The same holds for all points together once
   chunk_log_total chunks were kept.  A chunk that is kept stands for those up
   to the next one: the weight of its run. */

/* CHUNK's ticks count from the window's start.  Called by the collector, in the
   order in which chunks end, and with live ones last. */
void hp_log_append(const struct hp_chunk_log *chunk);

/* Writes what is in the buffer. */
void hp_log_flush(void);

struct hp_log_counts {
  uint64_t chunks;     /* on disk */
  uint64_t thinned;    /* left out by budget */
  uint64_t dropped;    /* lost for want of memory or disk */
  const char *failure; /* why the log stopped; NULL: it did not */
  uint64_t file_size;  /* bytes of the log on disk */
};
struct hp_log_counts hp_log_counts(void);

/* Keeps counts and budgets, to come back to them: what is appended meanwhile is
   another dump's.  The buffer is empty; without memory the budgets stay spent.
 */
void hp_log_set_aside(void);
void hp_log_put_back(void);

size_t hp_log_memory(void); /* bytes mapped */

/* Forgets all and gives the memory back. */
void hp_log_reset(void);

#endif
