/* align.c - the way through the table of all rows of one side by all of the other
   that has the highest sum of likeness, found from its end to its begin.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "align.h"

#include <stdlib.h>
#include <string.h>

/* A table of more cells takes too long: then rows go together in their order. */
#define CELLS_MOST ((size_t)1 << 18)

/* That two rows have one key, that all their lines are equal, and their numbers,
   which a program that does the same has again. */
enum { LIKE_KEY = 64, LIKE_LINES = 128, LIKE_NUMBERS = 192 };

enum step { PAIR, OLD_ALONE, NEW_ALONE };

static bool same_numbers(const struct hp_point *a, const struct hp_point *b) {
  return a->chunks && a->chunks == b->chunks && a->bytes == b->bytes;
}

static bool same_line(const struct hp_frame *a, const struct hp_frame *b) {
  if (a->column != b->column)
    return false;
  if (a->start_line && b->start_line)
    return a->line - a->start_line == b->line - b->start_line;
  return a->line == b->line;
}

static uint32_t like_lines(const struct hp_point *a, const struct hp_point *b) {
  size_t same = 0;
  if (a->key)
    return strcmp(a->key, b->key) == 0 ? LIKE_LINES : 0;
  if (a->stack_count != b->stack_count)
    return 0;
  for (size_t i = 0; i < a->stack_count; i++)
    same += same_line(a->stack[i], b->stack[i]);
  return a->stack_count ? (uint32_t)(LIKE_LINES * same / a->stack_count)
                        : LIKE_LINES;
}

/* 0: they may not go together. */
static uint32_t likeness(const struct hp_point *a, const struct hp_point *b,
                         enum hp_align_which which) {
  const uint32_t lines = like_lines(a, b);
  const uint32_t numbers = same_numbers(a, b) ? LIKE_NUMBERS : 0;
  if (which != HP_ALL && !numbers &&
      (which == HP_SAME_NUMBERS || lines < LIKE_LINES))
    return 0;
  return LIKE_KEY + lines + numbers;
}

static void add(struct hp_pairs *to, const struct hp_point *o,
                const struct hp_point *n) {
  to->items[to->count++] = (struct hp_pair){o, n};
}

/* The first rows of both sides that are alike in all. */
static void pair_equal(struct hp_points *o, struct hp_points *n,
                       struct hp_pairs *to) {
  size_t i = 0;
  while (i < o->count && i < n->count &&
         likeness(o->points[i], n->points[i], HP_ALL) ==
             LIKE_KEY + LIKE_LINES + LIKE_NUMBERS) {
    add(to, o->points[i], n->points[i]);
    i++;
  }
  *o = (struct hp_points){o->points + i, o->count - i};
  *n = (struct hp_points){n->points + i, n->count - i};
}

static void add_alone(struct hp_points o, struct hp_points n,
                      struct hp_pairs *to) {
  for (size_t i = 0; i < o.count; i++)
    add(to, o.points[i], NULL);
  for (size_t i = 0; i < n.count; i++)
    add(to, NULL, n.points[i]);
}

static void pair_in_order(struct hp_points o, struct hp_points n,
                          struct hp_pairs *to) {
  for (size_t i = 0; i < o.count || i < n.count; i++)
    add(to, i < o.count ? o.points[i] : NULL, i < n.count ? n.points[i] : NULL);
}

/* Fills STEPS, a row for each of O, with what to do there; BELOW is the best sum
   from the next row of O on, at each of N. */
static void fill_steps(struct hp_points o, struct hp_points n,
                       enum hp_align_which which, unsigned char *steps,
                       uint32_t *below) {
  for (size_t i = o.count; i-- > 0;) {
    uint32_t diagonal = below[n.count];
    for (size_t k = n.count; k-- > 0;) {
      const uint32_t like = likeness(o.points[i], n.points[k], which);
      const uint32_t pair = like ? diagonal + like : 0;
      const uint32_t old_alone = below[k], new_alone = below[k + 1];
      diagonal = old_alone;
      const enum step step = like && pair >= old_alone && pair >= new_alone
                                 ? PAIR
                             : old_alone >= new_alone ? OLD_ALONE
                                                      : NEW_ALONE;
      below[k] = step == PAIR        ? pair
                 : step == OLD_ALONE ? old_alone
                                     : new_alone;
      steps[i * n.count + k] = (unsigned char)step;
    }
  }
}

static void follow_steps(struct hp_points o, struct hp_points n,
                         const unsigned char *steps, struct hp_pairs *to) {
  for (size_t i = 0, k = 0; i < o.count || k < n.count;) {
    const enum step step = i == o.count   ? NEW_ALONE
                           : k == n.count ? OLD_ALONE
                                          : (enum step)steps[i * n.count + k];
    add(to, step == NEW_ALONE ? NULL : o.points[i],
        step == OLD_ALONE ? NULL : n.points[k]);
    i += step != NEW_ALONE;
    k += step != OLD_ALONE;
  }
}

bool hp_align(struct hp_points old_rows, struct hp_points new_rows,
              enum hp_align_which which, struct hp_pairs *to) {
  struct hp_points o = old_rows, n = new_rows;
  pair_equal(&o, &n, to);
  if (!o.count || !n.count || o.count > CELLS_MOST / n.count) {
    if (which == HP_ALL)
      pair_in_order(o, n, to);
    else
      add_alone(o, n, to);
    return true;
  }
  unsigned char *steps = malloc(o.count * n.count);
  uint32_t *below = calloc(n.count + 1, sizeof *below);
  if (steps && below) {
    fill_steps(o, n, which, steps, below);
    follow_steps(o, n, steps, to);
  }
  const bool ok = steps && below;
  free(steps);
  free(below);
  return ok;
}
