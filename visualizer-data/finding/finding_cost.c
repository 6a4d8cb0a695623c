/* finding_cost.c - see finding_cost.h: time in the allocator, and bytes for nothing.
   A statement of what was, never a promise: fewer allocations made programs slower.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/finding_cost.h"

#include <string.h>

#include "finding/finding_rule.h"

struct timed {
  double calls, ns;
};

/* Of each function half of what is assumed of both. */
static double mean_of(const struct timed *t) {
  return t->calls > 0 ? t->ns / t->calls : HP_PAIR_NS / 2;
}

static bool is_end(const struct hp_call_use *use) {
  return strcmp(use->function, "free") == 0 ||
         strcmp(use->function, "operator delete") == 0;
}

#define TIMED_LEAST                                                            \
  8u /* calls: the first ones take memory that later ones have */

bool hp_call_is_known(const struct hp_call_use *use) {
  return use->timed >= TIMED_LEAST;
}

/* One call of a thousand that waited for a processor makes a mean of nothing else; of
   many calls on a busy machine that is true of the mean and not seen in its error. */
double hp_call_ns(const struct hp_call_use *use) {
  if (use->mean_error_ns >= 0 && use->mean_error_ns > use->mean_ns / 2)
    return use->median_ns;
  return use->usual_ns < use->mean_ns / 2 ? use->usual_ns : use->mean_ns;
}

/* Whether calls took about as much of this run as of one without heapprof: hooks make all
   of it longer.  Where there are none it is as long, but for what heapprof does in calls,
   unless it only watches the program's own allocator. */
static bool calls_fit_run(const hp_profile *profile,
                          const struct hp_process *p) {
  const struct hp_global *g = hp_profile_global(profile);
  return p->allocator || g->unknown_points < g->points;
}

struct hp_run_cost hp_run_cost_of(const hp_profile *profile) {
  struct timed begins = {0}, ends = {0};
  struct hp_run_cost run = {0};
  for (size_t i = 0; i < hp_process_count(profile); i++) {
    const struct hp_process *p = hp_process_at(profile, i);
    run.run_ns += (double)(p->cpu_ns ? p->cpu_ns : p->window_ns);
    if (!calls_fit_run(profile, p))
      continue;
    for (size_t k = 0; k < p->call_use_count; k++) {
      const struct hp_call_use *use = &p->call_uses[k];
      struct timed *sum = is_end(use) ? &ends : &begins;
      if (!hp_call_is_known(use))
        continue;
      sum->calls += (double)use->calls;
      sum->ns += (double)use->calls * hp_call_ns(use);
    }
  }
  run.pair_ns = mean_of(&begins) + mean_of(&ends);
  return run;
}

void hp_finding_measure(struct hp_verdict *v, const struct hp_run_cost *run) {
  struct hp_finding *f = &v->finding;
  const uint64_t chunks = v->rule->saves_nothing ? f->chunks : f->saved_chunks;
  f->cost_ns =
      (double)chunks * run->pair_ns +
      (double)(v->growing.by_realloc ? 0 : f->saved_copied_bytes) * HP_BYTE_NS +
      (double)v->written_for_nobody * HP_BYTE_NS +
      (double)v->sharing.writes * HP_SHARED_NS;
  const double share = run->run_ns > 0 ? f->cost_ns / run->run_ns : 0;
  f->share_of_time = share < 1 ? share : 1;
  v->is_too_cheap =
      run->run_ns >= HP_COST_RUN_NS && hp_finding_rank(f) < HP_COST_LEAST;
}

double hp_finding_rank(const struct hp_finding *f) {
  const double time = f->share_of_time > 0 ? f->share_of_time : 0;
  return time + (f->share_of_memory > 0 ? f->share_of_memory : 0);
}
