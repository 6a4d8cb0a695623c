/* rules_members.c - findings of what lies where inside a record: by its layout, and by what is
   accessed of it where that was counted.  See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"
#include "measure/malloc_memory.h"
#include "resolve/member_order.h"

#define COUNTED_LEAST 16u /* chunks that others are like */
#define COLD_SHARE 4u /* of the chunks one in so many at most has it accessed */
#define COLD_LEAST 32u     /* bytes: less is not worth a pointer */
#define POINTER_BYTES 8u   /* which takes their place */
#define LINE_BYTES 64u     /* of a cache line */
#define LINE_PEAK 1048576u /* bytes of a type: fewer are in a cache anyway */
#define LINE_SHARE 4u      /* one in so many accesses of a type */
#define LINE_USES 10000u

/* ---- what a smaller record saves ------------------------------------------ */

/* Of a chunk of SIZE bytes that needs LESS fewer: the memory that malloc takes. */
static uint64_t saved_of_chunk(uint64_t size, uint64_t less) {
  return less < size ? hp_malloc_size(size) - hp_malloc_size(size - less) : 0;
}

/* Records in a chunk of the point; one that goes on behind its end is alone. */
static uint64_t records_of(const struct hp_point *p,
                           const struct hp_member_type *t) {
  const uint64_t mean = (uint64_t)p->size.mean, n = mean / t->size;
  const struct hp_layout *l = t->layout;
  const bool is_open = l->count && l->members[l->count - 1].is_flexible;
  return is_open || n * t->size < mean - mean / 10 ? 1 : n;
}

/* Of the memory at the peak, if each record needs LESS bytes fewer. */
static double saved_memory(const struct hp_suspect *s, uint64_t less) {
  const struct hp_point *p = s->point;
  if (!p->size.defined || p->size.mean < 1)
    return 0;
  const uint64_t records = records_of(p, s->members);
  const double chunks = (double)p->bytes_at_global_peak / p->size.mean;
  return chunks *
         (double)saved_of_chunk((uint64_t)p->size.mean, records * less);
}

/* Of what was asked for as many, as far as the chunk gets a smaller place. */
static uint64_t saved_at_peak(const struct hp_suspect *s, uint64_t less) {
  const struct hp_point *p = s->point;
  const double memory = saved_memory(s, less);
  if (memory <= 0)
    return 0;
  const double records = (double)records_of(p, s->members);
  const double chunks = (double)p->bytes_at_global_peak / p->size.mean;
  const double asked = chunks * records * (double)less;
  const double saved = asked < memory ? asked : memory;
  return saved < (double)p->peak_touched_bytes ? (uint64_t)saved
                                               : p->peak_touched_bytes;
}

static uint64_t memory_of_less(const struct hp_suspect *s,
                               const struct hp_verdict *v) {
  const double memory = saved_memory(s, v->less_bytes);
  const uint64_t most = s->point->peak_memory_bytes;
  return memory < (double)most ? (uint64_t)memory : most;
}

/* A record of the program itself, whose layout is known. */
static const struct hp_member_type *own_type(const struct hp_suspect *s) {
  const struct hp_member_type *t = s->members;
  return t && t->has_layout && t->size && !t->by_library &&
                 !s->origin.by_library && s->point->size.defined &&
                 s->point->size.mean >= (double)t->size
             ? t
             : NULL;
}

static const struct hp_member_type *counted_type(const struct hp_suspect *s) {
  const struct hp_member_type *t = own_type(s);
  return t && t->reads && t->lost <= hp_add(t->reads, t->writes) &&
                 (t->chunks_counted >= COUNTED_LEAST ||
                  t->chunks_counted >= t->chunks)
             ? t
             : NULL;
}

/* A record is changed where it is declared, for all that allocate it: they are one
   finding, at the place of those that have most. */
static void begin(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_member_type *t = s->members;
  *v = hp_verdict_of(s, false);
  v->finding.chunks = s->point->chunks;
  v->finding.bytes = s->point->bytes;
  if (t->points[0]->place)
    v->finding.place = t->points[0]->place;
  v->record_bytes = t->size;
  v->counted = t->chunks_counted;
  v->counted_of = t->chunks;
  v->declared_at = t->file;
  v->declared_line = t->line;
}

static void take_less(const struct hp_suspect *s, struct hp_verdict *v,
                      uint64_t less) {
  v->less_bytes = less;
  v->finding.saved_peak_bytes = saved_at_peak(s, less);
  v->finding.estimated |= s->point->estimated;
}

/* ---- names --------------------------------------------------------------- */

/* "a, head.b and 3 more", of those that LEAVE says, members taken whole if all of it is. */
static void name(struct hp_verdict *v, const struct hp_member_type *t,
                 const bool *leave) {
  const struct hp_layout *layout = t->layout;
  const size_t room = sizeof v->members;
  size_t used = 0, others = 0;
  uint64_t told = 0;
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_member *m = &t->members[i];
    const struct hp_layout_item *item = hp_layout_item_at(layout, m->offset);
    const char *text = m->name;
    if (!leave[i])
      continue;
    v->member_bytes += m->overlaps ? 0 : m->size * m->count;
    if (item && item->name && hp_layout_item_goes(layout, leave, item)) {
      if (m->offset < told)
        continue; /* of the one before */
      told = item->offset + item->size;
      text = item->name;
    }
    const size_t length = strlen(text);
    v->member_names++;
    if (used + length + 24 >= room) {
      others++;
      continue;
    }
    used += (size_t)snprintf(v->members + used, room - used, "%s%s",
                             used ? ", " : "", text);
  }
  if (others)
    snprintf(v->members + used, room - used, "%s%zu more", used ? " and " : "",
             others);
}

static void put_type(FILE *out, const struct hp_verdict *v) {
  const char *slash = v->declared_at ? strrchr(v->declared_at, '/') : NULL;
  fputs(hp_thing(&v->finding, "the record"), out);
  if (v->declared_at && v->declared_line)
    fprintf(out, " (%s:%" PRIu32 ")", slash ? slash + 1 : v->declared_at,
            v->declared_line);
}

static void put_counted(FILE *out, const struct hp_verdict *v) {
  if (v->counted < v->counted_of)
    fprintf(out, " in any of %s chunks that were counted, of %s",
            hp_count_text(v->counted).s, hp_count_text(v->counted_of).s);
  else
    fprintf(out, " in any of %s chunk%s", hp_count_text(v->counted).s,
            v->counted == 1 ? "" : "s");
}

/* ---- unused_member ------------------------------------------------------- */

static bool *room_for(const struct hp_member_type *t) {
  return calloc(t->count + 1, sizeof(bool));
}

static bool is_unused_member(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_member_type *t = counted_type(s);
  bool *leave = t ? room_for(t) : NULL;
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
    begin(s, v);
    name(v, t, leave);
    take_less(s, v, t->size - size);
  }
  free(leave);
  return size < t->size && size > 0;
}

static void put_unused_member(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "%s of ", v->members);
  put_type(out, v);
  fputs(v->member_names == 1 ? " is never read" : " are never read", out);
  put_counted(out, v);
  fprintf(out,
          "; without that a record has %" PRIu64 " bytes instead of %" PRIu64,
          v->record_bytes - v->less_bytes, v->record_bytes);
}

static void put_unused_member_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out,
          "Remove %s, or keep it beside the few that need it; see whether "
          "code without hooks reads it.",
          v->members);
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
  const struct hp_member_type *t = counted_type(s);
  bool *leave = t ? room_for(t) : NULL;
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
    begin(s, v);
    name(v, t, leave);
    v->member_bytes = less;
    v->needed_share = needed;
    take_less(s, v, saved);
  }
  free(leave);
  return holds;
}

static void put_cold_tail(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "%s of ", v->members);
  put_type(out, v);
  fprintf(out,
          ", %" PRIu64 " of its %" PRIu64
          " bytes, stay%s untouched in ~%.0f %% of the chunks (%s %s counted)",
          v->member_bytes, v->record_bytes, v->member_names == 1 ? "s" : "",
          100 * (1 - v->needed_share), hp_count_text(v->counted).s,
          v->counted == 1 ? "was" : "were");
}

static void put_cold_tail_remedy(FILE *out, const struct hp_verdict *v) {
  const bool is_one = v->member_names == 1;
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
  const struct hp_member_type *t = own_type(s);
  if (!t || !t->order || t->reordered_size >= t->size ||
      !is_all_records(s->point, t->size))
    return false;
  begin(s, v);
  snprintf(v->members, sizeof v->members, "%s", t->order);
  v->member_bytes = t->hole_bytes;
  take_less(s, v, t->size - t->reordered_size);
  return v->finding.saved_peak_bytes > 0;
}

static void put_padding(FILE *out, const struct hp_verdict *v) {
  put_type(out, v);
  fprintf(out,
          " has %" PRIu64 " bytes of padding in its %" PRIu64
          " bytes; with its members sorted it has %" PRIu64 " bytes",
          v->member_bytes, v->record_bytes, v->record_bytes - v->less_bytes);
}

static void put_padding_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out,
          "Declare its members in this order, unless others rely on where they "
          "lie: %s.",
          v->members);
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
    bool *leave = room_for(t);
    if (!leave)
      return false;
    for (size_t k = 0; k < b->count; k++)
      leave[b->members[k]] = true;
    begin(s, v);
    name(v, t, leave);
    v->less_bytes = span;
    v->finding.estimated = true;
    v->uses = b->accesses;
    free(leave);
    return true;
  }
  return false;
}

static void put_split_line(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "%s of ", v->members);
  put_type(out, v);
  fprintf(out,
          " are used together, %s times in %s counted chunk%s, and lie over "
          "%" PRIu64 " bytes: in two cache lines",
          hp_count_text(v->uses).s, hp_count_text(v->counted).s,
          v->counted == 1 ? "" : "s", v->less_bytes);
}

static void put_split_line_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "Declare %s side by side.", v->members);
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
     .memory = memory_of_less,
     .turn = HP_TURN_MEMBERS},
    {.name = "cold_tail",
     .verb = "split",
     .least = 1,
     .judge = is_cold_tail,
     .text = put_cold_tail,
     .remedy = put_cold_tail_remedy,
     .memory = memory_of_less,
     .turn = HP_TURN_MEMBERS},
    {.name = "padding",
     .verb = "sort members",
     .least = 1,
     .judge = is_padding,
     .text = put_padding,
     .remedy = put_padding_remedy,
     .memory = memory_of_less,
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
