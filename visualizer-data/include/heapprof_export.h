/* heapprof_export.h - profiles in the files that other tools read.
   One table of formats; every number is one of struct hp_point, unrounded.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_EXPORT_H
#define HEAPPROF_EXPORT_H

#include "heapprof_members.h"
#include "heapprof_object.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Numbers of a point that add up over points, named as in the JSON document.
   X(name, member of hp_point, unit, text) */
#define HP_EXPORT_METRICS(X)                                                   \
  X(bytes, bytes, "bytes", "bytes requested in all")                           \
  X(chunks, chunks, "count", "chunks allocated in all")                        \
  X(bytes_at_global_peak, bytes_at_global_peak, "bytes",                       \
    "bytes live when the profile was at its peak")                             \
  X(live_bytes, live_bytes, "bytes", "bytes live at the end")                  \
  X(live_chunks, live_chunks, "count", "chunks live at the end")               \
  X(reads, reads, "count", "reads")                                            \
  X(writes, writes, "count", "writes")                                         \
  X(bytes_accessed, bytes_accessed, "bytes", "bytes accessed at least once")   \
  X(unused, inferences[HP_INF_unused].bytes, "bytes",                          \
    "bytes of chunks never read nor written")                                  \
  X(write_only, inferences[HP_INF_write_only].bytes, "bytes",                  \
    "bytes of chunks written but never read")
enum hp_export_metric {
#define X(name, member, unit, text) HP_EXPORT_##name,
  HP_EXPORT_METRICS(X)
#undef X
      HP_EXPORT_METRIC_COUNT
};
const char *hp_export_metric_name(enum hp_export_metric metric);
const char *hp_export_metric_unit(enum hp_export_metric metric);
const char *hp_export_metric_text(enum hp_export_metric metric);
uint64_t hp_export_metric_of(enum hp_export_metric metric,
                             const struct hp_point *point);

/* What is to be written: points of one query of PROFILE, by point. */
struct hp_export {
  const hp_profile *profile;
  const struct hp_point *const *points;
  size_t count;
  bool is_filtered;             /* they are not all points */
  enum hp_export_metric metric; /* of formats that have one number a stack */
  const char *version;          /* of the program that writes */
};

struct hp_export_format {
  const char *name, *text;
  bool binary;     /* nothing for a terminal */
  bool has_metric; /* writes hp_export.metric only */
  /* Errors of OUT stay there: ask ferror(). */
  hp_status (*write)(FILE *out, const struct hp_export *e,
                     struct hp_error *error);
};

/* NULL past the last. */
const struct hp_export_format *hp_export_format_at(size_t i);

/* One line per point or group, as RFC 4180 has it.  Columns are named like the
   members of the JSON document; new ones come last, the stack behind them. */
void hp_export_csv(FILE *out, const struct hp_point *const *points,
                   size_t count, bool stacks);

/* The same of the first LIMIT objects; JUDGED: by hp_objects_judge(). */
void hp_export_objects_csv(FILE *out, const hp_objects *objects, size_t limit,
                           bool judged, bool stacks);

/* The same of members of the first LIMIT types. */
void hp_export_members_csv(FILE *out, const hp_member_types *types,
                           size_t limit);

#ifdef __cplusplus
}
#endif
#endif
