/* zero_members.c - see zero_members.h: the bits of all chunks, put on the record's layout.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/zero_members.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "finding/smaller_record.h"
#include "resolve/member_order.h"

#define RECORD_MOST ((uint64_t)HP_CONTENT_BITS_WORDS * 8)
#define ARRAY_LEAST 8u /* elements: fewer are members like others */

/* Bits that are set in any record, byte by byte.  False: not known. */
static bool find_bits(const struct hp_suspect *s, uint8_t *bytes) {
  const struct hp_point *p = s->point;
  const uint64_t size = s->members->size, most = p->size.max;
  if (!s->content_bits || !p->size.defined || most > RECORD_MOST ||
      p->size.min % size || most % size)
    return false;
  for (uint64_t i = 0; i < most; i++)
    bytes[i % size] |= (uint8_t)(s->content_bits[i / 8] >> 8 * (i % 8));
  return true;
}

/* Bytes that a number with these BITS needs, with room for a sign. */
static uint64_t width_of(uint64_t bits) {
  uint64_t width = 1;
  while (width < 8 && bits >> (8 * width - 1))
    width *= 2;
  return width;
}

/* What M needs; its size if nothing is known of it. */
static uint64_t need_of(const struct hp_member *m, bool is_integer,
                        const uint8_t *bytes) {
  uint64_t number = 0;
  bool any = false;
  if (m->kind != HP_MEMBER_FIELD || m->overlaps || m->bits || m->is_flexible)
    return m->size;
  for (uint64_t k = 0; k < m->count; k++)
    for (uint64_t i = 0; i < m->size; i++) {
      const uint8_t byte = bytes[m->offset + k * m->stride + i];
      any = any || byte;
      if (m->size <= 8)
        number |= (uint64_t)byte << 8 * i;
    }
  if (!any)
    return 0;
  const uint64_t width = width_of(number);
  return is_integer && m->count == 1 && m->size <= 8 && width < m->size
             ? width
             : m->size;
}

/* "count (2 bytes instead of 8), kind (1 of 4) and 3 more" */
static void name_narrow(struct hp_verdict *v, const struct hp_member_type *t,
                        const uint64_t *needs) {
  const size_t room = sizeof v->record.narrow;
  size_t used = 0, others = 0;
  for (size_t i = 0; i < t->count; i++) {
    const struct hp_member *m = &t->members[i];
    if (needs[i] == 0 || needs[i] >= m->size)
      continue;
    if (used + strlen(m->name) + 64 >= room) {
      others++;
      continue;
    }
    const char *form = used ? "%s%s (%" PRIu64 " of %" PRIu64 ")"
                            : "%s%s (%" PRIu64 " of %" PRIu64 " bytes)";
    used += (size_t)snprintf(v->record.narrow + used, room - used, form,
                             used ? ", " : "", m->name, needs[i], m->size);
  }
  if (others)
    snprintf(v->record.narrow + used, room - used, " and %zu more", others);
}

/* What nobody reads is unused_member's. */
static bool is_told_unused(const struct hp_member_type *t,
                           const struct hp_member *m) {
  return t->chunks_counted && m->reads == 0;
}

static bool find_zero(const struct hp_suspect *s, struct hp_verdict *v,
                      const uint8_t *bytes) {
  const struct hp_member_type *t = s->members;
  uint64_t *needs = calloc(t->count + 1, sizeof *needs);
  bool *leave = hp_record_choice(t);
  uint64_t size = t->size;
  if (needs && leave) {
    for (size_t i = 0; i < t->count; i++) {
      const struct hp_member *m = &t->members[i];
      needs[i] = is_told_unused(t, m)
                     ? m->size
                     : need_of(m, t->layout->members[i].is_integer, bytes);
      leave[i] = m->kind == HP_MEMBER_FIELD && needs[i] == 0;
    }
    size = hp_layout_size_of(t->layout, needs);
  }
  if (size < t->size) {
    hp_record_name(v, t, leave);
    name_narrow(v, t, needs);
    hp_record_take_less(s, v, t->size - size);
  }
  free(needs);
  free(leave);
  return size < t->size;
}

/* An array that has most of the record's zeros; BYTES that are set somewhere, NULL: not
   known. */
static bool find_array(const struct hp_suspect *s, struct hp_verdict *v,
                       const uint8_t *bytes) {
  const struct hp_member_type *t = s->members;
  const struct hp_point *p = s->point;
  for (size_t i = 0; i < t->count; i++) {
    const struct hp_layout_member *m = &t->layout->members[i];
    const double all = (double)v->finding.bytes;
    const double array = all / (double)t->size * (double)m->size;
    const double zero = array - (all - (double)v->zero_bytes);
    if (m->element == 0 || m->count != 1 || m->is_flexible || m->overlaps ||
        m->size / m->element < ARRAY_LEAST || zero < array / 2 ||
        (bytes && need_of(&t->members[i], false, bytes) == 0))
      continue;
    snprintf(v->record.members, sizeof v->record.members, "%s", m->name);
    v->record.member_names = 1;
    v->record.is_sparse_array = true;
    v->finding.saved_peak_bytes =
        (uint64_t)((double)v->finding.saved_peak_bytes * zero /
                   (double)v->zero_bytes);
    return p->size.mean >= (double)t->size;
  }
  return false;
}

bool hp_zero_members_find(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_member_type *t = s->members;
  hp_record_mean(s, v);
  uint8_t bytes[RECORD_MOST] = {0};
  const bool is_known = t->size <= sizeof bytes && find_bits(s, bytes);
  return find_array(s, v, is_known ? bytes : NULL) ||
         (is_known && find_zero(s, v, bytes));
}
