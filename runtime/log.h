/* log.h - the chunk log: ended chunks in blocks per thread, until the dump.
   Appending takes no lock but when a block is full.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_H
#define HP_LOG_H

#include "heapprof_format.h"
#include "platform.h"

/* A block of the log: 64 KiB less the header, filled by one thread. */
struct hp_log_block {
  struct hp_log_block *next;
  uint32_t count;
  uint32_t capacity;
  struct hp_chunk_log chunks[];
};

/* Appends *CHUNK to *BLOCK (the calling thread's), taking a new block when it
   is full or NULL.  Without memory the chunk is counted as dropped. */
void hp_log_append(struct hp_log_block **block,
                   const struct hp_chunk_log *chunk);

/* Calls EACH for each block in which there is a chunk, those that threads are
   filling included.  Only from the dump, while no chunk ends. */
void hp_log_each(void (*each)(const struct hp_log_block *block, void *arg),
                 void *arg);

uint64_t hp_log_dropped(void);
void hp_log_lock(void); /* around fork and the dump */
void hp_log_unlock(void);
/* In a forked child: forgets all and gives the memory back; every thread's
   block must be NULL before the next append. */
void hp_log_reset(void);

#endif
