/* lone.c - see lone.h; both sides are sorted by their steps and walked together.
   The type is the step ahead of the stack's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "lone.h"

#include <stdlib.h>

#include "names.h"

struct lone {
  const struct hp_point *point;
  const struct hp_frame *const *frames;
  const struct hp_step *steps;
  size_t frame_count, count;
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

static struct lone lone_with_frames(const struct hp_lone_rule *rule,
                                    const struct hp_point *p) {
  struct lone lone = {.point = p,
                      .frames = p->stack,
                      .frame_count = p->stack_count,
                      .is_of_calls = rule->is_of_calls};
  if (rule->frames)
    lone.frames = rule->frames(rule, p, &lone.frame_count);
  return lone;
}

static bool collect(struct lones *to, const struct hp_lone_rule *rule,
                    const struct hp_pairs *pairs, bool is_new) {
  size_t steps = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct hp_point *p = lone_of(rule, &pairs->items[i], is_new);
    steps += p ? lone_with_frames(rule, p).frame_count + 1 : 0;
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
    *lone = lone_with_frames(rule, p);
    lone->steps = next;
    *next++ = (struct hp_step){rule->type(rule, p, is_new), 0};
    for (size_t k = 0; k < lone->frame_count; k++)
      if (!rule->is_of_calls || !lone->frames[k]->inlined)
        *next++ = rule->step(rule, lone->frames[k], is_new);
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
static int compare_addresses(const struct lone *a, const struct lone *b) {
  size_t i = 0, k = 0;
  for (;; i++, k++) {
    while (i < a->frame_count && a->frames[i]->inlined)
      i++;
    while (k < b->frame_count && b->frames[k]->inlined)
      k++;
    if (i == a->frame_count || k == b->frame_count)
      return (i < a->frame_count) - (k < b->frame_count);
    const int order =
        compare_numbers(a->frames[i]->address, b->frames[k]->address);
    if (order)
      return order;
  }
}

static int by_steps(const void *a, const void *b) {
  const struct lone *x = a, *y = b;
  int order = compare_lones(x, y);
  if (order == 0)
    order = x->is_of_calls
                ? compare_addresses(x, y)
                : hp_compare_lines(x->frames, y->frames, x->frame_count);
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
