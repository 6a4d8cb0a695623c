/* dump_records.c - decodes the records of HEADER, MODULES, POINTS and END.
   Unknown tags are passed over; a field that cannot be is named.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/dump_records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "read/hooked_ranges.h"

/* No machine ticks faster; a greater number would overflow conversions. */
#define HP_TICKS_PER_SECOND_MAX UINT64_C(10000000000)

/* ---- fields -------------------------------------------------------------- */

static hp_status field_text(struct hp_store *store,
                            const struct hp_field *field, const char **text,
                            struct hp_error *error) {
  *text = hp_store_text(store, field->contents.at, hp_left(&field->contents));
  return *text ? HP_OK : hp_fail_memory(error);
}

/* NULL if the field is empty. */
static hp_status field_bytes(struct hp_store *store,
                             const struct hp_field *field,
                             const uint8_t **bytes, size_t *size,
                             struct hp_error *error) {
  *size = hp_left(&field->contents);
  uint8_t *copy = hp_store_take(store, *size, 1);
  if (!copy)
    return hp_fail_memory(error);
  if (*size)
    memcpy(copy, field->contents.at, *size);
  *bytes = *size ? copy : NULL;
  return HP_OK;
}

bool hp_field_frames(struct hp_store *store, const struct hp_field *field,
                     const uint64_t **stack, size_t *count, bool *memory) {
  /* A frame takes at least a byte, which bounds their number; most take more,
     so that they are counted before memory is taken for good. */
  size_t most = hp_left(&field->contents);
  uint64_t *frames = reallocarray(NULL, most + 1, sizeof *frames);
  if (!frames)
    return *memory = false;
  *count = 0;
  const bool good = hp_field_stack(field, frames, count);
  uint64_t *kept = hp_store_take(store, *count, sizeof *kept);
  if (kept && *count)
    memcpy(kept, frames, *count * sizeof *kept);
  free(frames);
  *stack = kept;
  *memory = kept != NULL;
  return good && kept;
}

static hp_status append_text(struct hp_store *store, const char ***array,
                             size_t *count, const char *text,
                             struct hp_error *error) {
  if (!hp_store_room_for_one(store, (void **)array, *count, sizeof **array))
    return hp_fail_memory(error);
  (*array)[(*count)++] = text;
  return HP_OK;
}

/* The field of this name, as heapprof_format.def has them, to MEMBER of TO; what
   has a length, to a second member behind it. */
#define TAKE_U64(tag, member)                                                  \
  case tag:                                                                    \
    good = hp_field_u64(&field, &to->member);                                  \
    break;
#define TAKE_STR(tag, member)                                                  \
  case tag:                                                                    \
    HP_TRY(field_text(&dump->store, &field, &to->member, error));              \
    break;
#define TAKE_BYTES(tag, member)                                                \
  case tag:                                                                    \
    HP_TRY(field_bytes(&dump->store, &field, &to->member, &to->member##_size,  \
                       error));                                                \
    break;
#define TAKE_LIST(tag, member) TAKE_BYTES(tag, member##_list)
#define TAKE_STACK(tag, member)                                                \
  case tag: {                                                                  \
    bool memory;                                                               \
    good = hp_field_frames(&dump->store, &field, &to->member,                  \
                           &to->member##_count, &memory);                      \
    if (!memory)                                                               \
      return hp_fail_memory(error);                                            \
    break;                                                                     \
  }

/* AT is within BLOCK; *COUNT is how many fields there are. */
static hp_status take_header(struct hp_dump *dump, struct hp_dump_header *to,
                             struct hp_cursor at, uint32_t *count,
                             const struct hp_block *block, const char *file,
                             struct hp_error *error) {
  uint32_t items = 0;
  while (at.at != at.end) {
    struct hp_field field;
    if (!hp_take_field(&at, &field))
      return HP_FAIL_BLOCK("field %" PRIu32 " is cut", items);
    bool good = true;
    switch (field.tag) {
#define HP_HEADER_FIELD(tag, name, type, text) TAKE_##type(tag, name)
#include "heapprof_format.def"
    }
    if (!good)
      return HP_FAIL_BLOCK("field with tag %" PRIu64 " is no number",
                           field.tag);
    if (field.tag == HP_HEADER_arg)
      HP_TRY(
          append_text(&dump->store, &to->args, &to->arg_count, to->arg, error));
    if (field.tag == HP_HEADER_option)
      HP_TRY(append_text(&dump->store, &to->options, &to->option_count,
                         to->option, error));
    items++;
  }
  if (to->sample_every && to->sample_bytes)
    return HP_FAIL_BLOCK("sampled in two ways: every %" PRIu64
                         " allocations and every %" PRIu64 " bytes",
                         to->sample_every, to->sample_bytes);
  *count = items;
  if (to->ticks_per_second == 0 ||
      to->ticks_per_second > HP_TICKS_PER_SECOND_MAX)
    return HP_FAIL_BLOCK("impossible clock: %" PRIu64 " ticks per second",
                         to->ticks_per_second);
  return HP_OK;
}

static hp_status check_items(const struct hp_block *block, uint32_t items,
                             const char *file, struct hp_error *error) {
  if (items == block->items)
    return HP_OK;
  return HP_FAIL_BLOCK("%" PRIu32 " fields instead of %" PRIu32, items,
                       block->items);
}

hp_status hp_take_header(struct hp_dump *dump, const struct hp_block *block,
                         const char *file, struct hp_error *error) {
  uint32_t items;
  HP_TRY(take_header(dump, &dump->header, block->payload, &items, block, file,
                     error));
  return check_items(block, items, file, error);
}

static hp_status append_mark(struct hp_store *store, struct hp_dump_end *e,
                             struct hp_error *error) {
  if (!hp_store_room_for_one(store, (void **)&e->marks, e->mark_count,
                             sizeof *e->marks))
    return hp_fail_memory(error);
  e->marks[e->mark_count++] = (struct hp_dump_mark){e->mark_time, e->mark};
  return HP_OK;
}

/* One text of all, a line behind the other. */
static hp_status append_lines(struct hp_store *store, struct hp_dump_end *e,
                              struct hp_error *error) {
  const char *before = e->suppressions ? e->suppressions : "";
  const size_t size = strlen(before) + strlen(e->suppression) + 2;
  char *all = hp_store_take(store, size, 1);
  if (!all)
    return hp_fail_memory(error);
  snprintf(all, size, "%s%s\n", before, e->suppression);
  e->suppressions = all;
  return HP_OK;
}

static bool is_list(uint64_t tag) {
  return tag == HP_END_memory_at_end || tag == HP_END_memory_at_peak ||
         tag == HP_END_threads_told || tag == HP_END_functions ||
         tag == HP_END_mapped || tag == HP_END_thread_stacks ||
         tag == HP_END_heap_regions;
}

static hp_status take_totals(struct hp_dump *dump, struct hp_dump_end *to,
                             struct hp_cursor at, uint32_t *count,
                             const struct hp_block *block, const char *file,
                             struct hp_error *error) {
  uint32_t items = 0;
  bool has_end = false;
  while (at.at != at.end) {
    struct hp_field field;
    if (!hp_take_field(&at, &field))
      return HP_FAIL_BLOCK("field %" PRIu32 " is cut", items);
    bool good = true;
    switch (field.tag) {
#define HP_END_FIELD(tag, name, type, text) TAKE_##type(tag, name)
#include "heapprof_format.def"
    }
    if (is_list(field.tag))
      good = hp_take_numbers(field.contents, NULL, 0);
    if (!good || to->end > INT64_MAX)
      return HP_FAIL_BLOCK("field with tag %" PRIu64 " is no possible number",
                           field.tag);
    has_end = has_end || field.tag == HP_END_end;
    to->has_exit_status |= field.tag == HP_END_exit_status;
    if (field.tag == HP_END_mark)
      HP_TRY(append_mark(&dump->store, to, error));
    if (field.tag == HP_END_suppression)
      HP_TRY(append_lines(&dump->store, to, error));
    items++;
  }
  *count = items;
  if (!has_end)
    return HP_FAIL_BLOCK("no end of the window (tag %d)", HP_END_end);
  return HP_OK;
}

hp_status hp_take_end(struct hp_dump *dump, const struct hp_block *block,
                      const char *file, struct hp_error *error) {
  uint32_t items;
  HP_TRY(take_totals(dump, &dump->end, block->payload, &items, block, file,
                     error));
  dump->complete = true;
  return check_items(block, items, file, error);
}

hp_status hp_take_checkpoint(struct hp_dump *dump, const struct hp_block *block,
                             const char *file, struct hp_error *error) {
  uint32_t items;
  HP_TRY(take_totals(dump, &dump->checkpoint, block->payload, &items, block,
                     file, error));
  dump->has_checkpoint = true;
  return check_items(block, items, file, error);
}

/* ---- records ------------------------------------------------------------- */

hp_status hp_each_record(struct hp_dump *dump, const struct hp_block *block,
                         const char *file, hp_record_consumer *record_fields,
                         struct hp_error *error) {
  struct hp_cursor at = block->payload;
  uint32_t items = 0;
  while (at.at != at.end) {
    struct hp_cursor record;
    if (!hp_take_record(&at, &record))
      return HP_FAIL_BLOCK("record %" PRIu32 " is cut", items);
    HP_TRY(record_fields(dump, block, file, &record, error));
    items++;
  }
  if (items != block->items)
    return HP_FAIL_BLOCK("%" PRIu32 " records instead of %" PRIu32, items,
                         block->items);
  return HP_OK;
}

hp_status hp_each_field(struct hp_dump *dump, const struct hp_block *block,
                        const char *file, struct hp_cursor *record,
                        const char *kind, uint64_t number, hp_field_taker *take,
                        void *sum, struct hp_error *error) {
  bool memory = true;
  while (hp_left(record)) {
    struct hp_field field;
    if (!hp_take_field(record, &field))
      return HP_FAIL_BLOCK("record %" PRIu64 " of %s: a field is cut", number,
                           kind);
    if (take(dump, &field, sum, &memory))
      continue;
    if (!memory)
      return hp_fail_memory(error);
    return HP_FAIL_BLOCK("record %" PRIu64 " of %s: field with tag %" PRIu64
                         " is malformed",
                         number, kind, field.tag);
  }
  return HP_OK;
}

hp_status hp_check_records(const struct hp_dump *dump, const char *kind,
                           uint64_t written, uint64_t found,
                           struct hp_error *error) {
  if (found == written)
    return HP_OK;
  return hp_fail(error, HP_E_TRUNCATED,
                 "%s/aggregates: %" PRIu64 " records of %s were written but "
                 "%" PRIu64 " are there; copy the whole directory again",
                 dump->path, written, kind, found);
}

static hp_status module_fields(struct hp_dump *dump,
                               const struct hp_block *block, const char *file,
                               struct hp_cursor *record,
                               struct hp_error *error) {
  struct hp_dump_module module = {.path = "", .unloaded = UINT64_MAX};
  struct hp_dump_module *to = &module;
  while (record->at != record->end) {
    struct hp_field field;
    bool good = hp_take_field(record, &field);
    if (!good)
      return HP_FAIL_BLOCK("module %zu: a field is cut", dump->module_count);
    switch (field.tag) {
#define HP_MODULE_FIELD(tag, name, type, text) TAKE_##type(tag, name)
#include "heapprof_format.def"
    }
    if (!good)
      return HP_FAIL_BLOCK("module %zu: field with tag %" PRIu64
                           " is no number",
                           dump->module_count, field.tag);
    to->says_hooks |= field.tag == HP_MODULE_hooked_functions;
  }
  module.late = module.late || module.loaded;
  const struct hp_cursor list = {module.hooked_list,
                                 module.hooked_list + module.hooked_list_size};
  bool good;
  HP_TRY(hp_hooked_ranges_read(&module, list, &dump->store, &good, error));
  if (!good)
    return HP_FAIL_BLOCK("module %zu: code with hooks lies outside of it",
                         dump->module_count);
  if (!hp_room_for_one((void **)&dump->modules, dump->module_count,
                       &dump->module_capacity, sizeof *dump->modules))
    return hp_fail_memory(error);
  dump->modules[dump->module_count++] = module;
  return HP_OK;
}

static hp_status point_fields(struct hp_dump *dump,
                              const struct hp_block *block, const char *file,
                              struct hp_cursor *record,
                              struct hp_error *error) {
  struct hp_dump_point point = {0}, *to = &point;
  while (record->at != record->end) {
    struct hp_field field;
    bool good = hp_take_field(record, &field);
    if (!good)
      return HP_FAIL_BLOCK("point %zu: a field is cut", dump->point_count);
    switch (field.tag) {
#define HP_POINT_FIELD(tag, name, type, text) TAKE_##type(tag, name)
#include "heapprof_format.def"
    }
    if (!good)
      return HP_FAIL_BLOCK("point %zu: field with tag %" PRIu64 " is malformed",
                           dump->point_count, field.tag);
  }
  if (point.id == 0 || point.id > UINT32_MAX)
    return HP_FAIL_BLOCK("point %zu: impossible id %" PRIu64, dump->point_count,
                         point.id);
  if (!hp_room_for_one((void **)&dump->points, dump->point_count,
                       &dump->point_capacity, sizeof *dump->points))
    return hp_fail_memory(error);
  dump->points[dump->point_count++] = point;
  return HP_OK;
}

static hp_status process_fields(struct hp_dump *dump,
                                const struct hp_block *block, const char *file,
                                struct hp_cursor *record,
                                struct hp_error *error) {
  struct hp_dump_process process = {0};
  uint64_t complete = 0;
  uint32_t items;
  bool has_end = false;
  while (record->at != record->end) {
    struct hp_field field;
    if (!hp_take_field(record, &field))
      return HP_FAIL_BLOCK("process %zu: a field is cut",
                           dump->process_count + 1);
    if (field.tag == HP_PROCESS_complete && !hp_field_u64(&field, &complete))
      return HP_FAIL_BLOCK("process %zu: field with tag %" PRIu64
                           " is malformed",
                           dump->process_count + 1, field.tag);
    if (field.tag == HP_PROCESS_header)
      HP_TRY(take_header(dump, &process.header, field.contents, &items, block,
                         file, error));
    if (field.tag == HP_PROCESS_end)
      HP_TRY(take_totals(dump, &process.end, field.contents, &items, block,
                         file, error));
    has_end = has_end || field.tag == HP_PROCESS_end;
  }
  if (!process.header.ticks_per_second || !has_end)
    return HP_FAIL_BLOCK("process %zu has no header or no end",
                         dump->process_count + 1);
  process.complete = complete != 0;
  if (!hp_room_for_one((void **)&dump->processes, dump->process_count,
                       &dump->process_capacity, sizeof *dump->processes))
    return hp_fail_memory(error);
  dump->processes[dump->process_count++] = process;
  return HP_OK;
}

hp_status hp_take_processes(struct hp_dump *dump, const struct hp_block *block,
                            const char *file, struct hp_error *error) {
  return hp_each_record(dump, block, file, process_fields, error);
}

hp_status hp_take_modules(struct hp_dump *dump, const struct hp_block *block,
                          const char *file, struct hp_error *error) {
  return hp_each_record(dump, block, file, module_fields, error);
}

hp_status hp_take_points(struct hp_dump *dump, const struct hp_block *block,
                         const char *file, struct hp_error *error) {
  return hp_each_record(dump, block, file, point_fields, error);
}

bool hp_field_process(const struct hp_dump *dump, const struct hp_field *field,
                      uint64_t *index) {
  uint64_t number;
  if (!hp_field_u64(field, &number) || number == 0 ||
      number > dump->header.processes)
    return false;
  *index = number - 1;
  return true;
}
