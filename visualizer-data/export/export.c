/* export.c - the table of formats and of the metrics they carry.
   A new format is one file with one function, and one line here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/export.h"

#include <math.h>

static hp_status csv(FILE *out, const struct hp_export *e,
                     struct hp_error *error) {
  (void)error;
  hp_export_csv(out, e->points, e->count, true);
  return HP_OK;
}

static const struct hp_export_format formats[] = {
    {"callgrind", "call graph: KCachegrind, callgrind_annotate", false, false,
     hp_export_callgrind},
    {"chrome", "the heap over time: Perfetto, chrome://tracing", false, false,
     hp_export_chrome},
    {"csv", "a line per point: spreadsheets, DuckDB, pandas", false, false,
     csv},
    {"dhat", "dh_view.html, Firefox Profiler", false, false, hp_export_dhat},
    {"folded", "a line per stack: flamegraph.pl, inferno, speedscope", false,
     true, hp_export_folded},
    {"massif", "ms_print, massif-visualizer", false, false, hp_export_massif},
    {"memprof-yaml", "hints for clang: llvm-profdata merge", false, false,
     hp_export_memprof},
    {"pprof", "profile.proto: pprof, Pyroscope, Parca, Perfetto", true, false,
     hp_export_pprof},
    {"speedscope", "flame graphs: speedscope.app", false, false,
     hp_export_speedscope},
    {"sqlite", "a database: sqlite3", true, false, hp_export_sqlite},
};

const struct hp_export_format *hp_export_format_at(size_t i) {
  return i < sizeof formats / sizeof *formats ? &formats[i] : NULL;
}

/* ---- metrics ---------------------------------------------------------------
 */

static const struct {
  const char *name, *unit, *text;
} metrics[] = {
#define X(name, member, unit, text) {#name, unit, text},
    HP_EXPORT_METRICS(X)
#undef X
};

const char *hp_export_metric_name(enum hp_export_metric metric) {
  return metrics[metric].name;
}

const char *hp_export_metric_unit(enum hp_export_metric metric) {
  return metrics[metric].unit;
}

const char *hp_export_metric_text(enum hp_export_metric metric) {
  return metrics[metric].text;
}

uint64_t hp_export_metric_of(enum hp_export_metric metric,
                             const struct hp_point *point) {
  switch (metric) {
#define X(name, member, unit, text)                                            \
  case HP_EXPORT_##name:                                                       \
    return point->member;
    HP_EXPORT_METRICS(X)
#undef X
  case HP_EXPORT_METRIC_COUNT:
    break;
  }
  return 0;
}

uint64_t hp_export_lifetime_ns(const struct hp_point *p) {
  double sum = p->lifetime_ns.mean * (double)(p->chunks - p->live_chunks);
  if (!p->lifetime_ns.defined)
    return 0;
  return sum < 0x1p64 ? (uint64_t)llround(fmin(sum, 0x1p62)) : UINT64_MAX;
}

double hp_export_mean_life_ns(const struct hp_point *p) {
  if (p->lifetime_ns.defined)
    return p->lifetime_ns.mean;
  return p->process ? (double)p->process->window_ns : 0;
}

const char *hp_export_caveat(const struct hp_export *e) {
  return hp_profile_global(e->profile)->sampled ? "estimates from samples"
                                                : NULL;
}

hp_status hp_export_one_process(const struct hp_export *e, const char *format,
                                struct hp_error *error) {
  if (hp_process_count(e->profile) == 1)
    return HP_OK;
  return hp_fail(error, HP_E_ARGUMENT,
                 "%s holds one process, not %zu; give the dump of one", format,
                 hp_process_count(e->profile));
}
