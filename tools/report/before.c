/* before.c - see before.h.
   What it hands over is its own, until it is freed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "before.h"

#include <stdio.h>
#include <stdlib.h>

#include "../diff/whole_runs.h"
#include "command.h"

#define SIZE_DEFAULT ((uint64_t)10 << 20)
#define SIZE_LEAST ((uint64_t)1 << 20)

static hp_status write_document(struct hp_report_before *before,
                                hp_profile *profile, bool *has_row,
                                const struct hp_report_options *o,
                                struct hp_error *error) {
  const uint64_t most =
      (o->max_bytes ? o->max_bytes : SIZE_DEFAULT) / HP_BEFORE_PART;
  const struct hp_report_options old = {
      .sz = sizeof old,
      .document_only = true,
      .no_sources = true,
      .filter = o->filter,
      .sets_file = o->sets_file,
      .max_bytes = most < SIZE_LEAST ? SIZE_LEAST : most,
      .has_row = has_row};
  char *text = NULL;
  FILE *out = open_memstream(&text, &before->size);
  if (!out)
    return hp_command_no_memory(error);
  hp_status status = hp_report_write(out, profile, &old, error);
  if (fclose(out) != 0 && status == HP_OK)
    status = hp_command_no_memory(error);
  before->document = text;
  return status;
}

static hp_status keep_pairs(struct hp_report_before *before,
                            const struct hp_pair *pairs, size_t count,
                            struct hp_error *error) {
  struct hp_report_pair *kept = calloc(count + 1, sizeof *kept);
  if (!kept)
    return hp_command_no_memory(error);
  before->pairs = kept;
  for (size_t i = 0; i < count; i++)
    if (pairs[i].old_point && pairs[i].new_point)
      kept[before->pair_count++] = (struct hp_report_pair){
          pairs[i].old_point->id, pairs[i].new_point->id};
  return HP_OK;
}

static hp_status pair_up(struct hp_report_before *before,
                         hp_profile *const profiles[2], size_t *old_count,
                         struct hp_error *error) {
  struct hp_pair *pairs = NULL;
  size_t count = 0;
  hp_status status = hp_pair_runs(profiles, &pairs, &count, error);
  for (size_t i = 0; status == HP_OK && i < count; i++)
    *old_count += pairs[i].old_point != NULL;
  if (status == HP_OK)
    status = keep_pairs(before, pairs, count, error);
  free(pairs);
  return status;
}

hp_status hp_before_make(struct hp_report_before *before,
                         hp_profile *old_profile, hp_profile *new_profile,
                         const struct hp_report_options *o,
                         struct hp_error *error) {
  hp_profile *const profiles[2] = {old_profile, new_profile};
  size_t count = 0;
  *before =
      (struct hp_report_before){.dump = hp_process_at(old_profile, 0)->dump};
  const hp_status status = pair_up(before, profiles, &count, error);
  if (status != HP_OK)
    return status;
  bool *has_row = calloc(count + 1, sizeof *has_row);
  before->has_row = has_row;
  return has_row ? write_document(before, old_profile, has_row, o, error)
                 : hp_command_no_memory(error);
}

void hp_before_free(struct hp_report_before *before) {
  free((void *)(uintptr_t)before->document);
  free((void *)(uintptr_t)before->pairs);
  free((void *)(uintptr_t)before->has_row);
  *before = (struct hp_report_before){0};
}
