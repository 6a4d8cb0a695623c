/* diff_json.c - the document heapprof.diff/1: every row, noise marked.
   Members of a side are those of the document heapprof.score/1.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "diff.h"

#include "profile_json.h"

static void put_side(struct hp_json *j, const char *key,
                     const struct hp_point *p) {
  if (!p) {
    hp_json_null(j, key);
    return;
  }
  hp_json_begin_object(j, key);
  hp_json_integer(j, "id", p->id);
  hp_json_frame(j, "site", p->site, false);
  hp_json_frame(j, "place", p->place, false);
  hp_json_amounts(j, p);
  hp_json_begin_object(j, "scores");
  hp_json_scores(j, &p->scores);
  hp_json_end_object(j);
  hp_json_end_object(j);
}

static void put_row(struct hp_json *j, const struct hp_diff_row *row) {
  const struct hp_point *any =
      row->pair.new_point ? row->pair.new_point : row->pair.old_point;
  hp_json_begin_object(j, NULL);
  if (any->key)
    hp_json_string(j, "key", any->key);
  hp_json_string(j, "status", hp_diff_status(&row->pair));
  hp_json_bool(j, "noise", row->noise);
  hp_json_string(j, "type", any->type);
  put_side(j, "old", row->pair.old_point);
  put_side(j, "new", row->pair.new_point);
  hp_json_stack(j, any);
  hp_json_end_object(j);
}

static void put_profile(struct hp_json *j, const char *key,
                        const hp_profile *profile) {
  hp_json_begin_object(j, key);
  hp_json_processes(j, profile);
  hp_json_global(j, profile);
  hp_json_set(j, profile);
  hp_json_end_object(j);
}

void hp_diff_json(FILE *out, const struct hp_diff *d) {
  struct hp_json j = {.out = out, .first = true};
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "schema", "heapprof.diff/1");
  put_profile(&j, "old", d->old_profile);
  put_profile(&j, "new", d->new_profile);
  hp_json_string(&j, "by", d->by ? d->by : "point");
  hp_json_string(&j, "sort", hp_diff_metric_name(d->metric));
  hp_json_number(&j, "threshold_percent", d->threshold);
  hp_json_begin_array(&j, "rows");
  for (size_t i = 0; i < d->count && !ferror(out); i++)
    put_row(&j, &d->rows[i]);
  hp_json_end_array(&j);
  hp_json_end_object(&j);
}
