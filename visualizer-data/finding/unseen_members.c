/* unseen_members.c - see unseen_members.h: chunks that several threads write, and the
   type that has most of the peak.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/unseen_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(element) (failed = true)
#include <uthash.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "finding/finding_words.h"
#include "finding/suspect.h"
#include "heapprof_members.h"
#include "resolve/type_symbol.h"
#include "type_text.h"

#define WRITES 1000u        /* of a chunk, as of findings of false sharing */
#define SHARED_BYTES 8u     /* less has no two parts */
#define RECORD_BYTES 24u    /* nor members that could go; */
#define RECORD_MOST 1024u   /* more is a block, or a table */
#define PEAK_BYTES 1048576u /* of a type, and so great a share: */
#define PEAK_PART 4u
#define FEW_SAMPLES 8u /* one large chunk among them may be all of the peak */

static bool any_counted(const hp_profile *profile,
                        const struct hp_point *const *points, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (hp_point_members(profile, points[i]))
      return true;
  return false;
}

/* ---- threads --------------------------------------------------------------- */

/* What the C++ library has of its own, as a barrier does, nobody can part. */
static bool is_written_by_threads(const struct hp_point *p) {
  return p->place && !(p->type && strncmp(p->type, "std::__", 7) == 0) &&
         hp_shows(p, HP_INF_multithread) && p->size.defined &&
         p->size.max >= SHARED_BYTES && p->chunks && !p->samples &&
         p->writes / p->chunks >= WRITES;
}

static void put_shared(FILE *out, const struct hp_point *const *points,
                       size_t count) {
  const struct hp_point *first = NULL;
  size_t others = 0;
  for (size_t i = 0; i < count; i++) {
    if (!is_written_by_threads(points[i]))
      continue;
    if (first)
      others++;
    if (!first || points[i]->writes > first->writes)
      first = points[i];
  }
  if (!first)
    return;
  fputs("other threads access what ", out);
  hp_put_place(out, first->place);
  fputs(" allocates", out);
  if (others)
    fprintf(out, ", and %zu point%s more", others, others == 1 ? "" : "s");
  fputs(": whether they write to one cache line,", out);
}

/* ---- types ----------------------------------------------------------------- */

static bool is_record(const struct hp_point *p) {
  return p->type && p->element_size >= RECORD_BYTES &&
         p->element_size <= RECORD_MOST && !hp_type_is_scalar(p->type) &&
         strncmp(p->type, "std::", 5) != 0;
}

struct of_type {
  UT_hash_handle hh;
  uint64_t bytes;   /* at the peak */
  uint64_t samples; /* that they are estimated from; 0: counted */
  const char *type;
};

/* *LARGEST has most of the peak; its type is NULL if there is none.  False without
   memory. */
static bool find_largest(struct of_type *largest,
                         const struct hp_point *const *points, size_t count,
                         struct hp_store *store) {
  struct of_type *all = NULL, *one;
  bool failed = false;
  *largest = (struct of_type){0};
  for (size_t i = 0; i < count && !failed; i++) {
    if (!is_record(points[i]) || !points[i]->bytes_at_global_peak)
      continue;
    HASH_FIND_STR(all, points[i]->type, one);
    if (!one && (one = hp_store_take(store, 1, sizeof *one))) {
      one->type = points[i]->type;
      HASH_ADD_KEYPTR(hh, all, one->type, strlen(one->type), one);
    }
    if ((failed = failed || !one))
      break;
    one->bytes = hp_add(one->bytes, points[i]->bytes_at_global_peak);
    one->samples = hp_add(one->samples, points[i]->samples);
    if (one->bytes > largest->bytes)
      *largest = *one;
  }
  HASH_CLEAR(hh, all);
  return !failed;
}

static bool put_type(FILE *out, const hp_profile *profile,
                     const struct hp_point *const *points, size_t count,
                     bool goes_on, struct hp_store *store) {
  struct of_type largest;
  const struct hp_global *all = hp_profile_global(profile);
  if (!find_largest(&largest, points, count, store))
    return false;
  if (largest.bytes < PEAK_BYTES ||
      largest.bytes < all->peak_bytes / PEAK_PART ||
      (largest.samples && largest.samples < FEW_SAMPLES))
    return true;
  char *brief = hp_type_short(largest.type);
  if (brief)
    fprintf(out, "%swhich members of %s (%s%.0f %% of the peak) are used,",
            goes_on ? " and " : "", brief, all->sampled ? "~" : "",
            100 * (double)largest.bytes / (double)all->peak_bytes);
  free(brief);
  return brief;
}

/* ---- both ------------------------------------------------------------------ */

hp_status hp_unseen_members_tell(const char **text, const hp_profile *profile,
                                 const struct hp_point *const *points,
                                 size_t count, struct hp_store *store,
                                 struct hp_error *error) {
  char *line = NULL;
  size_t size = 0;
  *text = NULL;
  if (any_counted(profile, points, count))
    return HP_OK;
  FILE *out = open_memstream(&line, &size);
  if (!out)
    return hp_fail_memory(error);
  put_shared(out, points, count);
  bool good = put_type(out, profile, points, count, ftell(out) > 0, store);
  const bool is_empty = ftell(out) == 0;
  fputs(" a run with members=1 says, of a program that was compiled with "
        "-fsanitize-heapprof-members",
        out);
  good = fclose(out) == 0 && good;
  if (good && !is_empty)
    good = (*text = hp_store_text(store, line, size));
  free(line);
  return good ? HP_OK : hp_fail_memory(error);
}
