/* rules_members.c - findings of what lies where inside a record: by its layout, and by what is
   accessed of it where that was counted.  See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"
#include "finding/smaller_record.h"

#define COUNTED_LEAST 16u /* chunks that others are like */
#define COLD_SHARE 4u /* of the chunks one in so many at most has it accessed */
#define COLD_LEAST 32u     /* bytes: less is not worth a pointer */
#define POINTER_BYTES 8u   /* which takes their place */
#define LINE_BYTES 64u     /* of a cache line */
#define LINE_PEAK 1048576u /* bytes of a type: fewer are in a cache anyway */
#define LINE_SHARE 4u      /* one in so many accesses of a type */
#define LINE_USES 10000u

static const struct hp_member_type *counted_type(const struct hp_suspect *s) {
  const struct hp_member_type *t = hp_record_own_type(s);
  return t && t->reads && t->lost <= hp_add(t->reads, t->writes) &&
                 (t->chunks_counted >= COUNTED_LEAST ||
                  t->chunks_counted >= t->chunks)
             ? t
             : NULL;
}

/* A chunk is counted until enough was, and what it is used for later is lost: others of many
   say it, of few nobody does. */
static const struct hp_member_type *seen_type(const struct hp_suspect *s) {
  const struct hp_member_type *t = counted_type(s);
  return t && (t->chunks_counted >= COUNTED_LEAST || !t->lost) ? t : NULL;
}

static void put_counted(FILE *out, const struct hp_verdict *v) {
  if (v->record.counted < v->record.counted_of)
    fprintf(out, " in any of %s chunks that were counted, of %s",
            hp_count_text(v->record.counted).s,
            hp_count_text(v->record.counted_of).s);
  else
    fprintf(out, " in any of %s chunk%s", hp_count_text(v->record.counted).s,
            v->record.counted == 1 ? "" : "s");
}

/* ---- unused_member ------------------------------------------------------- */

static bool is_unused_member(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_member_type *t = seen_type(s);
  bool *leave = t ? hp_record_choice(t) : NULL;
  bool any = false;
  if (!leave)
    return false;
  for (size_t i = 0; i < t->count; i++) {
    const struct hp_member *m = &t->members[i];
    leave[i] = m->kind == HP_MEMBER_FIELD && m->reads == 0 && !m->is_flexible;
    any = any || leave[i];
  }
  const uint64_t size = any ? hp_member_size_without(t, leave) : t->size;
  if (size < t->size && size > 0) {
    hp_record_begin(s, v);
    hp_record_name(v, t, leave);
    hp_record_take_less(s, v, t->size - size);
  }
  free(leave);
  return size < t->size && size > 0;
}

static void put_unused_member(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "%s of ", v->record.members);
  hp_record_put(out, v);
  fputs(v->record.member_names == 1 ? " is never read" : " are never read",
        out);
  put_counted(out, v);
  fprintf(
      out, "; without that a record has %" PRIu64 " bytes instead of %" PRIu64,
      v->record.record_bytes - v->record.less_bytes, v->record.record_bytes);
}

static void put_unused_member_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out,
          "Remove %s, or keep %s beside the few that need it; see whether "
          "code without hooks reads it.",
          v->record.members, v->record.member_names == 1 ? "it" : "them");
}

/* ---- cold_tail ----------------------------------------------------------- */

static bool is_cold(const struct hp_member_type *t, const struct hp_member *m) {
  return m->kind == HP_MEMBER_FIELD && m->reads && !m->is_flexible &&
         m->chunks_most <= t->chunks_counted / COLD_SHARE;
}

/* What is left of LESS bytes if each record gets a pointer, and those that need the
   rest allocate it. */
static uint64_t saved_by_pointer(uint64_t less, double needed) {
  const double saved = (double)less * (1 - needed) - (double)POINTER_BYTES;
  return saved > 0 ? (uint64_t)saved : 0;
}

static bool is_cold_tail(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_member_type *t = seen_type(s);
  bool *leave = t ? hp_record_choice(t) : NULL;
  uint64_t most = 0, begins = UINT64_MAX;
  bool is_hot = false;
  if (!leave)
    return false;
  for (size_t i = 0; i < t->count; i++) {
    const struct hp_member *m = &t->members[i];
    leave[i] = is_cold(t, m);
    if (leave[i]) {
      most = m->chunks_most > most ? m->chunks_most : most;
      begins = m->offset < begins ? m->offset : begins;
    }
    is_hot = is_hot || (!leave[i] && m->kind == HP_MEMBER_FIELD && m->reads);
  }
  const uint64_t size = is_hot && begins != UINT64_MAX
                            ? hp_member_size_without(t, leave)
                            : t->size;
  const uint64_t less = t->size - size;
  const double needed = (double)most / (double)t->chunks_counted;
  const uint64_t saved = saved_by_pointer(less, needed);
  const bool holds = less >= COLD_LEAST && saved >= COLD_LEAST / 2;
  if (holds) {
    hp_record_begin(s, v);
    hp_record_name(v, t, leave);
    v->record.member_bytes = less;
    v->record.needed_share = needed;
    hp_record_take_less(s, v, saved);
  }
  free(leave);
  return holds;
}

static void put_cold_tail(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "%s of ", v->record.members);
  hp_record_put(out, v);
  fprintf(out,
          ", %" PRIu64 " of its %" PRIu64
          " bytes, stay%s untouched in ~%.0f %% of the chunks (%s %s counted)",
          v->record.member_bytes, v->record.record_bytes,
          v->record.member_names == 1 ? "s" : "",
          100 * (1 - v->record.needed_share),
          hp_count_text(v->record.counted).s,
          v->record.counted == 1 ? "was" : "were");
}

static void put_cold_tail_remedy(FILE *out, const struct hp_verdict *v) {
  const bool is_one = v->record.member_names == 1;
  fprintf(out,
          "Split %s off: a pointer to a record of %s own, allocated where %s "
          "first needed.",
          is_one ? "it" : "them", is_one ? "its" : "their",
          is_one ? "it is" : "they are");
}

/* ---- padding ------------------------------------------------------------- */

/* Else something else lies behind the record, perhaps from its last member on. */
static bool is_all_records(const struct hp_point *p, uint64_t size) {
  return p->size.min % size == 0 && p->size.max % size == 0;
}

static bool is_padding(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_member_type *t = hp_record_own_type(s);
  if (!t || !t->order || t->reordered_size >= t->size ||
      !is_all_records(s->point, t->size))
    return false;
  hp_record_begin(s, v);
  v->record.order = t->order;
  v->record.member_bytes = t->hole_bytes;
  hp_record_take_less(s, v, t->size - t->reordered_size);
  return v->finding.saved_peak_bytes > 0;
}

static void put_padding(FILE *out, const struct hp_verdict *v) {
  hp_record_put(out, v);
  fprintf(out,
          " has %" PRIu64 " bytes of padding in its %" PRIu64
          " bytes; with its members sorted it has %" PRIu64 " bytes",
          v->record.member_bytes, v->record.record_bytes,
          v->record.record_bytes - v->record.less_bytes);
}

static void put_padding_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out,
          "Declare its members in this order, unless others rely on where they "
          "lie: %s.",
          v->record.order);
}

/* ---- split_line ---------------------------------------------------------- */

/* Members that fit a line, and lie so that they are in two whatever the address. */
static bool is_split(const struct hp_member_type *t,
                     const struct hp_member_burst *b, uint64_t *span) {
  uint64_t begin = UINT64_MAX, end = 0, bytes = 0;
  for (size_t i = 0; i < b->count; i++) {
    const struct hp_member *m = &t->members[b->members[i]];
    if (m->kind != HP_MEMBER_FIELD || m->count > 1 || m->is_flexible ||
        m->overlaps)
      return false;
    begin = m->offset < begin ? m->offset : begin;
    end = m->offset + m->size > end ? m->offset + m->size : end;
    bytes += m->size;
  }
  *span = end - begin;
  return *span > LINE_BYTES && bytes <= LINE_BYTES;
}

static bool is_split_line(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_member_type *t = counted_type(s);
  uint64_t span;
  if (!t || t->peak_bytes < LINE_PEAK)
    return false;
  for (size_t i = 0; i < t->burst_count; i++) {
    const struct hp_member_burst *b = &t->bursts[i];
    if (b->accesses < LINE_USES ||
        b->accesses < hp_add(t->reads, t->writes) / b->count / LINE_SHARE)
      return false; /* as the further ones */
    if (!is_split(t, b, &span))
      continue;
    bool *leave = hp_record_choice(t);
    if (!leave)
      return false;
    for (size_t k = 0; k < b->count; k++)
      leave[b->members[k]] = true;
    hp_record_begin(s, v);
    hp_record_name(v, t, leave);
    v->record.less_bytes = span;
    v->finding.estimated = true;
    v->record.uses = b->accesses;
    free(leave);
    return true;
  }
  return false;
}

static void put_split_line(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "%s of ", v->record.members);
  hp_record_put(out, v);
  fprintf(out,
          " are used together, %s times in %s counted chunk%s, and lie over "
          "%" PRIu64 " bytes: in two cache lines",
          hp_count_text(v->record.uses).s, hp_count_text(v->record.counted).s,
          v->record.counted == 1 ? "" : "s", v->record.less_bytes);
}

static void put_split_line_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "Declare %s side by side.", v->record.members);
}

static bool always(const struct hp_verdict *v) {
  (void)v;
  return true;
}

const struct hp_finding_rule hp_rules_members[] = {
    {.name = "unused_member",
     .verb = "remove",
     .least = 1,
     .judge = is_unused_member,
     .text = put_unused_member,
     .remedy = put_unused_member_remedy,
     .memory = hp_record_memory_of_less,
     .turn = HP_TURN_MEMBERS},
    {.name = "cold_tail",
     .verb = "split",
     .least = 1,
     .judge = is_cold_tail,
     .text = put_cold_tail,
     .remedy = put_cold_tail_remedy,
     .memory = hp_record_memory_of_less,
     .turn = HP_TURN_MEMBERS},
    {.name = "padding",
     .verb = "sort members",
     .least = 1,
     .judge = is_padding,
     .text = put_padding,
     .remedy = put_padding_remedy,
     .memory = hp_record_memory_of_less,
     .turn = HP_TURN_LAYOUT},
    {.name = "split_line",
     .verb = "group members",
     .least = 1,
     .judge = is_split_line,
     .text = put_split_line,
     .remedy = put_split_line_remedy,
     .turn = HP_TURN_LAYOUT,
     .is_worth = always},
    {0}};
