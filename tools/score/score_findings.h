/* score_findings.h - the findings as a person reads them in a terminal.
   The same, with exact numbers, are in the JSON document.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_FINDINGS_H
#define HP_SCORE_FINDINGS_H

#include "heapprof_finding.h"

#include <stdio.h>

void hp_score_findings(FILE *out, const hp_profile *profile,
                       const hp_findings *findings, size_t limit, size_t width,
                       bool color);

#endif
