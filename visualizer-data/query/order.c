/* order.c - sorts points by the keys of hp_query.sort.
   Ties go by bytes, then by id, so that the order is the same on every run.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"

/* < 0: A is shown before B. */
typedef int comparison(const struct hp_point *a, const struct hp_point *b);

static int more_first(uint64_t a, uint64_t b) { return (a < b) - (a > b); }

static int less_first(double a, double b) { return (a > b) - (a < b); }

static int text_order(const char *a, const char *b) {
  return strcmp(a ? a : "", b ? b : "");
}

#define BY_MORE(name, member)                                                  \
  static int by_##name(const struct hp_point *a, const struct hp_point *b) {   \
    return more_first(a->member, b->member);                                   \
  }
BY_MORE(bytes, bytes)
BY_MORE(chunks, chunks)
BY_MORE(peak, peak_bytes)
BY_MORE(live, live_bytes)
BY_MORE(reads, reads)
BY_MORE(writes, writes)
#undef BY_MORE

#define BY_SCORE(name, member)                                                 \
  static int by_##name(const struct hp_point *a, const struct hp_point *b) {   \
    return less_first(a->member, b->member);                                   \
  }                                                                            \
  static bool has_##name(const struct hp_point *p) { return p->member >= 0; }
BY_SCORE(severity, severity)
BY_SCORE(lifetime, scores.lifetime)
BY_SCORE(usage, scores.usage)
BY_SCORE(useful_lifetime, scores.useful_lifetime)
#undef BY_SCORE

/* How bad a point is times its part of all chunks, bytes and peaks. */
struct totals {
  double chunks, bytes, peak;
};

static double part(uint64_t of, double whole) {
  return whole > 0 ? (double)of / whole : 0;
}

static double worth(const struct hp_point *p, const struct totals *all) {
  return (1 - p->severity) *
         (part(p->chunks, all->chunks) + part(p->bytes, all->bytes) +
          part(p->peak_bytes, all->peak));
}

static int by_site(const struct hp_point *a, const struct hp_point *b) {
  if (a->key || b->key)
    return text_order(a->key, b->key);
  const struct hp_frame none = {0};
  const struct hp_frame *x = a->site ? a->site : &none;
  const struct hp_frame *y = b->site ? b->site : &none;
  int order = text_order(x->file, y->file);
  if (!order)
    order = (x->line > y->line) - (x->line < y->line);
  if (!order)
    order = (x->column > y->column) - (x->column < y->column);
  return order ? order : text_order(x->function, y->function);
}

static bool has_site(const struct hp_point *p) { return p->key || p->site; }

struct sort_key {
  const char *name;
  comparison *compare;                   /* NULL: by worth */
  bool (*has)(const struct hp_point *p); /* NULL: every point */
};

static const struct sort_key keys[] = {
    {"severity", by_severity, has_severity},
    {"worth", NULL, has_severity},
    {"bytes", by_bytes, NULL},
    {"chunks", by_chunks, NULL},
    {"peak", by_peak, NULL},
    {"live", by_live, NULL},
    {"lifetime", by_lifetime, has_lifetime},
    {"usage", by_usage, has_usage},
    {"useful_lifetime", by_useful_lifetime, has_useful_lifetime},
    {"reads", by_reads, NULL},
    {"writes", by_writes, NULL},
    {"site", by_site, has_site},
};

struct sort_order {
  const struct sort_key *key;
  bool reverse;
  struct totals all;
};

static int compare_by(const struct sort_order *order, const struct hp_point *a,
                      const struct hp_point *b) {
  return order->key->compare
             ? order->key->compare(a, b)
             : less_first(worth(b, &order->all), worth(a, &order->all));
}

static int compare_points(const void *left, const void *right, void *context) {
  const struct hp_point *a = *(const struct hp_point *const *)left;
  const struct hp_point *b = *(const struct hp_point *const *)right;
  const struct sort_order *order = context;
  /* What has no value comes last, reversed or not. */
  if (order->key->has && order->key->has(a) != order->key->has(b))
    return order->key->has(a) ? -1 : 1;
  int result =
      order->key->has && !order->key->has(a) ? 0 : compare_by(order, a, b);
  if (result)
    return order->reverse ? -result : result;
  if ((result = more_first(a->bytes, b->bytes)))
    return result;
  return (a->id > b->id) - (a->id < b->id);
}

hp_status hp_sort_points(const struct hp_point **points, size_t count,
                         const char *key, bool reverse,
                         struct hp_error *error) {
  struct sort_order order = {.key = &keys[0], .reverse = reverse};
  size_t i = 0, n = sizeof keys / sizeof *keys;
  if (key) {
    while (i < n && strcmp(keys[i].name, key) != 0)
      i++;
    if (i == n)
      return hp_fail(
          error, HP_E_ARGUMENT,
          "cannot sort by \"%s\"; keys are severity, worth, bytes, chunks, "
          "peak, live, lifetime, usage, useful_lifetime, reads, "
          "writes, site",
          key);
    order.key = &keys[i];
  }
  for (size_t k = 0; k < count; k++) {
    order.all.chunks += (double)points[k]->chunks;
    order.all.bytes += (double)points[k]->bytes;
    order.all.peak += (double)points[k]->peak_bytes;
  }
  qsort_r(points, count, sizeof *points, compare_points, &order);
  return HP_OK;
}
