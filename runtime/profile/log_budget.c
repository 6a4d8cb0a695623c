/* log_budget.c - see log_budget.h: what is seldom done with budgets.
   They grow with the number of points.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/log_budget.h"

#include "system/memory.h"
#include "system/real_libc.h"

struct hp_log_budgets hp_log_budgets;

static struct {
  struct hp_log_budget total;
  void *budgets; /* `size` bytes; NULL: none */
  size_t size;
} aside;

HP_COLD bool hp_log_add_budgets(size_t size) {
  struct hp_arena *arena = &hp_log_budgets.points;
  return (arena->base ||
          hp_arena_reserve(arena, (size_t)1 << 35, (size_t)1 << 20)) &&
         hp_arena_commit(arena, size);
}

HP_NOINLINE void hp_log_get_coarser(struct hp_log_budget *budget) {
  budget->kept = 0;
  if (budget->coarseness < HP_LOG_COARSEST)
    budget->coarseness = (budget->coarseness + 1u) & 31;
}

void hp_log_set_aside(void) {
  size_t size = hp_log_budgets.points.committed;
  aside.total = hp_log_budgets.total;
  aside.size = size;
  aside.budgets = size ? hp_sys_map(size) : NULL;
  if (aside.budgets)
    hp_real_memcpy(aside.budgets, hp_log_budgets.points.base, size);
}

void hp_log_put_back(void) {
  hp_log_budgets.total = aside.total;
  struct hp_arena *budgets = &hp_log_budgets.points;
  if (aside.budgets) {
    hp_real_memcpy(budgets->base, aside.budgets, aside.size);
    hp_sys_unmap(aside.budgets, aside.size);
  }
  if (budgets->committed > aside.size)
    hp_real_memset(budgets->base + aside.size, 0,
                   budgets->committed - aside.size);
}

void hp_log_budget_reset(void) {
  hp_arena_end(&hp_log_budgets.points);
  hp_log_budgets = (struct hp_log_budgets){0};
}

size_t hp_log_budget_memory(void) { return hp_log_budgets.points.committed; }
