/* report_chunks.h - the chunks that a page asks its sets of, in columns, packed.
   Of a point with many some are evenly chosen; each then stands for others.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_CHUNKS_H
#define HP_REPORT_CHUNKS_H

#include "report/report_attempt.h"

/* Puts the member "log": what the language of sets asks of processes and of
   chunks, R->detail.asked of all rows at most. */
void hp_report_chunks_put(struct hp_report_attempt *r);

#endif
