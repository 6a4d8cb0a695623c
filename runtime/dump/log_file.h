/* log_file.h - the chunk log's way from its queue to its files.
   By who has the writer's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_FILE_H
#define HP_LOG_FILE_H

#include "system/platform.h"

/* Writes all batches up to UNTIL (log.h). */
void hp_log_write(uint64_t until);

/* Adds the live chunks of the snapshot to the log of DUMP, whose files have the sizes
   of log.h, as far as they fit.  How many files there are then. */
struct hp_dump_files;
uint64_t hp_log_write_live(struct hp_dump_files *dump);

/* Copies the log as it is on disk. */
struct hp_block_writer;
bool hp_log_copy(struct hp_block_writer *to,
                 const struct hp_block_writer *from);

#endif
