/* log.h - the chunk log: which ended chunks are kept, and their way to disk.
   Buffers of fixed size: who fills them never waits for who writes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_H
#define HP_LOG_H

#include "encode/encode.h"
#include "heapprof_format.h"
#include "profile/log_parts.h"

/* options.chunk_log=budget: of each point the first chunk_log_point chunks are
   kept.  Then it is every second, and after each further quarter of that number
   every fourth, eighth, ...  The same holds for all points together once
   chunk_log_total chunks were kept.  A chunk that is kept stands for those up
   to the next one: the weight of its run.

   Chunks are gathered in batches, batches become blocks, one for each file that their
   points have (log_parts.h), and wait in a queue for the disk.  What finds all of these full is dropped and counted.

     hp_log_append()        encode              hp_log_write()
     collector's lock  -->  encoder's lock  --> writer's lock
     HP_LOG_BATCHES         at once             HP_LOG_QUEUE bytes */
#define HP_LOG_BATCHES 3u

/* CHUNK's ticks count from the window's start.  Called by the collector, in the
   order in which chunks end. */
void hp_log_append(const struct hp_chunk_log *chunk);

/* While there is a WRITE, which the holder of the writer's lock gives, appending
   has it write up to some batch and waits, instead of dropping.  NULL: no more.
 */
void hp_log_wait(void (*write)(uint64_t until));

/* Up to which batch hp_log_write() shall write (log_file.h): hp_log_filled() is the
   last one that is full, hp_log_seal() ends the one that is being filled, so that
   all that was appended is written. */
uint64_t hp_log_filled(void);
uint64_t hp_log_seal(void);

/* The next entry of the batches up to UNTIL (log_parts.h); false: there is none.  It
   stays in the queue until it is left, after it was noted of each part whether it
   is on disk.  With the writer's lock, as what follows. */
bool hp_log_first_entry(uint64_t until, struct hp_bytes *entry);
void hp_log_note_part(const struct hp_log_part *part, bool kept);
void hp_log_leave_entry(const struct hp_bytes *entry);

/* A file by its number in log_parts.h: its bytes on disk; 0: there is none, or it was
   given up. */
void hp_log_note_file(uint32_t file, uint64_t size);
uint64_t hp_log_file_size(uint32_t file);
uint64_t hp_log_file_count(void);

/* No more chunks are kept, from any thread. */
void hp_log_stop(const char *why);
bool hp_log_has_stopped(void);
/* If it stopped for want of memory, it goes on: there may be some now.  With the
   collector's lock. */
void hp_log_resume(void);

/* Live chunks, the last of a log: parts in memory (log_parts.h), and what they hold. */
struct hp_log_live {
  struct hp_log_batch *batch; /* being filled */
  struct hp_bytes parts;      /* an entry */
  uint64_t chunks, thinned, dropped;
  int error; /* a negative errno: why some were dropped */
};
/* As hp_log_append(), with the same budgets, but for options.addresses: then every
   one is kept, whatever options.chunk_log says. */
void hp_log_append_live(struct hp_log_live *live,
                        const struct hp_chunk_log *chunk);
void hp_log_end_live(struct hp_log_live *live); /* before its blocks are used */
void hp_log_free_live(struct hp_log_live *live);

struct hp_log_counts {
  uint64_t chunks;     /* on disk */
  uint64_t thinned;    /* left out by budget */
  uint64_t dropped;    /* lost for want of memory or disk */
  uint64_t overruns;   /* times that all buffers were full */
  const char *failure; /* why the log stopped, be it for a while; NULL: it did
                          not */
};
struct hp_log_counts hp_log_counts(void);

size_t hp_log_memory(void); /* bytes in use */

/* Forgets all and gives the memory back; by who holds both the collector's and
   the writer's lock. */
void hp_log_reset(void);

void hp_log_lock(void); /* around fork */
void hp_log_unlock(void);

#endif
