/* log_budget.h - which chunks of the log are kept (log.h), and for how many of
   its point each one stands.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_LOG_BUDGET_H
#define HP_LOG_BUDGET_H

#include "options/options.h"
#include "system/pool.h"

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
  union {
    struct {
      uint64_t left : 28;
      uint64_t group : 5;
      uint64_t kept : 26;
      uint64_t coarseness : 5; /* of the next group, at least */
    };
    uint64_t word;
  };
};
#define HP_LOG_KEPT_SHIFT 33
_Static_assert(sizeof(struct hp_log_budget) == 8, "8 bytes a point");

/* Many points have one chunk and never another one: what is to be known of them is that
   it was kept.  So budgets are of points from the second chunk on, of some neighbours
   in one block, in the order of points. */
#define HP_LOG_NEIGHBOURS 16u
struct hp_log_budgets_of {
  uint16_t begun;    /* bit by point: its first chunk was kept */
  uint16_t budgeted; /* bit by point: it has a budget */
  uint32_t block;    /* struct hp_log_budget [] */
};

extern HP_HIDDEN struct hp_log_budgets {
  struct hp_arena points; /* struct hp_log_budgets_of [] */
  struct hp_pool blocks;
  struct hp_log_budget total;
} hp_log_budgets;

bool hp_log_add_points(size_t size);

/* NULL without memory. */
HP_INLINE struct hp_log_budgets_of *hp_log_neighbours_of(uint32_t point) {
  const size_t number = point / HP_LOG_NEIGHBOURS,
               size = (number + 1) * sizeof(struct hp_log_budgets_of);
  if (HP_UNLIKELY(size > hp_log_budgets.points.committed) &&
      !hp_log_add_points(size))
    return NULL;
  return (struct hp_log_budgets_of *)(void *)hp_log_budgets.points.base +
         number;
}

/* The budgets of those of OF before BIT's. */
HP_INLINE unsigned hp_log_budgets_before(const struct hp_log_budgets_of *of,
                                         unsigned bit) {
  const unsigned before = of->budgeted & (bit - 1);
  if (HP_LIKELY(before == bit - 1)) /* all have one: counting is slow */
    return (unsigned)__builtin_ctz(bit);
  return (unsigned)__builtin_popcount(before);
}

/* Makes one for BIT, whose first chunk was kept; false without memory. */
bool hp_log_add_budget(struct hp_log_budgets_of *of, unsigned bit);

/* Of a point in whose group many are to come: so many of them are left out next,
   which LEFT of its BUDGET has already.  A table, a place for each remainder. */
#define HP_LOG_PASSING 512u
struct hp_log_passing {
  uint32_t point;
  uint32_t count; /* 0: the place is free */
  struct hp_log_budget *budget;
};
extern HP_HIDDEN struct hp_log_passing hp_log_passing[HP_LOG_PASSING];

HP_INLINE struct hp_log_passing *hp_log_passing_of(uint32_t point) {
  return &hp_log_passing[point % HP_LOG_PASSING];
}

/* Whether the next chunk of POINT is one of these.  If not, hp_log_weigh() says. */
HP_INLINE bool hp_log_passes(uint32_t point) {
  struct hp_log_passing *of = hp_log_passing_of(point);
  if (of->point != point || !of->count)
    return false;
  of->count--;
  return true;
}

/* The budget in OF's place is to say all again. */
HP_INLINE void hp_log_end_passing(struct hp_log_passing *of) {
  if (!of->count)
    return;
  of->budget->left += of->count & ((1u << HP_LOG_COARSEST) - 1);
  of->count = 0;
}

/* LEFT are to come in BUDGET's group, one of which may be that which is CHOSEN; the
   last one ends the group. */
HP_INLINE void hp_log_begin_passing(uint32_t point,
                                    struct hp_log_budget *budget, uint32_t left,
                                    uint32_t chosen) {
  const uint32_t stop = left > chosen ? chosen : 0;
  if (left < stop + 2)
    return;
  struct hp_log_passing *of = hp_log_passing_of(point);
  hp_log_end_passing(of);
  *of = (struct hp_log_passing){point, left - 1 - stop, budget};
  budget->left = (stop + 1) & ((1u << HP_LOG_COARSEST) - 1);
}

/* One more was kept; MOST may be kept at first. */
void hp_log_spend(struct hp_log_budget *budget, uint64_t most);

/* Whether nothing is left out yet, and will not be for one more: then all but `kept`
   is 0, and spending adds one to that. */
HP_INLINE bool hp_log_keeps_all(const struct hp_log_budget *budget,
                                uint64_t most) {
  const uint64_t kept = (budget->word >> HP_LOG_KEPT_SHIFT) + 1;
  return !(budget->word & (((uint64_t)1 << HP_LOG_KEPT_SHIFT) - 1)) &&
         kept < most && kept < HP_LOG_KEPT_MAX;
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
  struct hp_log_budgets_of *of = hp_log_neighbours_of(point);
  if (HP_UNLIKELY(!of))
    return 0;
  const unsigned bit = 1u << point % HP_LOG_NEIGHBOURS;
  if (!(of->begun & bit)) {
    of->begun |= (uint16_t)bit;
    hp_log_spend(&hp_log_budgets.total, hp_options.chunk_log_total);
    return 1;
  }
  if (HP_UNLIKELY(!(of->budgeted & bit)) && !hp_log_add_budget(of, bit))
    return 0;
  struct hp_log_budget *budget =
      (struct hp_log_budget *)hp_pool_block(&hp_log_budgets.blocks, of->block) +
      hp_log_budgets_before(of, bit);
  if (hp_log_keeps_all(budget, hp_options.chunk_log_point) &&
      hp_log_keeps_all(&hp_log_budgets.total, hp_options.chunk_log_total)) {
    budget->word += (uint64_t)1 << HP_LOG_KEPT_SHIFT;
    hp_log_budgets.total.word += (uint64_t)1 << HP_LOG_KEPT_SHIFT;
    return 1;
  }
  struct hp_log_passing *passing = hp_log_passing_of(point);
  if (HP_UNLIKELY(passing->point == point))
    hp_log_end_passing(passing);
  uint32_t left = budget->left;
  if (!left) {
    budget->group = budget->coarseness > hp_log_budgets.total.coarseness
                        ? budget->coarseness
                        : hp_log_budgets.total.coarseness;
    left = 1u << budget->group;
  }
  left--;
  budget->left = left & ((1u << HP_LOG_COARSEST) - 1);
  const uint32_t chosen = budget->group ? hp_log_choose(point, budget) : 0;
  const bool keeps = left == chosen;
  if (!left)
    hp_log_spend(budget, hp_options.chunk_log_point);
  else
    hp_log_begin_passing(point, budget, left, chosen);
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
