/* heapprof_report.h - the report: one document, alone or inside one HTML page.
   docs/heapprof.report.schema.json describes the document.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_REPORT_H
#define HEAPPROF_REPORT_H

#include "heapprof.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An earlier run that the page compares with. */
struct hp_report_before {
  const char *document; /* of hp_report_write, document_only */
  size_t size;
  const struct hp_report_pair {
    uint64_t old_id, new_id; /* one point of both runs */
  } *pairs;
  size_t pair_count;
  const bool *has_row; /* by number: the document has the point one by one */
  const char *dump;
};

/* Grows at its end, as hp_open_options does. */
struct hp_report_options {
  size_t sz;
  bool document_only;     /* the JSON document without the page */
  const char *filter;     /* as hp_query has it; NULL: all points */
  uint64_t max_bytes;     /* of the whole output; 0 = 10 MiB, at least 1 MiB */
  bool no_sources;        /* leave the program's source lines out */
  const char *source_dir; /* where source files may be, too */
  const char *sets_file;  /* as hp_set_options has it */
  const struct hp_report_before *before; /* NULL: none */
  bool *has_row; /* is set by the number of each point that is shown one by one;
                    NULL: nobody asks */
};

/* Writes to OUT; errors of the stream stay there.  What had to be left out to
   keep the size is said in the document.  O may be NULL.  The profile's last
   query answer is lost. */
hp_status hp_report_write(FILE *out, hp_profile *profile,
                          const struct hp_report_options *o,
                          struct hp_error *error);

#ifdef __cplusplus
}
#endif
#endif
