/* number_text.c - numbers as a person reads them: three digits and a unit.
   A number that rounds up to the next unit is written in that unit.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "number_text.h"

#include "heapprof.h"

#include <inttypes.h>
#include <stdio.h>

static struct hp_number_text scaled(double value, double step,
                                    const char *const *units, unsigned count) {
  struct hp_number_text text;
  unsigned unit = 0;
  while (unit + 1 < count && value >= step - 0.5) {
    value /= step;
    unit++;
  }
  snprintf(text.s, sizeof text.s, "%.*f%s",
           value < 9.995   ? 2
           : value < 99.95 ? 1
                           : 0,
           value, units[unit]);
  return text;
}

struct hp_number_text hp_bytes_text(uint64_t bytes) {
  static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  struct hp_number_text text;
  if (bytes >= 1024)
    return scaled((double)bytes / 1024, 1024, units, 6);
  snprintf(text.s, sizeof text.s, "%" PRIu64 "B", bytes);
  return text;
}

struct hp_number_text hp_count_text(uint64_t count) {
  static const char *const units[] = {"M", "G", "T", "P", "E"};
  struct hp_number_text text;
  if (count > 999999)
    return scaled((double)count / 1e6, 1000, units, 5);
  snprintf(text.s, sizeof text.s, "%" PRIu64, count);
  return text;
}

struct hp_number_text hp_duration_text(double ns) {
  static const char *const units[] = {"us", "ms", "s"};
  struct hp_number_text text;
  if (ns >= 999.5)
    return scaled(ns / 1000, 1000, units, 3);
  snprintf(text.s, sizeof text.s, "%.0fns", ns);
  return text;
}

struct hp_number_text hp_score_text(double score) {
  return hp_mean_text(score, false);
}

struct hp_number_text hp_mean_text(double mean, bool at_least) {
  struct hp_number_text text = {"-"};
  if (mean >= 0)
    snprintf(text.s, sizeof text.s, "%s%.2f", at_least ? ">" : "", mean);
  return text;
}
