/* free_records.c - decodes and checks the FREES records of the file aggregates.
   What is missing counts as 0, so that every sum has to add up as it is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/free_records.h"

#include <stdlib.h>

#include "base/saturate.h"

struct record {
  struct hp_free_sum sum;
  uint64_t point;
};

static bool take_field(struct hp_dump *dump, const struct hp_field *field,
                       void *to, bool *memory) {
  struct record *record = to;
  struct hp_free_sum *sum = &record->sum;
  switch (field->tag) {
#define NUMBER(name)                                                           \
  case HP_FREE_FIELD_##name:                                                   \
    return hp_field_u64(field, &sum->name);
    NUMBER(truncated)
    NUMBER(size)
    NUMBER(chunks)
    NUMBER(flags)
    NUMBER(first)
#undef NUMBER
  case HP_FREE_FIELD_point:
    return hp_field_u64(field, &record->point);
  case HP_FREE_FIELD_stack:
    return hp_field_frames(&dump->store, field, &sum->stack, &sum->stack_count,
                           memory);
  case HP_FREE_FIELD_lives:
    return hp_field_wide(field, &sum->lives);
  case HP_FREE_FIELD_process:
    return hp_field_process(dump, field, &sum->process);
  default:
    return true;
  }
}

/* The first rule of a record that does not hold; NULL if all do. */
static const char *check(const struct hp_free_sum *sum, uint64_t point) {
  const bool is_rest = sum->flags & HP_FREE_REST;
  if (sum->chunks == 0 || sum->chunks >> 48)
    return "an impossible number of freed chunks";
  if (sum->lives < sum->chunks || sum->lives / sum->chunks > INT64_MAX)
    return "impossible lives of freed chunks";
  if (is_rest ? point || sum->stack_count || sum->size : sum->stack_count == 0)
    return "freed chunks with a place that they cannot have";
  if (sum->flags & HP_FREE_SIZES_VARY && sum->size)
    return "freed chunks of several sizes and of one";
  return NULL;
}

hp_status hp_take_free(struct hp_dump *dump, const struct hp_block *block,
                       const char *file, struct hp_cursor *record,
                       struct hp_error *error) {
  struct record read = {0};
  HP_TRY(hp_each_field(dump, block, file, record, "frees", dump->free_count,
                       take_field, &read, error));
  const uint64_t point = read.point;
  const char *wrong = check(&read.sum, point);
  if (wrong)
    return HP_FAIL_BLOCK("point %" PRIu64 ": %s", point, wrong);
  struct hp_dump_point *of = hp_dump_point_of(dump, point);
  if (!of)
    return HP_FAIL_BLOCK("freed chunks of allocation point %" PRIu64
                         ", which the points file does not have",
                         point);
  struct hp_free_sum *kept = hp_store_take(&dump->store, 1, sizeof *kept);
  if (!kept)
    return hp_fail_memory(error);
  *kept = read.sum;
  if (of->last_free)
    of->last_free->next = kept;
  else
    of->frees = kept;
  of->last_free = kept;
  dump->free_count++;
  return HP_OK;
}

/* ---- sums ---------------------------------------------------------------- */

static uint64_t ended_of(const struct hp_summary *s) {
  uint64_t ended = 0;
  for (size_t i = 0; i < s->class_count; i++)
    if (!(s->classes[i].classes & HP_CLASS_LIVE))
      ended += s->classes[i].chunks;
  return ended;
}

/* Adds what was freed of POINT to FREED, by process. */
static bool add_up(const struct hp_dump_point *point, uint64_t *freed) {
  bool any = false;
  for (const struct hp_free_sum *f = point->frees; f; f = f->next)
    if (!(f->flags & HP_FREE_REST)) {
      freed[f->process] = hp_add(freed[f->process], f->chunks);
      any = true;
    }
  return any;
}

/* Whether of no process more was freed than ended; clears FREED. */
static bool is_within(const struct hp_dump_point *point, uint64_t *freed) {
  bool within = true;
  for (const struct hp_summary *s = point->summary; s; s = s->next) {
    within = within && freed[s->process] <= ended_of(s);
    freed[s->process] = 0;
  }
  for (const struct hp_free_sum *f = point->frees; f; f = f->next) {
    within = within && freed[f->process] == 0;
    freed[f->process] = 0;
  }
  return within;
}

hp_status hp_check_frees(const struct hp_dump *dump, struct hp_error *error) {
  uint64_t *freed = calloc(dump->process_count + 1, sizeof *freed);
  hp_status status = freed ? HP_OK : hp_fail_memory(error);
  for (size_t i = 0; i < dump->point_count && status == HP_OK; i++) {
    const struct hp_dump_point *point = &dump->points[i];
    hp_dump_use_one(dump);
    if (add_up(point, freed) && !is_within(point, freed))
      status = hp_fail(error, HP_E_CORRUPT,
                       "%s/aggregates: point %" PRIu64
                       ": more chunks were freed than ended",
                       dump->path, point->id);
  }
  free(freed);
  return status ? status
                : hp_check_records(dump, "frees", dump->end.free_records,
                                   dump->free_count, error);
}
