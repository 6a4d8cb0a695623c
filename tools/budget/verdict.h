/* verdict.h - each limit of a budget held against a profile.
   One verdict per limit, in the order of the budget.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_VERDICT_H
#define HP_VERDICT_H

#include "budget.h"

struct hp_verdict {
  const struct hp_limit *limit;
  struct hp_amount measured; /* undefined: a score over nothing */
  bool present;              /* the group is there; else it counts 0 */
  bool is_estimate;          /* not all chunks that are needed were kept */
  bool leaks_known; /* of all processes: else a limit of leaks is broken */
  bool exceeded;
  const char *file; /* where most of its bytes come from; NULL if unknown */
  uint32_t line;
};

/* VERDICTS has room for all limits.  Texts belong to PROFILE. */
hp_status hp_judge(hp_profile *profile, const struct hp_budget *budget,
                   struct hp_verdict *verdicts, struct hp_error *error);

/* ---- reports ------------------------------------------------------------- */

struct hp_report {
  const struct hp_verdict *verdicts;
  size_t count;
  const char *source_root; /* files below it are named from there; or NULL */
};
typedef void hp_report_writer(FILE *out, const struct hp_report *report);

/* NULL if there is no format of that name. */
hp_report_writer *hp_report_find(const char *format);

#endif
