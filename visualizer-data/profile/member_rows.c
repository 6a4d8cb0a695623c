/* member_rows.c - see member_rows.h: what the processes say, and of how many chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/member_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "measure/metric.h"

/* The sums over the list that begins with FIRST. */
struct sums {
  uint64_t of, chunks, lost;
  size_t rows, lines;
};

static struct sums sums_of(const struct hp_summary *first) {
  struct sums sums = {0};
  for (const struct hp_summary *s = first; s; s = s->next) {
    sums.of = hp_add(sums.of, s->chunks);
    sums.chunks = hp_add(sums.chunks, s->members.chunks);
    sums.lost = hp_add(sums.lost, s->members.lost);
    sums.rows += s->members.count;
    sums.lines += s->members.line_count;
  }
  return sums;
}

/* Those that are known, by the clock of their process. */
static void set_times(const struct hp_profile_process *first,
                      const struct hp_summary *list) {
  for (const struct hp_summary *s = list; s; s = s->next) {
    const struct hp_member_sum *m = &s->members;
    const uint64_t rate = first[s->process].rules.ticks_per_second;
    for (size_t i = 0; i < m->use_count; i++) {
      m->rows[i].first_use_ns = hp_ticks_to_ns(m->uses[i].first, rate);
      m->rows[i].last_use_ns = hp_ticks_to_ns(m->uses[i].last, rate);
    }
  }
}

/* ---- rows of several processes -------------------------------------------- */

static int by_place(const void *left, const void *right) {
  const struct hp_member_access *a = left, *b = right;
  if (a->together != b->together)
    return a->together < b->together ? -1 : 1;
  if (a->offset != b->offset)
    return a->offset < b->offset ? -1 : 1;
  if (a->size != b->size)
    return a->size < b->size ? -1 : 1;
  return a->code < b->code ? -1 : a->code > b->code;
}

static bool is_same(const struct hp_member_access *a,
                    const struct hp_member_access *b) {
  return !a->together && !b->together && a->offset == b->offset &&
         a->size == b->size && a->code == b->code;
}

/* Of other processes, so other chunks; 0: not known. */
static void add(struct hp_member_access *to,
                const struct hp_member_access *more) {
  if (more->last_use_ns &&
      (!to->last_use_ns || more->first_use_ns < to->first_use_ns))
    to->first_use_ns = more->first_use_ns;
  if (more->last_use_ns > to->last_use_ns)
    to->last_use_ns = more->last_use_ns;
  to->reads = hp_add(to->reads, more->reads);
  to->writes = hp_add(to->writes, more->writes);
  to->chunks =
      to->chunks && more->chunks ? hp_add(to->chunks, more->chunks) : 0;
}

/* One for each place and code; how many are left.  Bursts stay each process's own. */
static size_t join(struct hp_member_access *rows, size_t count) {
  size_t kept = 0;
  if (count)
    qsort(rows, count, sizeof *rows, by_place);
  for (size_t i = 0; i < count; i++)
    if (kept && is_same(&rows[kept - 1], &rows[i]))
      add(&rows[kept - 1], &rows[i]);
    else
      rows[kept++] = rows[i];
  return kept;
}

static void take(struct hp_member_access *rows, struct hp_shared_line *lines,
                 const struct hp_summary *first) {
  uint32_t bursts = 0; /* of the processes before */
  for (const struct hp_summary *s = first; s; s = s->next) {
    uint32_t most = 0;
    for (size_t i = 0; i < s->members.count; i++) {
      *rows = s->members.rows[i];
      most = rows->together > most ? rows->together : most;
      rows->together += rows->together ? bursts : 0;
      rows++;
    }
    bursts += most;
    if (s->members.line_count)
      memcpy(lines, s->members.lines, s->members.line_count * sizeof *lines);
    lines += s->members.line_count;
  }
}

hp_status hp_member_rows_find(struct hp_profile *profile,
                              const struct hp_profile_process *process,
                              const struct hp_dump_point *raw,
                              struct hp_profile_point *point,
                              struct hp_error *error) {
  const struct sums sums = sums_of(raw->summary);
  point->members = (struct hp_members){0};
  if (!sums.chunks)
    return HP_OK;
  set_times(process, raw->summary);
  const double of_each = (double)sums.of / (double)sums.chunks;
  struct hp_members members = {.rows = raw->summary->members.rows,
                               .count = sums.rows,
                               .chunks_counted = sums.chunks,
                               .weight = of_each < 1 ? 1 : of_each,
                               .lost = sums.lost,
                               .lines = raw->summary->members.lines,
                               .line_count = sums.lines};
  if (raw->summary->next) {
    struct hp_member_access *rows =
        hp_store_take(&profile->store, sums.rows + 1, sizeof *rows);
    struct hp_shared_line *lines =
        hp_store_take(&profile->store, sums.lines + 1, sizeof *lines);
    if (!rows || !lines)
      return hp_fail_memory(error);
    take(rows, lines, raw->summary);
    members.rows = rows;
    members.count = join(rows, sums.rows);
    members.lines = lines;
  }
  point->members = members;
  return HP_OK;
}
