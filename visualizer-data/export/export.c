/* export.c - the table of formats.
   A new format is one file with one function, and one line here.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "export/exporters.h"

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
