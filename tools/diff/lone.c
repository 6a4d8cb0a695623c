/* lone.c - see lone.h; both sides are sorted by their steps and walked together.
   The type is the step ahead of the stack's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lone.h"

#include <stdlib.h>

#include "names.h"

struct lone {
  const struct hp_point *point;
  const struct hp_step *steps;
  size_t count;
  bool is_of_calls;
};

struct lones {
  struct lone *items;
  const struct hp_point **points; /* in the order of the items */
  struct hp_step *steps;
  size_t count;
};

struct hp_step hp_step_of_place(const struct hp_frame *frame) {
  return (struct hp_step){hp_module_name(frame), frame->address};
}

/* The point of one run, if it is alone and takes part. */
static const struct hp_point *lone_of(const struct hp_lone_rule *rule,
                                      const struct hp_pair *pair, bool is_new) {
  const struct hp_point *p = is_new ? pair->new_point : pair->old_point;
  const bool is_alone = !pair->old_point || !pair->new_point;
  return p && is_alone && rule->takes_part(rule, p, is_new) ? p : NULL;
}

static bool collect(struct lones *to, const struct hp_lone_rule *rule,
                    const struct hp_pairs *pairs, bool is_new) {
  size_t steps = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct hp_point *p = lone_of(rule, &pairs->items[i], is_new);
    steps += p ? p->stack_count + 1 : 0;
  }
  *to = (struct lones){calloc(pairs->count + 1, sizeof *to->items),
                       calloc(pairs->count + 1, sizeof *to->points),
                       calloc(steps + 1, sizeof *to->steps), 0};
  if (!to->items || !to->points || !to->steps)
    return false;
  struct hp_step *next = to->steps;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct hp_point *p = lone_of(rule, &pairs->items[i], is_new);
    if (!p)
      continue;
    struct lone *lone = &to->items[to->count++];
    *lone = (struct lone){p, next, 0, rule->is_of_calls};
    *next++ = (struct hp_step){rule->type(rule, p, is_new), 0};
    for (size_t k = 0; k < p->stack_count; k++)
      if (!rule->is_of_calls || !p->stack[k]->inlined)
        *next++ = rule->step(rule, p->stack[k], is_new);
    lone->count = (size_t)(next - lone->steps);
  }
  return true;
}

static void free_lones(struct lones *lones) {
  free(lones->items);
  free((void *)lones->points);
  free(lones->steps);
}

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int compare_lones(const struct lone *a, const struct lone *b) {
  int order = compare_numbers(a->count, b->count);
  for (size_t i = 0; order == 0 && i < a->count; i++) {
    order = hp_compare_names(a->steps[i].name, b->steps[i].name);
    if (order == 0)
      order = compare_numbers(a->steps[i].address, b->steps[i].address);
  }
  return order;
}

/* Of the calls themselves: of frames that are inlined, that of what they are in. */
static int compare_addresses(const struct hp_point *a,
                             const struct hp_point *b) {
  size_t i = 0, k = 0;
  for (;; i++, k++) {
    while (i < a->stack_count && a->stack[i]->inlined)
      i++;
    while (k < b->stack_count && b->stack[k]->inlined)
      k++;
    if (i == a->stack_count || k == b->stack_count)
      return (i < a->stack_count) - (k < b->stack_count);
    const int order =
        compare_numbers(a->stack[i]->address, b->stack[k]->address);
    if (order)
      return order;
  }
}

static int by_steps(const void *a, const void *b) {
  const struct lone *x = a, *y = b;
  int order = compare_lones(x, y);
  if (order == 0)
    order = x->is_of_calls ? compare_addresses(x->point, y->point)
                           : hp_compare_lines(x->point, y->point);
  return order ? order : compare_numbers(x->point->id, y->point->id);
}

static void sort_lones(struct lones *lones) {
  qsort(lones->items, lones->count, sizeof *lones->items, by_steps);
  for (size_t i = 0; i < lones->count; i++)
    lones->points[i] = lones->items[i].point;
}

static size_t same_steps(const struct lones *lones, size_t from,
                         const struct lone *first) {
  size_t n = 0;
  while (from + n < lones->count &&
         compare_lones(&lones->items[from + n], first) == 0)
    n++;
  return n;
}

static bool pair_sorted(const struct lones *o, const struct lones *n,
                        enum hp_align_which which, struct hp_pairs *to) {
  for (size_t i = 0, k = 0; i < o->count || k < n->count;) {
    const int order = i == o->count ? 1
                      : k == n->count
                          ? -1
                          : compare_lones(&o->items[i], &n->items[k]);
    const struct lone *first = order > 0 ? &n->items[k] : &o->items[i];
    const size_t olds = same_steps(o, i, first), news = same_steps(n, k, first);
    if (!hp_align((struct hp_points){o->points + i, olds},
                  (struct hp_points){n->points + k, news}, which, to))
      return false;
    i += olds;
    k += news;
  }
  return true;
}

static void drop_lones(struct hp_pairs *pairs,
                       const struct hp_lone_rule *rule) {
  size_t kept = 0;
  for (size_t i = 0; i < pairs->count; i++)
    if (!lone_of(rule, &pairs->items[i], false) &&
        !lone_of(rule, &pairs->items[i], true))
      pairs->items[kept++] = pairs->items[i];
  pairs->count = kept;
}

bool hp_pair_lones(const struct hp_lone_rule *rule, struct hp_pairs *pairs) {
  struct lones o = {0}, n = {0};
  bool ok = collect(&o, rule, pairs, false) && collect(&n, rule, pairs, true);
  if (ok && o.count && n.count) {
    sort_lones(&o);
    sort_lones(&n);
    drop_lones(pairs, rule);
    ok = pair_sorted(&o, &n, rule->which, pairs);
  }
  free_lones(&o);
  free_lones(&n);
  return ok;
}
