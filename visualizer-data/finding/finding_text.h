/* finding_text.h - the two sentences of a finding: what it costs, what to do.
   Numbers are rounded; the exact ones are members of hp_finding.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_FINDING_TEXT_H
#define HP_FINDING_TEXT_H

#include "base/store.h"
#include "finding/finding_verdict.h"

/* Fills text and remedy; false without memory. */
bool hp_finding_describe(struct hp_verdict *verdict, struct hp_store *store);

#endif
