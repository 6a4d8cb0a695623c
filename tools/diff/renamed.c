/* renamed.c - stacks are compared with a blank for each name that one run alone has.
   An unknown type is one that the other run may have found.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "renamed.h"

#include <stdlib.h>
#include <string.h>

#include "names.h"

/* A point without a pair: its stack, leaf first, with the type ahead. */
struct lone {
  const struct hp_point *point;
  const char **names;
};

struct lones {
  struct lone *items;
  const struct hp_point **points; /* in the order of the items */
  const char **names;
  size_t count;
};

static const char blank[] = "";

static const char *masked(const struct hp_names *only, const char *name) {
  return hp_names_have(only, name) ? blank : name;
}

static bool collect(struct lones *to, const struct hp_pairs *pairs, bool is_new,
                    const struct hp_names *only) {
  size_t names = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct hp_pair *pair = &pairs->items[i];
    const struct hp_point *p = is_new ? pair->new_point : pair->old_point;
    if (!pair->old_point || !pair->new_point)
      names += p ? p->stack_count + 1 : 0;
  }
  *to = (struct lones){calloc(pairs->count + 1, sizeof *to->items),
                       calloc(pairs->count + 1, sizeof *to->points),
                       calloc(names + 1, sizeof *to->names), 0};
  if (!to->items || !to->points || !to->names)
    return false;
  const char **next = to->names;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct hp_pair *pair = &pairs->items[i];
    const struct hp_point *p = is_new ? pair->new_point : pair->old_point;
    if (!p || (pair->old_point && pair->new_point))
      continue;
    to->items[to->count++] = (struct lone){p, next};
    *next++ = p->type ? masked(only, p->type) : blank;
    for (size_t k = 0; k < p->stack_count; k++)
      *next++ = masked(only, p->stack[k]->function);
  }
  return true;
}

static void free_lones(struct lones *lones) {
  free(lones->items);
  free((void *)lones->points);
  free((void *)lones->names);
}

static int compare_lones(const struct lone *a, const struct lone *b) {
  const size_t count = a->point->stack_count;
  if (count != b->point->stack_count)
    return count > b->point->stack_count ? 1 : -1;
  for (size_t i = 0; i <= count; i++) {
    int order = hp_compare_names(a->names[i], b->names[i]);
    if (order == 0 && i && !a->names[i])
      order = hp_compare_places(a->point->stack[i - 1], b->point->stack[i - 1]);
    if (order)
      return order;
  }
  return 0;
}

static int by_stack(const void *a, const void *b) {
  const struct lone *x = a, *y = b;
  int order = compare_lones(x, y);
  if (order == 0)
    order = hp_compare_lines(x->point, y->point);
  return order                         ? order
         : x->point->id > y->point->id ? 1
                                       : -(x->point->id < y->point->id);
}

static void sort_lones(struct lones *lones) {
  qsort(lones->items, lones->count, sizeof *lones->items, by_stack);
  for (size_t i = 0; i < lones->count; i++)
    lones->points[i] = lones->items[i].point;
}

static size_t same_stack(const struct lones *lones, size_t from,
                         const struct lone *first) {
  size_t n = 0;
  while (from + n < lones->count &&
         compare_lones(&lones->items[from + n], first) == 0)
    n++;
  return n;
}

static bool pair_lones(const struct lones *o, const struct lones *n,
                       struct hp_pairs *to) {
  for (size_t i = 0, k = 0; i < o->count || k < n->count;) {
    const int order = i == o->count ? 1
                      : k == n->count
                          ? -1
                          : compare_lones(&o->items[i], &n->items[k]);
    const struct lone *first = order > 0 ? &n->items[k] : &o->items[i];
    const size_t olds = same_stack(o, i, first), news = same_stack(n, k, first);
    if (!hp_align((struct hp_points){o->points + i, olds},
                  (struct hp_points){n->points + k, news}, HP_ALIKE, to))
      return false;
    i += olds;
    k += news;
  }
  return true;
}

static void drop_lones(struct hp_pairs *pairs) {
  size_t kept = 0;
  for (size_t i = 0; i < pairs->count; i++)
    if (pairs->items[i].old_point && pairs->items[i].new_point)
      pairs->items[kept++] = pairs->items[i];
  pairs->count = kept;
}

bool hp_pair_renamed(struct hp_points old_points, struct hp_points new_points,
                     struct hp_pairs *pairs) {
  struct hp_names old_names = {0}, new_names = {0};
  struct lones o = {0}, n = {0};
  bool ok = hp_names_of(&old_names, old_points) &&
            hp_names_of(&new_names, new_points);
  if (ok)
    hp_names_differ(&old_names, &new_names);
  ok = ok && collect(&o, pairs, false, &old_names) &&
       collect(&n, pairs, true, &new_names);
  if (ok) {
    sort_lones(&o);
    sort_lones(&n);
    drop_lones(pairs);
    ok = pair_lones(&o, &n, pairs);
  }
  free_lones(&o);
  free_lones(&n);
  hp_names_free(&old_names);
  hp_names_free(&new_names);
  return ok;
}
