/* log.h - the chunk log: ended chunks in blocks, until the dump.
   Only the collector appends.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_H
#define HP_LOG_H

#include "heapprof_format.h"
#include "platform.h"

/* A block of the log: 64 KiB less the header. */
struct hp_log_block {
  struct hp_log_block *next;
  uint32_t count;
  uint32_t capacity;
  struct hp_chunk_log chunks[];
};

/* Without memory the chunk is counted as dropped. */
void hp_log_append(const struct hp_chunk_log *chunk);

/* Calls EACH for each block in which there is a chunk. */
void hp_log_each(void (*each)(const struct hp_log_block *block, void *arg),
                 void *arg);

uint64_t hp_log_dropped(void);
/* In a forked child: forgets all and gives the memory back. */
void hp_log_reset(void);

#endif
