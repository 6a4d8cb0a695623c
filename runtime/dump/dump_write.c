/* dump_write.c - see dump_write.h: what is written when, and in which order.
   The log comes first: what else says how much of it there is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/dump_write.h"

#include "dump/dump.h"
#include "dump/log_file.h"
#include "dump/snapshot.h"
#include "profile/log.h"

void hp_dump_write_checkpoint(void) {
  hp_log_write(hp_snapshot.log_end);
  struct hp_dump_files *dump = hp_snapshot.error ? NULL : hp_dump_current();
  if (dump)
    dump->chunk_files = hp_log_file_count();
  if (dump && hp_dump_ready() && hp_files_write_header(dump, 0) &&
      hp_files_write_modules(dump) && hp_snapshot.has_aggregates)
    hp_files_write_aggregates(dump);
  hp_dump_drop_ahead(); /* if they were not to be */
  hp_snapshot_free();
}

/* All but the ended chunks, which are there. */
static void write_rest(struct hp_dump_files *dump) {
  hp_files_retry(dump);
  if (hp_snapshot.error < 0) {
    hp_block_writer_fail(&dump->writer, hp_snapshot.error);
    return;
  }
  /* The header once more: its ticks per second are those of the whole run. */
  if (!hp_files_write_header(dump, hp_snapshot.totals.number) ||
      !hp_files_write_modules(dump) || !hp_files_write_points(dump))
    return;
  dump->chunk_files = hp_log_write_live(dump);
  if (!hp_snapshot.has_aggregates) /* those of a checkpoint say less */
    hp_block_unlink(&dump->writer, "aggregates");
  else if (!hp_files_write_aggregates(dump))
    return;
  hp_files_write_end(dump);
}

void hp_dump_write_last(struct hp_dump_written *written) {
  hp_log_write(hp_snapshot.log_end);
  hp_dump_give_room();
  struct hp_dump_files *dump = hp_dump_current();
  if (dump)
    write_rest(dump);
  struct hp_log_counts log = hp_log_counts();
  *written = (struct hp_dump_written){
      .bytes = dump ? dump->writer.written : 0,
      .chunks = log.chunks + hp_snapshot.live.chunks,
      .thinned = log.thinned + hp_snapshot.live.thinned,
      .dropped = log.dropped + hp_snapshot.live.dropped};
  hp_dump_forget();
  hp_snapshot_free();
}

/* The log is copied as it is on disk; what lives is added to the copy. */
bool hp_dump_write_copy(void) {
  bool done = false;
  hp_log_write(hp_snapshot.log_end);
  struct hp_dump_files *copy = hp_dump_begin_copy(hp_snapshot.totals.number);
  if (copy) {
    if (hp_log_copy(&copy->writer, &hp_dump_current()->writer))
      write_rest(copy);
    done = !copy->writer.failed;
  }
  hp_dump_forget_copy();
  hp_snapshot_free();
  return done;
}
