/* mapping_records.c - decodes and checks the MAPPINGS records of the file
   aggregates.  What is missing counts as 0.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/mapping_records.h"

struct record {
  struct hp_mapping_sum sum;
  uint64_t process;
};

static bool take_field(struct hp_dump *dump, const struct hp_field *field,
                       void *to, bool *memory) {
  struct record *record = to;
  struct hp_mapping_sum *sum = &record->sum;
  switch (field->tag) {
#define NUMBER(name)                                                           \
  case HP_MAPPING_FIELD_##name:                                                \
    return hp_field_u64(field, &sum->name);
    NUMBER(truncated)
    NUMBER(function)
    NUMBER(kind)
    NUMBER(maps)
    NUMBER(bytes)
    NUMBER(live_bytes)
    NUMBER(peak_bytes)
    NUMBER(at_peak_bytes)
    NUMBER(resident_bytes)
    NUMBER(first)
#undef NUMBER
  case HP_MAPPING_FIELD_stack:
    return hp_field_frames(&dump->store, field, &sum->stack, &sum->stack_count,
                           memory);
  case HP_MAPPING_FIELD_process:
    return hp_field_process(dump, field, &record->process);
  default:
    return true;
  }
}

/* The first rule of a record that does not hold; NULL if all do. */
static const char *check(const struct hp_mapping_sum *sum) {
  if (sum->maps == 0 || sum->bytes == 0)
    return "nothing was mapped";
  if (sum->peak_bytes > sum->bytes || sum->live_bytes > sum->peak_bytes ||
      sum->at_peak_bytes > sum->peak_bytes)
    return "more is mapped at once than ever was";
  if (sum->resident_bytes > sum->live_bytes)
    return "more is resident than is mapped";
  return NULL;
}

hp_status hp_take_mapping(struct hp_dump *dump, const struct hp_block *block,
                          const char *file, struct hp_cursor *record,
                          struct hp_error *error) {
  struct record read = {0};
  HP_TRY(hp_each_field(dump, block, file, record, "mappings",
                       dump->mapping_count, take_field, &read, error));
  const char *wrong = check(&read.sum);
  if (wrong)
    return HP_FAIL_BLOCK("record %" PRIu64 " of mappings: %s",
                         dump->mapping_count, wrong);
  struct hp_mapping_sum *kept = hp_store_take(&dump->store, 1, sizeof *kept);
  if (!kept)
    return hp_fail_memory(error);
  *kept = read.sum;
  struct hp_dump_process *of = &dump->processes[read.process];
  if (of->last_mapping)
    of->last_mapping->next = kept;
  else
    of->mappings = kept;
  of->last_mapping = kept;
  of->mapping_count++;
  dump->mapping_count++;
  return HP_OK;
}

hp_status hp_check_mappings(const struct hp_dump *dump,
                            struct hp_error *error) {
  return hp_check_records(dump, "mappings", dump->end.mapping_records,
                          dump->mapping_count, error);
}
