/* export_chrome.c - trace events: the heap over time, a counter for each kind.
   For Perfetto and chrome://tracing; one interval of the dump is one step.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"
#include "heapprof_set.h"

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

/* What is told of a process: its own, or a set's. */
struct told {
  const struct hp_process *process;
  const struct hp_interval *intervals;
  size_t count;
  bool is_set;
};

static struct told told_of(const struct hp_export *e, size_t i) {
  const struct hp_process *p = hp_process_at(e->profile, i);
  struct told told = {p, p->intervals, p->interval_count, e->is_filtered};
  if (e->is_filtered)
    told.intervals = hp_set_intervals(e->profile, i, &told.count);
  return told;
}

static uint64_t live_at_end(const struct hp_export *e,
                            const struct told *told) {
  uint64_t live = 0;
  if (!told->is_set)
    return told->process->live_bytes_at_end;
  for (size_t i = 0; i < e->count; i++)
    if (e->points[i]->process == told->process)
      live += e->points[i]->live_bytes;
  return live;
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
static bool put_process(struct hp_json *j, const struct hp_export *e,
                        const struct told *told) {
  const struct hp_process *p = told->process;
  bool ok = put_name(j, p, hp_export_caveat(e));
  for (size_t i = 0; i < told->count && ok && !ferror(j->out); i++) {
    const struct hp_interval *in = &told->intervals[i];
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
  if (!told->is_set)
    put_peak(j, p);
  const uint64_t live = live_at_end(e, told);
  put_counter(j, p, p->window_ns, "live bytes, most", "bytes", live);
  put_counter(j, p, p->window_ns, "live bytes, least", "bytes", live);
  put_counter(j, p, p->window_ns, "allocations", "chunks", 0);
  put_counter(j, p, p->window_ns, "bytes allocated", "bytes", 0);
  return ok;
}

/* True if a process of E has a timeline. */
static bool has_any(const struct hp_export *e) {
  for (size_t i = 0; i < hp_process_count(e->profile); i++)
    if (told_of(e, i).count)
      return true;
  return false;
}

hp_status hp_export_chrome(FILE *out, const struct hp_export *e,
                           struct hp_error *error) {
  struct hp_json j = {.out = out, .first = true};
  bool ok = true;
  if (!has_any(e))
    return hp_fail(error, HP_E_ARGUMENT, "%s",
                   e->is_filtered
                       ? "the timeline of a set is in a log of all chunks "
                         "only, and chrome holds nothing else; leave --filter "
                         "out, or profile with HEAPPROF_OPTIONS=chunk_log=all"
                       : "no dump has a timeline, and chrome holds nothing "
                         "else; profile the program again");
  hp_json_begin_object(&j, NULL);
  hp_json_string(&j, "displayTimeUnit", "ms");
  hp_json_begin_array(&j, "traceEvents");
  for (size_t i = 0; i < hp_process_count(e->profile) && ok; i++) {
    const struct told told = told_of(e, i);
    if (told.count)
      ok = put_process(&j, e, &told);
  }
  hp_json_end_array(&j);
  hp_json_end_object(&j);
  return ok ? HP_OK : hp_fail_memory(error);
}
