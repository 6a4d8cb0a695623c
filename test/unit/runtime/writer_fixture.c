/* writer_fixture.c - directories made and removed, dumps written and read.
   Uses the library's internal reader, which keeps every field.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "writer_fixture.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/log.h"

char hp_fixture_directory[64];
uint64_t hp_fixture_mapped;

int hp_fixture_begin(void **state) {
  (void)state;
  snprintf(hp_fixture_directory, sizeof hp_fixture_directory,
           "writer-test.XXXXXX");
  if (!mkdtemp(hp_fixture_directory))
    return -1;
  hp_double_reset();
  hp_options.dump_dir = hp_fixture_directory;
  hp_fixture_mapped = hp_double.mapped_bytes;
  return 0;
}

static int remove_entry(const char *path, const struct stat *status, int type,
                        struct FTW *ftw) {
  (void)status;
  (void)type;
  (void)ftw;
  return remove(path);
}

int hp_fixture_end(void **state) {
  (void)state;
  return nftw(hp_fixture_directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *hp_fixture_path(const char *name) {
  static char paths[4][4096];
  static unsigned turn;
  char *path = paths[turn++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", hp_fixture_directory, name);
  return path;
}

void hp_fixture_write(const struct hp_dump_totals *totals) {
  const struct hp_dump_totals plain = {.reason = "exit",
                                       .end = hp_clock_window_start + 1000000};
  hp_dump_set_last();
  hp_dump_take(HP_DUMP_LAST, totals ? totals : &plain, &hp_double_live_chunks);
  struct hp_dump_written written;
  hp_dump_write_last(&written);
  hp_dump_start();
  assert_int_equal(hp_double.open_files, 0);
  assert_true(hp_double.mapped_bytes <= hp_fixture_mapped);
}

struct hp_dump *hp_fixture_read(const char *name) {
  struct hp_dump *dump = NULL;
  struct hp_error error = {.text = ""};
  hp_status status = hp_dump_read(&dump, hp_fixture_path(name), &error);
  if (status != HP_OK)
    print_error("%s\n", error.text);
  assert_int_equal(status, HP_OK);
  return dump;
}

struct hp_dump *hp_fixture_round_trip(const struct hp_dump_totals *totals) {
  hp_fixture_write(totals);
  if (hp_double.warnings)
    print_error("%s\n", hp_double.warning);
  assert_int_equal(hp_double.warnings, 0);
  struct hp_dump *dump = hp_fixture_read("heapprof.app.42");
  assert_true(dump->complete);
  return dump;
}

const struct hp_dump_point *hp_fixture_point(const struct hp_dump *dump,
                                             uint64_t id) {
  for (size_t i = 0; i < dump->point_count; i++)
    if (dump->points[i].id == id)
      return &dump->points[i];
  fail_msg("point %llu is not there", (unsigned long long)id);
  return NULL;
}

static uint64_t since_start(uint64_t ticks) {
  uint64_t start = hp_clock_window_start;
  return ticks > start ? ticks - start : 0;
}

void hp_fixture_log(const struct hp_chunk_log *chunks, size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct hp_chunk_log chunk = chunks[i];
    chunk.t0 = since_start(chunk.t0);
    chunk.t1 = since_start(chunk.t1);
    chunk.first = since_start(chunk.first);
    chunk.last = since_start(chunk.last);
    hp_log_append(&chunk);
  }
}

void hp_fixture_same_chunk(const struct hp_chunk_log *a, uint64_t start,
                           const struct hp_chunk_log *b) {
  bool accessed = a->reads || a->writes;
  assert_int_equal(b->t0, a->t0 - start);
  assert_int_equal(b->t1, a->t1 - start);
  assert_int_equal(b->first, accessed ? a->first - start : 0);
  assert_int_equal(b->last, accessed ? a->last - start : 0);
  assert_int_equal(b->size, a->size);
  assert_int_equal(b->lo, a->lo);
  assert_int_equal(b->hi, a->hi);
  assert_int_equal(b->reads, a->reads);
  assert_int_equal(b->writes, a->writes);
  assert_int_equal(b->flags, a->flags);
  assert_int_equal(b->thread, a->thread);
  assert_int_equal(b->free_thread, a->free_thread);
  assert_int_equal(b->free_pc, a->free_pc);
}

static size_t whole_blocks;

static int walk_blocks(const char *path, const struct stat *status, int type,
                       struct FTW *ftw) {
  (void)status;
  (void)ftw;
  if (type != FTW_F)
    return 0;
  FILE *file = fopen(path, "rb");
  struct hp_block_header header;
  size_t blocks = 0;
  if (!file)
    return -1;
  for (size_t n; (n = fread(&header, 1, sizeof header, file)) != 0; blocks++) {
    char stored[4096];
    if (n != sizeof header || header.magic != HP_BLOCK_MAGIC)
      return -1;
    for (size_t left = header.stored_size; left;) {
      size_t part = left < sizeof stored ? left : sizeof stored;
      if (fread(stored, 1, part, file) != part)
        return -1;
      left -= part;
    }
  }
  fclose(file);
  whole_blocks += blocks;
  return 0;
}

size_t hp_fixture_whole_blocks(const char *name) {
  whole_blocks = 0;
  assert_int_equal(nftw(hp_fixture_path(name), walk_blocks, 16, FTW_PHYS), 0);
  return whole_blocks;
}
