/* profile_peak.h - the peaks of points, of groups and of the whole.
   By the aggregates, or from the logged chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROFILE_PEAK_H
#define HP_PROFILE_PEAK_H

#include "measure/peak.h"
#include "profile/profile_inside.h"

/* Sets the peaks of all points and of the whole. */
hp_status hp_profile_find_peaks(struct hp_profile *profile,
                                struct hp_error *error);

/* Sets those of PART, whose chunks are some of its point's. */
hp_status hp_profile_find_part_peaks(struct hp_profile *profile,
                                     struct hp_profile_point *part,
                                     struct hp_error *error);

/* The peak of MEMBERS taken together, from all their logged chunks, each as
   often as its weight says.  Members of one process are compared by its ticks,
   those of several by the wall clock. */
hp_status hp_profile_peak(const struct hp_profile_point *const *members,
                          size_t count, struct hp_peak *peak,
                          struct hp_error *error);

#endif
