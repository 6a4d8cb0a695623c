/* copy_peak.c - see copy_peak.h; the formulas stand in docs/metrics.md.
   Where the numbers allow less, less is said.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/copy_peak.h"

#include "base/saturate.h"
#include "measure/paged_peak.h"
#include "page_measure.h"

#define PAGE ((uint64_t)4096)

static uint64_t less(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

/* All chunks of a chain are full but the last, so that what was never accessed
   is theirs, as far as the point's chunks are in chains; on pages of their own it
   takes nothing. */
static uint64_t not_full(const struct hp_point *p, uint64_t last_bytes) {
  const uint64_t last = p->growth.last_size;
  const uint64_t grown = least(p->grown.bytes, p->bytes);
  const uint64_t slack =
      least(hp_paged_share(less(p->bytes, p->bytes_accessed), grown, p->bytes),
            last_bytes);
  const uint64_t at_peak = least(
      hp_paged_share(hp_paged_share(p->bytes_at_global_peak, grown, p->bytes),
                     slack, last_bytes),
      slack);
  if (last < PAGE)
    return at_peak;
  return least(at_peak, hp_multiply(PAGE, p->bytes_at_global_peak / last + 1));
}

/* One chain alone, which grew for the last time as the process peaked: the one
   before the last chunk was there, too, and half of the pages of that. */
static uint64_t beside(const struct hp_point *p, uint64_t last_bytes) {
  const uint64_t last = p->growth.last_size;
  const uint64_t before = least(less(p->bytes_at_global_peak, last), last);
  if (p->grown.chains != 1 || p->grown.chunks != p->chunks)
    return 0;
  if (last < HP_PAGE_CHUNK_MIN)
    return before;
  const uint64_t used =
      less(last, least(less(p->bytes, p->bytes_accessed), last_bytes));
  return less(hp_multiply(2, before), used);
}

uint64_t hp_growth_at_peak(const struct hp_point *p) {
  const uint64_t last_bytes = less(p->grown.bytes, p->grown.copied_bytes);
  if (!p->accesses_known || last_bytes == 0)
    return 0;
  return least(hp_add(not_full(p, last_bytes), beside(p, last_bytes)),
               p->peak_touched_bytes);
}

uint64_t hp_dropped_behind(const struct hp_point *p) {
  const struct hp_process *process = p->process;
  if (!process || process->peak_ns < p->first_ns ||
      process->peak_ns > p->last_begun_ns)
    return 0;
  size_t i = 0;
  while (i < process->interval_count &&
         process->intervals[i].end_ns <= p->last_begun_ns)
    i++;
  if (i + 1 >= process->interval_count)
    return 0;
  return less(process->peak_bytes, process->intervals[i + 1].bytes_max);
}
