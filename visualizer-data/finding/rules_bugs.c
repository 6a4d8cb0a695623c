/* rules_bugs.c - findings that are bugs, whatever they cost.
   See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "base/saturate.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"
#include "measure/malloc_memory.h"
#include "measure/paged_peak.h"

#define LEAK_CHUNKS 100u /* so many are no trifle, however small */

static bool always(const struct hp_verdict *v) {
  (void)v;
  return true;
}

/* ---- overrun ------------------------------------------------------------- */

/* A library's own chunks, too: its caller may have given it too little. */
static bool is_overrun(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_inference_value *shown = hp_shows(s->point, HP_INF_overrun);
  if (!shown)
    return false;
  *v = hp_verdict_of(s, true);
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  v->overrun = s->point->overrun;
  return true;
}

/* What lies ahead of a chunk lies behind its neighbour: nobody knows from which of the two
   the program came.  Neither is known where a record was found written over. */
static const char *side_of(const struct hp_overrun *o) {
  if (o->beyond)
    return " beyond the end";
  return o->ahead ? " ahead of the beginning, or beyond the end of a neighbour"
                  : " beyond an end, or beyond that of a neighbour";
}

/* How far, and by whom. */
static void put_overrun(FILE *out, const struct hp_verdict *v) {
  const struct hp_overrun *o = &v->overrun;
  hp_put_chunks(out, v);
  fprintf(out, " %s %s", hp_are(&v->finding),
          o->is_written && o->is_read ? "read and written"
          : o->is_written             ? "written"
          : o->is_read                ? "read"
                                      : "accessed");
  fputs(side_of(o), out);
  if (o->beyond)
    fprintf(out, ", by at least %s", hp_told_bytes(&v->finding, o->beyond).s);
  const struct hp_frame *by = o->writer ? o->writer : o->reader;
  if (by) {
    fputs(o->writer ? ", first written by " : ", first read by ", out);
    hp_put_place(out, by);
  } else {
    fputs("; the line that did it is not known", out);
  }
}

static void put_overrun_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out,
          "Allocate what is accessed, or stop at %s of what was allocated.",
          v->overrun.beyond ? "the end" : "both ends");
}

static int before_all(const struct hp_verdict *v) {
  (void)v;
  return 2;
}

/* ---- lost ---------------------------------------------------------------- */

/* Of LOST bytes, which are live to the end, what had begun by the peak, as if they came
   evenly.  The point's other chunks come and go, and tell nothing of these. */
static uint64_t begun_by_peak(const struct hp_point *p, uint64_t lost) {
  if (!p->process || p->process->peak_ns >= p->last_begun_ns)
    return lost;
  return p->process->peak_ns <= p->first_ns
             ? 0
             : hp_paged_share(lost, p->process->peak_ns - p->first_ns,
                              p->last_begun_ns - p->first_ns);
}

static uint64_t lost_at_peak(const struct hp_point *p, uint64_t lost) {
  const uint64_t begun = begun_by_peak(p, lost);
  return begun < p->peak_touched_bytes ? begun : p->peak_touched_bytes;
}

/* SUM of what hangs from LOST bytes was there by the peak as far as these were. */
static uint64_t hanging_at_peak(const struct hp_point *p, uint64_t lost,
                                uint64_t sum) {
  const uint64_t begun = begun_by_peak(p, lost);
  const uint64_t at_peak = p->bytes_at_global_peak;
  return hp_paged_share(sum, begun < at_peak ? begun : at_peak, lost);
}

#define LATE_USE 0.5 /* useful lifetime of what was no waste while it lived */

#define MUCH_LONGER 8u

/* Most of the point's chunks were used, freed and gone long before those that are lost are
   as old, as if these came evenly: the means are of the former. */
static bool are_left_over(const struct hp_point *p, uint64_t lost) {
  const double begun = ((double)p->first_ns + (double)p->last_begun_ns) / 2;
  return p->process && lost < p->chunks / 2 && p->lifetime_ns.defined &&
         MUCH_LONGER * p->lifetime_ns.mean < (double)p->window_ns - begun;
}

/* Used to the last, or nearly: what a repair frees is free at the end only.  A program that
   takes down what points to its chunks, and not these, loses them there. */
static bool is_used_late(const struct hp_point *p, uint64_t lost) {
  return p->accesses_known && p->scores.useful_lifetime >= LATE_USE &&
         !are_left_over(p, lost);
}

/* What is lost was live at the peak if it was there by then.  Nobody knows when it was
   lost; what was not used any more may have been by then. */
static bool is_lost(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shown = hp_shows(p, HP_INF_lost);
  if (!shown)
    return false;
  *v = hp_verdict_of(s, true);
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  v->held_chunks = p->held_chunks;
  v->held_bytes = p->held_bytes;
  if (!is_used_late(p, shown->chunks) && !hp_is_needed_at_peak(p, shown, false))
    v->finding.saved_peak_bytes =
        hp_add(lost_at_peak(p, shown->bytes),
               hanging_at_peak(p, shown->bytes, p->held_bytes));
  v->peak_at_most = !p->accesses_known;
  return true;
}

/* Of what hangs from them only the mean size is known. */
static uint64_t memory_of_lost(const struct hp_suspect *s,
                               const struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  if (!v->finding.saved_peak_bytes)
    return 0;
  const uint64_t own = hp_memory_of(p, lost_at_peak(p, v->finding.bytes));
  if (p->held_chunks == 0)
    return own;
  const uint64_t hanging = hp_multiply(
      p->held_chunks, hp_malloc_size(p->held_bytes / p->held_chunks));
  return hp_add(own, hanging_at_peak(p, v->finding.bytes, hanging));
}

static void put_lost(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  hp_put_chunks(out, v);
  /* Members of a ring point to one another, also those that are in no sample. */
  fprintf(out, " %s lost: nothing %spoints to %s at the end", hp_are(f),
          v->held_chunks || f->estimated ? "outside " : "", hp_them(f));
  if (v->held_chunks)
    fprintf(out, ", nor to %s more, %s%s, that only hang%s from %s",
            hp_told_count(f, v->held_chunks).s,
            hp_told_bytes(f, v->held_bytes).s,
            v->held_chunks == 1 ? "" : " in all",
            v->held_chunks == 1 ? "s" : "", hp_them(f));
}

/* What a std::shared_ptr made is lost where such pointers go in a circle, and so is a
   container of them. */
static void put_lost_remedy(FILE *out, const struct hp_verdict *v) {
  const char *type = v->finding.subject;
  if (type && v->held_chunks &&
      (strncmp(type, "std::make_shared<", 17) == 0 ||
       strncmp(type, "std::shared_ptr<", 16) == 0 ||
       strstr(type, "<std::shared_ptr<")))
    fputs("Make one pointer of each circle a std::weak_ptr: std::shared_ptrs "
          "that lead back to their own object never free it.",
          out);
  else
    hp_put_free_remedy(out, v);
}

/* A leak of next to nothing does not come before what costs something. */
static int unless_trifle(const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  return f->share_of_memory >= HP_WORTH_SHARE ||
         hp_add(f->chunks, v->held_chunks) >= LEAK_CHUNKS;
}

const struct hp_finding_rule hp_rules_bugs[] = {{.name = "overrun",
                                                 .verb = "fix",
                                                 .least = 1,
                                                 .judge = is_overrun,
                                                 .text = put_overrun,
                                                 .remedy = put_overrun_remedy,
                                                 .turn = HP_TURN_ALWAYS,
                                                 .is_worth = always,
                                                 .urgency = before_all},
                                                {.name = "lost",
                                                 .verb = "free",
                                                 .least = 1,
                                                 .judge = is_lost,
                                                 .text = put_lost,
                                                 .remedy = put_lost_remedy,
                                                 .memory = memory_of_lost,
                                                 .turn = HP_TURN_ALWAYS,
                                                 .joins_lines = true,
                                                 .joins_parts = true,
                                                 .is_worth = always,
                                                 .urgency = unless_trifle},
                                                {0}};
