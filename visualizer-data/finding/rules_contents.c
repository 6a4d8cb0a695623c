/* rules_contents.c - findings of what chunks hold, in runs with the option contents.
   See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>

#include "base/saturate.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"
#include "finding/smaller_record.h"
#include "finding/zero_members.h"
#include "measure/paged_peak.h"

#define LOOKED_LEAST 16u /* chunks that others are like */
#define SIZE_LEAST 64    /* bytes: less has no room for anything sparse */

/* Whether what was looked at speaks for the point.  Of a library's own chunks in a
   program with hooks only what these saw is compared. */
static bool is_looked_at(const struct hp_suspect *s) {
  const struct hp_point *p = s->point;
  const struct hp_contents *c = &p->contents;
  return !s->origin.by_library && c->chunks &&
         (c->chunks >= p->chunks || c->chunks >= LOOKED_LEAST) &&
         (p->accesses_known || p->bytes_accessed == 0);
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void begin(const struct hp_suspect *s, struct hp_verdict *v,
                  uint64_t chunks, uint64_t bytes) {
  const struct hp_point *p = s->point;
  *v = hp_verdict_of(s, false);
  v->finding.chunks = chunks;
  v->finding.bytes = bytes;
  v->looked.some = p->contents.chunks;
  v->looked.of = p->chunks;
  v->holds_unseen = p->accesses_known && p->accesses_shared;
  v->finding.estimated |= v->looked.some < v->looked.of;
}

static void put_looked_at(FILE *out, const struct hp_verdict *v) {
  if (v->looked.some < v->looked.of)
    fprintf(out, " (%s were looked at)", hp_count_text(v->looked.some).s);
  if (v->holds_unseen)
    fputs(" as far as was seen", out);
}

/* ---- mostly_zero --------------------------------------------------------- */

/* Of what the point had at the peak, the bytes of sparse chunks.  Where a buffer grows,
   those that realloc ended say nothing of the last, which is what stays: all that is not
   sparse may be there. */
static uint64_t sparse_at_peak(const struct hp_point *p) {
  const uint64_t sparse = p->contents.all_sparse_bytes;
  const uint64_t dense = p->bytes > sparse ? p->bytes - sparse : 0;
  const uint64_t at_peak = p->bytes_at_global_peak;
  if (p->grown.chunks < p->chunks / 2 || !p->grown.chunks)
    return hp_paged_share(at_peak, sparse, p->bytes);
  return at_peak > dense ? at_peak - dense : 0;
}

/* Nothing but zeros as they are freed, though more was written than these: they may have
   been wiped for that, as std::unordered_map wipes its buckets. */
static bool may_be_wiped(const struct hp_point *p) {
  const struct hp_contents *c = &p->contents;
  return c->uniform_chunks >= c->sparse_chunks - c->uniform_chunks &&
         p->writes > p->chunks && p->resizes.calls < p->chunks / 2 &&
         p->live_chunks < p->chunks - p->live_chunks;
}

static bool is_mostly_zero(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_contents *c = &p->contents;
  if (!is_looked_at(s) || may_be_wiped(p) || p->size.mean < SIZE_LEAST ||
      c->all_sparse_bytes < p->bytes - c->all_sparse_bytes)
    return false;
  begin(s, v, c->all_sparse_chunks, c->all_sparse_bytes);
  v->zero_bytes = c->all_sparse_zero_bytes;
  const uint64_t at_peak = sparse_at_peak(p);
  v->finding.saved_peak_bytes =
      least(p->peak_touched_bytes,
            hp_paged_share(at_peak, v->zero_bytes, c->all_sparse_bytes));
  if (p->bytes_at_global_peak && !at_peak)
    return false;
  v->is_record = hp_record_own_type(s) != NULL;
  return !v->is_record || hp_zero_members_find(s, v);
}

static uint64_t memory_of_zeros(const struct hp_suspect *s,
                                const struct hp_verdict *v) {
  return v->record.less_bytes ? hp_record_memory_of_less(s, v)
                              : hp_memory_of_smaller(s, v);
}

static void put_zero_members(FILE *out, const struct hp_verdict *v) {
  if (v->record.is_sparse_array) {
    fprintf(out, ", most of them in %s of ", v->record.members);
    hp_record_put(out, v);
    return;
  }
  fputs("; of ", out);
  hp_record_put(out, v);
  if (v->record.member_names)
    fprintf(out, " %s %s always zero", v->record.members,
            v->record.member_names == 1 ? "is" : "are");
  if (v->record.narrow[0])
    fprintf(out, "%s small numbers are all of %s",
            v->record.member_names ? ", and" : "", v->record.narrow);
  fprintf(
      out, "; without that a record has %" PRIu64 " bytes instead of %" PRIu64,
      v->record.record_bytes - v->record.less_bytes, v->record.record_bytes);
}

static void put_mostly_zero(FILE *out, const struct hp_verdict *v) {
  const uint64_t bytes = v->finding.bytes;
  hp_put_chunks(out, v);
  fprintf(out, " %s mostly zero: %s%.0f %% of %s bytes", hp_are(&v->finding),
          v->finding.estimated ? "~" : "",
          bytes ? 100 * (double)v->zero_bytes / (double)bytes : 0,
          v->finding.chunks == 1 ? "its" : "their");
  put_looked_at(out, v);
  if (v->is_record)
    put_zero_members(out, v);
}

static void put_mostly_zero_remedy(FILE *out, const struct hp_verdict *v) {
  if (!v->is_record) {
    fputs(
        "Store it sparse, or in smaller numbers; keep none where all is zero.",
        out);
    return;
  }
  if (v->record.is_sparse_array) {
    fprintf(out, "Store %s sparse: what is set, and where.", v->record.members);
    return;
  }
  if (v->record.narrow[0])
    fprintf(out,
            "Declare integers as narrow as that where they stay so small: %s%s",
            v->record.narrow, v->record.member_names ? "; k" : ".");
  if (v->record.member_names)
    fprintf(out, "%seep %s beside the few records that need it.",
            v->record.narrow[0] ? "" : "K", v->record.members);
}

/* ---- duplicates ---------------------------------------------------------- */

/* Rounded up: less than four that all differ are no copies. */
static uint64_t quarter_of(uint64_t chunks) {
  return chunks / 4 + (chunks % 4 != 0);
}

/* What is sparse may be shared, and still be sparse: that is told which saves more. */
static bool saves_less_than_zeros(const struct hp_suspect *s,
                                  const struct hp_verdict *v) {
  struct hp_verdict zeros;
  return is_mostly_zero(s, &zeros) &&
         memory_of_zeros(s, &zeros) >
             hp_memory_of(s->point, v->finding.saved_peak_bytes);
}

/* Chunks that hold nothing but zeros are of the other rule: they need be no chunks. */
static bool is_duplicates(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_contents *c = &p->contents;
  if (!is_looked_at(s) || c->uniform_chunks >= c->chunks - c->uniform_chunks ||
      c->all_different > p->chunks - quarter_of(p->chunks))
    return false;
  begin(s, v, p->chunks, p->bytes);
  v->contents = c->all_different;
  const uint64_t needed = c->all_different_bytes;
  if (p->peak_touched_bytes > needed)
    v->finding.saved_peak_bytes = p->peak_touched_bytes - needed;
  return !saves_less_than_zeros(s, v);
}

static void put_duplicates(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out, " hold %s different content%s",
          hp_told_count(&v->finding, v->contents).s,
          v->contents == 1 ? "" : "s");
  put_looked_at(out, v);
}

static void put_duplicates_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs(
      "Share them: keep one chunk of each content, and copy it where it is to "
      "be changed.",
      out);
}

const struct hp_finding_rule hp_rules_contents[] = {
    {.name = "duplicates",
     .verb = "share",
     .least = 2,
     .judge = is_duplicates,
     .text = put_duplicates,
     .remedy = put_duplicates_remedy},
    {.name = "mostly_zero",
     .verb = "store sparse",
     .least = 1,
     .judge = is_mostly_zero,
     .text = put_mostly_zero,
     .remedy = put_mostly_zero_remedy,
     .memory = memory_of_zeros},
    {0}};
