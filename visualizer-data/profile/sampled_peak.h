/* sampled_peak.h - what samples say of peaks, held to what the process counted.
   A sum of weights may be far from the truth; live bytes are counted of all.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SAMPLED_PEAK_H
#define HP_SAMPLED_PEAK_H

#include "base/saturate.h"
#include "profile/profile_inside.h"

/* BYTES live at once, by the weights of samples; not more than the process had. */
static inline uint64_t hp_bounded_peak(const struct hp_profile_process *process,
                                       uint64_t bytes) {
  uint64_t most = process->of->end.heap_peak;
  return most && bytes > most ? most : bytes;
}

/* BYTES of the sum of weights at the peak of the process, which all such parts
   add up to: as large a part of what was counted, where that is less. */
static inline uint64_t hp_bounded_part(const struct hp_profile_process *process,
                                       uint64_t bytes) {
  uint64_t sum = process->of->end.peak_bytes,
           most = hp_bounded_peak(process, sum);
  return most < sum ? hp_clamp128((hp_u128)bytes * most / sum) : bytes;
}

/* What the processes of PROFILE had at most, together; 0: not all counted it. */
uint64_t hp_most_of_all(const struct hp_profile *profile);

/* Sets the error of POINT's peak.  MOST is what its processes had at most, 0 if
   that was not counted. */
void hp_set_peak_error(struct hp_point *point, const struct hp_tally *tally,
                       uint64_t most);

#endif
