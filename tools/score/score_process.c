/* score_process.c - see score_process.h: whole numbers of one unit, rounded so
   that they add up.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "score_process.h"

#include "number_text.h"
#include "score_summary.h"
#include "text_column.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct {
  const char *name;
  unsigned shift;
} units[] = {{"KiB", 10}, {"MiB", 20}, {"GiB", 30}, {"TiB", 40}};

/* The greatest in which all that is resident has two digits at least. */
static size_t unit_of(uint64_t bytes) {
  size_t unit = 0;
  while (unit + 1 < sizeof units / sizeof *units &&
         bytes >> units[unit + 1].shift >= 32)
    unit++;
  return unit;
}

static uint64_t rounded(uint64_t bytes, unsigned shift) {
  return (bytes + (UINT64_C(1) << shift >> 1)) >> shift;
}

/* Each part is rounded down, then those that lost most get one more. */
static void round_parts(const struct hp_memory_use *use, unsigned shift,
                        uint64_t numbers[HP_PART_COUNT]) {
  const uint64_t mask = (UINT64_C(1) << shift) - 1;
  uint64_t sum = 0;
  bool raised[HP_PART_COUNT] = {false};
  for (int i = 0; i < HP_PART_COUNT; i++)
    sum += numbers[i] = use->parts[i] >> shift;
  for (; sum < rounded(use->rss, shift); sum++) {
    int most = -1;
    for (int i = 0; i < HP_PART_COUNT; i++)
      if (!raised[i] &&
          (most < 0 || (use->parts[i] & mask) > (use->parts[most] & mask)))
        most = i;
    if (most < 0)
      return;
    numbers[most]++;
    raised[most] = true;
  }
}

void hp_score_memory(FILE *out, const struct hp_memory_use *use,
                     const char *when, size_t width) {
  char *text = NULL;
  size_t size = 0;
  FILE *line = use->rss ? open_memstream(&text, &size) : NULL;
  if (!line)
    return;
  const size_t unit = unit_of(use->rss);
  uint64_t numbers[HP_PART_COUNT];
  round_parts(use, units[unit].shift, numbers);
  fprintf(line, "%" PRIu64 " %s =", rounded(use->rss, units[unit].shift),
          units[unit].name);
  for (int i = 0; i < HP_PART_COUNT; i++)
    if (i != HP_PART_other || numbers[i])
      fprintf(line, "%s %s %" PRIu64, i ? " +" : "",
              hp_memory_part_text((enum hp_memory_part)i), numbers[i]);
  fprintf(line, " %s", when);
  if (fclose(line) == 0)
    hp_text_wrap(out, "  RSS ", text, width);
  free(text);
}

void hp_score_peak_memory(FILE *out, const struct hp_process *process,
                          size_t width) {
  const struct hp_memory_use *use = &process->memory_at_peak;
  char when[64];
  snprintf(when, sizeof when, "(at the peak, seen at %s)",
           hp_duration_text((double)use->at_ns).s);
  hp_score_memory(out, use, when, width);
}

static void add(struct hp_memory_use *to, const struct hp_memory_use *use) {
  to->rss += use->rss;
  for (int i = 0; i < HP_PART_COUNT; i++)
    to->parts[i] += use->parts[i];
}

void hp_score_processes(FILE *out, const hp_profile *profile, size_t width) {
  struct hp_memory_use peak = {0}, end = {0};
  const size_t count = hp_process_count(profile);
  size_t known = 0;
  for (size_t i = 0; i < count; i++) {
    const struct hp_process *process = hp_process_at(profile, i);
    hp_score_program(out, process, width);
    hp_score_peak_memory(out, process, width);
    hp_score_memory(out, &process->memory_at_end, "(at the end)", width);
    if (!process->memory_at_peak.rss && !process->memory_at_end.rss)
      fputs("  RSS is not known: the dump does not say where it is\n", out);
    known += process->memory_at_end.rss != 0;
    add(&peak, &process->memory_at_peak);
    add(&end, &process->memory_at_end);
  }
  if (known < 2)
    return;
  fprintf(out, "all %zu processes, pages that several have counted for each\n",
          count);
  hp_score_memory(out, &peak, "(each at its peak)", width);
  hp_score_memory(out, &end, "(each at its end)", width);
}
