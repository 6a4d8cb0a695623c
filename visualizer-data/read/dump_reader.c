/* dump_reader.c - reads the files of a dump directory in the order of its data.
   Opens files relative to the directory, never through a symbolic link.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/dump_reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/growing_array.h"
#include "dump_origin.h"
#include "read/aggregate_records.h"
#include "read/chunklog.h"
#include "read/dump_records.h"
#include "read/free_records.h"
#include "read/global_records.h"
#include "read/mapping_records.h"

/* ---- points -------------------------------------------------------------- */

/* Puts the points in order behind a point 0, which takes the chunks whose
   point could not be kept. */
static hp_status order_points(struct hp_dump *dump, struct hp_error *error) {
  if (!hp_room_for_one((void **)&dump->points, dump->point_count,
                       &dump->point_capacity, sizeof *dump->points))
    return hp_fail_memory(error);
  dump->points[dump->point_count++] = (struct hp_dump_point){0};
  hp_dump_sort_points(dump);
  for (size_t i = 0; i < dump->point_count; i++)
    dump->points[i].chunks.spill = dump->spill;
  for (size_t i = 1; i < dump->point_count; i++)
    if (dump->points[i].id == dump->points[i - 1].id)
      return hp_fail(error, HP_E_CORRUPT,
                     "%s/points: two allocation points have the id %" PRIu64,
                     dump->path, dump->points[i].id);
  return HP_OK;
}

/* ---- chunks -------------------------------------------------------------- */

static struct hp_chunks *chunks_of(void *context, uint64_t point) {
  struct hp_dump *dump = context;
  struct hp_dump_point *found = hp_dump_point_of(dump, point);
  /* A killed process may have lost the points of its last chunks. */
  if (!found && !dump->complete)
    found = &dump->points[0];
  return found ? &found->chunks : NULL;
}

static hp_status take_chunks(struct hp_dump *dump, const struct hp_block *block,
                             const char *file, struct hp_error *error) {
  HP_TRY(hp_chunklog_decode(block, file, chunks_of, dump, error));
  if (dump->spill && hp_spill_is_due(dump->spill, dump->spill->tails))
    for (size_t i = 0; i < dump->point_count; i++)
      hp_chunks_spill(&dump->points[i].chunks);
  return HP_OK;
}

/* ---- files --------------------------------------------------------------- */

/* Opens NAME in directory DIR for reading; *FILE = NULL if there is none.
   Without O_NONBLOCK a FIFO would hold the reader for ever. */
static hp_status open_file(int dir, const char *name, const char *shown,
                           FILE **file, struct hp_error *error) {
  *file = NULL;
  int fd = openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd < 0 && errno == ENOENT)
    return HP_OK;
  if (fd < 0 && errno == ELOOP)
    return hp_fail(error, HP_E_CORRUPT,
                   "%s: is a symbolic link, which no dump has", shown);
  struct stat status;
  if (fd < 0 || fstat(fd, &status) != 0) {
    int why = errno;
    if (fd >= 0)
      close(fd);
    return hp_fail(error, HP_E_OPEN, "%s: cannot open: %s", shown,
                   strerror(why));
  }
  if (!S_ISREG(status.st_mode)) {
    close(fd);
    return hp_fail(error, HP_E_CORRUPT, "%s: is no regular file", shown);
  }
  *file = fdopen(fd, "rb");
  if (!*file) {
    close(fd);
    return hp_fail_memory(error);
  }
  return HP_OK;
}

static uint64_t size_of(FILE *file) {
  struct stat status;
  return fstat(fileno(file), &status) == 0 ? (uint64_t)status.st_size : 0;
}

/* Gives each block of file NAME to CONSUME.  *BLOCKS is their number, or -1 if
   there is no such file.  A cut last block is an error unless TOLERANT. */
static hp_status read_blocks(struct hp_dump *dump, int dir, const char *folder,
                             const char *name, enum hp_block_kind kind,
                             uint32_t also, hp_block_consumer *consume,
                             bool tolerant, int64_t *blocks,
                             struct hp_error *error) {
  char shown[PATH_MAX];
  snprintf(shown, sizeof shown, "%s/%s%s", dump->path, folder, name);
  FILE *file;
  *blocks = -1;
  HP_TRY(open_file(dir, name, shown, &file, error));
  if (!file)
    return HP_OK;
  struct hp_block_reader reader = {
      .file = file, .name = shown, .kind = (uint16_t)kind, .also = also};
  hp_status status;
  *blocks = 0;
  for (;;) {
    struct hp_block block;
    bool found;
    status = hp_block_next(&reader, &block, &found, error);
    if (status != HP_OK || !found)
      break;
    ++*blocks;
    if (dump->progress && kind == HP_BLOCK_CHUNKS)
      dump->progress("reading chunks", reader.offset, size_of(file));
    status = consume(dump, &block, shown, error);
    if (status != HP_OK)
      break;
  }
  if (status == HP_E_TRUNCATED && tolerant)
    status = HP_OK;
  hp_block_reader_free(&reader);
  fclose(file);
  return status;
}

/* Whether a file of chunks may have some of POINT (docs/format.md); 0: of any. */
static bool may_hold(const char *name, uint64_t point) {
  static const char shared[] = HP_LOG_SHARED_PREFIX;
  if (!point)
    return true;
  if (strncmp(name, shared, strlen(shared)) == 0) {
    name += strlen(shared);
    point %= HP_LOG_SHARED_FILES;
  }
  char *end;
  errno = 0;
  const uint64_t number = strtoull(name, &end, 10);
  const bool is_number = *name >= '0' && *name <= '9' && !*end && !errno;
  return !is_number || number == point;
}

static hp_status read_chunk_files(struct hp_dump *dump, int dir, uint64_t point,
                                  struct hp_error *error) {
  int fd =
      openat(dir, "chunks", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0 && errno == ENOENT)
    return HP_OK;
  if (fd < 0)
    return hp_fail(
        error, errno == ELOOP || errno == ENOTDIR ? HP_E_CORRUPT : HP_E_OPEN,
        "%s/chunks: cannot open: %s", dump->path, strerror(errno));
  struct dirent **entries;
  /* Ordered, so that chunks of equal time come out the same on each run. */
  int n = scandirat(fd, ".", &entries, NULL, versionsort);
  if (n < 0) {
    int why = errno;
    close(fd);
    return hp_fail(error, HP_E_OPEN, "%s/chunks: cannot list: %s", dump->path,
                   strerror(why));
  }
  hp_status status = HP_OK;
  for (int i = 0; i < n; i++) {
    if (status == HP_OK && entries[i]->d_name[0] != '.' &&
        may_hold(entries[i]->d_name, point)) {
      int64_t blocks;
      status =
          read_blocks(dump, fd, "chunks/", entries[i]->d_name, HP_BLOCK_CHUNKS,
                      0, take_chunks, !dump->complete, &blocks, error);
      dump->chunk_file_count++;
    }
    free(entries[i]);
  }
  free(entries);
  close(fd);
  return status;
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static uint64_t latest_of(const struct hp_chunks *chunks) {
  struct hp_chunk_reader reader = hp_chunks_read(chunks);
  struct hp_chunk_log chunk;
  uint64_t latest = 0;
  while (hp_chunks_next(&reader, &chunk)) {
    latest = later(latest, later(chunk.t0, chunk.t1));
    latest = later(latest, later(chunk.first, chunk.last));
  }
  return latest;
}

static bool knows_end(const struct hp_dump *dump) {
  return dump->complete || dump->has_checkpoint;
}

/* Of those of other points than POINT some were read. */
static hp_status finish_chunks(struct hp_dump *dump, uint64_t point,
                               struct hp_error *error) {
  uint64_t latest = 0;
  for (size_t i = 0; i < dump->point_count; i++) {
    struct hp_chunks *chunks = &dump->points[i].chunks;
    if (point && dump->points[i].id != point)
      hp_chunks_free(chunks);
    HP_TRY(hp_chunks_sort(chunks, error));
    dump->chunk_count += chunks->count;
    if (!knows_end(dump))
      latest = later(latest, latest_of(chunks));
  }
  if (!knows_end(dump))
    dump->end.end = latest;
  return HP_OK;
}

static hp_status check_total(const struct hp_dump *dump, const char *what,
                             uint64_t read, uint64_t written,
                             struct hp_error *error) {
  if (read == written || !dump->complete)
    return HP_OK;
  return hp_fail(error, HP_E_TRUNCATED,
                 "%s: %" PRIu64 " %s were written but %" PRIu64
                 " are there; copy the whole directory again",
                 dump->path, written, what, read);
}

/* A dump that is not merged is of the one process whose header it has. */
static void take_totals(struct hp_dump *dump) {
  if (dump->header.processes)
    return;
  dump->processes[0].header = dump->header;
  dump->processes[0].end = dump->end;
  dump->processes[0].complete = dump->complete;
}

/* The file is replaced as a whole, so that it is whole even after a kill. */
static hp_status read_aggregates(struct hp_dump *dump, int dir,
                                 struct hp_error *error) {
  int64_t blocks;
  HP_TRY(read_blocks(dump, dir, "", "aggregates", HP_BLOCK_AGGREGATES,
                     1u << HP_BLOCK_TIMELINE | 1u << HP_BLOCK_FREES |
                         1u << HP_BLOCK_MAPPINGS | 1u << HP_BLOCK_GLOBALS |
                         1u << HP_BLOCK_END,
                     hp_take_aggregates, false, &blocks, error));
  if (blocks > 0 && !dump->has_checkpoint)
    return hp_fail(error, HP_E_TRUNCATED,
                   "%s/aggregates: ends before its end block; copy the whole "
                   "directory again",
                   dump->path);
  if (!dump->complete && dump->has_checkpoint)
    dump->end = dump->checkpoint;
  if (dump->has_checkpoint && dump->end.end != dump->checkpoint.end)
    return hp_fail(error, HP_E_CORRUPT,
                   "%s/aggregates: is of tick %" PRIu64
                   ", but the profile ended at %" PRIu64,
                   dump->path, dump->checkpoint.end, dump->end.end);
  take_totals(dump);
  for (size_t i = 0; i < dump->point_count; i++)
    for (struct hp_summary *s = dump->points[i].summary; s; s = s->next) {
      hp_dump_use_one(dump);
      if (s->tau == UINT64_MAX)
        s->tau = dump->processes[s->process].end.end / 1000;
    }
  for (size_t i = 0; i < dump->process_count; i++) {
    const struct hp_dump_process *p = &dump->processes[i];
    if (p->interval_count &&
        p->intervals[p->interval_count - 1].end_ns != p->end.end)
      return hp_fail(error, HP_E_CORRUPT,
                     "%s/aggregates: the timeline does not reach the end",
                     dump->path);
  }
  if (dump->aggregate_count != dump->end.aggregates ||
      dump->interval_count != dump->end.intervals)
    return hp_fail(error, HP_E_TRUNCATED,
                   "%s/aggregates: %" PRIu64 " records and %" PRIu64
                   " intervals were written but %" PRIu64 " and %" PRIu64
                   " are there; copy the whole directory again",
                   dump->path, dump->end.aggregates, dump->end.intervals,
                   dump->aggregate_count, dump->interval_count);
  HP_TRY(hp_check_frees(dump, error));
  HP_TRY(hp_check_mappings(dump, error));
  return hp_check_globals(dump, error);
}

static hp_status read_processes(struct hp_dump *dump, int dir,
                                struct hp_error *error) {
  int64_t blocks;
  if (dump->header.processes && !dump->complete)
    return hp_fail(error, HP_E_TRUNCATED,
                   "%s: a merged dump without its end; copy the whole "
                   "directory again",
                   dump->path);
  if (dump->header.processes) {
    HP_TRY(read_blocks(dump, dir, "", "processes", HP_BLOCK_PROCESSES, 0,
                       hp_take_processes, false, &blocks, error));
    return check_total(dump, "processes", dump->process_count,
                       dump->header.processes, error);
  }
  if (!hp_room_for_one((void **)&dump->processes, 0, &dump->process_capacity,
                       sizeof *dump->processes))
    return hp_fail_memory(error);
  dump->processes[0] = (struct hp_dump_process){0};
  dump->process_count = 1;
  return HP_OK;
}

/* Its clock and its options would be taken for those of this run. */
static hp_status check_header(const struct hp_dump *dump,
                              struct hp_error *error) {
  const uint64_t start = dump->end.start_unix_ns;
  if (!start || start == dump->header.start_unix_ns)
    return HP_OK;
  return hp_fail(error, HP_E_CORRUPT,
                 "%s/header: is of another run than the other files, of "
                 "process %" PRIu64 "; copy the whole directory again",
                 dump->path, dump->header.pid);
}

static hp_status read_files(struct hp_dump *dump, int dir,
                            struct hp_error *error) {
  int64_t blocks;
  HP_TRY(read_blocks(dump, dir, "", "header", HP_BLOCK_HEADER, 0,
                     hp_take_header, false, &blocks, error));
  if (blocks < 0)
    return hp_fail(error, HP_E_NOT_DUMP,
                   "%s: not a heapprof dump (it has no file \"header\")",
                   dump->path);
  if (blocks != 1)
    return hp_fail(error, blocks ? HP_E_CORRUPT : HP_E_TRUNCATED,
                   "%s/header: %" PRId64 " header blocks instead of 1",
                   dump->path, blocks);
  HP_TRY(read_blocks(dump, dir, "", "end", HP_BLOCK_END, 0, hp_take_end, true,
                     &blocks, error));
  if (blocks > 1)
    return hp_fail(error, HP_E_CORRUPT,
                   "%s/end: %" PRId64 " end blocks instead of 1", dump->path,
                   blocks);
  HP_TRY(read_processes(dump, dir, error));
  bool tolerant = !dump->complete;
  HP_TRY(read_blocks(dump, dir, "", "modules", HP_BLOCK_MODULES, 0,
                     hp_take_modules, tolerant, &blocks, error));
  HP_TRY(check_total(dump, "modules", dump->module_count, dump->end.modules,
                     error));
  HP_TRY(read_blocks(dump, dir, "", "points", HP_BLOCK_POINTS, 0,
                     hp_take_points, tolerant, &blocks, error));
  HP_TRY(
      check_total(dump, "points", dump->point_count, dump->end.points, error));
  HP_TRY(order_points(dump, error));
  HP_TRY(read_aggregates(dump, dir, error));
  return check_header(dump, error);
}

static hp_status read_chunks(struct hp_dump *dump, int dir, uint64_t point,
                             struct hp_error *error) {
  dump->has_chunks = true;
  dump->only_point = point;
  HP_TRY(read_chunk_files(dump, dir, point, error));
  HP_TRY(finish_chunks(dump, point, error));
  take_totals(dump);
  if (point)
    return HP_OK;
  HP_TRY(check_total(dump, "chunk files", dump->chunk_file_count,
                     dump->end.chunk_files, error));
  return check_total(dump, "chunks", dump->chunk_count, dump->end.chunks,
                     error);
}

static hp_status open_dump(const char *path, int *dir, struct hp_error *error) {
  *dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return *dir >= 0
             ? HP_OK
             : hp_fail(error, errno == ENOTDIR ? HP_E_NOT_DUMP : HP_E_OPEN,
                       "%s: cannot open: %s", path, strerror(errno));
}

hp_status hp_dump_read(struct hp_dump **out, const char *path,
                       struct hp_error *error) {
  HP_TRY(hp_dump_read_sums(out, path, NULL, NULL, error));
  hp_status status = hp_dump_read_chunks(*out, 0, error);
  if (status != HP_OK) {
    hp_dump_close(*out);
    *out = NULL;
  }
  return status;
}

hp_status hp_dump_read_chunks(struct hp_dump *dump, uint64_t point,
                              struct hp_error *error) {
  int dir;
  if (dump->has_chunks)
    return HP_OK;
  HP_TRY(open_dump(dump->path, &dir, error));
  hp_status status = read_chunks(dump, dir, point, error);
  close(dir);
  return status;
}

hp_status hp_dump_read_sums(struct hp_dump **out, const char *path,
                            hp_progress *progress, struct hp_spill *spill,
                            struct hp_error *error) {
  struct hp_dump *dump = calloc(1, sizeof *dump);
  if (!dump)
    return hp_fail_memory(error);
  dump->store.spill = dump->spill = spill;
  dump->progress = progress;
  hp_status status;
  int dir = -1;
  dump->path = hp_store_text(&dump->store, path, strlen(path));
  if (!dump->path)
    status = hp_fail_memory(error);
  else if ((status = open_dump(path, &dir, error)) == HP_OK)
    status = read_files(dump, dir, error);
  if (status == HP_OK && !knows_end(dump))
    status = read_chunks(dump, dir, 0, error);
  if (dir >= 0)
    close(dir);
  if (status != HP_OK) {
    hp_dump_close(dump);
    return status;
  }
  *out = dump;
  return HP_OK;
}

/* ---- its header or its end alone ----------------------------------------- */

bool hp_dump_origin_read(struct hp_dump_origin *origin, const char *path) {
  static const char name[] = "run_name=";
  struct hp_dump dump = {.path = path};
  struct hp_error error;
  int64_t blocks = 0;
  const int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const char *run = "";
  bool good = dir >= 0 &&
              read_blocks(&dump, dir, "", "header", HP_BLOCK_HEADER, 0,
                          hp_take_header, false, &blocks, &error) == HP_OK &&
              blocks == 1;
  for (size_t i = 0; good && i < dump.header.option_count; i++)
    if (strncmp(dump.header.options[i], name, sizeof name - 1) == 0)
      run = dump.header.options[i] + sizeof name - 1;
  *origin = (struct hp_dump_origin){.pid = dump.header.pid,
                                    .parent = dump.header.parent,
                                    .run = good ? strdup(run) : NULL};
  if (dir >= 0)
    close(dir);
  hp_store_free(&dump.store);
  return origin->run != NULL;
}

bool hp_dump_executed(const char *path) {
  struct hp_dump dump = {.path = path};
  struct hp_error error;
  int64_t blocks = 0;
  const int dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool executed =
      dir >= 0 &&
      read_blocks(&dump, dir, "", "end", HP_BLOCK_END, 0, hp_take_end, true,
                  &blocks, &error) == HP_OK &&
      dump.end.reason && strcmp(dump.end.reason, "exec") == 0;
  if (dir >= 0)
    close(dir);
  hp_store_free(&dump.store);
  return executed;
}
