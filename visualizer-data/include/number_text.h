/* number_text.h - numbers as a person reads them: three digits and a unit.
   Exact numbers are for JSON and CSV.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_NUMBER_TEXT_H
#define HP_NUMBER_TEXT_H

#include <stdbool.h>
#include <stdint.h>

struct hp_number_text {
  char s[32];
};

struct hp_number_text hp_bytes_text(uint64_t bytes); /* at most "1023KiB" */
struct hp_number_text hp_count_text(uint64_t count); /* at most "999999" */
struct hp_number_text hp_duration_text(double ns);   /* "12.3ms" */
struct hp_number_text hp_score_text(double score);   /* "0.25", "-" if null */
/* ">0.25" if AT_LEAST: accesses that nobody saw may make it greater. */
struct hp_number_text hp_mean_text(double mean, bool at_least);

#endif
