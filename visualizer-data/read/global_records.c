/* global_records.c - decodes and checks the GLOBALS records of the file
   aggregates: runs of pages that ascend and end within the address space.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/global_records.h"

#include <string.h>

#define PAGE UINT64_C(4096)
#define PAGES_END (UINT64_C(1) << 52) /* of all addresses */

/* A run has two bytes at least. */
static bool take_runs(struct hp_store *store, struct hp_cursor at,
                      const struct hp_page_run **runs, size_t *count,
                      bool *memory) {
  struct hp_page_run *all =
      hp_store_take(store, hp_left(&at) / 2 + 1, sizeof *all);
  uint64_t end = 0, gap, pages;
  *runs = all;
  *count = 0;
  if (!all)
    return *memory = false;
  while (hp_left(&at)) {
    if (!hp_take_varint(&at, &gap) || !hp_take_varint(&at, &pages) || !pages ||
        gap > PAGES_END || pages > PAGES_END || end + gap + pages > PAGES_END)
      return false;
    all[(*count)++] = (struct hp_page_run){end + gap, pages};
    end += gap + pages;
  }
  return true;
}

struct record {
  struct hp_global_sum sum;
  uint64_t process;
};

static bool take_field(struct hp_dump *dump, const struct hp_field *field,
                       void *to, bool *memory) {
  struct record *record = to;
  struct hp_global_sum *sum = &record->sum;
  const struct hp_cursor at = field->contents;
  switch (field->tag) {
  case HP_GLOBAL_FIELD_path:
    sum->path = hp_store_text(&dump->store, at.at, hp_left(&at));
    return sum->path || (*memory = false);
  case HP_GLOBAL_FIELD_build_id: {
    uint8_t *id = hp_store_take(&dump->store, hp_left(&at), 1);
    if (!id)
      return *memory = false;
    if (hp_left(&at))
      memcpy(id, at.at, hp_left(&at));
    sum->build_id = id;
    sum->build_id_size = hp_left(&at);
    return true;
  }
  case HP_GLOBAL_FIELD_resident_bytes:
    return hp_field_u64(field, &sum->resident_bytes);
  case HP_GLOBAL_FIELD_ranges:
    return take_runs(&dump->store, at, &sum->ranges, &sum->range_count, memory);
  case HP_GLOBAL_FIELD_pages:
    sum->has_pages = true;
    return take_runs(&dump->store, at, &sum->pages, &sum->page_count, memory);
  case HP_GLOBAL_FIELD_process:
    return hp_field_process(dump, field, &record->process);
  default:
    return true;
  }
}

static uint64_t bytes_of(const struct hp_page_run *runs, size_t count) {
  uint64_t pages = 0;
  for (size_t i = 0; i < count; i++)
    pages += runs[i].count;
  return pages * PAGE;
}

/* The first rule of a record that does not hold; NULL if all do. */
static const char *check(const struct hp_global_sum *sum) {
  const uint64_t size = bytes_of(sum->ranges, sum->range_count);
  if (!sum->path || !sum->range_count)
    return "it has no module or no pages";
  if (sum->resident_bytes > size ||
      bytes_of(sum->pages, sum->page_count) > size)
    return "more is resident than there is";
  return NULL;
}

hp_status hp_take_global(struct hp_dump *dump, const struct hp_block *block,
                         const char *file, struct hp_cursor *record,
                         struct hp_error *error) {
  struct record read = {0};
  HP_TRY(hp_each_field(dump, block, file, record, "globals", dump->global_count,
                       take_field, &read, error));
  const char *wrong = check(&read.sum);
  if (wrong)
    return HP_FAIL_BLOCK("record %" PRIu64 " of globals: %s",
                         dump->global_count, wrong);
  struct hp_global_sum *kept = hp_store_take(&dump->store, 1, sizeof *kept);
  if (!kept)
    return hp_fail_memory(error);
  *kept = read.sum;
  struct hp_dump_process *of = &dump->processes[read.process];
  if (of->last_global)
    of->last_global->next = kept;
  else
    of->globals = kept;
  of->last_global = kept;
  dump->global_count++;
  return HP_OK;
}

hp_status hp_check_globals(const struct hp_dump *dump, struct hp_error *error) {
  return hp_check_records(dump, "globals", dump->end.global_records,
                          dump->global_count, error);
}
