/* pairing.c - sorts both sides by their keys and walks them together.
   Within a key the lines decide, and then the order they are in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "pairing.h"

#include <stdlib.h>
#include <string.h>

struct entry {
  const struct hp_point *point;
  bool taken;
};

static int compare_texts(const char *a, const char *b) {
  return a == b ? 0 : !a ? -1 : !b ? 1 : strcmp(a, b);
}

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static const char *base_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

/* Frames without a function are told apart by module and address. */
static int compare_functions(const struct hp_frame *a,
                             const struct hp_frame *b) {
  int order = compare_texts(a->function, b->function);
  if (order == 0 && !a->function)
    order = compare_texts(base_name(a->module), base_name(b->module));
  if (order == 0 && !a->function)
    order = compare_numbers(a->address, b->address);
  return order;
}

/* Of groups their keys; of points type, then the functions of the stacks. */
static int compare_keys(const struct hp_point *a, const struct hp_point *b) {
  int order = compare_texts(a->key, b->key);
  if (order == 0 && !a->key)
    order = compare_texts(a->type, b->type);
  if (order || a->key)
    return order;
  for (size_t i = 0; i < a->stack_count && i < b->stack_count; i++) {
    order = compare_functions(a->stack[i], b->stack[i]);
    if (order)
      return order;
  }
  return compare_numbers(a->stack_count, b->stack_count);
}

/* A and B have equal keys; groups have no lines. */
static int compare_lines(const struct hp_point *a, const struct hp_point *b) {
  for (size_t i = 0; !a->key && i < a->stack_count; i++) {
    int order = compare_numbers(a->stack[i]->line, b->stack[i]->line);
    if (order == 0)
      order = compare_numbers(a->stack[i]->column, b->stack[i]->column);
    if (order)
      return order;
  }
  return 0;
}

static int by_key(const void *a, const void *b) {
  const struct hp_point *x = ((const struct entry *)a)->point;
  const struct hp_point *y = ((const struct entry *)b)->point;
  int order = compare_keys(x, y);
  if (order == 0)
    order = compare_lines(x, y);
  return order ? order : compare_numbers(x->id, y->id);
}

static struct entry *make_entries(struct hp_points side) {
  struct entry *entries = calloc(side.count + 1, sizeof *entries);
  for (size_t i = 0; entries && i < side.count; i++)
    entries[i].point = side.points[i];
  if (entries)
    qsort(entries, side.count, sizeof *entries, by_key);
  return entries;
}

struct pairs {
  struct hp_pair *items;
  size_t count;
};

static void add_pair(struct pairs *to, struct entry *o, struct entry *n) {
  to->items[to->count++] =
      (struct hp_pair){o ? o->point : NULL, n ? n->point : NULL};
  if (o)
    o->taken = true;
  if (n)
    n->taken = true;
}

/* All entries here have one key. */
static void pair_key(struct pairs *to, struct entry *o, size_t old_count,
                     struct entry *n, size_t new_count) {
  size_t i = 0, k = 0;
  while (i < old_count && k < new_count) {
    int order = compare_lines(o[i].point, n[k].point);
    if (order == 0)
      add_pair(to, &o[i++], &n[k++]);
    else if (order < 0)
      i++;
    else
      k++;
  }
  for (i = k = 0; i < old_count || k < new_count;) {
    if (i < old_count && o[i].taken)
      i++;
    else if (k < new_count && n[k].taken)
      k++;
    else
      add_pair(to, i < old_count ? &o[i++] : NULL,
               k < new_count ? &n[k++] : NULL);
  }
}

static size_t same_key(const struct entry *entries, size_t count,
                       const struct hp_point *point) {
  size_t n = 0;
  while (n < count && compare_keys(entries[n].point, point) == 0)
    n++;
  return n;
}

bool hp_pair_up(struct hp_points old_points, struct hp_points new_points,
                struct hp_pair **pairs, size_t *count) {
  struct entry *o = make_entries(old_points), *n = make_entries(new_points);
  struct pairs to = {
      calloc(old_points.count + new_points.count + 1, sizeof *to.items), 0};
  bool ok = o && n && to.items;
  for (size_t i = 0, k = 0;
       ok && (i < old_points.count || k < new_points.count);) {
    int order = i == old_points.count   ? 1
                : k == new_points.count ? -1
                                        : compare_keys(o[i].point, n[k].point);
    const struct hp_point *first = order > 0 ? n[k].point : o[i].point;
    size_t olds = same_key(o + i, old_points.count - i, first);
    size_t news = same_key(n + k, new_points.count - k, first);
    pair_key(&to, o + i, olds, n + k, news);
    i += olds;
    k += news;
  }
  free(o);
  free(n);
  if (!ok) {
    free(to.items);
    return false;
  }
  *pairs = to.items;
  *count = to.count;
  return true;
}
