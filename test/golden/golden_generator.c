/* golden_generator.c - writes the golden dumps below the directory given.
   They stay in the repository, so that a later reader is held to reading them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stdio.h>

#include "dump_builder.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const uint64_t loop_stack[] = {0x401105, 0x401905, 0x7f0000021045};
static const uint64_t growth_stack[] = {0x401205, 0x401905, 0x7f0000021045};
static const uint64_t idle_stack[] = {0x401305, 0x401905, 0x7f0000021045};
static const uint64_t good_stack[] = {0x401405, 0x401905, 0x7f0000021045};
static const struct hp_build_module modules[] = {
    {"/usr/bin/picture", 0x400000, 0x400000, 0x410000, 0, 0},
    {"/lib/libc.so.6", 0x7f0000000000, 0x7f0000000000, 0x7f0000200000, 0, 0}};
static const struct hp_build_point points[] = {
    {1, loop_stack, 3, "struct item", HP_PROVENANCE_ARGUMENT},
    {2, growth_stack, 3, "int", HP_PROVENANCE_INSTANTIATION},
    {3, idle_stack, 3, NULL, 0},
    {4, good_stack, 3, "char", HP_PROVENANCE_ARGUMENT}};

/* One that took over from no other. */
#define CHUNK(...) {__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0, 0}

/* The four patterns of Memoro's figures: an allocation in a loop, the growth
   of a vector, a short useful life in a long one, and one well used. */
static const struct hp_chunk_log picture[] = {
    /* t0, t1, first, last, size, lo, hi, reads, writes, free_pc, point, ... */
    CHUNK(100, 110, 101, 108, 64, 0, 64, 4, 4, 0x401111, 1, 1, 1,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(120, 130, 121, 128, 64, 0, 64, 4, 4, 0x401111, 1, 1, 1,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(140, 150, 141, 148, 64, 0, 64, 4, 4, 0x401111, 1, 1, 1,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(160, 170, 161, 168, 64, 0, 64, 4, 4, 0x401111, 1, 1, 1,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(200, 210, 201, 210, 16, 0, 16, 4, 4, 0x401222, 2, 1, 1,
          HP_CHUNK_EXACT | HP_CHUNK_REALLOC, 0, 1),
    CHUNK(210, 220, 210, 220, 32, 0, 32, 8, 8, 0x401222, 2, 1, 1,
          HP_CHUNK_EXACT | HP_CHUNK_REALLOC, 0, 1),
    CHUNK(220, 240, 220, 240, 64, 0, 64, 16, 16, 0x401222, 2, 1, 1,
          HP_CHUNK_EXACT | HP_CHUNK_REALLOC, 0, 1),
    CHUNK(240, 900, 240, 300, 128, 0, 128, 32, 32, 0x401222, 2, 1, 2,
          HP_CHUNK_EXACT, 0, 1),
    CHUNK(300, 90000, 320, 400, 4096, 0, 100, 3, 1, 0, 3, 1, 0,
          HP_CHUNK_EXACT | HP_CHUNK_LIVE, 0, 1),
    CHUNK(10, 80000, 12, 79000, 1000, 0, 1000, 500, 100, 0x401333, 4, 1, 1,
          HP_CHUNK_EXACT | HP_CHUNK_MULTITHREAD, 0, 1)};

/* Counters, sizes and clocks at their limits. */
static const struct hp_chunk_log limits[] = {
    CHUNK(5, 5, 5, 5, 0, 0, 0, 1, 0, 0x401111, 1, 1, 1, HP_CHUNK_OVERRUN, 0, 1),
    CHUNK(9, 4, 3, 20, 5ull << 32, 0, UINT64_MAX, UINT64_MAX, 1, 0x401111, 1, 2,
          1, HP_CHUNK_OVERRUN, 0, 1),
    CHUNK(7, 60, 0, 0, 8, 0, 0, 0, 0, 0x401111, 0, 1, 1, HP_CHUNK_ZEROED, 0, 1),
    CHUNK(INT64_MAX - 9, INT64_MAX, 0, 0, UINT64_MAX, 0, 0, 0, 0, 0, 2,
          UINT32_MAX, 0, HP_CHUNK_LIVE, 0, 1)};

/* ---- aggregates and where chunks were freed ------------------------------ */

struct field {
  unsigned tag;
  size_t count;
  uint64_t numbers[8];
};

/* Point 1 in a window of 100 ticks: five chunks of 8 bytes, one of them live;
   those that ended lived for 24 ticks together. */
static const struct field summed[] = {
    {HP_AGGREGATE_point, 1, {1}},
    {HP_AGGREGATE_chunks, 1, {5}},
    {HP_AGGREGATE_bytes, 1, {40}},
    {HP_AGGREGATE_size_min, 1, {8}},
    {HP_AGGREGATE_size_max, 1, {8}},
    {HP_AGGREGATE_life_min, 1, {5}},
    {HP_AGGREGATE_life_max, 1, {7}},
    {HP_AGGREGATE_life_sum, 2, {24, 0}},
    {HP_AGGREGATE_peak_bytes, 1, {16}},
    {HP_AGGREGATE_at_peak_bytes, 1, {16}},
    {HP_AGGREGATE_at_peak_chunks, 1, {2}},
    {HP_AGGREGATE_classes, 8, {0, 4, 32, 0, HP_CLASS_LIVE, 1, 8, 0}},
    {HP_AGGREGATE_groups, 6, {10, 40, 90, 5, 84, 0}},
    {HP_AGGREGATE_tau, 1, {20}},
    {HP_AGGREGATE_sizes, 2, {4, 5}},
    {HP_AGGREGATE_lives, 2, {3, 4}}};
/* Two freed at a place, whose stack was taken of one; one by realloc; and one
   nobody knows where. */
static const struct field freed_here[] = {
    {HP_FREE_FIELD_point, 1, {1}},     {HP_FREE_FIELD_stack, 1, {2 * 0x401111}},
    {HP_FREE_FIELD_size, 1, {8}},      {HP_FREE_FIELD_chunks, 1, {2}},
    {HP_FREE_FIELD_lives, 2, {12, 0}}, {HP_FREE_FIELD_flags, 1, {HP_FREE_PART}},
    {HP_FREE_FIELD_first, 1, {15}}};
static const struct field freed_by_realloc[] = {
    {HP_FREE_FIELD_point, 1, {1}},
    {HP_FREE_FIELD_stack, 2, {2 * 0x401222, 2 * (0x401905 - 0x401222)}},
    {HP_FREE_FIELD_size, 1, {8}},
    {HP_FREE_FIELD_chunks, 1, {1}},
    {HP_FREE_FIELD_lives, 2, {6, 0}},
    {HP_FREE_FIELD_flags, 1, {HP_FREE_REALLOC}},
    {HP_FREE_FIELD_first, 1, {36}}};
static const struct field freed_somewhere[] = {
    {HP_FREE_FIELD_chunks, 1, {1}},
    {HP_FREE_FIELD_lives, 2, {6, 0}},
    {HP_FREE_FIELD_flags, 1, {HP_FREE_REST}},
    {HP_FREE_FIELD_first, 1, {56}}};
/* More than ended. */
static const struct field freed_too_often[] = {
    {HP_FREE_FIELD_point, 1, {1}},     {HP_FREE_FIELD_stack, 1, {2 * 0x401111}},
    {HP_FREE_FIELD_size, 1, {8}},      {HP_FREE_FIELD_chunks, 1, {5}},
    {HP_FREE_FIELD_lives, 2, {30, 0}}, {HP_FREE_FIELD_first, 1, {15}}};
static const struct field interval[] = {{HP_TIMELINE_end, 1, {100}},
                                        {HP_TIMELINE_bytes_max, 1, {16}},
                                        {HP_TIMELINE_chunks_max, 1, {2}},
                                        {HP_TIMELINE_allocations, 1, {5}}};
static const struct field ended[] = {
    {HP_END_end, 1, {100}},       {HP_END_allocations, 1, {5}},
    {HP_END_frees, 1, {4}},       {HP_END_threads, 1, {1}},
    {HP_END_peak_bytes, 1, {16}}, {HP_END_modules, 1, {COUNT(modules)}},
    {HP_END_points, 1, {1}},      {HP_END_aggregates, 1, {1}},
    {HP_END_intervals, 1, {1}},   {HP_END_short_ticks, 1, {1000000}},
    {HP_END_free_records, 1, {3}}};

static void put_fields(struct hp_bytes *to, const struct field *fields,
                       size_t count) {
  for (size_t i = 0; i < count; i++) {
    struct hp_bytes numbers = {0};
    for (size_t n = 0; n < fields[i].count; n++)
      hp_put_varint(&numbers, fields[i].numbers[n]);
    hp_put_bytes_field(to, fields[i].tag, numbers.data, numbers.size);
    hp_bytes_free(&numbers);
  }
}

static void put_record(struct hp_bytes *payload, const struct field *fields,
                       size_t count) {
  struct hp_bytes record = {0};
  put_fields(&record, fields, count);
  hp_put_varint(payload, record.size);
  hp_put_bytes(payload, record.data, record.size);
  hp_bytes_free(&record);
}

static void put_block(struct hp_bytes *file, enum hp_block_kind kind,
                      uint32_t items, struct hp_bytes *payload) {
  hp_put_block(file, (uint16_t)kind, items, payload, true);
  hp_bytes_free(payload);
}

/* BAD: of one place more is freed than ended. */
static void write_frees(const char *path, bool bad) {
  const struct hp_build build = {.program = "/usr/bin/picture",
                                 .window = 100,
                                 .modules = modules,
                                 .module_count = COUNT(modules),
                                 .points = points,
                                 .point_count = 1,
                                 .no_end = true};
  struct hp_image image;
  struct hp_bytes payload = {0};
  hp_build_image(&build, &image);
  put_record(&payload, summed, COUNT(summed));
  put_block(&image.aggregates, HP_BLOCK_AGGREGATES, 1, &payload);
  if (bad)
    put_record(&payload, freed_too_often, COUNT(freed_too_often));
  else
    put_record(&payload, freed_here, COUNT(freed_here));
  put_record(&payload, freed_by_realloc, COUNT(freed_by_realloc));
  put_record(&payload, freed_somewhere, COUNT(freed_somewhere));
  put_block(&image.aggregates, HP_BLOCK_FREES, 3, &payload);
  put_record(&payload, interval, COUNT(interval));
  put_block(&image.aggregates, HP_BLOCK_TIMELINE, 1, &payload);
  put_fields(&payload, ended, COUNT(ended));
  put_block(&image.aggregates, HP_BLOCK_END, COUNT(ended), &payload);
  put_fields(&payload, ended, COUNT(ended));
  hp_put_text_field(&payload, HP_END_reason, "exit");
  put_block(&image.end, HP_BLOCK_END, COUNT(ended) + 1, &payload);
  hp_image_write(&image, path);
  hp_image_free(&image);
}

/* ---- all of them --------------------------------------------------------- */

static void write_golden(const char *directory, const char *name,
                         const struct hp_build *build) {
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.%s.1", directory, name);
  hp_build_write(build, path);
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fputs("usage: golden_generator DIRECTORY\n", stderr);
    return 2;
  }
  static const char *const args[] = {"picture", "--all", NULL};
  struct hp_build build = {.program = "/usr/bin/picture",
                           .args = args,
                           .host = "node1",
                           .pid = 4711,
                           .start_unix_ns = 1700000000000000000,
                           .window = 100000,
                           .tick_max = 50,
                           .peak_bytes = 5224,
                           .modules = modules,
                           .module_count = COUNT(modules),
                           .points = points,
                           .point_count = COUNT(points),
                           .chunks = picture,
                           .chunk_count = COUNT(picture)};
  write_golden(argv[1], "picture", &build);
  build.uncompressed = true;
  write_golden(argv[1], "uncompressed", &build);
  build.strange = true;
  write_golden(argv[1], "future", &build);
  build.strange = false;
  build.no_end = true;
  write_golden(argv[1], "killed", &build);
  struct hp_build extreme = {.window = INT64_MAX,
                             .ticks_per_second = 3000000000,
                             .tick_max = 1,
                             .dropped_points = 1,
                             .dropped_chunks = 2,
                             .modules = modules,
                             .module_count = COUNT(modules),
                             .points = points,
                             .point_count = COUNT(points),
                             .chunks = limits,
                             .chunk_count = COUNT(limits)};
  write_golden(argv[1], "limits", &extreme);
  const struct hp_build nothing = {.program = "empty", .window = 1};
  write_golden(argv[1], "nothing", &nothing);
  char path[4096];
  snprintf(path, sizeof path, "%s/heapprof.frees.1", argv[1]);
  write_frees(path, false);
  snprintf(path, sizeof path, "%s/heapprof.overfreed.1", argv[1]);
  write_frees(path, true);
  return 0;
}
