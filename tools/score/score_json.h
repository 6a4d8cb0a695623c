/* score_json.h - the document heapprof.score/1, which every other tool relies
   on. Additive changes only; docs/heapprof.score.schema.json describes it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SCORE_JSON_H
#define HP_SCORE_JSON_H

#include "heapprof_finding.h"
#include "heapprof_generations.h"
#include "heapprof_globals.h"
#include "heapprof_members.h"
#include "score_options.h"

#include <stdio.h>

void hp_score_json(FILE *out, const struct hp_score_options *o,
                   const hp_profile *profile, const hp_findings *findings,
                   const hp_objects *objects,
                   const struct hp_excess_verdict *verdict,
                   const hp_globals *globals, const hp_member_types *members,
                   const hp_generations *generations,
                   const struct hp_point *const *points, size_t count);

#endif
