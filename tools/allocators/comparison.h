/* comparison.h - what the runs under all allocators and settings gave, side by side.
   Filled in by the main; read by what writes it down.  Times are nanoseconds.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COMPARISON_H
#define HP_COMPARISON_H

#include "contender.h"
#include "meter_reader.h"
#include "trial.h"

#include <stdio.h>

#define HP_ROUNDS_MAX 99u

/* Least, median and most of the rounds. */
struct hp_spread {
  uint64_t least, median, most;
};

struct hp_result {
  const struct hp_contender *contender;
  struct hp_trial trials[HP_ROUNDS_MAX];
  struct hp_spread user_ns, system_ns, cpu_ns, elapsed_ns, peak_rss_bytes,
      faults;
  unsigned runs;         /* that ended, of any kind */
  int status;            /* of the first round */
  const char *uncounted; /* why there are no memory calls, or NULL */
  struct hp_memory_calls calls;
  const char *unmetered; /* why the meter says nothing, or NULL */
  int metered_status;
  struct hp_meter_view meter;
};

/* What changes, from the first of the list to the recommended one. */
struct hp_change {
  const char *metric; /* as in JSON */
  uint64_t from, to;
  bool bytes;
};
#define HP_CHANGES_MAX 4u

struct hp_comparison {
  const char *program;
  char **arguments; /* without the program's name, ends with NULL */
  unsigned rounds;
  const struct hp_contenders *contenders;
  struct hp_result *results; /* one for each */
  size_t recommended;        /* 0: nothing is gained */
  struct hp_change changes[HP_CHANGES_MAX];
  size_t change_count;
};

/* From TRIALS to the spreads. */
void hp_result_sum_up(struct hp_result *result, unsigned rounds);

/* Chooses, and says what changes.  docs/heapprof-allocators.md has the rule. */
void hp_comparison_recommend(struct hp_comparison *comparison);

/* All memory calls together. */
uint64_t hp_memory_calls_sum(const struct hp_memory_calls *calls);

/* True if waitpid's statuses say different ends. */
bool hp_ended_otherwise(int one, int other);

/* "status 3", "signal 11 (Segmentation fault)". */
void hp_end_text(int status, char *text, size_t size);

void hp_comparison_table(const struct hp_comparison *comparison, FILE *out);
void hp_comparison_csv(const struct hp_comparison *comparison, FILE *out);
void hp_comparison_json(const struct hp_comparison *comparison, FILE *out,
                        bool inline_html);
void hp_comparison_page(const struct hp_comparison *comparison, FILE *out);

/* One line: the environment to use and what it gives, or that nothing is gained. */
void hp_recommendation_text(const struct hp_comparison *comparison, char *text,
                            size_t size);

#endif
