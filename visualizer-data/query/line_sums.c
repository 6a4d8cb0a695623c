/* line_sums.c - see line_sums.h: who writes bytes that nobody else writes, in turns with
   others who do.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/line_sums.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/growing_array.h"
#include "base/saturate.h"

#define TURNS_LEAST 8u /* of one line: fewer are a chunk that is handed on */
/* One in so many writes of the second writer, at least: a thread that waits for the
   only processor has as many in its turn. */
#define TURNS_SHARE 16384u
#define WRITES_SHARE 16u /* of those of the first, else it is no writer */
#define COMMON_SHARE                                                           \
  8u /* more are at what others write: then it is shared truly */
#define NAMES_MOST 3u /* of one part */

/* ---- who writes apart ---------------------------------------------------- */

static uint64_t most_times(const struct hp_shared_line *line) {
  uint64_t most = 0;
  for (size_t i = 0; i < line->count; i++)
    most = line->writers[i].times > most ? line->writers[i].times : most;
  return most;
}

static bool is_writer(const struct hp_line_writer *w, uint64_t most) {
  return w->times >= most / WRITES_SHARE;
}

/* Bytes of writer I that no other one writes; 0: it has none, or what it does is mostly
   at those of others. */
static uint64_t own_bytes(const struct hp_shared_line *line, size_t i,
                          uint64_t most) {
  const struct hp_line_writer *w = &line->writers[i];
  uint64_t own = w->bytes;
  if (!is_writer(w, most) || w->common > w->times / COMMON_SHARE)
    return 0;
  for (size_t k = 0; k < line->count; k++)
    if (k != i && is_writer(&line->writers[k], most))
      own &= ~line->writers[k].bytes;
  return own;
}

/* Of those that write apart the second most times; 0: there are no two. */
static uint64_t second_times(const struct hp_shared_line *line, uint64_t most) {
  uint64_t first = 0, second = 0;
  for (size_t i = 0; i < line->count; i++) {
    const uint64_t times = line->writers[i].times;
    if (!own_bytes(line, i, most))
      continue;
    if (times > first) {
      second = first;
      first = times;
    } else if (times > second) {
      second = times;
    }
  }
  return second;
}

/* ---- names --------------------------------------------------------------- */

struct names {
  char text[160];
  size_t used;
  unsigned count, more;
};

static void add_name(struct names *names, const char *name) {
  const size_t room = sizeof names->text - 24;
  if (names->count == NAMES_MOST || names->used + strlen(name) + 2 >= room) {
    names->more++;
    return;
  }
  names->used += (size_t)snprintf(names->text + names->used,
                                  sizeof names->text - names->used, "%s%s",
                                  names->count ? ", " : "", name);
  names->count++;
}

static const struct hp_layout_member *member_at(const struct hp_layout *layout,
                                                uint64_t offset) {
  for (size_t i = 0; i < layout->count; i++) {
    const struct hp_layout_member *m = &layout->members[i];
    if (m->kind != HP_LAYOUT_HOLE && hp_layout_bytes_of(m, offset, offset + 1))
      return m;
  }
  return NULL;
}

/* "items[2].key" of items[].key, "counts[2]" of an array of numbers. */
static void spell(char *out, size_t size, const struct hp_layout_member *m,
                  uint64_t offset) {
  const uint64_t ahead = offset - m->offset;
  const char *open = m->stride ? strstr(m->name, "[]") : NULL;
  if (open)
    snprintf(out, size, "%.*s[%" PRIu64 "]%s", (int)(open - m->name), m->name,
             ahead / m->stride, open + 2);
  else if (m->element && (m->is_flexible || m->size > m->element))
    snprintf(out, size, "%s[%" PRIu64 "]", m->name, ahead / m->element);
  else
    snprintf(out, size, "%s", m->name);
}

/* What the byte at OFFSET of a chunk is called, in records of their own number where
   some of the line are not in the first one. */
static void spell_byte(const struct hp_line_sums *sums, uint64_t offset,
                       bool is_array, char *out, size_t size) {
  const struct hp_layout *layout = sums->layout;
  const uint64_t record = sums->element_size;
  const uint64_t element = is_array ? offset / record : 0;
  const struct hp_layout_member *m =
      layout ? member_at(layout, offset - element * record) : NULL;
  char name[128] = "";
  if (m)
    spell(name, sizeof name, m, offset - element * record);
  if (is_array)
    snprintf(out, size, "[%" PRIu64 "]%s%s", element, *name ? "." : "", name);
  else
    snprintf(out, size, "%s", name);
}

/* Lines of several records: a chunk of numbers, too. */
static bool is_array_line(const struct hp_line_sums *sums,
                          const struct hp_shared_line *line, uint64_t bytes) {
  const uint64_t end =
      line->offset + HP_LINE_BYTES - (uint64_t)__builtin_clzll(bytes);
  return sums->element_size && end > sums->element_size &&
         !(sums->layout && hp_layout_is_open_ended(sums->layout));
}

static void name_bytes(const struct hp_line_sums *sums,
                       const struct hp_shared_line *line, uint64_t bytes,
                       bool is_array, struct names *names) {
  char last[160] = "", name[160];
  for (unsigned bit = 0; bit < HP_LINE_BYTES; bit++) {
    if (!(bytes >> bit & 1))
      continue;
    spell_byte(sums, line->offset + bit, is_array, name, sizeof name);
    if (*name && strcmp(name, last) != 0) {
      add_name(names, name);
      memcpy(last, name, sizeof last);
    }
  }
  if (names->more)
    snprintf(names->text + names->used, sizeof names->text - names->used,
             " and %u more", names->more);
}

/* ---- one line ------------------------------------------------------------ */

static void add_to_members(struct hp_line_sums *sums,
                           const struct hp_line_part *part, uint64_t bytes) {
  const struct hp_layout *layout = sums->layout;
  const uint64_t line = part->offset / HP_LINE_BYTES * HP_LINE_BYTES;
  for (size_t i = 0; sums->members && layout && i < layout->count; i++) {
    bool any = false;
    for (unsigned bit = 0; bit < HP_LINE_BYTES && !any; bit++) {
      uint64_t at = line + bit;
      if (layout->size && !hp_layout_is_open_ended(layout))
        at %= layout->size;
      any = bytes >> bit & 1 &&
            hp_layout_bytes_of(&layout->members[i], at, at + 1);
    }
    if (any && layout->members[i].kind != HP_LAYOUT_HOLE)
      sums->members[i].side_writes =
          hp_add(sums->members[i].side_writes, part->writes);
  }
}

static bool make_part(struct hp_line_sums *sums,
                      const struct hp_shared_line *line, size_t i,
                      uint64_t bytes, bool is_array,
                      struct hp_line_part *part) {
  struct names names = {.used = 0};
  const unsigned first = (unsigned)__builtin_ctzll(bytes);
  const unsigned end = HP_LINE_BYTES - (unsigned)__builtin_clzll(bytes);
  name_bytes(sums, line, bytes, is_array, &names);
  *part = (struct hp_line_part){.thread = line->writers[i].thread,
                                .writes = line->writers[i].writes,
                                .offset = line->offset + first,
                                .size = end - first};
  add_to_members(sums, part, bytes);
  if (!names.count)
    return true;
  part->name = hp_store_text(sums->store, names.text, strlen(names.text));
  return part->name != NULL;
}

static int by_part(const void *left, const void *right) {
  const struct hp_line_part *a = left, *b = right;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

static bool is_same_line(const struct hp_false_line *a,
                         const struct hp_false_line *b) {
  bool same = a->offset == b->offset && a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++)
    same = a->parts[i].offset == b->parts[i].offset &&
           a->parts[i].size == b->parts[i].size;
  return same;
}

/* The same line of another chunk: its threads may be others. */
static void merge(struct hp_false_line *to, const struct hp_false_line *more) {
  to->turns = hp_add(to->turns, more->turns);
  to->chunks = hp_add(to->chunks, more->chunks);
  for (size_t i = 0; i < to->count; i++)
    to->parts[i].writes = hp_add(to->parts[i].writes, more->parts[i].writes);
}

static bool keep(struct hp_line_sums *sums, const struct hp_false_line *line) {
  for (size_t i = 0; i < sums->count; i++)
    if (is_same_line(&sums->lines[i], line)) {
      merge(&sums->lines[i], line);
      return true;
    }
  if (!hp_room_for_one((void **)&sums->lines, sums->count, &sums->room,
                       sizeof *sums->lines))
    return false;
  sums->lines[sums->count++] = *line;
  return true;
}

static bool add_line(struct hp_line_sums *sums,
                     const struct hp_shared_line *line) {
  const uint64_t most = most_times(line);
  const uint64_t second = second_times(line, most);
  uint64_t all = 0;
  if (!second || line->turns < TURNS_LEAST ||
      line->turns < second / TURNS_SHARE)
    return true;
  struct hp_false_line one = {
      .offset = line->offset,
      .turns = line->turns,
      .chunks = 1,
      .parts = hp_store_take(sums->store, line->count, sizeof *one.parts)};
  if (!one.parts)
    return false;
  for (size_t i = 0; i < line->count; i++)
    all |= own_bytes(line, i, most);
  const bool is_array = is_array_line(sums, line, all);
  for (size_t i = 0; i < line->count; i++) {
    const uint64_t own = own_bytes(line, i, most);
    if (own &&
        !make_part(sums, line, i, own, is_array, &one.parts[one.count++]))
      return false;
  }
  qsort(one.parts, one.count, sizeof *one.parts, by_part);
  return keep(sums, &one);
}

/* ---- the whole ----------------------------------------------------------- */

bool hp_line_sums_add(struct hp_line_sums *sums,
                      const struct hp_members *rows) {
  for (size_t i = 0; i < rows->line_count; i++)
    if (!add_line(sums, &rows->lines[i]))
      return false;
  return true;
}

static int by_turns(const void *left, const void *right) {
  const struct hp_false_line *a = left, *b = right;
  if (a->turns != b->turns)
    return a->turns > b->turns ? -1 : 1;
  return a->offset < b->offset ? -1 : a->offset > b->offset;
}

const struct hp_false_line *hp_line_sums_finish(struct hp_line_sums *sums) {
  struct hp_false_line *kept =
      hp_store_take(sums->store, sums->count + 1, sizeof *kept);
  if (!kept || !sums->count)
    return kept;
  qsort(sums->lines, sums->count, sizeof *sums->lines, by_turns);
  memcpy(kept, sums->lines, sums->count * sizeof *kept);
  return kept;
}

void hp_line_sums_free(struct hp_line_sums *sums) { free(sums->lines); }
