/* finding_cost.h - what the waste of a finding costs the run today.
   Measured where the allocator was timed, else assumed; docs/metrics.md says how.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FINDING_COST_H
#define HP_FINDING_COST_H

#include "finding/finding_verdict.h"

/* Assumed, in nanoseconds, of what nobody measures: */
#define HP_BYTE_NS 0.1    /* a byte written, or copied */
#define HP_PAIR_NS 50.0   /* an allocation and its free, where none was timed */
#define HP_SHARED_NS 10.0 /* a write to a cache line of another thread, too */

/* Below this share of the run and of its peak together nothing is told of... */
#define HP_COST_LEAST 0.001
/* ...a run so long, in nanoseconds: of a shorter one it is nothing that can be
   told. */
#define HP_COST_RUN_NS 1000000000u

/* Of all processes together: what an allocation and its free take, and how long
   they ran. */
struct hp_run_cost {
  double pair_ns, run_ns;
};
struct hp_run_cost hp_run_cost_of(const hp_profile *profile);

/* Sets cost_ns and share_of_time of V's finding, whose other shares are set. */
void hp_finding_measure(struct hp_verdict *v, const struct hp_run_cost *run);

/* How much it costs: shares of time and of touched bytes at the peak. */
double hp_finding_rank(const struct hp_finding *f);

/* Enough calls of the function were timed to say what the others take. */
bool hp_call_is_known(const struct hp_call_use *use);

/* What one call takes: the mean, but the median where the mean's standard error is more
   than half of it, and the usual one where the longest hundredth is. */
double hp_call_ns(const struct hp_call_use *use);

#endif
