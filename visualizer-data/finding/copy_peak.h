/* copy_peak.h - what copies cost of the peak: buffers that grow, sorts that copy.
   Old and new live side by side, and the last buffer is not full.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_COPY_PEAK_H
#define HP_COPY_PEAK_H

#include "heapprof.h"

/* Of a point whose chunks grow: touched bytes at the peak beyond what the last
   chunk of each chain was used for. */
uint64_t hp_growth_at_peak(const struct hp_point *p);

/* If the process peaked while P made chunks: how far its bytes had fallen when
   the last one was made and a moment had passed.  0: it did not, or the dump
   does not say. */
uint64_t hp_dropped_behind(const struct hp_point *p);

#endif
