/* report_names.h - the report's tables of texts and frames, each kept once.
   Rows and frames name them by number, so that the document stays small.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_NAMES_H
#define HP_REPORT_NAMES_H

#include "heapprof.h"
#include "json_writer.h"

typedef struct hp_report_names hp_report_names;

#define HP_NO_NAME (-1)   /* NULL has no number */
#define HP_NAME_FULL (-2) /* without memory */

hp_report_names *hp_report_names_new(void);
void hp_report_names_free(hp_report_names *names);

/* Numbers from 0, in the order of asking. */
int64_t hp_report_text(hp_report_names *names, const char *text);
int64_t hp_report_frame(hp_report_names *names, const struct hp_frame *frame);

/* Members "frames" (columns) and "strings". */
void hp_report_names_put(const hp_report_names *names, struct hp_json *j);

#endif
