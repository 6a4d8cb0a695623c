/* heapprof_finding.h - what is wrong, where, what it costs and what to do.
   Made of the points of a query; docs/findings.md explains each rule.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_FINDING_H
#define HEAPPROF_FINDING_H

#include "heapprof_members.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HP_FINDING_CALLERS 3u

/* Shares are in [0, 1]; HP_NULL_SCORE if the whole is 0. */
struct hp_finding {
  const char *rule;   /* "growing", as docs/findings.md has them */
  const char *action; /* "reserve": a word for the remedy */
  bool certain;       /* a fact; false: it depends on what is meant */
  bool estimated;     /* from samples: so are its numbers */
  bool at_least;      /* a repair may save more allocations than are told */
  bool by_pages;      /* accesses were not seen: by the pages that had memory */
  const struct hp_frame *place; /* where to change something; never NULL */
  /* Who leads there, the nearest first, for the largest of the points; others
     lead to others if the way is only that of most. */
  const struct hp_frame *callers[HP_FINDING_CALLERS];
  size_t caller_count;
  bool callers_vary;
  /* What the place calls for it, as a put(buffer, byte) that lets the buffer grow, of the
     largest of the points: a repair may be there.  NULL: nothing but what allocates by its
     name.  It may vary, too. */
  const struct hp_frame *through;
  bool through_varies;
  const char *subject;             /* type or container; NULL: unknown */
  const struct hp_frame *freed_by; /* where most of the chunks were freed, of a
                                      rule about lives; NULL: not known */
  bool freed_by_others;            /* some of them elsewhere */
  const char *text, *remedy;       /* a sentence each */
  uint64_t chunks, bytes;          /* that it is about */
  uint64_t saved_chunks;           /* what a repair saves: allocations, */
  uint64_t saved_peak_bytes;   /* bytes live at the global peak, requested, */
  uint64_t saved_peak_memory;  /* and of the memory that malloc takes, */
  uint64_t saved_copied_bytes; /* bytes not copied, */
  uint64_t wasted_bytes;       /* bytes asked for that nobody used */
  double share_of_allocations, share_of_peak, share_of_memory, share_of_bytes;
  double cost_ns, share_of_time; /* what it takes today of all processor time,
                                    by docs/metrics.md; no promise */
  const uint64_t *points;        /* ids, ascending */
  size_t point_count;
  size_t other_lines;     /* of the place's function, where it is the same */
  size_t other_instances; /* of its template, at that line */
  /* What other rules say of the same line or points; these have none. */
  const struct hp_finding *const *also;
  size_t also_count;
};

/* Bugs first, then by falling sum of the shares of time and peak. */
typedef struct hp_findings hp_findings;

/* POINTS are points of PROFILE, no groups, and must stay valid. */
hp_status hp_findings_make(hp_findings **out, const hp_profile *profile,
                           const struct hp_point *const *points, size_t count,
                           struct hp_error *error);
void hp_findings_free(hp_findings *findings); /* NULL is allowed */

size_t hp_finding_count(const hp_findings *findings);
const struct hp_finding *hp_finding_at(const hp_findings *findings, size_t i);
/* What they know of record types, FINDINGS's: of all points of the profile. */
const hp_member_types *hp_findings_members(const hp_findings *findings);
/* A line of what only a run that counts members could tell; NULL: nothing more, or they
   were counted. */
const char *hp_findings_without_members(const hp_findings *findings);
/* Found, but too small to be worth a change. */
size_t hp_finding_small_count(const hp_findings *findings);
/* Which share of all allocations these would save together, at most, as two may be of one;
   0 if these are few. */
double hp_finding_small_share(const hp_findings *findings);

#ifdef __cplusplus
}
#endif
#endif
