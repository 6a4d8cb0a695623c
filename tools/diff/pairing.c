/* pairing.c - sorts both sides by their keys and walks them together.
   Within a key both are in the order of their lines, and stay in it (align.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "pairing.h"

#include <stdlib.h>
#include <string.h>

#include "align.h"
#include "names.h"
#include "renamed.h"
#include "unnamed.h"

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* Module and address. */
static int compare_places(const struct hp_frame *a, const struct hp_frame *b) {
  const int order = hp_compare_names(hp_module_name(a), hp_module_name(b));
  return order ? order : compare_numbers(a->address, b->address);
}

/* Frames without a function are told apart by module and address. */
static int compare_functions(const struct hp_frame *a,
                             const struct hp_frame *b) {
  const int order = hp_compare_names(a->function, b->function);
  return order || a->function ? order : compare_places(a, b);
}

/* Of groups their keys; of points type, then the functions of the stacks. */
static int compare_keys(const struct hp_point *a, const struct hp_point *b) {
  int order = hp_compare_names(a->key, b->key);
  if (order == 0 && !a->key)
    order = hp_compare_names(a->type, b->type);
  if (order || a->key)
    return order;
  for (size_t i = 0; i < a->stack_count && i < b->stack_count; i++) {
    order = compare_functions(a->stack[i], b->stack[i]);
    if (order)
      return order;
  }
  return compare_numbers(a->stack_count, b->stack_count);
}

int hp_compare_lines(const struct hp_frame *const *a,
                     const struct hp_frame *const *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int order = compare_numbers(a[i]->line, b[i]->line);
    if (order == 0)
      order = compare_numbers(a[i]->column, b[i]->column);
    if (order)
      return order;
  }
  return 0;
}

static int by_key(const void *a, const void *b) {
  const struct hp_point *x = *(const struct hp_point *const *)a;
  const struct hp_point *y = *(const struct hp_point *const *)b;
  int order = compare_keys(x, y);
  if (order == 0)
    order = x->key ? strcmp(x->key, y->key)
                   : hp_compare_lines(x->stack, y->stack, x->stack_count);
  return order ? order : compare_numbers(x->id, y->id);
}

static const struct hp_point **sort_side(struct hp_points side) {
  const struct hp_point **sorted = calloc(side.count + 1, sizeof(void *));
  if (!sorted)
    return NULL;
  for (size_t i = 0; i < side.count; i++)
    sorted[i] = side.points[i];
  qsort((void *)sorted, side.count, sizeof(void *), by_key);
  return sorted;
}

/* How many points from FROM on have the key of POINT. */
static size_t same_key(struct hp_points side, size_t from,
                       const struct hp_point *point) {
  size_t n = 0;
  while (from + n < side.count &&
         compare_keys(side.points[from + n], point) == 0)
    n++;
  return n;
}

static bool pair_sorted(struct hp_points o, struct hp_points n,
                        struct hp_pairs *to) {
  for (size_t i = 0, k = 0; i < o.count || k < n.count;) {
    const int order = i == o.count   ? 1
                      : k == n.count ? -1
                                     : compare_keys(o.points[i], n.points[k]);
    const struct hp_point *first = order > 0 ? n.points[k] : o.points[i];
    const size_t olds = same_key(o, i, first), news = same_key(n, k, first);
    if (!hp_align((struct hp_points){o.points + i, olds},
                  (struct hp_points){n.points + k, news}, HP_ALL, to))
      return false;
    i += olds;
    k += news;
  }
  return true;
}

static bool is_grouped(struct hp_points side) {
  return side.count && side.points[0]->key;
}

bool hp_pair_up(struct hp_points old_points, struct hp_points new_points,
                struct hp_pair **pairs, size_t *count) {
  const struct hp_point **o = sort_side(old_points),
                        **n = sort_side(new_points);
  struct hp_pairs to = {
      calloc(old_points.count + new_points.count + 1, sizeof *to.items), 0};
  const bool ok = o && n && to.items &&
                  pair_sorted((struct hp_points){o, old_points.count},
                              (struct hp_points){n, new_points.count}, &to) &&
                  (is_grouped(old_points) || is_grouped(new_points) ||
                   (hp_pair_renamed(old_points, new_points, &to) &&
                    hp_pair_unnamed(old_points, new_points, &to)));
  free((void *)o);
  free((void *)n);
  if (!ok) {
    free(to.items);
    return false;
  }
  *pairs = to.items;
  *count = to.count;
  return true;
}
