/* log_file.h - the chunk log's way from its queue to its file.
   By who has the writer's lock.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_FILE_H
#define HP_LOG_FILE_H

#include "system/platform.h"

#define HP_LOG_FILE "chunks/log"

/* Writes all batches up to UNTIL (log.h). */
void hp_log_write(uint64_t until);

/* Adds the live chunks of the snapshot to the log of DUMP, which has SIZE bytes,
   as far as they fit. */
struct hp_dump_files;
void hp_log_write_live(struct hp_dump_files *dump, uint64_t size);

#endif
