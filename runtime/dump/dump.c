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
#include "system/error_text.h"
#include "system/files.h"
#include "system/limit.h"
#include "system/memory.h"
#include "system/process_facts.h"
#include "system/real_libc.h"
#include "system/user.h"
#include "thread/writer.h"

/* All these belong to who has the writer's lock. */
static struct hp_dump_files *current;
static struct hp_dump_files *copied; /* the dump of its own being written */
static bool refused;                 /* it cannot be had, which was said */
/* This is the last time that the window's dump is written.  Before, what fails
   for want of memory is tried again, and not said. */
static bool is_last;
static bool said_no_memory;

/* Where memory is limited: what the files need that a dump cannot be without, in
   one piece, kept from all that may be left out until they are written. */
#define ROOM (3 * HP_PAYLOAD_MAX)
#define LITTLE_ROOM ((size_t)256 << 10)
#define LITTLE_MEMORY ((uint64_t)64 << 20) /* limits */
#define LEAST_MEMORY ((uint64_t)12 << 20)
static struct {
  char *memory; /* NULL: none */
  size_t size;
} room;

static void keep_room(void) {
  const uint64_t limit = hp_limit_least();
  if (!hp_memory_is_limited() || room.memory || limit < LEAST_MEMORY)
    return;
  room.size = limit < LITTLE_MEMORY ? LITTLE_ROOM : ROOM;
  room.memory = hp_sys_map(room.size);
}

void hp_dump_give_room(void) {
  if (room.memory)
    hp_sys_unmap(room.memory, room.size);
  room.memory = NULL;
}

/* NUMBER as in struct hp_dump_totals.  A negative errno; 0: it has begun. */
static int begin(struct hp_dump_files *dump, uint32_t number) {
  struct hp_block_writer *writer = &dump->writer;
  writer->fd = -1;
  writer->at = HP_SYS_PATHS;
  dump->owner = hp_sys_effective_user();
  if (!hp_sys_executable(dump->program, sizeof dump->program))
    hp_real_memcpy(dump->program, "unknown", sizeof "unknown");
  if (!hp_dump_directory_make(dump->directory, sizeof dump->directory,
                              hp_options.dump_dir, dump->program, number))
    return -EIO;
  hp_block_writer_start(writer, dump->directory, hp_options.dump_compression);
  if (hp_writer_owns_files())
    hp_block_writer_hold(writer);
  return hp_files_write_header(dump, number) &&
                 hp_block_directory(writer, "chunks")
             ? 0
             : writer->error;
}

/* In a forked child, too: whatever the dump's thread was doing, nothing of it
   is lost but memory. */
static void forget(struct hp_dump_files **at) {
  struct hp_dump_files *dump = *at;
  if (!dump)
    return;
  __atomic_store_n(at, NULL, __ATOMIC_RELEASE);
  hp_files_drop_ahead(dump);
  hp_block_writer_end(&dump->writer);
  hp_bytes_free(&dump->payload);
  hp_bytes_free(&dump->part);
  hp_sys_unmap(dump, sizeof *dump);
}

/* Beside the log's. */
static const char *const names[] = {"header", "modules", "points",
                                    "aggregates"};
#define NAMES (sizeof names / sizeof *names)

static void discard(struct hp_dump_files **at) {
  if (!*at)
    return;
  struct hp_block_writer *writer = &(*at)->writer;
  hp_files_drop_ahead(*at);
  for (size_t i = 0; i < NAMES; i++)
    hp_block_unlink(writer, names[i]);
  for (uint32_t file = 0; file < HP_LOG_FILES; file++)
    if (hp_log_file_size(file)) {
      char name[HP_LOG_NAME_SIZE];
      hp_log_file_name(name, file);
      hp_block_unlink(writer, name);
    }
  hp_block_rmdir(writer, "chunks");
  hp_block_rmdir(writer, "");
  forget(at);
}

static void say_no_memory(void) {
  if (!said_no_memory)
    hp_dump_say_failure(hp_options.dump_dir, -ENOMEM);
  said_no_memory = true;
}

/* What did not begin for want of memory leaves nothing, so that it can begin
   again.  A negative errno; 0: it has begun. */
static int begin_dump(struct hp_dump_files **at, uint32_t number,
                      bool is_patient) {
  int error = -ENOMEM;
  *at = hp_sys_map(sizeof **at);
  if (!*at) {
    if (!is_patient)
      say_no_memory();
    return error;
  }
  (*at)->writer.is_patient = is_patient;
  error = begin(*at, number);
  if (error == -ENOMEM)
    discard(at);
  else if (error)
    forget(at);
  return error;
}

/* What is written before the first checkpoint has names then.  At the end they are
   written anyway. */
static void write_first_modules(void) {
  if (is_last || current->modules || hp_snapshot.has_modules ||
      !hp_snapshot_take_modules())
    return;
  hp_files_write_modules(current);
  hp_snapshot_free_modules();
}

/* The window's dump, begun if there is none yet; NULL if it cannot be had. */
struct hp_dump_files *hp_dump_current(void) {
  if (!current && !refused) {
    const int error = begin_dump(&current, 0, !is_last);
    refused = error && (is_last || error != -ENOMEM);
  }
  if (current)
    write_first_modules();
  return current;
}

void hp_dump_drop_ahead(void) {
  if (current)
    hp_files_drop_ahead(current);
}

static void write_ahead(void *arg) {
  struct hp_bytes *blocks = arg;
  if (!hp_writer_owns_files())
    return;
  if (!blocks)
    hp_dump_drop_ahead();
  else if (hp_dump_current() && hp_files_write_ahead(current, blocks))
    blocks->size = 0;
}

void hp_dump_write_ahead(struct hp_bytes *blocks) {
  hp_writer_run(write_ahead, blocks);
}

struct hp_dump_files *hp_dump_begin_copy(uint32_t number) {
  if (hp_dump_current())
    begin_dump(&copied, number, false);
  else if (!refused)
    say_no_memory();
  return copied;
}

void hp_dump_set_last(void) {
  is_last = true;
  keep_room();
  if (current)
    current->writer.is_patient = false;
}

bool hp_dump_is_tried_again(void) {
  if (is_last || refused)
    return false;
  return !current ||
         (current->writer.failed && current->writer.error == -ENOMEM);
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
  return current ? hp_sys_error_text(current->writer.error)
                 : "there is no dump";
}

void hp_dump_discard(void) { discard(&current); }

void hp_dump_let_go(void) {
  if (current)
    hp_block_writer_let_go(&current->writer);
}

/* Root gives away what is its own, and last of all the directory: before, nobody
   else can put something in the place of a file. */
static void give(uint32_t user, uint32_t group) {
  struct hp_block_writer *writer = &current->writer;
  for (size_t i = 0; i < NAMES; i++)
    hp_block_give(writer, names[i], user, group);
  if (current->ahead)
    hp_block_give(writer, "aggregates.new", user, group);
  for (uint32_t file = 0; file < HP_LOG_FILES; file++)
    if (hp_log_file_size(file)) {
      char name[HP_LOG_NAME_SIZE];
      hp_log_file_name(name, file);
      hp_block_give(writer, name, user, group);
    }
  if (hp_block_give(writer, "chunks", user, group) &&
      hp_block_give(writer, "", user, group))
    current->owner = user;
}

void hp_dump_follow_user(bool is_started) {
  if (current || !is_started)
    hp_sys_follow_user(current ? current->owner : HP_SYS_NOBODY, give);
}

bool hp_dump_has_begun(void) {
  return __atomic_load_n(&current, __ATOMIC_ACQUIRE) != NULL;
}

static void disown(struct hp_dump_files *dump) {
  if (!dump)
    return;
  dump->writer.fd = -1;
  dump->writer.at = HP_SYS_PATHS;
  dump->ahead = 0;
}

void hp_dump_after_fork(void) {
  disown(current);
  disown(copied);
}

void hp_dump_start(void) {
  forget(&current);
  forget(&copied);
  hp_dump_give_room();
  hp_snapshot_free();
  hp_snapshot_ahead = hp_dump_write_ahead;
  hp_process_memory_start();
  refused = is_last = said_no_memory = false;
  hp_log_reset();
}
