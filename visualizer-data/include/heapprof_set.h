/* heapprof_set.h - sets of chunks: a profile is asked of some of its chunks only.
   The language is that of docs/sets.md, which hp_query.filter has, too.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_SET_H
#define HEAPPROF_SET_H

#include "heapprof.h"

#ifdef __cplusplus
extern "C" {
#endif

struct hp_set_options {
  size_t sz;
  const char *filter;    /* NULL: all chunks */
  const char *sets_file; /* NULL: the file "sets" of each dump that has one */
  /* Of two runs that are compared: which points, by their numbers, are paired with
     one that has chunks in the set NAME of the old or new run.  NULL: no others
     are known. */
  hp_status (*find_side)(void *context, bool is_new, const char *name,
                         const bool **has, struct hp_error *error);
  void *context;
};

/* From now on PROFILE answers of the chunks that are in the set: its points have
   the numbers of those only, and those without any are in no answer.  Processes
   and hp_profile_global() stay those of the whole.  To be asked once; a query of
   the same filter is then of the set.  What the log is needed for and cannot
   tell is an error. */
hp_status hp_profile_keep(hp_profile *profile,
                          const struct hp_set_options *options,
                          struct hp_error *error);

/* Sets HAS of the number of each point that has a chunk in the set NAME, which
   must be the name of one.  PROFILE must still be whole, and stays so. */
hp_status hp_profile_has_set(hp_profile *profile, const char *name,
                             const char *sets_file, bool *has,
                             struct hp_error *error);

/* Sets that have names, as SETS_FILE has them (NULL: each dump's own file), in
   order; what is wrong with one is an error. */
struct hp_set_text {
  const char *name, *text;
};
hp_status hp_profile_sets(hp_profile *profile, const char *sets_file,
                          const struct hp_set_text **sets, size_t *count,
                          struct hp_error *error);

/* What is in the set, beside the whole. */
struct hp_chunk_set {
  const char *filter;
  bool is_of_log; /* chunks were asked one by one; else points say it all */
  uint64_t points, parts; /* parts: points that also have other chunks */
  uint64_t chunks, bytes, live_chunks, live_bytes;
  uint64_t peak_bytes;
  bool peak_known;                  /* by the log, which has them all */
  bool estimated;                   /* from a thinned log, or samples */
  double chunks_error, bytes_error; /* standard errors; 0: exact */
  struct hp_global_score lifetime, usage, useful_lifetime; /* of its points */
};

/* NULL: the profile is whole. */
const struct hp_chunk_set *hp_profile_set(const hp_profile *profile);

/* The set's timeline in the intervals of process I, without resident bytes;
   *COUNT is 0 if it is not known. */
const struct hp_interval *hp_set_intervals(const hp_profile *profile, size_t i,
                                           size_t *count);

#ifdef __cplusplus
}
#endif
#endif
