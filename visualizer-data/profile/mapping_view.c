/* mapping_view.c - see mapping_view.h: from raw records to frames and nanoseconds.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/mapping_view.h"

#include <stdlib.h>

#include "base/failure.h"
#include "measure/metric.h"
#include "read/record.h"
#include "resolve/stack.h"

static const char *name_of(uint64_t function) {
  static const char *const names[] = {
#define HP_MAPPER(number, name, text) [number] = text,
#include "heapprof_format.def"
  };
  return function < HP_MAPPER_COUNT ? names[function] : "unknown";
}

static hp_status describe(struct hp_mapping_use *to, struct hp_profile *profile,
                          const struct hp_dump *dump,
                          const struct hp_mapping_sum *sum,
                          struct hp_error *error) {
  *to = (struct hp_mapping_use){.function = name_of(sum->function),
                                .is_file = sum->kind & HP_MAPPING_FILE,
                                .is_shared = sum->kind & HP_MAPPING_SHARED,
                                .is_reserved = sum->kind & HP_MAPPING_RESERVED,
                                .maps = sum->maps,
                                .bytes = sum->bytes,
                                .live_bytes = sum->live_bytes,
                                .peak_bytes = sum->peak_bytes,
                                .at_peak_bytes = sum->at_peak_bytes,
                                .resident_bytes = sum->resident_bytes,
                                .resident_known =
                                    !(sum->kind & HP_MAPPING_DOUBTFUL)};
  HP_TRY(hp_stack_resolve_at(&profile->store, profile->symbolizer, dump,
                             sum->stack, sum->stack_count, sum->first,
                             &to->stack, &to->stack_count, error));
  to->site = to->stack_count ? to->stack[0] : NULL;
  return HP_OK;
}

static int by_peak(const void *left, const void *right) {
  const struct hp_mapping_use *a = left, *b = right;
  if (a->peak_bytes != b->peak_bytes)
    return a->peak_bytes < b->peak_bytes ? 1 : -1;
  return (a->bytes < b->bytes) - (a->bytes > b->bytes);
}

static void sum_up(struct hp_profile_process *process) {
  const struct hp_dump_end *e = &process->of->end;
  struct hp_process *p = &process->view;
  uint64_t n[HP_MAPPED_COUNT] = {0};
  const struct hp_cursor at = {e->mapped_list,
                               e->mapped_list + e->mapped_list_size};
  hp_take_numbers(at, n, HP_MAPPED_COUNT);
  p->mapped = (struct hp_mapped_sum){
      .known = e->mapped_list_size != 0,
      .live_bytes = n[HP_MAPPED_live_bytes],
      .peak_bytes = n[HP_MAPPED_peak_bytes],
      .peak_ns = hp_ticks_to_ns(n[HP_MAPPED_peak_time],
                                process->rules.ticks_per_second),
      .maps = n[HP_MAPPED_maps],
      .unmaps = n[HP_MAPPED_unmaps],
      .remaps = n[HP_MAPPED_remaps],
      .breaks = n[HP_MAPPED_breaks],
      .failed = n[HP_MAPPED_failed],
      .lost_bytes = n[HP_MAPPED_lost_bytes],
      .unseen_bytes = n[HP_MAPPED_unseen_bytes]};
  /* Of two looks at all pages a part may lie in between. */
  const uint64_t most = p->memory_at_end.parts[HP_PART_mapping];
  if (p->mapped.unseen_bytes > most)
    p->mapped.unseen_bytes = most;
}

static hp_status describe_process(struct hp_profile *profile,
                                  struct hp_profile_process *process,
                                  struct hp_error *error) {
  const size_t count = (size_t)process->of->mapping_count;
  struct hp_mapping_use *all =
      hp_store_take(&profile->store, count, sizeof *all);
  if (!all)
    return hp_fail_memory(error);
  size_t n = 0;
  for (const struct hp_mapping_sum *m = process->of->mappings; m; m = m->next)
    HP_TRY(describe(&all[n++], profile, process->dump, m, error));
  if (n > 1)
    qsort(all, n, sizeof *all, by_peak);
  process->view.mappings = all;
  process->view.mapping_count = n;
  sum_up(process);
  return HP_OK;
}

hp_status hp_mappings_describe(struct hp_profile *profile,
                               struct hp_error *error) {
  for (size_t i = 0; i < profile->process_count; i++)
    HP_TRY(describe_process(profile, &profile->processes[i], error));
  return HP_OK;
}
