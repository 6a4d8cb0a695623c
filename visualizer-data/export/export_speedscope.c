/* export_speedscope.c - speedscope's own JSON, one profile per metric.
   Frames are shared; each sample is the stack of one point, root first.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"

#include "base/failure.h"
#include "base/numbered_text.h"
#include "base/saturate.h"
#include "export/export_number.h"
#include "export/export_text.h"
#include "json_writer.h"

#include <inttypes.h>
#include <stdlib.h>

/* The indices of all stacks, one point behind the other, root first. */
struct stacks {
  size_t *indices;
  size_t *ends; /* of each point */
};

/* A frame is written when its text is new, so that the order is the number. */
static bool put_frame(struct hp_json *j, struct hp_numbered *frames,
                      struct hp_line *key, const struct hp_frame *f,
                      size_t *index) {
  size_t before = frames->count;
  hp_line_clear(key);
  hp_line_function(key, f, "");
  hp_line_print(key, "\n%s\n%" PRIu32 ":%" PRIu32, f->file ? f->file : "",
                hp_sure_line(f), f->column);
  *index = key->failed ? HP_NO_NUMBER : hp_number_of(frames, key->text);
  if (*index == HP_NO_NUMBER)
    return false;
  if (frames->count == before)
    return true;
  hp_line_clear(key);
  hp_line_function(key, f, "");
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "name", key->text);
  if (f->file)
    hp_json_string(j, "file", f->file);
  if (hp_sure_line(f))
    hp_json_integer(j, "line", f->line);
  if (f->column)
    hp_json_integer(j, "col", f->column);
  hp_json_end_object(j);
  return true;
}

static bool put_frames(struct hp_json *j, const struct hp_export *e,
                       struct stacks *stacks) {
  struct hp_numbered frames = {0};
  struct hp_line key = {0};
  size_t n = 0;
  bool ok = true;
  hp_json_begin_object(j, "shared");
  hp_json_begin_array(j, "frames");
  for (size_t i = 0; i < e->count && ok; i++) {
    const struct hp_point *p = e->points[i];
    for (size_t k = p->stack_count; k-- > 0 && ok;)
      ok = put_frame(j, &frames, &key, p->stack[k], &stacks->indices[n++]);
    stacks->ends[i] = n;
  }
  hp_json_end_array(j);
  hp_json_end_object(j);
  hp_numbered_free(&frames);
  hp_line_free(&key);
  return ok;
}

static void put_profile(struct hp_json *j, const struct hp_export *e,
                        const struct stacks *stacks,
                        enum hp_export_metric metric) {
  const char *unit = hp_export_metric_unit(metric);
  uint64_t sum = 0;
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "type", "sampled");
  const char *caveat = hp_export_caveat(e);
  struct hp_line name = {0};
  hp_line_print(&name, "%s%s%s", hp_export_metric_text(metric),
                caveat ? ", " : "", caveat ? caveat : "");
  hp_json_string(j, "name", name.text);
  hp_line_free(&name);
  hp_json_string(j, "unit", unit[0] == 'b' ? "bytes" : "none");
  hp_json_begin_array(j, "samples");
  for (size_t i = 0; i < e->count; i++) {
    if (hp_export_metric_of(metric, e->points[i]) == 0)
      continue;
    hp_json_begin_array(j, NULL);
    for (size_t k = i ? stacks->ends[i - 1] : 0; k < stacks->ends[i]; k++)
      hp_json_integer(j, NULL, stacks->indices[k]);
    hp_json_end_array(j);
  }
  hp_json_end_array(j);
  hp_json_begin_array(j, "weights");
  for (size_t i = 0; i < e->count; i++) {
    uint64_t value = hp_export_metric_of(metric, e->points[i]);
    if (value)
      hp_json_integer(j, NULL, value);
    sum = hp_add(sum, value);
  }
  hp_json_end_array(j);
  hp_json_integer(j, "startValue", 0);
  hp_json_integer(j, "endValue", sum);
  hp_json_end_object(j);
}

static void put_exporter(struct hp_json *j, const struct hp_export *e) {
  struct hp_line line = {0};
  const struct hp_process *first = hp_process_at(e->profile, 0);
  hp_line_print(&line, "heapprof@%s", e->version);
  hp_json_string(j, "exporter", line.text);
  hp_line_clear(&line);
  if (first)
    hp_line_process(&line, first, "");
  hp_json_string(j, "name", line.text);
  hp_line_free(&line);
}

hp_status hp_export_speedscope(FILE *out, const struct hp_export *e,
                               struct hp_error *error) {
  static const enum hp_export_metric shown[] = {
      HP_EXPORT_bytes_at_global_peak, HP_EXPORT_bytes, HP_EXPORT_chunks,
      HP_EXPORT_live_bytes, HP_EXPORT_unused};
  struct hp_json j = {.out = out, .first = true};
  struct stacks stacks;
  size_t frames = 0;
  bool ok;
  for (size_t i = 0; i < e->count; i++)
    frames += e->points[i]->stack_count;
  stacks.indices = calloc(frames + 1, sizeof *stacks.indices);
  stacks.ends = calloc(e->count + 1, sizeof *stacks.ends);
  ok = stacks.indices && stacks.ends;
  if (ok) {
    hp_json_begin_object(&j, NULL);
    hp_json_string(&j, "$schema",
                   "https://www.speedscope.app/file-format-schema.json");
    put_exporter(&j, e);
    ok = put_frames(&j, e, &stacks);
  }
  if (ok) {
    hp_json_begin_array(&j, "profiles");
    for (size_t i = 0; i < sizeof shown / sizeof *shown && !ferror(out); i++)
      put_profile(&j, e, &stacks, shown[i]);
    hp_json_end_array(&j);
    hp_json_end_object(&j);
  }
  free(stacks.indices);
  free(stacks.ends);
  return ok ? HP_OK : hp_fail_memory(error);
}
