/* measure_point.h - one allocation point: its numbers, stack, type and misuse.
   By the aggregates where they answer what is asked, else by the log.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_MEASURE_POINT_H
#define HP_MEASURE_POINT_H

#include "profile/profile_inside.h"

/* S answers what the rules of PROCESS ask, though groups may be of a greater
   gap where there were too many. */
bool hp_sums_answer(const struct hp_profile_process *process,
                    const struct hp_summary *s);
/* There were so many groups that they were joined across greater gaps. */
bool hp_sums_are_coarse(const struct hp_profile_process *process,
                        const struct hp_summary *s);

/* Adds RAW, a point of the dump that PROCESS is the first of, to PROFILE, which
   has room for it. */
hp_status hp_point_measure(struct hp_profile *profile,
                           struct hp_profile_process *process,
                           const struct hp_dump_point *raw, bool from_log,
                           struct hp_error *error);

/* From now on POINT's numbers are those of CHUNKS, some of its logged ones, but
   for its peaks.  What no log has, such as where they were freed and what pages
   say, is no longer known. */
hp_status hp_point_measure_part(struct hp_profile *profile,
                                struct hp_profile_point *point,
                                const struct hp_chunks *chunks,
                                struct hp_error *error);

/* Nobody knows POINT's accesses after all, nor what follows from them. */
void hp_point_forget_accesses(struct hp_profile_point *point);

/* *SUM starts as {0}; its counts come from STORE. */
hp_status hp_histogram_add(struct hp_store *store, struct hp_histogram *sum,
                           const struct hp_histogram *part,
                           struct hp_error *error);

#endif
