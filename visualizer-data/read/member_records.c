/* member_records.c - see member_records.h.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "read/member_records.h"

#define CHUNKS_MAX (((uint64_t)1 << 48) - 1) /* what a class can count */

static bool take_member(struct hp_cursor *at, struct hp_member_access *row,
                        uint64_t chunks) {
  uint64_t n[7];
  if (!hp_take_varints(at, n, 7) || n[0] > UINT32_MAX || n[1] == 0 ||
      n[1] > UINT32_MAX || (n[2] == 0 && n[3] == 0) || n[4] > chunks ||
      n[6] > UINT32_MAX)
    return false;
  *row = (struct hp_member_access){.offset = (uint32_t)n[0],
                                   .size = (uint32_t)n[1],
                                   .reads = n[2],
                                   .writes = n[3],
                                   .chunks = n[4],
                                   .code = n[5],
                                   .together = (uint32_t)n[6]};
  return true;
}

bool hp_take_members(struct hp_store *store, struct hp_cursor at,
                     struct hp_member_sum *m, bool *memory) {
  uint64_t n[3];
  if (!hp_take_varints(&at, n, 3) || n[0] == 0 || n[0] > CHUNKS_MAX ||
      n[2] > hp_left(&at) / 7)
    return false;
  m->chunks = n[0];
  m->lost = n[1];
  m->count = 0;
  m->rows = hp_store_take(store, n[2], sizeof *m->rows);
  if (!m->rows)
    return *memory = false;
  for (; m->count < n[2]; m->count++)
    if (!take_member(&at, &m->rows[m->count], m->chunks))
      return false;
  return hp_is_at_end(&at);
}

/* Ahead of its writers. */
static bool take_line(struct hp_store *store, struct hp_cursor *at,
                      struct hp_shared_line *line, bool *memory) {
  uint64_t n[3], of[5];
  if (!hp_take_varints(at, n, 3) || n[0] % HP_LINE_BYTES || n[1] == 0 ||
      n[2] < 2 || n[2] > hp_left(at) / 5)
    return false;
  *line = (struct hp_shared_line){.offset = n[0], .turns = n[1]};
  struct hp_line_writer *writers = hp_store_take(store, n[2], sizeof *writers);
  if (!writers)
    return *memory = false;
  line->writers = writers;
  for (; line->count < n[2]; line->count++) {
    if (!hp_take_varints(at, of, 5) || of[0] > UINT32_MAX || of[4] == 0)
      return false;
    writers[line->count] = (struct hp_line_writer){.thread = (uint32_t)of[0],
                                                   .times = of[1],
                                                   .common = of[2],
                                                   .writes = of[3],
                                                   .bytes = of[4]};
  }
  return true;
}

bool hp_take_lines(struct hp_store *store, struct hp_cursor at,
                   struct hp_member_sum *m, bool *memory) {
  uint64_t n;
  if (!hp_take_varints(&at, &n, 1) || n == 0 || n > hp_left(&at) / 13)
    return false;
  m->line_count = 0;
  m->lines = hp_store_take(store, n, sizeof *m->lines);
  if (!m->lines)
    return *memory = false;
  for (; m->line_count < n; m->line_count++)
    if (!take_line(store, &at, &m->lines[m->line_count], memory))
      return false;
  return hp_is_at_end(&at);
}

bool hp_take_member_uses(struct hp_store *store, struct hp_cursor at,
                         struct hp_member_sum *m, bool *memory) {
  uint64_t n[2];
  m->use_count = 0;
  m->uses = hp_store_take(store, hp_left(&at) / 2 + 1, sizeof *m->uses);
  if (!m->uses)
    return *memory = false;
  while (!hp_is_at_end(&at)) {
    if (!hp_take_varints(&at, n, 2) || n[1] > UINT64_MAX - n[0])
      return false;
    m->uses[m->use_count++] = (struct hp_member_use){n[0], n[0] + n[1]};
  }
  return m->use_count > 0;
}

bool hp_take_content_bits(struct hp_store *store, struct hp_cursor at,
                          const uint64_t **words, bool *memory) {
  uint64_t *all = hp_store_take(store, HP_CONTENT_WORDS, sizeof *all);
  *words = all;
  if (!all)
    return *memory = false;
  return hp_take_varints(&at, all, HP_CONTENT_WORDS) && hp_is_at_end(&at);
}
