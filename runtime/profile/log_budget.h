/* log_budget.h - which chunks of the log are kept (log.h), and for how many of
   its point each one stands.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_BUDGET_H
#define HP_LOG_BUDGET_H

#include "options/options.h"
#include "system/arena.h"

/* Chunks kept before thinning gets coarser again. */
#define HP_LOG_LEAST_STEP 16u
#define HP_LOG_KEPT_MAX ((1u << 26) - 1)
#define HP_LOG_COARSEST 28u

/* How far a point, or all together, has got in its budget.  A point's first
   chunk is kept, then one of each 2^group chunks, any of them: points whose last
   group is not whole are many, and its first would stand for too much.
     +0   bits 0..27  left   chunks of the group that are still to come
          bits 28..32 group
          bits 33..58 kept   groups since it got coarser; all together: chunks
          bits 59..63 coarseness                                             */
struct hp_log_budget {
  uint64_t left : 28;
  uint64_t group : 5;
  uint64_t kept : 26;
  uint64_t coarseness : 5; /* of the next group, at least */
};
_Static_assert(sizeof(struct hp_log_budget) == 8, "8 bytes a point");

extern HP_HIDDEN struct hp_log_budgets {
  struct hp_arena points; /* struct hp_log_budget [], by point */
  struct hp_log_budget total;
} hp_log_budgets;

bool hp_log_add_budgets(size_t size);
void hp_log_get_coarser(struct hp_log_budget *budget);

/* NULL without memory. */
HP_INLINE struct hp_log_budget *hp_log_budget_of(uint32_t point) {
  size_t size = ((size_t)point + 1) * sizeof(struct hp_log_budget);
  if (HP_UNLIKELY(size > hp_log_budgets.points.committed) &&
      !hp_log_add_budgets(size))
    return NULL;
  return (struct hp_log_budget *)(void *)hp_log_budgets.points.base + point;
}

/* One more was kept; MOST may be kept at first. */
HP_INLINE void hp_log_spend(struct hp_log_budget *budget, uint64_t most) {
  uint64_t limit = most;
  if (budget->coarseness)
    limit = most / 4 > HP_LOG_LEAST_STEP ? most / 4 : HP_LOG_LEAST_STEP;
  uint32_t kept = budget->kept + 1u;
  budget->kept = kept & HP_LOG_KEPT_MAX;
  if (HP_UNLIKELY(kept >= limit || kept == HP_LOG_KEPT_MAX))
    hp_log_get_coarser(budget);
}

/* Which chunk of its group is kept: so many come after it.  It looks random, but
   is the same in each run. */
HP_INLINE uint32_t hp_log_choose(uint32_t point,
                                 const struct hp_log_budget *budget) {
  uint64_t number = (uint64_t)point << 32 | budget->kept;
  number = (number ^ number >> 29) * 0x9fb21c651e98df25u;
  return (uint32_t)(number >> 32) & ((1u << budget->group) - 1);
}

/* For how many chunks of its point the next one stands; 0: it is left out. */
HP_INLINE uint32_t hp_log_weigh(uint32_t point) {
  if (HP_UNLIKELY(hp_options.chunk_log[0] == 'a')) /* all */
    return 1;
  struct hp_log_budget *budget = hp_log_budget_of(point);
  if (HP_UNLIKELY(!budget))
    return 0;
  uint32_t left = budget->left;
  if (!left) {
    bool first = !budget->kept && !budget->coarseness;
    budget->group =
        budget->coarseness > hp_log_budgets.total.coarseness || first
            ? budget->coarseness
            : hp_log_budgets.total.coarseness;
    left = 1u << budget->group;
  }
  left--;
  budget->left = left & ((1u << HP_LOG_COARSEST) - 1);
  bool keeps = left == hp_log_choose(point, budget);
  if (!left)
    hp_log_spend(budget, hp_options.chunk_log_point);
  if (!keeps)
    return 0;
  hp_log_spend(&hp_log_budgets.total, hp_options.chunk_log_total);
  return 1u << budget->group;
}

/* Keeps the budgets, to come back to them: what is appended meanwhile is
   another dump's.  Without memory they stay spent. */
void hp_log_set_aside(void);
void hp_log_put_back(void);

void hp_log_budget_reset(void);
size_t hp_log_budget_memory(void); /* bytes in use */

#endif
