/* report_rows.c - ranks points by their share of the whole, sums up the tail.
   A sum has counts only: scores of merged points would be no one's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_rows.h"

#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "query/grouping.h"
#include "query/order.h"

static double share(uint64_t part, uint64_t whole) {
  return whole ? (double)part / (double)whole : 0;
}

static struct hp_report_row row_of(const struct hp_point *p,
                                   const struct hp_global *g) {
  return (struct hp_report_row){
      .point = p,
      .type = p->type,
      .points = 1,
      .chunks = p->chunks,
      .bytes = p->bytes,
      .bytes_at_global_peak = p->bytes_at_global_peak,
      .live_chunks = p->live_chunks,
      .live_bytes = p->live_bytes,
      .reads = p->reads,
      .writes = p->writes,
      .bytes_accessed = p->bytes_accessed,
      .samples = p->samples,
      .weight = share(p->chunks, g->chunks) + share(p->bytes, g->bytes) +
                share(p->bytes_at_global_peak, g->peak_bytes)};
}

static int compare_rows(const void *left, const void *right) {
  const struct hp_report_row *a = left, *b = right;
  if (a->weight < b->weight || a->weight > b->weight)
    return a->weight > b->weight ? -1 : 1;
  if (!a->point || !b->point)
    return 0;
  return a->point->id < b->point->id ? -1 : a->point->id > b->point->id;
}

static int compare_ids(const void *left, const void *right) {
  const uint64_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

/* A point that a finding names is worth more than any share. */
static void raise_found(struct hp_report_row *rows, size_t count,
                        const hp_findings *findings) {
  for (size_t i = 0; i < hp_finding_count(findings); i++) {
    const struct hp_finding *f = hp_finding_at(findings, i);
    for (size_t k = 0; k < count; k++)
      if (bsearch(&rows[k].point->id, f->points, f->point_count,
                  sizeof *f->points, compare_ids))
        rows[k].weight += 3.0;
  }
}

static void add(struct hp_report_row *sum, const struct hp_report_row *row) {
  sum->points += row->points;
  sum->chunks = hp_add(sum->chunks, row->chunks);
  sum->bytes = hp_add(sum->bytes, row->bytes);
  sum->bytes_at_global_peak =
      hp_add(sum->bytes_at_global_peak, row->bytes_at_global_peak);
  sum->live_chunks = hp_add(sum->live_chunks, row->live_chunks);
  sum->live_bytes = hp_add(sum->live_bytes, row->live_bytes);
  sum->reads = hp_add(sum->reads, row->reads);
  sum->writes = hp_add(sum->writes, row->writes);
  sum->bytes_accessed = hp_add(sum->bytes_accessed, row->bytes_accessed);
  sum->samples = hp_add(sum->samples, row->samples);
  sum->weight += row->weight;
  if (!sum->type || !row->type || strcmp(sum->type, row->type) != 0)
    sum->type = NULL;
}

struct site {
  UT_hash_handle hh;
  const char *key;
  struct hp_report_row sum;
};

static int compare_sites(const struct site *a, const struct site *b) {
  return compare_rows(&a->sum, &b->sum);
}

/* Sums up ROWS from KEPT on, by site; of the smallest sites one more sum. */
static hp_status merge(struct hp_report_rows *rows, size_t kept, size_t most,
                       struct hp_store *store, struct hp_error *error) {
  struct hp_known_keys known = {0};
  struct site *sites = NULL, *next, *site;
  bool failed = false;
  for (size_t i = kept; i < rows->count && !failed; i++) {
    const char *key =
        hp_grouping_key(HP_BY_SITE, rows->items[i].point, &known, store);
    if (!key) {
      failed = true;
      break;
    }
    HASH_FIND_STR(sites, key, site);
    if (!site) {
      site = hp_store_take(store, 1, sizeof *site);
      if (!site) {
        failed = true;
        break;
      }
      site->key = key;
      site->sum.site = rows->items[i].point->site;
      site->sum.type = rows->items[i].type;
      HASH_ADD_KEYPTR(hh, sites, site->key, strlen(site->key), site);
    }
    add(&site->sum, &rows->items[i]);
  }
  rows->merged = rows->count - kept;
  rows->count = rows->kept = kept;
  HASH_SORT(sites, compare_sites);
  HASH_ITER(hh, sites, site, next) {
    struct hp_report_row *last = &rows->items[rows->count - 1];
    if (rows->count - kept < most) {
      rows->items[rows->count++] = site->sum;
    } else {
      last->site = NULL;
      add(last, &site->sum);
    }
  }
  HASH_CLEAR(hh, sites);
  return failed ? hp_fail_memory(error) : HP_OK;
}

hp_status hp_report_rows_make(struct hp_report_rows *rows,
                              const hp_profile *profile,
                              const struct hp_point *const *points,
                              size_t count, const hp_findings *findings,
                              size_t most, struct hp_error *error) {
  *rows = (struct hp_report_rows){0};
  rows->items = reallocarray(NULL, count + 1, sizeof *rows->items);
  if (!rows->items)
    return hp_fail_memory(error);
  for (size_t i = 0; i < count; i++)
    rows->items[i] = row_of(points[i], hp_profile_global(profile));
  rows->count = rows->kept = count;
  raise_found(rows->items, count, findings);
  if (count)
    qsort(rows->items, count, sizeof *rows->items, compare_rows);
  if (count <= most)
    return HP_OK;
  struct hp_store store = {0};
  hp_status status = merge(rows, most, most, &store, error);
  hp_store_free(&store);
  return status;
}

void hp_report_rows_free(struct hp_report_rows *rows) {
  free(rows->items);
  *rows = (struct hp_report_rows){0};
}
