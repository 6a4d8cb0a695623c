/* dump_reader.c - reads the files of a dump directory in the order of its data.
   Opens files relative to the directory, never through a symbolic link.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_reader.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failure.h"

/* No machine ticks faster; a greater number would overflow conversions. */
#define HP_TICKS_PER_SECOND_MAX UINT64_C(10000000000)

typedef hp_status block_consumer(struct hp_dump *dump,
                                 const struct hp_block *block, const char *file,
                                 struct hp_error *error);

/* ---- fields -------------------------------------------------------------- */

#define FAIL_BLOCK(text, ...)                                                  \
  hp_fail(error, HP_E_CORRUPT, "%s: offset %" PRIu64 ": " text, file,          \
          block->offset, __VA_ARGS__)

static hp_status field_text(struct hp_store *store,
                            const struct hp_field *field, const char **text,
                            struct hp_error *error) {
  *text = hp_store_text(store, field->contents.at, hp_left(&field->contents));
  return *text ? HP_OK : hp_fail_memory(error);
}

/* Appends TEXT to an array in the store that doubles at powers of two. */
static hp_status append_text(struct hp_store *store, const char ***array,
                             size_t *count, const char *text,
                             struct hp_error *error) {
  size_t n = *count;
  if ((n & (n - 1)) == 0) {
    const char **bigger = hp_store_take(store, n ? 2 * n : 1, sizeof *bigger);
    if (!bigger)
      return hp_fail_memory(error);
    if (n)
      memcpy(bigger, *array, n * sizeof *bigger);
    *array = bigger;
  }
  (*array)[n] = text;
  *count = n + 1;
  return HP_OK;
}

static hp_status take_header(struct hp_dump *dump, const struct hp_block *block,
                             const char *file, struct hp_error *error) {
  struct hp_dump_header *h = &dump->header;
  struct hp_cursor at = block->payload;
  uint32_t items = 0;
  while (at.at != at.end) {
    struct hp_field field;
    if (!hp_take_field(&at, &field))
      return FAIL_BLOCK("field %" PRIu32 " is cut", items);
    bool good = true;
    const char *text = NULL;
    switch (field.tag) {
#define TEXT(tag, target)                                                      \
  case tag:                                                                    \
    HP_TRY(field_text(&dump->store, &field, &text, error));                    \
    target;                                                                    \
    break;
#define NUMBER(tag, member)                                                    \
  case tag:                                                                    \
    good = hp_field_u64(&field, &h->member);                                   \
    break;
      TEXT(HP_HEADER_program, h->program = text)
      TEXT(HP_HEADER_host, h->host = text)
      TEXT(HP_HEADER_rank, h->rank = text)
      TEXT(HP_HEADER_clock, h->clock = text)
      TEXT(HP_HEADER_producer, h->producer = text)
      TEXT(HP_HEADER_pass, h->pass = text)
      TEXT(HP_HEADER_arg, HP_TRY(append_text(&dump->store, &h->args,
                                             &h->arg_count, text, error)))
      TEXT(HP_HEADER_option, HP_TRY(append_text(&dump->store, &h->options,
                                                &h->option_count, text, error)))
      NUMBER(HP_HEADER_pid, pid)
      NUMBER(HP_HEADER_parent, parent)
      NUMBER(HP_HEADER_ticks_per_second, ticks_per_second)
      NUMBER(HP_HEADER_start_unix_ns, start_unix_ns)
      NUMBER(HP_HEADER_exact_time, exact_time)
      NUMBER(HP_HEADER_tick_period, tick_period)
#undef TEXT
#undef NUMBER
    }
    if (!good)
      return FAIL_BLOCK("field with tag %" PRIu64 " is no number", field.tag);
    items++;
  }
  if (items != block->items)
    return FAIL_BLOCK("%" PRIu32 " fields instead of %" PRIu32, items,
                      block->items);
  if (h->ticks_per_second == 0 || h->ticks_per_second > HP_TICKS_PER_SECOND_MAX)
    return FAIL_BLOCK("impossible clock: %" PRIu64 " ticks per second",
                      h->ticks_per_second);
  return HP_OK;
}

static hp_status take_end(struct hp_dump *dump, const struct hp_block *block,
                          const char *file, struct hp_error *error) {
  struct hp_dump_end *e = &dump->end;
  struct hp_cursor at = block->payload;
  uint32_t items = 0;
  bool has_end = false;
  while (at.at != at.end) {
    struct hp_field field;
    if (!hp_take_field(&at, &field))
      return FAIL_BLOCK("field %" PRIu32 " is cut", items);
    bool good = true;
    switch (field.tag) {
#define NUMBER(member)                                                         \
  case HP_END_##member:                                                        \
    good = hp_field_u64(&field, &e->member);                                   \
    break;
    case HP_END_reason:
      HP_TRY(field_text(&dump->store, &field, &e->reason, error));
      break;
    case HP_END_end:
      has_end = good = hp_field_u64(&field, &e->end) && e->end <= INT64_MAX;
      break;
    case HP_END_exit_status:
      e->has_exit_status = good = hp_field_u64(&field, &e->exit_status);
      break;
      NUMBER(allocations)
      NUMBER(frees)
      NUMBER(failed_requests)
      NUMBER(failed_bytes)
      NUMBER(inherited_frees)
      NUMBER(invalid_frees)
      NUMBER(threads)
      NUMBER(peak_bytes)
      NUMBER(peak_chunks)
      NUMBER(peak_time)
      NUMBER(tick_max)
      NUMBER(modules)
      NUMBER(points)
      NUMBER(chunks)
      NUMBER(chunk_files)
      NUMBER(dropped_points)
      NUMBER(dropped_chunks)
      NUMBER(allocator_ticks)
#undef NUMBER
    }
    if (!good)
      return FAIL_BLOCK("field with tag %" PRIu64 " is no possible number",
                        field.tag);
    items++;
  }
  if (items != block->items)
    return FAIL_BLOCK("%" PRIu32 " fields instead of %" PRIu32, items,
                      block->items);
  if (!has_end)
    return FAIL_BLOCK("no end of the window (tag %d)", HP_END_end);
  dump->complete = true;
  return HP_OK;
}

/* ---- records ------------------------------------------------------------- */

static bool room_for_one(void **array, size_t count, size_t *capacity,
                         size_t size) {
  if (count < *capacity)
    return true;
  size_t bigger = *capacity ? 2 * *capacity : 16;
  void *moved = reallocarray(*array, bigger, size);
  if (!moved)
    return false;
  *array = moved;
  *capacity = bigger;
  return true;
}

/* Calls RECORD_FIELDS for each record of BLOCK. */
static hp_status
each_record(struct hp_dump *dump, const struct hp_block *block,
            const char *file,
            hp_status record_fields(struct hp_dump *, const struct hp_block *,
                                    const char *, struct hp_cursor *,
                                    struct hp_error *),
            struct hp_error *error) {
  struct hp_cursor at = block->payload;
  uint32_t items = 0;
  while (at.at != at.end) {
    struct hp_cursor record;
    if (!hp_take_record(&at, &record))
      return FAIL_BLOCK("record %" PRIu32 " is cut", items);
    HP_TRY(record_fields(dump, block, file, &record, error));
    items++;
  }
  if (items != block->items)
    return FAIL_BLOCK("%" PRIu32 " records instead of %" PRIu32, items,
                      block->items);
  return HP_OK;
}

static hp_status module_fields(struct hp_dump *dump,
                               const struct hp_block *block, const char *file,
                               struct hp_cursor *record,
                               struct hp_error *error) {
  struct hp_dump_module module = {.path = "", .unloaded = UINT64_MAX};
  while (record->at != record->end) {
    struct hp_field field;
    bool good = hp_take_field(record, &field);
    if (!good)
      return FAIL_BLOCK("module %zu: a field is cut", dump->module_count);
    switch (field.tag) {
    case HP_MODULE_path:
      HP_TRY(field_text(&dump->store, &field, &module.path, error));
      break;
    case HP_MODULE_bias:
      good = hp_field_u64(&field, &module.bias);
      break;
    case HP_MODULE_start:
      good = hp_field_u64(&field, &module.start);
      break;
    case HP_MODULE_end:
      good = hp_field_u64(&field, &module.end);
      break;
    case HP_MODULE_loaded:
      good = hp_field_u64(&field, &module.loaded);
      break;
    case HP_MODULE_unloaded:
      good = hp_field_u64(&field, &module.unloaded);
      break;
    case HP_MODULE_build_id: {
      size_t size = hp_left(&field.contents);
      uint8_t *copy = hp_store_take(&dump->store, size, 1);
      if (!copy)
        return hp_fail_memory(error);
      if (size)
        memcpy(copy, field.contents.at, size);
      module.build_id = size ? copy : NULL;
      module.build_id_size = size;
      break;
    }
    }
    if (!good)
      return FAIL_BLOCK("module %zu: field with tag %" PRIu64 " is no number",
                        dump->module_count, field.tag);
  }
  if (!room_for_one((void **)&dump->modules, dump->module_count,
                    &dump->module_capacity, sizeof *dump->modules))
    return hp_fail_memory(error);
  dump->modules[dump->module_count++] = module;
  return HP_OK;
}

static hp_status point_stack(struct hp_dump *dump, const struct hp_field *field,
                             struct hp_dump_point *point, bool *good,
                             struct hp_error *error) {
  /* A frame takes at least a byte, which bounds their number; most take more,
     so that they are counted before memory is taken for good. */
  size_t most = hp_left(&field->contents);
  uint64_t *frames = reallocarray(NULL, most + 1, sizeof *frames);
  if (!frames)
    return hp_fail_memory(error);
  size_t count = 0;
  *good = hp_field_stack(field, frames, &count);
  uint64_t *kept = hp_store_take(&dump->store, count, sizeof *kept);
  if (kept && count)
    memcpy(kept, frames, count * sizeof *kept);
  free(frames);
  point->stack = kept;
  point->stack_count = count;
  return kept ? HP_OK : hp_fail_memory(error);
}

static hp_status point_fields(struct hp_dump *dump,
                              const struct hp_block *block, const char *file,
                              struct hp_cursor *record,
                              struct hp_error *error) {
  struct hp_dump_point point = {0};
  while (record->at != record->end) {
    struct hp_field field;
    bool good = hp_take_field(record, &field);
    if (!good)
      return FAIL_BLOCK("point %zu: a field is cut", dump->point_count);
    switch (field.tag) {
    case HP_POINT_id:
      good = hp_field_u64(&field, &point.id);
      break;
    case HP_POINT_stack:
      HP_TRY(point_stack(dump, &field, &point, &good, error));
      break;
    case HP_POINT_truncated:
      good = hp_field_u64(&field, &point.truncated);
      break;
    case HP_POINT_type:
      HP_TRY(field_text(&dump->store, &field, &point.type, error));
      break;
    case HP_POINT_type_provenance:
      good = hp_field_u64(&field, &point.type_provenance);
      break;
    case HP_POINT_element_size:
      good = hp_field_u64(&field, &point.element_size);
      break;
    case HP_POINT_function:
      good = hp_field_u64(&field, &point.function);
      break;
    }
    if (!good)
      return FAIL_BLOCK("point %zu: field with tag %" PRIu64 " is malformed",
                        dump->point_count, field.tag);
  }
  if (point.id == 0 || point.id > UINT32_MAX)
    return FAIL_BLOCK("point %zu: impossible id %" PRIu64, dump->point_count,
                      point.id);
  if (!room_for_one((void **)&dump->points, dump->point_count,
                    &dump->point_capacity, sizeof *dump->points))
    return hp_fail_memory(error);
  dump->points[dump->point_count++] = point;
  return HP_OK;
}

static hp_status take_modules(struct hp_dump *dump,
                              const struct hp_block *block, const char *file,
                              struct hp_error *error) {
  return each_record(dump, block, file, module_fields, error);
}

static hp_status take_points(struct hp_dump *dump, const struct hp_block *block,
                             const char *file, struct hp_error *error) {
  return each_record(dump, block, file, point_fields, error);
}

static int by_id(const void *a, const void *b) {
  uint64_t x = ((const struct hp_dump_point *)a)->id;
  uint64_t y = ((const struct hp_dump_point *)b)->id;
  return (x > y) - (x < y);
}

/* Puts the points in order behind a point 0, which takes the chunks whose
   point could not be kept. */
static hp_status order_points(struct hp_dump *dump, struct hp_error *error) {
  if (!room_for_one((void **)&dump->points, dump->point_count,
                    &dump->point_capacity, sizeof *dump->points))
    return hp_fail_memory(error);
  dump->points[dump->point_count++] = (struct hp_dump_point){0};
  qsort(dump->points, dump->point_count, sizeof *dump->points, by_id);
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
  struct hp_dump_point key = {.id = point};
  struct hp_dump_point *found =
      bsearch(&key, dump->points, dump->point_count, sizeof key, by_id);
  /* A killed process may have lost the points of its last chunks. */
  if (!found && !dump->complete)
    found = &dump->points[0];
  return found ? &found->chunks : NULL;
}

static hp_status take_chunks(struct hp_dump *dump, const struct hp_block *block,
                             const char *file, struct hp_error *error) {
  return hp_chunklog_decode(block, file, chunks_of, dump, error);
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

/* Gives each block of file NAME to CONSUME.  *BLOCKS is their number, or -1 if
   there is no such file.  A cut last block is an error unless TOLERANT. */
static hp_status read_blocks(struct hp_dump *dump, int dir, const char *folder,
                             const char *name, enum hp_block_kind kind,
                             block_consumer *consume, bool tolerant,
                             int64_t *blocks, struct hp_error *error) {
  char shown[PATH_MAX];
  snprintf(shown, sizeof shown, "%s/%s%s", dump->path, folder, name);
  FILE *file;
  *blocks = -1;
  HP_TRY(open_file(dir, name, shown, &file, error));
  if (!file)
    return HP_OK;
  struct hp_block_reader reader = {
      .file = file, .name = shown, .kind = (uint16_t)kind};
  hp_status status;
  *blocks = 0;
  for (;;) {
    struct hp_block block;
    bool found;
    status = hp_block_next(&reader, &block, &found, error);
    if (status != HP_OK || !found)
      break;
    ++*blocks;
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

static hp_status read_chunk_files(struct hp_dump *dump, int dir,
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
    if (status == HP_OK && entries[i]->d_name[0] != '.') {
      int64_t blocks;
      status =
          read_blocks(dump, fd, "chunks/", entries[i]->d_name, HP_BLOCK_CHUNKS,
                      take_chunks, !dump->complete, &blocks, error);
      dump->chunk_file_count++;
    }
    free(entries[i]);
  }
  free(entries);
  close(fd);
  return status;
}

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

static hp_status finish_chunks(struct hp_dump *dump, struct hp_error *error) {
  uint64_t latest = 0;
  for (size_t i = 0; i < dump->point_count; i++) {
    struct hp_chunks *chunks = &dump->points[i].chunks;
    HP_TRY(hp_chunks_sort(chunks, error));
    dump->chunk_count += chunks->count;
    for (size_t k = 0; k < chunks->count; k++) {
      const struct hp_chunk_log *chunk = &chunks->items[k];
      latest = later(latest, later(chunk->t0, chunk->t1));
      latest = later(latest, later(chunk->first, chunk->last));
    }
  }
  if (!dump->complete)
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

static hp_status read_files(struct hp_dump *dump, int dir,
                            struct hp_error *error) {
  int64_t blocks;
  HP_TRY(read_blocks(dump, dir, "", "header", HP_BLOCK_HEADER, take_header,
                     false, &blocks, error));
  if (blocks < 0)
    return hp_fail(error, HP_E_NOT_DUMP,
                   "%s: not a heapprof dump (it has no file \"header\")",
                   dump->path);
  if (blocks != 1)
    return hp_fail(error, blocks ? HP_E_CORRUPT : HP_E_TRUNCATED,
                   "%s/header: %" PRId64 " header blocks instead of 1",
                   dump->path, blocks);
  HP_TRY(read_blocks(dump, dir, "", "end", HP_BLOCK_END, take_end, true,
                     &blocks, error));
  if (blocks > 1)
    return hp_fail(error, HP_E_CORRUPT,
                   "%s/end: %" PRId64 " end blocks instead of 1", dump->path,
                   blocks);
  bool tolerant = !dump->complete;
  HP_TRY(read_blocks(dump, dir, "", "modules", HP_BLOCK_MODULES, take_modules,
                     tolerant, &blocks, error));
  HP_TRY(check_total(dump, "modules", dump->module_count, dump->end.modules,
                     error));
  HP_TRY(read_blocks(dump, dir, "", "points", HP_BLOCK_POINTS, take_points,
                     tolerant, &blocks, error));
  HP_TRY(
      check_total(dump, "points", dump->point_count, dump->end.points, error));
  HP_TRY(order_points(dump, error));
  HP_TRY(read_chunk_files(dump, dir, error));
  HP_TRY(finish_chunks(dump, error));
  HP_TRY(check_total(dump, "chunk files", dump->chunk_file_count,
                     dump->end.chunk_files, error));
  return check_total(dump, "chunks", dump->chunk_count, dump->end.chunks,
                     error);
}

hp_status hp_dump_read(struct hp_dump **out, const char *path,
                       struct hp_error *error) {
  struct hp_dump *dump = calloc(1, sizeof *dump);
  if (!dump)
    return hp_fail_memory(error);
  hp_status status;
  int dir = -1;
  dump->path = hp_store_text(&dump->store, path, strlen(path));
  if (!dump->path)
    status = hp_fail_memory(error);
  else if ((dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) < 0)
    status = hp_fail(error, errno == ENOTDIR ? HP_E_NOT_DUMP : HP_E_OPEN,
                     "%s: cannot open: %s", path, strerror(errno));
  else
    status = read_files(dump, dir, error);
  if (dir >= 0)
    close(dir);
  if (status != HP_OK) {
    hp_dump_close(dump);
    return status;
  }
  *out = dump;
  return HP_OK;
}

void hp_dump_close(struct hp_dump *dump) {
  if (!dump)
    return;
  for (size_t i = 0; i < dump->point_count; i++)
    free(dump->points[i].chunks.items);
  free(dump->points);
  free(dump->modules);
  hp_store_free(&dump->store);
  free(dump);
}
