/* dump_builder.c - encodes blocks, fields and chunk columns.
   Any failure aborts: a test that cannot write its input has not run.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "dump_builder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

static void require(bool good, const char *what) {
  if (good)
    return;
  fprintf(stderr, "dump_builder: %s: %s\n", what, strerror(errno));
  abort();
}

void hp_put_bytes(struct hp_bytes *to, const void *data, size_t size) {
  if (size > to->capacity - to->size) {
    to->capacity = 2 * to->capacity + size + 64;
    to->data = realloc(to->data, to->capacity);
    require(to->data != NULL, "realloc");
  }
  if (size)
    memcpy(to->data + to->size, data, size);
  to->size += size;
}

void hp_put_varint(struct hp_bytes *to, uint64_t value) {
  do {
    uint8_t byte = (uint8_t)(value & 0x7f);
    value >>= 7;
    if (value)
      byte |= 0x80;
    hp_put_bytes(to, &byte, 1);
  } while (value);
}

void hp_put_zigzag(struct hp_bytes *to, int64_t value) {
  hp_put_varint(to, ((uint64_t)value << 1) ^ (uint64_t)(value >> 63));
}

void hp_put_bytes_field(struct hp_bytes *to, uint64_t tag, const void *data,
                        size_t size) {
  hp_put_varint(to, tag);
  hp_put_varint(to, size);
  hp_put_bytes(to, data, size);
}

void hp_put_u64_field(struct hp_bytes *to, uint64_t tag, uint64_t value) {
  struct hp_bytes contents = {0};
  hp_put_varint(&contents, value);
  hp_put_bytes_field(to, tag, contents.data, contents.size);
  hp_bytes_free(&contents);
}

void hp_put_text_field(struct hp_bytes *to, uint64_t tag, const char *text) {
  hp_put_bytes_field(to, tag, text, strlen(text));
}

static void put_le(uint8_t *at, uint64_t value, size_t size) {
  for (size_t i = 0; i < size; i++)
    at[i] = (uint8_t)(value >> (8 * i));
}

void hp_put_block(struct hp_bytes *to, uint16_t kind, uint32_t items,
                  const struct hp_bytes *payload, bool compress_it) {
  const uint8_t *stored = payload->data ? payload->data : (const uint8_t *)"";
  uLongf stored_size = payload->size;
  uint8_t *packed = NULL;
  if (compress_it) {
    stored_size = compressBound(payload->size);
    packed = malloc(stored_size);
    require(packed != NULL, "malloc");
    require(compress2(packed, &stored_size, stored, payload->size, 6) == Z_OK,
            "compress2");
    stored = packed;
  }
  uint8_t header[32];
  put_le(header, HP_BLOCK_MAGIC, 4);
  put_le(header + 4, HP_FORMAT_VERSION, 2);
  put_le(header + 6, kind, 2);
  put_le(header + 8, items, 4);
  put_le(header + 12, compress_it ? HP_BLOCK_ZLIB : 0, 4);
  put_le(header + 16, stored_size, 4);
  put_le(header + 20, payload->size, 4);
  put_le(header + 24, crc32(0, stored, (uInt)stored_size), 4);
  put_le(header + 28, crc32(0, header, 28), 4);
  hp_put_bytes(to, header, sizeof header);
  hp_put_bytes(to, stored, stored_size);
  free(packed);
}

void hp_bytes_free(struct hp_bytes *bytes) {
  free(bytes->data);
  *bytes = (struct hp_bytes){0};
}

/* ---- one file each ------------------------------------------------------- */

enum { STRANGE_KIND = 999, STRANGE_TAG = 4711 };

static void finish_file(const struct hp_build *build, struct hp_bytes *file,
                        uint16_t kind, uint32_t items,
                        struct hp_bytes *payload) {
  struct hp_bytes strange = {0};
  hp_put_bytes(&strange, "from the future", 15);
  if (build->strange)
    hp_put_block(file, STRANGE_KIND, 3, &strange, false);
  hp_put_block(file, kind, items, payload, !build->uncompressed);
  if (build->strange)
    hp_put_block(file, STRANGE_KIND, 3, &strange, true);
  hp_bytes_free(&strange);
  hp_bytes_free(payload);
}

/* Fields of one record, counted. */
struct fields {
  struct hp_bytes bytes;
  uint32_t count;
};

static void number(struct fields *fields, uint64_t tag, uint64_t value) {
  hp_put_u64_field(&fields->bytes, tag, value);
  fields->count++;
}

static void text(struct fields *fields, uint64_t tag, const char *value) {
  if (!value)
    return;
  hp_put_text_field(&fields->bytes, tag, value);
  fields->count++;
}

static struct fields new_fields(const struct hp_build *build) {
  struct fields fields = {0};
  if (build->strange)
    text(&fields, STRANGE_TAG, "unknown");
  return fields;
}

static uint64_t ticks_per_second(const struct hp_build *build) {
  return build->ticks_per_second ? build->ticks_per_second : 1000000000u;
}

static void build_header(const struct hp_build *build, struct hp_bytes *file) {
  struct fields f = new_fields(build);
  text(&f, HP_HEADER_program, build->program ? build->program : "app");
  for (const char *const *arg = build->args; arg && *arg; arg++)
    text(&f, HP_HEADER_arg, *arg);
  number(&f, HP_HEADER_pid, build->pid ? build->pid : 1);
  text(&f, HP_HEADER_host, build->host);
  text(&f, HP_HEADER_clock, "monotonic");
  number(&f, HP_HEADER_ticks_per_second, ticks_per_second(build));
  number(&f, HP_HEADER_start_unix_ns, build->start_unix_ns);
  text(&f, HP_HEADER_option, "chunk_log=all");
  number(&f, HP_HEADER_exact_time, build->exact_time);
  finish_file(build, file, HP_BLOCK_HEADER, f.count, &f.bytes);
}

static void put_record(struct hp_bytes *payload, struct fields *fields) {
  hp_put_varint(payload, fields->bytes.size);
  hp_put_bytes(payload, fields->bytes.data, fields->bytes.size);
  hp_bytes_free(&fields->bytes);
}

static void build_modules(const struct hp_build *build, struct hp_bytes *file) {
  struct hp_bytes payload = {0};
  for (size_t i = 0; i < build->module_count; i++) {
    const struct hp_build_module *m = &build->modules[i];
    struct fields f = new_fields(build);
    text(&f, HP_MODULE_path, m->path);
    number(&f, HP_MODULE_bias, m->bias);
    number(&f, HP_MODULE_start, m->start);
    number(&f, HP_MODULE_end, m->end);
    hp_put_bytes_field(&f.bytes, HP_MODULE_build_id, "\1\2\3\4", 4);
    number(&f, HP_MODULE_loaded, m->loaded);
    if (m->unloaded)
      number(&f, HP_MODULE_unloaded, m->unloaded);
    put_record(&payload, &f);
  }
  finish_file(build, file, HP_BLOCK_MODULES, (uint32_t)build->module_count,
              &payload);
}

static void build_points(const struct hp_build *build, struct hp_bytes *file) {
  struct hp_bytes payload = {0};
  for (size_t i = 0; i < build->point_count; i++) {
    const struct hp_build_point *p = &build->points[i];
    struct fields f = new_fields(build);
    struct hp_bytes stack = {0};
    uint64_t previous = 0;
    for (size_t k = 0; k < p->stack_count; k++) {
      hp_put_zigzag(&stack, (int64_t)(p->stack[k] - previous));
      previous = p->stack[k];
    }
    number(&f, HP_POINT_id, p->id);
    hp_put_bytes_field(&f.bytes, HP_POINT_stack, stack.data, stack.size);
    hp_bytes_free(&stack);
    text(&f, HP_POINT_type, p->type);
    number(&f, HP_POINT_type_provenance, p->type_provenance);
    number(&f, HP_POINT_function, HP_ENTRY_MALLOC);
    put_record(&payload, &f);
  }
  finish_file(build, file, HP_BLOCK_POINTS, (uint32_t)build->point_count,
              &payload);
}

/* Without a step of its own a chunk has that of the whole run. */
static uint64_t step_of(const struct hp_build *build,
                        const struct hp_chunk_log *chunk) {
  if (chunk->step || build->exact_time)
    return chunk->step;
  return build->tick_max < UINT32_MAX ? build->tick_max : UINT32_MAX;
}

static uint64_t column_value(const struct hp_build *build,
                             const struct hp_chunk_log *c,
                             enum hp_chunk_column column) {
  bool accessed = c->reads || c->writes, grown = c->flags & HP_CHUNK_GROWN;
  const uint64_t values[HP_COLUMN_COUNT] = {
      [HP_COLUMN_t0] = c->t0,
      [HP_COLUMN_life] = c->t1 - c->t0,
      [HP_COLUMN_first] = accessed ? c->first - c->t0 : 0,
      [HP_COLUMN_last] = accessed ? c->last - c->first : 0,
      [HP_COLUMN_size] = c->size,
      [HP_COLUMN_lo] = c->lo,
      [HP_COLUMN_span] = c->hi - c->lo,
      [HP_COLUMN_reads] = c->reads,
      [HP_COLUMN_writes] = c->writes,
      [HP_COLUMN_flags] = c->flags,
      [HP_COLUMN_thread] = c->thread,
      [HP_COLUMN_free_thread] = c->free_thread,
      [HP_COLUMN_free_pc] = c->free_pc,
      [HP_COLUMN_step] = step_of(build, c),
      [HP_COLUMN_chain] = grown ? 4u * c->chain_length + c->chain_kind : 0,
      [HP_COLUMN_chain_first] = grown ? c->chain_first : 0,
      [HP_COLUMN_chain_bytes] = grown ? c->chain_bytes : 0,
      [HP_COLUMN_chain_copied] = grown ? c->chain_copied : 0,
      [HP_COLUMN_copied] = grown ? c->copied : 0,
      [HP_COLUMN_address] = c->address,
  };
  return values[column];
}

static uint32_t weight_of(const struct hp_chunk_log *chunk) {
  return chunk->weight ? chunk->weight : 1;
}

static size_t run_end(const struct hp_build *build, size_t begin) {
  const struct hp_chunk_log *run = &build->chunks[begin];
  size_t end = begin;
  while (end < build->chunk_count && build->chunks[end].point == run->point &&
         weight_of(&build->chunks[end]) == weight_of(run))
    end++;
  return end;
}

static void put_column(const struct hp_build *build, struct hp_bytes *payload,
                       enum hp_chunk_column column) {
  static const char codes[] = {
#define HP_CHUNK_COLUMN(name, code, text) #code[0],
#include "heapprof_format.def"
  };
  for (size_t begin = 0, end; begin < build->chunk_count; begin = end) {
    end = run_end(build, begin);
    uint64_t before = 0;
    for (size_t i = begin; i < end; i++) {
      uint64_t value = column_value(build, &build->chunks[i], column);
      if (codes[column] == 'U')
        hp_put_varint(payload, value);
      else
        hp_put_zigzag(payload, (int64_t)(value - before));
      if (codes[column] == 'D')
        before = value;
    }
  }
}

/* Strange ones have a column that nobody knows, and so all that are known. */
static int columns_of(const struct hp_build *build) {
  int columns = build->strange ? HP_COLUMN_COUNT : HP_COLUMNS_LEAST;
  for (size_t i = 0; i < build->chunk_count; i++)
    if (build->chunks[i].address)
      return HP_COLUMN_COUNT;
    else if (build->chunks[i].flags & HP_CHUNK_GROWN &&
             columns < HP_COLUMNS_GROWN)
      columns = HP_COLUMNS_GROWN;
  return columns;
}

static void build_chunks(const struct hp_build *build, struct hp_bytes *file) {
  if (build->chunk_count == 0)
    return;
  struct hp_bytes payload = {0}, heads = {0};
  uint64_t runs = 0;
  for (size_t i = 0, end; i < build->chunk_count; i = end, runs++) {
    end = run_end(build, i);
    hp_put_varint(&heads, build->chunks[i].point);
    hp_put_varint(&heads, end - i);
    hp_put_varint(&heads, weight_of(&build->chunks[i]));
  }
  const int columns = columns_of(build);
  hp_put_varint(&payload, (uint64_t)columns + (build->strange ? 1 : 0));
  hp_put_varint(&payload, runs);
  hp_put_bytes(&payload, heads.data, heads.size);
  hp_bytes_free(&heads);
  for (int column = 0; column < columns; column++)
    put_column(build, &payload, (enum hp_chunk_column)column);
  for (size_t i = 0; build->strange && i < build->chunk_count; i++)
    hp_put_varint(&payload, 1u << 20);
  finish_file(build, file, HP_BLOCK_CHUNKS, (uint32_t)build->chunk_count,
              &payload);
}

static void build_end(const struct hp_build *build, struct hp_bytes *file) {
  struct fields f = new_fields(build);
  uint64_t frees = 0;
  for (size_t i = 0; i < build->chunk_count; i++)
    frees += !(build->chunks[i].flags & HP_CHUNK_LIVE);
  number(&f, HP_END_end, build->window);
  text(&f, HP_END_reason, build->reason ? build->reason : "exit");
  number(&f, HP_END_exit_status, 0);
  number(&f, HP_END_allocations, build->chunk_count + build->dropped_chunks);
  number(&f, HP_END_frees, frees + build->dropped_chunks);
  number(&f, HP_END_failed_requests, build->failed_requests);
  number(&f, HP_END_threads, 1);
  number(&f, HP_END_peak_bytes, build->peak_bytes);
  number(&f, HP_END_peak_time, build->peak_time);
  number(&f, HP_END_tick_max, build->tick_max);
  number(&f, HP_END_modules, build->module_count);
  number(&f, HP_END_points, build->point_count);
  number(&f, HP_END_chunks, build->chunk_count);
  number(&f, HP_END_chunk_files, build->chunk_count ? 1 : 0);
  number(&f, HP_END_dropped_points, build->dropped_points);
  number(&f, HP_END_dropped_chunks, build->dropped_chunks);
  number(&f, HP_END_late_events, build->late_events);
  for (size_t i = 0; i < build->mark_count; i++) {
    number(&f, HP_END_mark_time, build->mark_times[i]);
    text(&f, HP_END_mark, build->marks[i]);
  }
  if (build->late_bytes)
    number(&f, HP_END_late_bytes, build->late_bytes);
  if (build->last_fork)
    number(&f, HP_END_last_fork, build->last_fork);
  if (build->unrecorded_frees)
    number(&f, HP_END_unrecorded_frees, build->unrecorded_frees);
  number(&f, HP_END_unsettled_chunks, build->unsettled_chunks);
  number(&f, HP_END_unprofiled_chunks, build->unprofiled_chunks);
  number(&f, HP_END_unprofiled_bytes, build->unprofiled_bytes);
  if (build->undescribed_chunks)
    number(&f, HP_END_undescribed_chunks, build->undescribed_chunks);
  if (build->thinned_chunks)
    number(&f, HP_END_thinned_chunks, build->thinned_chunks);
  struct hp_bytes regions = {0};
  for (size_t i = 0; i < build->region_numbers; i++)
    hp_put_varint(&regions, build->regions[i]);
  if (regions.size) {
    hp_put_bytes_field(&f.bytes, HP_END_heap_regions, regions.data,
                       regions.size);
    f.count++;
  }
  hp_bytes_free(&regions);
  finish_file(build, file, HP_BLOCK_END, f.count, &f.bytes);
}

void hp_build_image(const struct hp_build *build, struct hp_image *image) {
  *image = (struct hp_image){0};
  build_header(build, &image->header);
  build_modules(build, &image->modules);
  build_points(build, &image->points);
  build_chunks(build, &image->chunks);
  if (!build->no_end)
    build_end(build, &image->end);
}

void hp_image_free(struct hp_image *image) {
  hp_bytes_free(&image->header);
  hp_bytes_free(&image->modules);
  hp_bytes_free(&image->points);
  hp_bytes_free(&image->chunks);
  hp_bytes_free(&image->end);
  hp_bytes_free(&image->aggregates);
  hp_bytes_free(&image->processes);
}

/* ---- files --------------------------------------------------------------- */

void hp_file_write(const char *path, const void *data, size_t size) {
  /* A new file: some file systems sync one that is cut and written again. */
  unlink(path);
  FILE *file = fopen(path, "wb");
  require(file != NULL, path);
  require(fwrite(data ? data : "", 1, size, file) == size, path);
  require(fclose(file) == 0, path);
}

static void write_in(const char *directory, const char *name,
                     const struct hp_bytes *bytes) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", directory, name);
  if (bytes->size)
    hp_file_write(path, bytes->data, bytes->size);
  else
    unlink(path);
}

void hp_image_write(const struct hp_image *image, const char *path) {
  char chunks[4096];
  snprintf(chunks, sizeof chunks, "%s/chunks", path);
  require(mkdir(path, 0777) == 0 || errno == EEXIST, path);
  require(mkdir(chunks, 0777) == 0 || errno == EEXIST, chunks);
  write_in(path, "header", &image->header);
  write_in(path, "modules", &image->modules);
  write_in(path, "points", &image->points);
  write_in(path, "chunks/0", &image->chunks);
  write_in(path, "end", &image->end);
  write_in(path, "aggregates", &image->aggregates);
  write_in(path, "processes", &image->processes);
}

void hp_build_write(const struct hp_build *build, const char *path) {
  struct hp_image image;
  hp_build_image(build, &image);
  hp_image_write(&image, path);
  hp_image_free(&image);
}

char *hp_scratch_make(void) {
  const char *base = getenv("TMPDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/hp-test-XXXXXX", base ? base : "/tmp");
  require(mkdtemp(path) != NULL, path);
  char *made = strdup(path);
  require(made != NULL, "strdup");
  return made;
}

static int remove_one(const char *path, const struct stat *status, int kind,
                      struct FTW *walk) {
  (void)status;
  (void)kind;
  (void)walk;
  return remove(path);
}

void hp_scratch_remove(char *path) {
  require(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, path);
  free(path);
}
