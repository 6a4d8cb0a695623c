/* renamed.c - stacks are compared with a blank for each name that one run alone has.
   Then types are left out where one of the runs does not know them.
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

/* What takes part: all of both runs, or those of one that have no type. */
enum turn { NAMES, OLD_UNTYPED, NEW_UNTYPED, TURNS };

/* The point of one run, if it is alone and takes part. */
static const struct hp_point *lone_of(const struct hp_pair *pair, bool is_new,
                                      enum turn turn) {
  const struct hp_point *p = is_new ? pair->new_point : pair->old_point;
  const bool is_alone = !pair->old_point || !pair->new_point;
  const bool is_typed =
      p && p->type && turn == (is_new ? NEW_UNTYPED : OLD_UNTYPED);
  return is_alone && !is_typed ? p : NULL;
}

static bool collect(struct lones *to, const struct hp_pairs *pairs, bool is_new,
                    enum turn turn, const struct hp_names *only) {
  size_t names = 0;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct hp_point *p = lone_of(&pairs->items[i], is_new, turn);
    names += p ? p->stack_count + 1 : 0;
  }
  *to = (struct lones){calloc(pairs->count + 1, sizeof *to->items),
                       calloc(pairs->count + 1, sizeof *to->points),
                       calloc(names + 1, sizeof *to->names), 0};
  if (!to->items || !to->points || !to->names)
    return false;
  const char **next = to->names;
  for (size_t i = 0; i < pairs->count; i++) {
    const struct hp_point *p = lone_of(&pairs->items[i], is_new, turn);
    if (!p)
      continue;
    to->items[to->count++] = (struct lone){p, next};
    *next++ = turn == NAMES && p->type ? masked(only, p->type) : blank;
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

static void drop_lones(struct hp_pairs *pairs, enum turn turn) {
  size_t kept = 0;
  for (size_t i = 0; i < pairs->count; i++)
    if (!lone_of(&pairs->items[i], false, turn) &&
        !lone_of(&pairs->items[i], true, turn))
      pairs->items[kept++] = pairs->items[i];
  pairs->count = kept;
}

static bool take_turn(enum turn turn, const struct hp_names only[2],
                      struct hp_pairs *pairs) {
  struct lones o = {0}, n = {0};
  bool ok = collect(&o, pairs, false, turn, &only[0]) &&
            collect(&n, pairs, true, turn, &only[1]);
  if (ok && o.count && n.count) {
    sort_lones(&o);
    sort_lones(&n);
    drop_lones(pairs, turn);
    ok = pair_lones(&o, &n, pairs);
  }
  free_lones(&o);
  free_lones(&n);
  return ok;
}

static bool are_both_left(const struct hp_pairs *pairs) {
  bool is_left[2] = {false, false};
  for (size_t i = 0; i < pairs->count; i++)
    for (int is_new = 0; is_new < 2; is_new++)
      is_left[is_new] |= lone_of(&pairs->items[i], is_new, NAMES) != NULL;
  return is_left[0] && is_left[1];
}

bool hp_pair_renamed(struct hp_points old_points, struct hp_points new_points,
                     struct hp_pairs *pairs) {
  struct hp_names only[2] = {{0}, {0}};
  if (!are_both_left(pairs))
    return true;
  bool ok =
      hp_names_of(&only[0], old_points) && hp_names_of(&only[1], new_points);
  if (ok)
    hp_names_differ(&only[0], &only[1]);
  for (enum turn turn = NAMES; ok && turn < TURNS; turn++)
    ok = take_turn(turn, only, pairs);
  hp_names_free(&only[0]);
  hp_names_free(&only[1]);
  return ok;
}
