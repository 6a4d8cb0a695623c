/* report_points.h - the rows of a report as columns.
   Of all rows first, then of those that are points.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_REPORT_POINTS_H
#define HP_REPORT_POINTS_H

#include "report/report_attempt.h"

void hp_report_put_points(struct hp_report_attempt *r);

#endif
