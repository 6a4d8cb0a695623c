/* mapping_records.c - decodes and checks the MAPPINGS records of the file
   aggregates.  What is missing counts as 0.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/mapping_records.h"

#include <inttypes.h>

#include "base/failure.h"

#define FAIL_BLOCK(text, ...)                                                  \
  hp_fail(error, HP_E_CORRUPT, "%s: offset %" PRIu64 ": " text, file,          \
          block->offset, __VA_ARGS__)

static bool take_stack(struct hp_store *store, const struct hp_field *field,
                       struct hp_mapping_sum *sum, bool *memory) {
  uint64_t *stack =
      hp_store_take(store, hp_left(&field->contents), sizeof *stack);
  sum->stack = stack;
  if (!stack)
    return *memory = false;
  return hp_field_stack(field, stack, &sum->stack_count);
}

static bool take_field(struct hp_dump *dump, const struct hp_field *field,
                       struct hp_mapping_sum *sum, uint64_t *process,
                       bool *memory) {
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
    return take_stack(&dump->store, field, sum, memory);
  case HP_MAPPING_FIELD_process:
    return hp_field_process(dump, field, process);
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
  struct hp_mapping_sum sum = {0};
  uint64_t process = 0;
  bool memory = true;
  while (hp_left(record)) {
    struct hp_field field;
    if (!hp_take_field(record, &field))
      return FAIL_BLOCK("record %" PRIu64 " of mappings: a field is cut",
                        dump->mapping_count);
    bool good = take_field(dump, &field, &sum, &process, &memory);
    if (!memory)
      return hp_fail_memory(error);
    if (!good)
      return FAIL_BLOCK("record %" PRIu64
                        " of mappings: field with tag %" PRIu64 " is malformed",
                        dump->mapping_count, field.tag);
  }
  const char *wrong = check(&sum);
  if (wrong)
    return FAIL_BLOCK("record %" PRIu64 " of mappings: %s", dump->mapping_count,
                      wrong);
  struct hp_mapping_sum *kept = hp_store_take(&dump->store, 1, sizeof *kept);
  if (!kept)
    return hp_fail_memory(error);
  *kept = sum;
  struct hp_dump_process *of = &dump->processes[process];
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
  if (dump->mapping_count == dump->end.mapping_records)
    return HP_OK;
  return hp_fail(error, HP_E_TRUNCATED,
                 "%s/aggregates: %" PRIu64 " records of mappings were written "
                 "but %" PRIu64 " are there; copy the whole directory again",
                 dump->path, dump->end.mapping_records, dump->mapping_count);
}
