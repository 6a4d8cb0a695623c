/* pairing.c - sorts both sides by their keys and walks them together.
   Within a key the lines decide, and then the order they are in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "pairing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  char *key, *lines;
  const struct hp_point *point;
  bool taken;
};

static void put_function(FILE *out, const struct hp_frame *f) {
  const char *slash = f->module ? strrchr(f->module, '/') : NULL;
  if (f->function)
    fputs(f->function, out);
  else
    fprintf(out, "%s+0x%" PRIx64, slash ? slash + 1 : "", f->address);
  putc('\n', out);
}

static bool make_texts(struct entry *e) {
  const struct hp_point *p = e->point;
  size_t size;
  FILE *key, *lines;
  if (p->key) {
    e->key = strdup(p->key);
    e->lines = strdup("");
    return e->key && e->lines;
  }
  key = open_memstream(&e->key, &size);
  lines = open_memstream(&e->lines, &size);
  for (size_t i = 0; key && lines && i < p->stack_count; i++) {
    put_function(key, &p->stack[i]);
    fprintf(lines, "%010" PRIu32 ":%010" PRIu32 "\n", p->stack[i].line,
            p->stack[i].column);
  }
  if (key && p->type)
    fprintf(key, "type %s", p->type);
  bool ok = key && lines;
  if (key && fclose(key) != 0)
    ok = false;
  if (lines && fclose(lines) != 0)
    ok = false;
  return ok;
}

static int by_key(const void *a, const void *b) {
  const struct entry *x = a, *y = b;
  int order = strcmp(x->key, y->key);
  if (order == 0)
    order = strcmp(x->lines, y->lines);
  if (order)
    return order;
  return (x->point->id > y->point->id) - (x->point->id < y->point->id);
}

static void free_entries(struct entry *entries, size_t count) {
  for (size_t i = 0; entries && i < count; i++) {
    free(entries[i].key);
    free(entries[i].lines);
  }
  free(entries);
}

static struct entry *make_entries(struct hp_points side) {
  struct entry *entries = calloc(side.count + 1, sizeof *entries);
  bool ok = entries != NULL;
  for (size_t i = 0; i < side.count && ok; i++) {
    entries[i].point = side.points[i];
    ok = make_texts(&entries[i]);
  }
  if (ok) {
    qsort(entries, side.count, sizeof *entries, by_key);
    return entries;
  }
  free_entries(entries, side.count);
  return NULL;
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
    int order = strcmp(o[i].lines, n[k].lines);
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
                       const char *key) {
  size_t n = 0;
  while (n < count && strcmp(entries[n].key, key) == 0)
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
                                        : strcmp(o[i].key, n[k].key);
    const char *key = order > 0 ? n[k].key : o[i].key;
    size_t olds = same_key(o + i, old_points.count - i, key);
    size_t news = same_key(n + k, new_points.count - k, key);
    pair_key(&to, o + i, olds, n + k, news);
    i += olds;
    k += news;
  }
  free_entries(o, old_points.count);
  free_entries(n, new_points.count);
  if (!ok) {
    free(to.items);
    return false;
  }
  *pairs = to.items;
  *count = to.count;
  return true;
}
