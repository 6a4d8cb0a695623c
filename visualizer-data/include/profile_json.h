/* profile_json.h - parts of a profile that more than one JSON document has.
   docs/heapprof.score.schema.json describes them; additive changes only.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_PROFILE_JSON_H
#define HP_PROFILE_JSON_H

#include "heapprof_finding.h"
#include "heapprof_globals.h"
#include "json_writer.h"

/* Members "processes" and "warnings"; "global"; "findings" and
   "findings_too_small". */
void hp_json_processes(struct hp_json *j, const hp_profile *profile);
/* Members "mappings", at most LIMIT of each process, and "mappings_not_shown";
   "globals", at most LIMIT variables of each module. */
void hp_json_mappings(struct hp_json *j, const hp_profile *profile,
                      size_t limit);
void hp_json_globals(struct hp_json *j, const hp_globals *globals,
                     size_t limit);
void hp_json_global(struct hp_json *j, const hp_profile *profile);
/* Member "set": null if the profile is whole. */
void hp_json_set(struct hp_json *j, const hp_profile *profile);
/* An element of "timelines"; null if COUNT is 0. */
void hp_json_timeline(struct hp_json *j, const struct hp_interval *intervals,
                      size_t count);
void hp_json_means(struct hp_json *j, const char *key,
                   const struct hp_global_score *means);
void hp_json_findings(struct hp_json *j, const hp_findings *findings);

/* Members of a point: its amounts, "chunks" to "bytes_accessed"; what is known of
   accesses; "pages" and "sampled_pages", null if nothing is known; "resizes"
   and "contents", null if none is; "teardown" and "initialised", null if no chunk was watched;
   "pool", null if of none, and "blocks", null if no chunk was cut up; "stack". */
void hp_json_amounts(struct hp_json *j, const struct hp_point *p);
void hp_json_accesses(struct hp_json *j, const struct hp_point *p);
void hp_json_pages(struct hp_json *j, const struct hp_point *p);
void hp_json_resizes(struct hp_json *j, const struct hp_point *p);
void hp_json_teardown(struct hp_json *j, const struct hp_point *p);
void hp_json_initialised(struct hp_json *j, const struct hp_point *p);
void hp_json_contents(struct hp_json *j, const struct hp_point *p);
void hp_json_blocks(struct hp_json *j, const struct hp_point *p);
void hp_json_stack(struct hp_json *j, const struct hp_point *p);

/* The scores themselves, into an object that is begun. */
void hp_json_scores(struct hp_json *j, const struct hp_scores *scores);

/* A member KEY: null if SCORE is HP_NULL_SCORE, NUMBER is 0, FRAME is NULL. */
void hp_json_score(struct hp_json *j, const char *key, double score);
void hp_json_known(struct hp_json *j, const char *key, uint64_t number);

/* A site is a frame without the two members that tell where in a stack it is.
 */
void hp_json_frame(struct hp_json *j, const char *key,
                   const struct hp_frame *frame, bool in_stack);

#endif
