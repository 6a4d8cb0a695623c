/* aggregate_fixture.c - see aggregate_fixture.h: all fields of all records of the file.
   Each is written as it is, or as it was changed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "aggregate_fixture.h"

#include <stdio.h>
#include <string.h>

static const struct field point[] = {
    {HP_AGGREGATE_point, 1, {1}},
    {HP_AGGREGATE_chunks, 1, {2}},
    {HP_AGGREGATE_bytes, 1, {16}},
    {HP_AGGREGATE_size_min, 1, {8}},
    {HP_AGGREGATE_size_max, 1, {8}},
    {HP_AGGREGATE_life_min, 1, {5}},
    {HP_AGGREGATE_life_max, 1, {5}},
    {HP_AGGREGATE_life_sum, 2, {5, 0}},
    {HP_AGGREGATE_reads, 1, {1}},
    {HP_AGGREGATE_writes, 1, {1}},
    {HP_AGGREGATE_peak_bytes, 1, {16}},
    {HP_AGGREGATE_at_peak_bytes, 1, {16}},
    {HP_AGGREGATE_at_peak_chunks, 1, {2}},
    {HP_AGGREGATE_active, 2, {1ull << 31, 0}},
    {HP_AGGREGATE_sample_first, 7, {1, 1ull << 31, 0, 1ull << 62, 0, 0, 0}},
    {HP_AGGREGATE_classes,
     8,
     {HP_CLASS_READ | HP_CLASS_WRITTEN | HP_CLASS_JUDGED, 1, 8, 8,
      HP_CLASS_LIVE, 1, 8, 0}},
    {HP_AGGREGATE_groups, 6, {10, 0, 90, 2, 95, 0}},
    {HP_AGGREGATE_tau, 1, {0}},
    {HP_AGGREGATE_sizes, 2, {4, 2}},
    {HP_AGGREGATE_lives, 2, {3, 1}},
    {HP_AGGREGATE_pages, 9, {2, 16, 8, 5, 1, 8, 1, 8, 3}},
    {HP_AGGREGATE_stale, 3, {2, 8, 3}},
    {HP_AGGREGATE_sampled_pages, 9, {1, 12, 0, 0, 1, 12, 0, 0, 0}},
    {HP_AGGREGATE_resizes, 9, {5, 1, 80, 3, 40, 2, 7, 10, 35}},
    {HP_AGGREGATE_teardown,
     16,
     {2, 1, 1, 1, 0, 1ull << 31, 1ull << 30, 0, 0, 0, 0, 0, 0, 0, 0, 0}},
    {HP_AGGREGATE_contents, 21, {2, 16, 1, 8, 0,  9, 1,  8, 1, 8, 7,
                                 1, 8,  7, 2, 16, 2, 16, 1, 8, 0}},
    {HP_AGGREGATE_content_bits, 64, {1, 2, 3}},
    {HP_AGGREGATE_blocks, 0, {0}}, /* written where it is changed */
    {HP_AGGREGATE_generations, 1, {2}},
    {HP_AGGREGATE_initialised, 15, {2, 1, 1, 16, 7, 9}},
    {HP_AGGREGATE_members,
     17,
     {1, 3, 2, 0, 4, 7, 0, 1, 0x401009, 1, 4, 4, 0, 2, 0, 0, 1}},
    {HP_AGGREGATE_shared_lines,
     14,
     {1, 64, 9, 2, 5, 20, 1, 21, 0xf, 6, 10, 0, 10, 1ull << 63}},
    {HP_AGGREGATE_member_uses, 4, {10, 5, 20, 0}}};
enum { FIELDS = sizeof point / sizeof *point };

static const struct field interval[] = {{HP_TIMELINE_end, 1, {100}},
                                        {HP_TIMELINE_bytes_max, 1, {16}},
                                        {HP_TIMELINE_chunks_max, 1, {2}},
                                        {HP_TIMELINE_allocations, 1, {2}},
                                        {HP_TIMELINE_resident_min, 1, {4096}},
                                        {HP_TIMELINE_resident_max, 1, {8192}}};
/* Where the one that ended was freed. */
static const struct field freed[] = {
    {HP_FREE_FIELD_point, 1, {1}},    {HP_FREE_FIELD_stack, 1, {2 * 0x401009}},
    {HP_FREE_FIELD_size, 1, {8}},     {HP_FREE_FIELD_chunks, 1, {1}},
    {HP_FREE_FIELD_lives, 2, {5, 0}}, {HP_FREE_FIELD_flags, 1, {0}},
    {HP_FREE_FIELD_first, 1, {15}}};
static const struct field mapping[] = {
    {HP_MAPPING_FIELD_stack, 1, {2 * 0x401009}},
    {HP_MAPPING_FIELD_function, 1, {HP_MAPPER_MMAP}},
    {HP_MAPPING_FIELD_kind, 1, {0}},
    {HP_MAPPING_FIELD_maps, 1, {3}},
    {HP_MAPPING_FIELD_bytes, 1, {12288}},
    {HP_MAPPING_FIELD_live_bytes, 1, {4096}},
    {HP_MAPPING_FIELD_peak_bytes, 1, {8192}},
    {HP_MAPPING_FIELD_at_peak_bytes, 1, {8192}},
    {HP_MAPPING_FIELD_resident_bytes, 1, {4096}}};
static const struct field global[] = {
    {HP_GLOBAL_FIELD_path, 1, {'a'}},
    {HP_GLOBAL_FIELD_resident_bytes, 1, {8192}},
    {HP_GLOBAL_FIELD_ranges, 4, {16, 4, 2, 1}},
    {HP_GLOBAL_FIELD_pages, 4, {17, 1, 2, 1}}};
static const struct field totals[] = {
    {HP_END_end, 1, {100}},          {HP_END_allocations, 1, {2}},
    {HP_END_peak_bytes, 1, {16}},    {HP_END_aggregates, 1, {1}},
    {HP_END_intervals, 1, {1}},      {HP_END_short_ticks, 1, {1000000}},
    {HP_END_free_records, 1, {1}},   {HP_END_mapping_records, 1, {1}},
    {HP_END_global_records, 1, {1}}, {HP_END_mapped, 3, {4096, 8192, 50}}};

static void put_fields(struct hp_bytes *to, const struct field *fields,
                       size_t count, const struct field *changed) {
  for (size_t i = 0; i < count; i++) {
    const struct field *field =
        changed && changed->tag == fields[i].tag ? changed : &fields[i];
    struct hp_bytes numbers = {0};
    for (size_t n = 0; n < field->count; n++)
      hp_put_varint(&numbers, field->numbers[n]);
    if (field->count)
      hp_put_bytes_field(to, field->tag, numbers.data, numbers.size);
    hp_bytes_free(&numbers);
  }
}

static void put_records(struct hp_bytes *file, uint16_t kind,
                        const struct field *fields, size_t count,
                        const struct field *changed, uint32_t times) {
  struct hp_bytes record = {0}, payload = {0};
  put_fields(&record, fields, count, changed);
  for (uint32_t i = 0; i < times; i++) {
    hp_put_varint(&payload, record.size);
    hp_put_bytes(&payload, record.data, record.size);
  }
  hp_put_block(file, kind, times, &payload, true);
  hp_bytes_free(&record);
  hp_bytes_free(&payload);
}

/* How many fields. */
static uint32_t put_list(struct hp_bytes *to, const struct changes *changes) {
  const struct field *list = changes->list;
  struct hp_bytes numbers = {0};
  if (!list)
    return 0;
  for (size_t n = 0; n < list->count; n++)
    hp_put_varint(&numbers, list->numbers[n]);
  hp_put_bytes_field(to, list->tag, numbers.data,
                     numbers.size - changes->cut_list);
  hp_bytes_free(&numbers);
  return 1;
}

static const uint64_t stack[] = {0x401005};
static const struct hp_build_module module = {
    .path = "/bin/app", .bias = 0x400000, .start = 0x400000, .end = 0x410000};
static const struct hp_build_point build_point = {1, stack, 1, NULL, 0};

hp_status open_changed(const struct changes *changes,
                       const struct hp_open_options *options,
                       hp_profile **profile, struct hp_error *error) {
  const struct hp_build build = {.window = 100,
                                 .modules = &module,
                                 .module_count = 1,
                                 .points = &build_point,
                                 .point_count = 1,
                                 .no_end = !changes->has_end};
  struct hp_image image;
  hp_build_image(&build, &image);
  put_records(&image.aggregates, HP_BLOCK_AGGREGATES, point, FIELDS,
              changes->point, changes->points ? changes->points : 1);
  put_records(&image.aggregates, HP_BLOCK_FREES, freed,
              sizeof freed / sizeof *freed, changes->freed,
              changes->frees ? changes->frees : 1);
  put_records(&image.aggregates, HP_BLOCK_MAPPINGS, mapping,
              sizeof mapping / sizeof *mapping, changes->mapping,
              changes->mappings ? changes->mappings : 1);
  put_records(&image.aggregates, HP_BLOCK_GLOBALS, global,
              sizeof global / sizeof *global, changes->global,
              changes->globals ? changes->globals : 1);
  put_records(&image.aggregates, HP_BLOCK_TIMELINE, interval,
              sizeof interval / sizeof *interval, changes->interval, 1);
  struct hp_bytes end = {0};
  put_fields(&end, totals, sizeof totals / sizeof *totals, changes->totals);
  const uint32_t more = put_list(&end, changes);
  if (!changes->no_totals)
    hp_put_block(&image.aggregates, HP_BLOCK_END,
                 sizeof totals / sizeof *totals + more, &end, false);
  hp_bytes_free(&end);
  char *scratch = hp_scratch_make();
  hp_image_write(&image, scratch);
  hp_image_free(&image);
  const char *const paths[] = {scratch};
  hp_status status = hp_profile_open(profile, paths, 1, options, error);
  hp_scratch_remove(scratch);
  return status;
}

const struct hp_open_options plain = {.sz = sizeof plain, .no_symbols = true};

void require_refused(const struct changes *changes, const char *text) {
  hp_profile *profile;
  struct hp_error error;
  if (open_changed(changes, &plain, &profile, &error) == HP_OK)
    fail_msg("read, instead of \"%s\"", text);
  assert_true(error.status == HP_E_CORRUPT || error.status == HP_E_TRUNCATED);
  if (!strstr(error.text, text) || !strstr(error.text, "aggregates"))
    fail_msg("\"%s\" does not say \"%s\"", error.text, text);
}
