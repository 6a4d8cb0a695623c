/* report_objects.c - see report_objects.h: chooses the rows, then writes column by column.
   Rows are by falling frequency, whichever were chosen.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report/report_objects.h"

#include <stdlib.h>

#include "base/failure.h"

hp_status hp_report_objects_make(struct hp_report_objects *objects,
                                 const struct hp_point *const *points,
                                 size_t count, struct hp_error *error) {
  struct hp_excess_rules rules = {
      .method = HP_EXCESS_IQR, .mu = HP_EXCESS_MU, .k = HP_EXCESS_K};
  *objects = (struct hp_report_objects){0};
  HP_TRY(hp_objects_make(&objects->all, points, count, false, error));
  const size_t all = hp_object_count(objects->all);
  objects->by_ratio = calloc(all + 1, sizeof *objects->by_ratio);
  if (!objects->by_ratio)
    return hp_fail_memory(error);
  HP_TRY(hp_objects_judge(objects->all, &rules, &objects->ratios, error));
  for (size_t i = 0; i < all; i++)
    objects->by_ratio[i] = hp_object_at(objects->all, i)->excessive;
  rules.method = HP_EXCESS_CLUSTERS;
  return hp_objects_judge(objects->all, &rules, &objects->clusters, error);
}

void hp_report_objects_free(struct hp_report_objects *objects) {
  hp_objects_free(objects->all);
  free(objects->by_ratio);
  *objects = (struct hp_report_objects){0};
}

/* ---- rows ---------------------------------------------------------------- */

struct rows {
  const struct hp_report_objects *objects;
  size_t *items; /* numbers of objects, ascending */
  size_t count;
};

static bool is_excessive(const struct hp_report_objects *objects, size_t i) {
  return objects->by_ratio[i] || hp_object_at(objects->all, i)->excessive;
}

static bool choose(struct rows *rows, size_t most) {
  const size_t all = hp_object_count(rows->objects->all);
  size_t left = most < all ? most : all, excessive = 0;
  rows->items = calloc(left + 1, sizeof *rows->items);
  if (!rows->items)
    return false;
  for (size_t i = 0; i < all; i++)
    excessive += is_excessive(rows->objects, i);
  size_t others = excessive < left ? left - excessive : 0;
  for (size_t i = 0; i < all && left; i++) {
    if (!is_excessive(rows->objects, i)) {
      if (!others)
        continue;
      others--;
    }
    rows->items[rows->count++] = i;
    left--;
  }
  return true;
}

/* ---- columns ------------------------------------------------------------- */

typedef void put_cell(struct hp_report_attempt *r,
                      const struct hp_report_objects *objects, size_t i);

static const struct hp_made_object *
object_at(const struct hp_report_objects *objects, size_t i) {
  return hp_object_at(objects->all, i);
}

static void put_size(struct hp_report_attempt *r,
                     const struct hp_report_objects *objects, size_t i) {
  const struct hp_made_object *o = object_at(objects, i);
  if (o->sizes_vary)
    hp_json_null(&r->j, NULL);
  else
    hp_json_integer(&r->j, NULL, o->size);
}

static void put_allocated_by(struct hp_report_attempt *r,
                             const struct hp_report_objects *objects,
                             size_t i) {
  const struct hp_frame *by = object_at(objects, i)->allocated_by;
  hp_report_put_name(r, NULL, hp_report_frame(r->names, by));
}

static void put_freed_by(struct hp_report_attempt *r,
                         const struct hp_report_objects *objects, size_t i) {
  const struct hp_frame *by = object_at(objects, i)->freed_by;
  hp_report_put_name(r, NULL, hp_report_frame(r->names, by));
}

static void put_others_too(struct hp_report_attempt *r,
                           const struct hp_report_objects *objects, size_t i) {
  hp_json_integer(&r->j, NULL, object_at(objects, i)->callers_vary);
}

static void put_reallocated(struct hp_report_attempt *r,
                            const struct hp_report_objects *objects, size_t i) {
  hp_json_integer(&r->j, NULL, object_at(objects, i)->reallocated);
}

static void put_frequency(struct hp_report_attempt *r,
                          const struct hp_report_objects *objects, size_t i) {
  hp_json_integer(&r->j, NULL, object_at(objects, i)->frequency);
}

static void put_lifetime(struct hp_report_attempt *r,
                         const struct hp_report_objects *objects, size_t i) {
  hp_json_number(&r->j, NULL, object_at(objects, i)->mean_lifetime_ns);
}

static void put_ratio(struct hp_report_attempt *r,
                      const struct hp_report_objects *objects, size_t i) {
  hp_json_number(&r->j, NULL, object_at(objects, i)->ratio);
}

static void put_cluster(struct hp_report_attempt *r,
                        const struct hp_report_objects *objects, size_t i) {
  const int cluster = object_at(objects, i)->cluster;
  if (cluster < 0)
    hp_json_null(&r->j, NULL);
  else
    hp_json_integer(&r->j, NULL, (uint64_t)cluster);
}

static void put_outlier(struct hp_report_attempt *r,
                        const struct hp_report_objects *objects, size_t i) {
  hp_json_integer(&r->j, NULL, objects->by_ratio[i]);
}

static void put_points(struct hp_report_attempt *r,
                       const struct hp_report_objects *objects, size_t i) {
  const struct hp_made_object *o = object_at(objects, i);
  hp_json_begin_array(&r->j, NULL);
  for (size_t k = 0; k < o->point_count; k++)
    hp_json_integer(&r->j, NULL, o->points[k]);
  hp_json_end_array(&r->j);
}

static const struct {
  const char *name;
  put_cell *put;
} columns[] = {{"size", put_size},
               {"allocated_by", put_allocated_by},
               {"freed_by", put_freed_by},
               {"freed_by_others_too", put_others_too},
               {"reallocated", put_reallocated},
               {"frequency", put_frequency},
               {"mean_lifetime_ns", put_lifetime},
               {"ratio", put_ratio},
               {"cluster", put_cluster},
               {"outlier", put_outlier},
               {"points", put_points}};

/* ---- the whole ----------------------------------------------------------- */

static void put_verdict(struct hp_json *j, const char *key,
                        const struct hp_excess_verdict *v) {
  hp_json_begin_object(j, key);
  hp_json_string(j, "verdict", hp_verdict_of_excess_name(v->verdict));
  hp_json_integer(j, "objects", v->objects);
  hp_json_integer(j, "members", v->members);
}

static void put_verdicts(struct hp_json *j,
                         const struct hp_report_objects *objects) {
  const struct hp_excess_verdict *v = &objects->ratios;
  put_verdict(j, "iqr", v);
  hp_json_number(j, "mu", HP_EXCESS_MU);
  if (v->verdict != HP_VERDICT_UNDETERMINED) {
    hp_json_number(j, "q1", v->q1);
    hp_json_number(j, "q3", v->q3);
    hp_json_number(j, "bound", v->bound);
  }
  hp_json_end_object(j);
  v = &objects->clusters;
  put_verdict(j, "clusters", v);
  hp_json_integer(j, "clusters", v->clusters);
  if (v->cluster < 0)
    hp_json_null(j, "cluster");
  else
    hp_json_integer(j, "cluster", (uint64_t)v->cluster);
  hp_json_end_object(j);
}

size_t hp_report_objects_put(struct hp_report_attempt *r,
                             const struct hp_report_objects *objects) {
  struct hp_json *j = &r->j;
  struct rows rows = {.objects = objects};
  r->failed = !choose(&rows, r->detail.objects) || r->failed;
  hp_json_begin_object(j, "objects");
  hp_json_integer(j, "count", hp_object_count(objects->all));
  hp_json_integer(j, "freed_nobody_knows_where",
                  hp_objects_unknown(objects->all));
  put_verdicts(j, objects);
  for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
    hp_json_begin_array(j, columns[c].name);
    for (size_t i = 0; i < rows.count; i++)
      columns[c].put(r, objects, rows.items[i]);
    hp_json_end_array(j);
  }
  hp_json_end_object(j);
  free(rows.items);
  return hp_object_count(objects->all) - rows.count;
}
