/* rules_threads.c - findings of chunks that go from thread to thread.
   See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <inttypes.h>
#include <string.h>

#include "base/saturate.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"

#define CACHE_LINE 64u      /* bytes */
#define PARTS_TOLD 3u       /* of a line, in words */
#define WORTH_WRITES 10000u /* to memory that threads share */

static bool is_of(const struct hp_suspect *s, struct hp_verdict *v,
                  const struct hp_inference_value *shown) {
  *v = hp_verdict_of(s, false);
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  return true;
}

/* ---- false_sharing, of members ------------------------------------------- */

/* The second most of one part. */
static uint64_t second_writes(const struct hp_false_line *line) {
  uint64_t first = 0, second = 0;
  for (size_t i = 0; i < line->count; i++) {
    const uint64_t writes = line->parts[i].writes;
    if (writes > first) {
      second = first;
      first = writes;
    } else if (writes > second) {
      second = writes;
    }
  }
  return second;
}

static bool is_shared_inside(const struct hp_suspect *s, struct hp_verdict *v) {
  uint64_t chunks = 0;
  size_t lines = 0;
  *v = hp_verdict_of(s, false);
  for (size_t i = 0; i < s->line_count; i++) {
    const struct hp_false_line *line = &s->lines[i];
    if (second_writes(line) < WORTH_WRITES / 10)
      continue;
    v->sharing.line = v->sharing.line ? v->sharing.line : line;
    chunks = line->chunks > chunks ? line->chunks : chunks;
    lines++;
    v->sharing.writes = hp_add(v->sharing.writes, line->turns);
  }
  v->sharing.lines = lines;
  v->finding.chunks = chunks;
  v->finding.bytes = s->point->bytes;
  if (s->members && s->members->has_layout) {
    v->record.declared_at = s->members->file;
    v->record.declared_line = s->members->line;
  }
  return v->sharing.line != NULL;
}

/* Where NAME goes on with what is inside a class of the C++ library: the _M_i of an
   element that is a std::atomic; its end if it does not. */
static size_t length_outside(const char *name) {
  const char *inside = strstr(name, "._M_");
  const char *other = strstr(name, ".__");
  if (!inside || (other && other < inside))
    inside = other;
  return inside && inside > name ? (size_t)(inside - name) : strlen(name);
}

static bool is_of_library(const struct hp_false_line *line) {
  const char *name = line->parts[0].name;
  return name && name[length_outside(name)];
}

static void put_part(FILE *out, const struct hp_line_part *part) {
  if (part->name)
    fprintf(out, "%.*s", (int)length_outside(part->name), part->name);
  else
    fprintf(out, "bytes %" PRIu64 " to %" PRIu64, part->offset,
            part->offset + part->size - 1);
  fprintf(out, " (thread %" PRIu32 ", %s writes)", part->thread,
          hp_count_text(part->writes).s);
}

static void put_shared_inside(FILE *out, const struct hp_verdict *v) {
  const struct hp_false_line *line = v->sharing.line;
  const size_t told = line->count < PARTS_TOLD ? line->count : PARTS_TOLD;
  const size_t more = line->count - told;
  const char *slash =
      v->record.declared_at ? strrchr(v->record.declared_at, '/') : NULL;
  for (size_t i = 0; i < told; i++) {
    if (i)
      fputs(i + 1 == told && !more ? " and " : ", ", out);
    put_part(out, &line->parts[i]);
  }
  if (more)
    fprintf(out, " and %zu more", more);
  fprintf(out, " of %s", hp_thing(&v->finding, "the chunk"));
  if (v->record.declared_at && v->record.declared_line && !is_of_library(line))
    fprintf(out, " (%s:%" PRIu32 ")", slash ? slash + 1 : v->record.declared_at,
            v->record.declared_line);
  fprintf(out,
          " lie in one cache line, at offset %" PRIu64
          ", and threads write them in turns: another thread did %s times in "
          "%s counted chunk%s",
          line->offset, hp_count_text(line->turns).s,
          hp_count_text(line->chunks).s, line->chunks == 1 ? "" : "s");
  if (v->sharing.lines > 1)
    fprintf(out, "; so it is in %zu more line%s", v->sharing.lines - 1,
            v->sharing.lines == 2 ? "" : "s");
}

/* Of an array elements that are of one thread each. */
static void put_shared_inside_remedy(FILE *out, const struct hp_verdict *v) {
  const char *name = v->sharing.line->parts[0].name;
  if (name && *name == '[')
    fputs("Align each element to 64 bytes, or let each thread have a variable "
          "of its own until it is done.",
          out);
  else
    fputs("Move them apart: alignas(64) on each, or a record of its own for "
          "what a thread writes, and align the chunk, too.",
          out);
}

/* ---- false_sharing, of neighbours ---------------------------------------- */

/* Small chunks lie side by side, and threads that write to one cache line wait
   for each other. */
static bool is_false_sharing(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shared = hp_shows(p, HP_INF_multithread);
  return shared && p->size.max < CACHE_LINE &&
         p->writes / p->chunks >= WORTH_WRITES / 10 && is_of(s, v, shared) &&
         (v->sharing.writes = p->writes);
}

static void put_false_sharing(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out,
          " share cache lines, and other threads access them, "
          "with %s writes in all",
          hp_told_count(&v->finding, v->whole.writes).s);
}

static void put_false_sharing_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Align each to 64 bytes, or let each thread allocate its own.", out);
}

static bool has_many_writes(const struct hp_verdict *v) {
  return v->whole.writes >= WORTH_WRITES;
}

/* ---- freed_elsewhere ----------------------------------------------------- */

/* What waits for the end, or is all there at once, nobody could have used again. */
#define TIMES_USED 2u

static bool is_freed_elsewhere(const struct hp_suspect *s,
                               struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *freed = hp_shows(p, HP_INF_freed_elsewhere);
  return freed && freed->chunks >= p->chunks - freed->chunks &&
         p->peak_bytes <= p->bytes / TIMES_USED && is_of(s, v, freed);
}

static void put_freed_elsewhere(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fputs(" are freed by other threads than allocated them", out);
}

static void put_freed_elsewhere_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Send them back and reuse them where they were allocated, or give "
        "each thread a pool.",
        out);
}

static bool always(const struct hp_verdict *v) {
  (void)v;
  return true;
}

static bool has_share(const struct hp_verdict *v) {
  return v->finding.share_of_allocations >= HP_WORTH_SHARE;
}

const struct hp_finding_rule hp_rules_threads[] = {
    {.name = "false_sharing",
     .verb = "move members apart",
     .least = 1,
     .judge = is_shared_inside,
     .text = put_shared_inside,
     .remedy = put_shared_inside_remedy,
     .is_worth = always},
    {.name = "false_sharing",
     .verb = "pad",
     .least = 2,
     .judge = is_false_sharing,
     .text = put_false_sharing,
     .remedy = put_false_sharing_remedy,
     .is_worth = has_many_writes},
    {.name = "freed_elsewhere",
     .verb = "split by thread",
     .least = 1000,
     .judge = is_freed_elsewhere,
     .text = put_freed_elsewhere,
     .remedy = put_freed_elsewhere_remedy,
     .is_of_lives = true,
     .saves_nothing = true,
     .is_worth = has_share},
    {0}};
