/* sampled_peak.c - the error of a peak that is the most of many estimates.
   The formula is explained in docs/metrics.md, "Samples".
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/sampled_peak.h"

#include <math.h>

uint64_t hp_most_of_all(const struct hp_profile *profile) {
  uint64_t most = 0;
  for (size_t i = 0; i < profile->process_count; i++) {
    uint64_t peak = profile->processes[i].of->end.heap_peak;
    if (!peak)
      return 0;
    most = hp_add(most, peak);
  }
  return most;
}

void hp_set_peak_error(struct hp_point *point, const struct hp_tally *tally,
                       uint64_t most) {
  double peak = (double)point->peak_bytes, furthest = peak;
  point->errors.peak = 0;
  if (tally->samples == 0 || tally->v_byte <= 0)
    return;
  if (most > point->peak_bytes)
    furthest = fmax(peak, (double)most - peak);
  double times = 1 + 2 * log((double)tally->samples);
  double error = sqrt((tally->v_byte * peak + tally->unseen) * times);
  point->errors.peak = most ? fmin(error, furthest) : error;
}
