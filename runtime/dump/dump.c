/* dump.c - see dump.h: makes the directory when it is needed, and forgets it.
   What its parent wrote is nothing to a forked child.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump/dump.h"

#include <errno.h>

#include "dump/dump_directory.h"
#include "dump/process_memory.h"
#include "dump/snapshot.h"
#include "encode/dump_failure.h"
#include "options/options.h"
#include "profile/log.h"
#include "system/real_libc.h"
#include "system/sanitizer_binding.h"
#include "thread/writer.h"

/* All these belong to who has the writer's lock. */
static struct hp_dump_files *current;
static struct hp_dump_files *copied; /* the dump of its own being written */
static bool refused;                 /* it cannot be had, which was said */

/* NUMBER as in struct hp_dump_totals. */
static bool begin(struct hp_dump_files *dump, uint32_t number) {
  dump->writer.fd = -1;
  dump->writer.at = HP_SYS_PATHS;
  if (!hp_sys_executable(dump->program, sizeof dump->program))
    hp_real_memcpy(dump->program, "unknown", sizeof "unknown");
  if (!hp_dump_directory_make(dump->directory, sizeof dump->directory,
                              hp_options.dump_dir, dump->program, number) ||
      !hp_block_writer_start(&dump->writer, dump->directory,
                             hp_options.dump_compression))
    return false;
  if (hp_writer_owns_files())
    hp_block_writer_hold(&dump->writer);
  return hp_files_write_header(dump, number) &&
         hp_block_directory(&dump->writer, "chunks");
}

/* In a forked child, too: whatever the dump's thread was doing, nothing of it
   is lost but memory. */
static void forget(struct hp_dump_files **at) {
  struct hp_dump_files *dump = *at;
  if (!dump)
    return;
  __atomic_store_n(at, NULL, __ATOMIC_RELEASE);
  hp_block_writer_end(&dump->writer);
  hp_bytes_free(&dump->payload);
  hp_bytes_free(&dump->part);
  hp_sys_unmap(dump, sizeof *dump);
}

static void begin_dump(struct hp_dump_files **at, uint32_t number) {
  *at = hp_sys_map(sizeof **at);
  if (!*at)
    hp_dump_say_failure(hp_options.dump_dir, -ENOMEM);
  else if (!begin(*at, number))
    forget(at);
}

/* The window's dump, begun if there is none yet; NULL if it cannot be had. */
struct hp_dump_files *hp_dump_current(void) {
  if (!current && !refused) {
    begin_dump(&current, 0);
    refused = !current;
  }
  return current;
}

struct hp_dump_files *hp_dump_begin_copy(uint32_t number) {
  begin_dump(&copied, number);
  return copied;
}

void hp_dump_forget(void) { forget(&current); }
void hp_dump_forget_copy(void) { forget(&copied); }

struct hp_block_writer *hp_dump_ready(void) {
  struct hp_dump_files *dump = hp_dump_current();
  if (!dump)
    return NULL;
  hp_files_retry(dump);
  return hp_files_write_points(dump) ? &dump->writer : NULL;
}

const char *hp_dump_failure(void) {
  return current ? hp_dump_failure_text(current->writer.error)
                 : "there is no dump";
}

void hp_dump_discard(void) {
  static const char *const names[] = {"header", "modules", "points",
                                      "aggregates", "chunks/log"};
  if (!current)
    return;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    hp_block_unlink(&current->writer, names[i]);
  hp_block_rmdir(&current->writer, "chunks");
  hp_block_rmdir(&current->writer, "");
  forget(&current);
}

void hp_dump_let_go(void) {
  if (current)
    hp_block_writer_let_go(&current->writer);
}

static void disown(struct hp_dump_files *dump) {
  if (!dump)
    return;
  dump->writer.fd = -1;
  dump->writer.at = HP_SYS_PATHS;
}

void hp_dump_after_fork(void) {
  disown(current);
  disown(copied);
}

void hp_dump_start(void) {
  forget(&current);
  forget(&copied);
  hp_snapshot_free();
  hp_process_memory_start();
  refused = false;
  hp_log_reset();
}
