/* exporters.h - one function a format.
   The table of formats in export.c names them all.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_EXPORTERS_H
#define HP_EXPORTERS_H

#include "heapprof_export.h"

/* One exporter each; see the table in export.c. */
typedef hp_status hp_export_writer(FILE *out, const struct hp_export *e,
                                   struct hp_error *error);
hp_export_writer hp_export_callgrind, hp_export_chrome, hp_export_dhat,
    hp_export_massif, hp_export_folded, hp_export_memprof, hp_export_pprof,
    hp_export_speedscope, hp_export_sqlite;

#endif
