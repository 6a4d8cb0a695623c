/* member_sums.c - see member_sums.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/member_sums.h"

#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/same_text.h"
#include "base/saturate.h"

#define BURSTS_MOST 256u
#define BURST_MEMBERS_MOST 32u
#define PLACES_MOST 4096u

/* ---- members ------------------------------------------------------------- */

static enum hp_member_kind kind_of(const struct hp_layout_member *m) {
  switch (m->kind) {
  case HP_LAYOUT_HOLE:
    return HP_MEMBER_HOLE;
  case HP_LAYOUT_POINTER:
    return HP_MEMBER_POINTER;
  default:
    return HP_MEMBER_FIELD;
  }
}

bool hp_member_sums_begin(struct hp_member_sums *sums) {
  const struct hp_layout *layout = sums->layout;
  if (!layout || !layout->count)
    return true;
  sums->members = calloc(layout->count + 1, sizeof *sums->members);
  if (!sums->members)
    return false;
  sums->count = sums->room = layout->count + 1;
  sums->members[layout->count] = (struct hp_member){
      .kind = HP_MEMBER_BEHIND, .offset = layout->size, .count = 1};
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_layout_member *m = &layout->members[i];
    sums->members[i] =
        (struct hp_member){.kind = kind_of(m),
                           .name = m->kind == HP_LAYOUT_HOLE ? NULL : m->name,
                           .base = m->base,
                           .type = m->type,
                           .offset = m->offset,
                           .size = m->size,
                           .count = m->count,
                           .stride = m->stride,
                           .bit = m->bit,
                           .bits = m->bits,
                           .overlaps = m->overlaps,
                           .is_flexible = m->is_flexible};
  }
  return true;
}

/* ---- code ---------------------------------------------------------------- */

static bool same_line(const struct hp_frame *a, const struct hp_frame *b) {
  return a == b || (a->line && a->line == b->line &&
                    hp_is_same_text(a->function, b->function) &&
                    hp_is_same_text(a->file, b->file));
}

static uint64_t uses(const struct hp_member_code *c) {
  return hp_add(c->reads, c->writes);
}

/* Of more lines than there is room for those stay that were added with most. */
static void add_code(struct hp_member *m, const struct hp_frame *frame,
                     const struct hp_member_access *row) {
  const struct hp_member_code new = {frame, row->reads, row->writes};
  size_t i = 0;
  if (!frame)
    return;
  while (i < HP_MEMBER_CODES && m->codes[i].frame &&
         !same_line(m->codes[i].frame, frame))
    i++;
  if (i == HP_MEMBER_CODES) {
    i--;
    if (uses(&m->codes[i]) < uses(&new))
      m->codes[i] = new;
  } else if (m->codes[i].frame) {
    m->codes[i].reads = hp_add(m->codes[i].reads, new.reads);
    m->codes[i].writes = hp_add(m->codes[i].writes, new.writes);
  } else {
    m->codes[i] = new;
  }
  for (; i > 0 && uses(&m->codes[i]) > uses(&m->codes[i - 1]); i--) {
    const struct hp_member_code other = m->codes[i];
    m->codes[i] = m->codes[i - 1];
    m->codes[i - 1] = other;
  }
}

/* ---- one row ------------------------------------------------------------- */

static uint64_t times(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static void add_to(struct hp_member *m, const struct hp_member_access *row,
                   uint64_t bytes, bool is_whole,
                   const struct hp_frame *frame) {
  m->reads = hp_add(m->reads, row->reads);
  m->writes = hp_add(m->writes, row->writes);
  if (is_whole)
    m->whole_reads = hp_add(m->whole_reads, row->reads);
  m->bytes_accessed =
      hp_add(m->bytes_accessed, times(hp_add(row->reads, row->writes), bytes));
  add_code(m, frame, row);
  if (is_whole && row->reads == 0)
    return; /* it is made so, which is no use */
  if (row->last_use_ns &&
      (!m->last_use_ns || row->first_use_ns < m->first_use_ns))
    m->first_use_ns = row->first_use_ns;
  if (row->last_use_ns > m->last_use_ns)
    m->last_use_ns = row->last_use_ns;
  m->chunks = row->chunks > m->chunks ? row->chunks : m->chunks;
  m->chunks_most = row->chunks && m->chunks_most != UINT64_MAX
                       ? hp_add(m->chunks_most, row->chunks)
                       : UINT64_MAX;
  if (row->writes)
    m->chunks_written = hp_add(m->chunks_written, row->chunks);
}

/* An access of just one alternative's size is of that one. */
static bool names_one(const struct hp_layout *layout, uint64_t begin,
                      uint64_t size) {
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_layout_member *m = &layout->members[i];
    if (m->overlaps && !m->bits && m->offset == begin && m->size == size)
      return true;
  }
  return false;
}

/* Parts [begin, end) of the record that an access has: two if it goes on into the
   next record. */
struct parts {
  uint64_t begin[2], end[2];
  unsigned count;
  bool is_whole;
  uint64_t behind; /* bytes behind the record, which is alone in its chunk */
};

/* Who counts has put what lies in later records of a chunk into the first; where it did
   not, though it knew their size, there are none. */
static struct parts parts_of(const struct hp_member_sums *sums,
                             const struct hp_member_access *row) {
  const struct hp_layout *layout = sums->layout;
  const uint64_t size = layout->size;
  uint64_t begin = row->offset, end = begin + row->size;
  if (size == 0 || hp_layout_is_open_ended(layout))
    return (struct parts){
        {begin}, {end}, 1, size && begin == 0 && end >= size, 0};
  if (sums->element_size && begin >= size)
    return (struct parts){.behind = row->size};
  begin %= size;
  end = begin + row->size;
  if (row->size >= size)
    return (struct parts){{0}, {size}, 1, true, 0};
  if (end <= size)
    return (struct parts){{begin}, {end}, 1, false, 0};
  return (struct parts){{begin, 0}, {size, end - size}, 2, false, 0};
}

/* Numbers of the members that ROW is of go to *TOUCHED, BURST_MEMBERS_MOST at most. */
static size_t add_row(struct hp_member_sums *sums,
                      const struct hp_member_access *row,
                      const struct hp_frame *frame, uint32_t *touched) {
  const struct hp_layout *layout = sums->layout;
  const struct parts parts = parts_of(sums, row);
  const bool is_one =
      parts.count == 1 && names_one(layout, parts.begin[0], row->size);
  size_t count = 0;
  if (parts.behind)
    add_to(&sums->members[layout->count], row, parts.behind, false, frame);
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_layout_member *m = &layout->members[i];
    uint64_t bytes = 0;
    if (is_one && m->overlaps &&
        (m->offset != parts.begin[0] || m->size != row->size))
      continue;
    for (unsigned k = 0; k < parts.count; k++)
      bytes += hp_layout_bytes_of(m, parts.begin[k], parts.end[k]);
    if (!bytes)
      continue;
    add_to(&sums->members[i], row, bytes, parts.is_whole, frame);
    if (count < BURST_MEMBERS_MOST && m->kind != HP_LAYOUT_HOLE)
      touched[count++] = (uint32_t)i;
  }
  return count;
}

/* ---- places of what has no layout ----------------------------------------- */

static bool add_place(struct hp_member_sums *sums,
                      const struct hp_member_access *row,
                      const struct hp_frame *frame) {
  uint64_t offset = row->offset;
  size_t i = 0;
  if (sums->element_size)
    offset %= sums->element_size;
  while (i < sums->count && (sums->members[i].offset != offset ||
                             sums->members[i].size != row->size))
    i++;
  if (i == sums->count) {
    if (i == PLACES_MOST)
      return true;
    if (!hp_room_for_one((void **)&sums->members, i, &sums->room,
                         sizeof *sums->members))
      return false;
    sums->members[sums->count++] = (struct hp_member){.kind = HP_MEMBER_PLACE,
                                                      .offset = offset,
                                                      .size = row->size,
                                                      .count = 1};
  }
  add_to(&sums->members[i], row, row->size, false, frame);
  return true;
}

/* ---- bursts -------------------------------------------------------------- */

static int by_number(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

static bool add_burst(struct hp_member_sums *sums, uint32_t *members,
                      size_t count, uint64_t accesses) {
  size_t n = 0;
  qsort(members, count, sizeof *members, by_number);
  for (size_t i = 0; i < count; i++)
    if (n == 0 || members[n - 1] != members[i])
      members[n++] = members[i];
  if (n < 2)
    return true;
  for (size_t i = 0; i < sums->burst_count; i++) {
    struct hp_member_burst *b = &sums->bursts[i];
    if (b->count == n &&
        memcmp(b->members, members, n * sizeof *members) == 0) {
      b->accesses = hp_add(b->accesses, accesses);
      return true;
    }
  }
  if (sums->burst_count == BURSTS_MOST)
    return true;
  uint32_t *kept = hp_store_take(sums->store, n, sizeof *kept);
  if (!kept || !hp_room_for_one((void **)&sums->bursts, sums->burst_count,
                                &sums->burst_room, sizeof *sums->bursts))
    return false;
  memcpy(kept, members, n * sizeof *kept);
  sums->bursts[sums->burst_count++] =
      (struct hp_member_burst){accesses, kept, n};
  return true;
}

/* Rows that one hook accessed, in any order. */
static bool add_bursts(struct hp_member_sums *sums,
                       const struct hp_members *rows, const uint32_t *touched,
                       const size_t *touched_count) {
  bool *seen = calloc(rows->count + 1, sizeof *seen);
  bool is_kept = seen != NULL;
  for (size_t i = 0; is_kept && i < rows->count; i++) {
    uint32_t members[2 * BURST_MEMBERS_MOST];
    size_t count = 0;
    uint64_t accesses = 0;
    if (!rows->rows[i].together || seen[i])
      continue;
    for (size_t k = i; k < rows->count; k++) {
      const struct hp_member_access *row = &rows->rows[k];
      if (row->together != rows->rows[i].together)
        continue;
      seen[k] = true;
      const uint64_t here = hp_add(row->reads, row->writes);
      accesses = here > accesses ? here : accesses;
      for (size_t n = 0;
           n < touched_count[k] && count < sizeof members / sizeof *members;
           n++)
        members[count++] = touched[k * BURST_MEMBERS_MOST + n];
    }
    is_kept = add_burst(sums, members, count, accesses);
  }
  free(seen);
  return is_kept;
}

/* ---- the whole ----------------------------------------------------------- */

bool hp_member_sums_add(struct hp_member_sums *sums,
                        const struct hp_members *rows, hp_member_frame *frame,
                        void *context) {
  uint32_t *touched =
      calloc(rows->count + 1, BURST_MEMBERS_MOST * sizeof *touched);
  size_t *touched_count = calloc(rows->count + 1, sizeof *touched_count);
  bool is_kept = touched && touched_count;
  sums->counted = hp_add(sums->counted, rows->chunks_counted);
  for (size_t i = 0; is_kept && i < rows->count; i++) {
    const struct hp_member_access *row = &rows->rows[i];
    const struct hp_frame *at = row->code ? frame(context, row->code) : NULL;
    sums->reads = hp_add(sums->reads, row->reads);
    sums->writes = hp_add(sums->writes, row->writes);
    if (sums->layout)
      touched_count[i] =
          add_row(sums, row, at, touched + i * BURST_MEMBERS_MOST);
    else
      is_kept = add_place(sums, row, at);
  }
  is_kept = is_kept && add_bursts(sums, rows, touched, touched_count);
  free(touched);
  free(touched_count);
  return is_kept;
}

static int by_offset(const void *left, const void *right) {
  const struct hp_member *a = left, *b = right;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  return a->size < b->size ? -1 : a->size > b->size;
}

static int by_accesses(const void *left, const void *right) {
  const struct hp_member_burst *a = left, *b = right;
  if (a->accesses != b->accesses)
    return a->accesses > b->accesses ? -1 : 1;
  return a->members[0] < b->members[0] ? -1 : a->members[0] > b->members[0];
}

static void *kept_in(struct hp_store *store, const void *all, size_t count,
                     size_t size) {
  void *kept = hp_store_take(store, count + 1, size);
  if (kept && count)
    memcpy(kept, all, count * size);
  return kept;
}

/* An array that is read at many places has many rows for one chunk; but what is read
   was written before. */
static void bound_chunks(struct hp_member *m, uint64_t counted) {
  if (m->chunks_most == UINT64_MAX)
    return;
  if (m->chunks_written && m->chunks_written < m->chunks_most)
    m->chunks_most =
        m->chunks_written > m->chunks ? m->chunks_written : m->chunks;
  if (m->chunks_most > counted)
    m->chunks_most = counted;
}

bool hp_member_sums_finish(struct hp_member_sums *sums,
                           struct hp_member_type *type) {
  if (sums->layout && sums->count &&
      !sums->members[sums->count - 1].bytes_accessed)
    sums->count--; /* nothing was behind */
  const uint64_t all = hp_add(sums->reads, sums->writes);
  for (size_t i = 0; i < sums->count; i++) {
    struct hp_member *m = &sums->members[i];
    m->share =
        all ? (double)hp_add(m->reads, m->writes) / (double)all : HP_NULL_SCORE;
    bound_chunks(m, sums->counted);
  }
  if (!sums->layout && sums->count)
    qsort(sums->members, sums->count, sizeof *sums->members, by_offset);
  if (sums->burst_count)
    qsort(sums->bursts, sums->burst_count, sizeof *sums->bursts, by_accesses);
  type->reads = sums->reads;
  type->writes = sums->writes;
  type->chunks_counted = sums->counted;
  type->members =
      kept_in(sums->store, sums->members, sums->count, sizeof *sums->members);
  type->count = sums->count;
  type->bursts = kept_in(sums->store, sums->bursts, sums->burst_count,
                         sizeof *sums->bursts);
  type->burst_count = sums->burst_count;
  return type->members && type->bursts;
}

void hp_member_sums_free(struct hp_member_sums *sums) {
  free(sums->members);
  free(sums->bursts);
}
