/* log_file.c - see log_file.h: opens a file for each block that waits.
   What cannot be written is dropped, and the log stops.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/log_file.h"

#include <errno.h>

#include "dump/block_writer.h"
#include "dump/dump.h"
#include "dump/snapshot.h"
#include "profile/log.h"
#include "system/error_text.h"
#include "thread/writer.h"

/* Where the dump is written; NULL: nowhere now. */
static struct hp_block_writer *writer_of_log(void) {
  return hp_writer_is_ours() && !hp_log_has_stopped() ? hp_dump_ready() : NULL;
}

/* To write behind the SIZE bytes that FILE has; 0: it is new. */
static bool open_part(struct hp_block_writer *writer, uint32_t file,
                      uint64_t size) {
  char name[HP_LOG_NAME_SIZE];
  hp_log_file_name(name, file);
  return size ? hp_block_file_append(writer, name, size)
              : hp_block_file_open(writer, name);
}

/* False: WRITER is NULL, or what was written may not be on disk. */
static bool write_part(struct hp_block_writer *writer,
                       const struct hp_log_part *part) {
  const bool opened =
      writer && open_part(writer, part->file, hp_log_file_size(part->file));
  const bool kept = opened && hp_block_write(writer, &part->block);
  hp_log_note_part(part, kept);
  if (!opened)
    return false;
  const bool closed = hp_block_file_close(writer);
  hp_log_note_file(part->file, writer->file_size);
  return kept && closed;
}

/* Whether the file could not be opened for want of memory only.  Then the blocks
   wait, and no more chunks are kept until there is memory (hp_log_resume()). */
static bool waits_for_memory(void) {
  if (!hp_writer_is_ours() || !hp_dump_is_tried_again())
    return false;
  hp_log_stop(hp_sys_error_text(-ENOMEM));
  return true;
}

void hp_log_write(uint64_t until) {
  struct hp_block_writer *writer = NULL;
  struct hp_bytes entry = {0};
  struct hp_log_part part;
  bool any = false, good = true;
  while (hp_log_first_entry(until, &entry)) {
    if (!any)
      writer = writer_of_log();
    if (!writer && waits_for_memory())
      return;
    any = true;
    for (size_t at = 0; hp_log_next_part(&entry, &at, &part);)
      good &= write_part(writer, &part);
    hp_log_leave_entry(&entry);
  }
  if (!good && !hp_log_has_stopped() && hp_writer_is_ours())
    hp_log_stop(hp_dump_failure());
}

uint64_t hp_log_write_live(struct hp_dump_files *dump) {
  struct hp_block_writer *writer = &dump->writer;
  struct hp_log_live *live = &hp_snapshot.live;
  struct hp_log_part part;
  uint64_t written = 0, files = hp_log_file_count(), sizes[HP_LOG_FILES];
  for (uint32_t file = 0; file < HP_LOG_FILES; file++)
    sizes[file] = hp_log_file_size(file);
  for (size_t at = 0; hp_log_next_part(&live->parts, &at, &part);) {
    uint64_t *size = &sizes[part.file];
    const bool is_new = !*size;
    if (!open_part(writer, part.file, *size))
      break;
    const bool kept = hp_block_write(writer, &part.block);
    const bool closed = hp_block_file_close(writer);
    if (!kept || !closed)
      break;
    *size = writer->file_size;
    files += is_new;
    written += hp_block_head(part.block.data).items;
  }
  if (writer->failed) {
    live->dropped += live->chunks - written;
    live->chunks = written;
    hp_snapshot.log_failure = hp_sys_error_text(writer->error);
    hp_files_retry(dump);
  }
  return files;
}

bool hp_log_copy(struct hp_block_writer *to,
                 const struct hp_block_writer *from) {
  bool done = true;
  for (uint32_t file = 0; file < HP_LOG_FILES && done; file++) {
    char name[HP_LOG_NAME_SIZE];
    const uint64_t size = hp_log_file_size(file);
    hp_log_file_name(name, file);
    done = !size || hp_block_file_copy(to, from, name, size);
  }
  return done;
}
