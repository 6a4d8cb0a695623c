/* smaller_record.c - see smaller_record.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/smaller_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/saturate.h"
#include "finding/finding_words.h"
#include "measure/malloc_memory.h"
#include "resolve/member_order.h"

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

uint64_t hp_record_memory_of_less(const struct hp_suspect *s,
                                  const struct hp_verdict *v) {
  const double memory = saved_memory(s, v->record.less_bytes);
  const uint64_t most = s->point->peak_memory_bytes;
  return memory < (double)most ? (uint64_t)memory : most;
}

/* A record of the program itself, whose layout is known. */
const struct hp_member_type *hp_record_own_type(const struct hp_suspect *s) {
  const struct hp_member_type *t = s->members;
  return t && t->has_layout && t->size && !t->by_library &&
                 !s->origin.by_library && s->point->size.defined &&
                 s->point->size.mean >= (double)t->size
             ? t
             : NULL;
}

void hp_record_mean(const struct hp_suspect *s, struct hp_verdict *v) {
  v->record.type = s->type;
  v->record.record_bytes = s->members->size;
  v->record.declared_at = s->members->file;
  v->record.declared_line = s->members->line;
}

/* A record is changed where it is declared, for all that allocate it, alone or in a container:
   they are one finding, at the place of those that have most. */
void hp_record_begin(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_member_type *t = s->members;
  *v = hp_verdict_of(s, false);
  hp_record_mean(s, v);
  v->finding.subject = s->type;
  v->finding.chunks = s->point->chunks;
  v->finding.bytes = s->point->bytes;
  if (t->points[0]->place)
    hp_verdict_put_at(v, s, t->points[0]->place);
  v->record.counted = t->chunks_counted;
  v->record.counted_of = t->chunks;
}

void hp_record_take_less(const struct hp_suspect *s, struct hp_verdict *v,
                         uint64_t less) {
  v->record.less_bytes = less;
  v->finding.saved_peak_bytes = saved_at_peak(s, less);
  v->finding.estimated |= s->point->estimated;
}

/* ---- names --------------------------------------------------------------- */

/* "a, head.b and 3 more", of those that LEAVE says, members taken whole if all of it is. */
void hp_record_name(struct hp_verdict *v, const struct hp_member_type *t,
                    const bool *leave) {
  const struct hp_layout *layout = t->layout;
  const size_t room = sizeof v->record.members;
  size_t used = 0, others = 0;
  uint64_t told = 0;
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_member *m = &t->members[i];
    const struct hp_layout_item *item = hp_layout_item_at(layout, m->offset);
    const char *text = m->name;
    if (!leave[i])
      continue;
    v->record.member_bytes += m->overlaps ? 0 : m->size * m->count;
    if (item && item->name && hp_layout_item_goes(layout, leave, item)) {
      if (m->offset < told)
        continue; /* of the one before */
      told = item->offset + item->size;
      text = item->name;
    }
    const size_t length = strlen(text);
    v->record.member_names++;
    if (used + length + 24 >= room) {
      others++;
      continue;
    }
    used += (size_t)snprintf(v->record.members + used, room - used, "%s%s",
                             used ? ", " : "", text);
  }
  if (others)
    snprintf(v->record.members + used, room - used, "%s%zu more",
             used ? " and " : "", others);
}

void hp_record_put(FILE *out, const struct hp_verdict *v) {
  const char *slash =
      v->record.declared_at ? strrchr(v->record.declared_at, '/') : NULL;
  if (v->record.type)
    hp_put_type(out, v->record.type);
  else
    fputs("the record", out);
  if (v->record.declared_at && v->record.declared_line)
    fprintf(out, " (%s:%" PRIu32 ")", slash ? slash + 1 : v->record.declared_at,
            v->record.declared_line);
}

bool *hp_record_choice(const struct hp_member_type *t) {
  return calloc(t->count + 1, sizeof(bool));
}
