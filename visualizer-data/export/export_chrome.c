/* export_chrome.c - trace events: the heap over time, a counter for each kind.
   For Perfetto and chrome://tracing; one interval of the dump is one step.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"

#include "base/failure.h"
#include "export/export_number.h"
#include "export/export_text.h"
#include "json_writer.h"

static void begin_event(struct hp_json *j, const struct hp_process *p,
                        const char *phase, const char *name, uint64_t ns) {
  hp_json_begin_object(j, NULL);
  hp_json_string(j, "name", name);
  hp_json_string(j, "ph", phase);
  hp_json_integer(j, "pid", p->pid);
  hp_json_integer(j, "tid", p->pid);
  hp_json_number(j, "ts", (double)ns / 1000); /* microseconds */
}

static void put_counter(struct hp_json *j, const struct hp_process *p,
                        uint64_t ns, const char *name, const char *unit,
                        uint64_t value) {
  begin_event(j, p, "C", name, ns);
  hp_json_begin_object(j, "args");
  hp_json_integer(j, unit, value);
  hp_json_end_object(j);
  hp_json_end_object(j);
}

static bool put_name(struct hp_json *j, const struct hp_process *p,
                     const char *caveat) {
  struct hp_line line = {0};
  bool ok;
  hp_line_process(&line, p, "");
  if (caveat)
    hp_line_print(&line, ", %s", caveat);
  ok = !line.failed;
  begin_event(j, p, "M", "process_name", 0);
  hp_json_begin_object(j, "args");
  hp_json_string(j, "name", line.text);
  hp_json_end_object(j);
  hp_json_end_object(j);
  hp_line_free(&line);
  return ok;
}

static void put_peak(struct hp_json *j, const struct hp_process *p) {
  begin_event(j, p, "i", "peak", p->peak_ns);
  hp_json_string(j, "s", "p");
  hp_json_begin_object(j, "args");
  hp_json_integer(j, "bytes", p->peak_bytes);
  hp_json_end_object(j);
  hp_json_end_object(j);
}

/* A counter keeps its value until its next event. */
static bool put_process(struct hp_json *j, const struct hp_process *p,
                        const char *caveat) {
  bool ok = put_name(j, p, caveat);
  for (size_t i = 0; i < p->interval_count && ok && !ferror(j->out); i++) {
    const struct hp_interval *in = &p->intervals[i];
    put_counter(j, p, in->begin_ns, "live bytes, most", "bytes", in->bytes_max);
    put_counter(j, p, in->begin_ns, "live bytes, least", "bytes",
                in->bytes_min);
    put_counter(j, p, in->begin_ns, "live chunks, most", "chunks",
                in->chunks_max);
    put_counter(j, p, in->begin_ns, "live chunks, least", "chunks",
                in->chunks_min);
    put_counter(j, p, in->begin_ns, "allocations", "chunks", in->allocations);
    put_counter(j, p, in->begin_ns, "bytes allocated", "bytes", in->bytes);
    if (in->resident_max)
      put_counter(j, p, in->begin_ns, "resident bytes, most", "bytes",
                  in->resident_max);
  }
  put_peak(j, p);
  put_counter(j, p, p->window_ns, "live bytes, most", "bytes",
              p->live_bytes_at_end);
  put_counter(j, p, p->window_ns, "live bytes, least", "bytes",
              p->live_bytes_at_end);
  put_counter(j, p, p->window_ns, "allocations", "chunks", 0);
  put_counter(j, p, p->window_ns, "bytes allocated", "bytes", 0);
  return ok;
}

hp_status hp_export_chrome(FILE *out, const struct hp_export *e,
                           struct hp_error *error) {
  struct hp_json j = {.out = out, .first = true};
  bool ok = true, any = false;
  if (e->is_filtered)
    return hp_fail(error, HP_E_ARGUMENT,
                   "chrome holds whole processes; leave --filter out");
  for (size_t i = 0; i < hp_process_count(e->profile); i++)
    any = any || hp_process_at(e->profile, i)->interval_count;
  if (!any)
    return hp_fail(error, HP_E_ARGUMENT,
                   "no dump has a timeline, and chrome holds nothing else; "
                   "profile the program again");
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "displayTimeUnit", "ms");
  hp_json_begin_array(&j, "traceEvents");
  for (size_t i = 0; i < hp_process_count(e->profile) && ok; i++)
    if (hp_process_at(e->profile, i)->interval_count)
      ok = put_process(&j, hp_process_at(e->profile, i), hp_export_caveat(e));
  hp_json_end_array(&j);
  hp_json_end_object(&j);
  return ok ? HP_OK : hp_fail_memory(error);
}
