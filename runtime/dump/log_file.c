/* log_file.c - see log_file.h: opens the file with the first block that waits.
   What cannot be written is dropped, and the log stops.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/log_file.h"

#include <errno.h>

#include "dump/block_writer.h"
#include "dump/dump.h"
#include "dump/snapshot.h"
#include "encode/dump_failure.h"
#include "profile/log.h"
#include "thread/writer.h"

static struct hp_block_writer *open_log(void) {
  struct hp_block_writer *file = NULL;
  if (hp_writer_is_ours() && !hp_log_has_stopped())
    file = hp_dump_ready();
  if (!file)
    return NULL;
  uint64_t size = hp_log_counts().file_size;
  bool opened = size ? hp_block_file_append(file, HP_LOG_FILE, size)
                     : hp_block_file_open(file, HP_LOG_FILE);
  return opened ? file : NULL;
}

/* False: FILE is NULL, or what was written may not be on disk. */
static bool close_log(struct hp_block_writer *file) {
  if (!file)
    return false;
  bool closed = hp_block_file_close(file);
  hp_log_note_file(file->file_size);
  return closed;
}

/* Whether the file could not be opened for want of memory only.  Then the blocks
   wait, and no more chunks are kept until there is memory (hp_log_resume()). */
static bool waits_for_memory(void) {
  if (!hp_writer_is_ours() || !hp_dump_is_tried_again())
    return false;
  hp_log_stop(hp_dump_failure_text(-ENOMEM));
  return true;
}

void hp_log_write(uint64_t until) {
  struct hp_block_writer *file = NULL;
  struct hp_bytes block = {0};
  bool any = false;
  while (hp_log_first_block(until, &block)) {
    if (!any)
      file = open_log();
    if (!file && waits_for_memory())
      return;
    any = true;
    hp_log_leave_block(&block, file && hp_block_write(file, &block));
  }
  bool closed = close_log(file);
  if (any && !closed && !hp_log_has_stopped() && hp_writer_is_ours())
    hp_log_stop(hp_dump_failure());
}

void hp_log_write_live(struct hp_dump_files *dump, uint64_t size) {
  struct hp_block_writer *writer = &dump->writer;
  struct hp_log_live *live = &hp_snapshot.live;
  if (!live->chunks)
    return;
  uint64_t written = 0;
  bool opened = size ? hp_block_file_append(writer, HP_LOG_FILE, size)
                     : hp_block_file_open(writer, HP_LOG_FILE);
  for (size_t at = 0; opened && at < live->blocks.size;) {
    struct hp_bytes block = {.data = live->blocks.data + at,
                             .size = hp_block_size(live->blocks.data + at)};
    if (!hp_block_write(writer, &block))
      break;
    written += hp_block_head(block.data).items;
    at += block.size;
  }
  if (opened)
    hp_block_file_close(writer);
  if (!writer->failed)
    return;
  live->dropped += live->chunks - written;
  live->chunks = written;
  hp_snapshot.log_failure = hp_dump_failure_text(writer->error);
  hp_files_retry(dump);
}
