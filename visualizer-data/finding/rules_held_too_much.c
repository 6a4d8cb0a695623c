/* rules_held_too_much.c - findings of chunks kept too long, or too large.
   See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/same_text.h"
#include "base/saturate.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"
#include "measure/paged_peak.h"
#include "profile/collector_name.h"

#define CACHE_LINE 64u           /* bytes */
#define NEVER_FREED_CHUNKS 16u   /* fewer are no pattern */
#define KEPT_LONG_NS 1000000000u /* in a run of a second */

/* SHOWN of the point, of which SAVED bytes, live at the peak, were not needed there. */
static bool is_held(const struct hp_suspect *s, struct hp_verdict *v,
                    const struct hp_inference_value *shown, uint64_t saved) {
  *v = hp_verdict_of(s, false);
  v->finding.chunks = shown->chunks;
  v->finding.bytes = shown->bytes;
  v->finding.saved_peak_bytes = hp_at_peak(s->point, saved);
  return true;
}

/* Bytes of the HELD chunks that nobody needed at the peak. */
static uint64_t idle_bytes(const struct hp_point *p,
                           const struct hp_inference_value *held, bool early) {
  return hp_is_needed_at_peak(p, held, early) ? 0 : held->bytes;
}

static void limit_saved(struct hp_verdict *v, uint64_t most) {
  if (v->finding.saved_peak_bytes > most)
    v->finding.saved_peak_bytes = most;
}

/* SHOWN of the point, which were not in use before, if EARLY, or any more. */
static bool is_held_idle(const struct hp_suspect *s, struct hp_verdict *v,
                         const struct hp_inference_value *shown, bool early) {
  is_held(s, v, shown, idle_bytes(s->point, shown, early));
  limit_saved(v, hp_peak_above_held(s->point, shown, early));
  return true;
}

/* What can still be reached is no waste; what was last used long ago may be. */
static bool is_idle(const struct hp_point *p) {
  const double useful = p->scores.useful_lifetime;
  return useful >= 0 &&
         useful + p->scores.useful_lifetime_error < HP_LOW_LIFETIME &&
         p->window_ns >= KEPT_LONG_NS;
}

/* ---- initialised_only ---------------------------------------------------- */

#define LOOKED_LEAST 8u /* chunks: fewer say nothing of others */

/* Tables grow by doubling: of I's bytes those that are saved by one that begins half
   as large, or a quarter, ..., and still has room for what is used. */
static uint64_t saved_by_halves(const struct hp_initialised *i) {
  const uint64_t used = i->bytes - i->only;
  uint64_t room = i->bytes;
  while (room / 2 > used)
    room /= 2;
  return i->bytes - room;
}

/* Chunks of one record each are as large as their type says, and most records have
   members that one run does not need. */
#define RECORD_LEAST 256u /* bytes: it has arrays */

static bool is_one_record(const struct hp_point *p) {
  return p->element_size && p->size.min == p->element_size &&
         p->size.max == p->element_size;
}

/* Of BYTES in CHUNKS what those of them have that are no larger than the ones that were
   looked at: a table that grew large says its own. */
static uint64_t bytes_alike(const struct hp_initialised *i, uint64_t bytes,
                            uint64_t chunks) {
  const uint64_t alike = hp_clamp128((hp_u128)chunks * i->bytes / i->chunks);
  return alike < bytes ? alike : bytes;
}

/* Half of the chunk, and a cache line of it; a table that is never filled says
   nothing of how large one that is has to be. */
static bool is_initialised_only(const struct hp_suspect *s,
                                struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_initialised *i = &p->initialised;
  if (s->origin.by_library || !i->chunks || i->lost > i->chunks ||
      (i->chunks < LOOKED_LEAST && i->chunks < p->chunks) ||
      i->filled < i->chunks - i->filled || i->only < i->bytes - i->only ||
      i->only / i->chunks < CACHE_LINE ||
      (is_one_record(p) && p->element_size < RECORD_LEAST))
    return false;
  *v = hp_verdict_of(s, false);
  v->finding.estimated |= i->chunks < p->chunks;
  v->finding.chunks = p->chunks;
  v->finding.bytes = p->bytes;
  v->finding.wasted_bytes =
      hp_paged_share(bytes_alike(i, p->bytes, p->chunks), i->only, i->bytes);
  v->finding.saved_peak_bytes = hp_paged_share(
      bytes_alike(i, p->peak_touched_bytes, p->chunks_at_global_peak),
      saved_by_halves(i), i->bytes);
  v->looked.some = i->chunks;
  v->looked.of = p->chunks;
  v->initialised.some = i->only;
  v->initialised.of = i->bytes;
  v->teardown.taker = i->reader;
  v->is_record = is_one_record(p);
  return true;
}

static void put_initialised_only(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out,
          " %s too large: %s%.0f %% of the bytes are initialised, and neither "
          "read nor written later",
          hp_are(&v->finding), v->finding.estimated ? "~" : "",
          v->initialised.of
              ? 100 * (double)v->initialised.some / (double)v->initialised.of
              : 0);
  if (v->teardown.taker) {
    fputs(", but for ", out);
    hp_put_place(out, v->teardown.taker);
    fprintf(out, ", which takes %s down", hp_them(&v->finding));
  }
  if (v->looked.some < v->looked.of)
    fprintf(out, " (%s chunk%s looked at)", hp_count_text(v->looked.some).s,
            v->looked.some == 1 ? "" : "s");
}

#define SMALLER_RECORD                                                         \
  "Make its arrays smaller, or what few need a chunk of its own: %s per "      \
  "chunk "                                                                     \
  "were enough on average."

static void put_initialised_only_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out,
          v->is_record
              ? SMALLER_RECORD
              : "Begin with less, and let it grow: %s per chunk were enough on "
                "average.",
          hp_told_bytes(&v->finding, v->looked.some ? (v->initialised.of -
                                                       v->initialised.some) /
                                                          v->looked.some
                                                    : 0)
              .s);
}

/* ---- empty_buckets ------------------------------------------------------- */

#define BUCKETS_FOR_ONE 8u /* so many of which one is used at most */
#define BUCKETS_NEEDED 2u  /* for one that is, as the table grows by doubling */

/* A std::unordered_map of libstdc++ writes zeros to all of its buckets at once, and
   a pointer to one at a time: no more of them were ever used than there were writes. */
static bool has_empty_buckets(const struct hp_suspect *s,
                              struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  if (!p->type ||
      !hp_is_same_text(p->type, "std::__detail::_Hash_node_base *") ||
      s->origin.by_library || p->estimated || !p->accesses_known ||
      p->line_written_unseen || p->counts_saturated ||
      p->writes >= p->elements / BUCKETS_FOR_ONE)
    return false;
  const uint64_t needed = p->writes * BUCKETS_NEEDED * p->element_size;
  if (needed >= p->peak_touched_bytes)
    return false;
  *v = hp_verdict_of(s, false);
  v->finding.chunks = p->chunks;
  v->finding.bytes = p->bytes;
  v->finding.wasted_bytes = p->bytes - p->writes * p->element_size;
  v->finding.saved_peak_bytes = p->peak_touched_bytes - needed;
  v->looked = (struct hp_some_of){p->writes, p->elements};
  return true;
}

static void put_empty_buckets(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out, " %s too large: at most %s of %s buckets were ever used",
          hp_are(&v->finding), hp_count_text(v->looked.some).s,
          hp_count_text(v->looked.of).s);
}

static void put_empty_buckets_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Reserve for as many elements as there are, or let the table grow by "
        "itself; a max_load_factor far below 1 takes as many buckets, and a "
        "hash that often gives the same uses few of them.",
        out);
}

/* ---- never_freed --------------------------------------------------------- */

/* Whether every live chunk is known to be lost or not. */
static bool is_checked(const struct hp_point *p) {
  const uint64_t known = p->inferences[HP_INF_lost].chunks +
                         p->inferences[HP_INF_lost_indirectly].chunks +
                         p->inferences[HP_INF_still_reachable].chunks;
  return known == p->live_chunks || p->leak_suppressed;
}

/* With their ages spread evenly, half of the time that they came in is the mean. */
static bool are_spread(const struct hp_point *p) {
  const double run = (double)p->window_ns;
  return p->lived_ns > run / 4 && p->lived_ns < run * 3 / 4;
}

/* Began all through a run of a second, and stayed. */
static bool grows_throughout(const struct hp_point *p) {
  const double run = (double)p->window_ns;
  return p->window_ns >= KEPT_LONG_NS && (double)p->first_ns < run / 4 &&
         (double)p->last_begun_ns > run * 3 / 4 && are_spread(p);
}

/* Streams that pile up for a quarter of the run or more, and their buffers: libc has a
   list of all that are open, by which each can be reached, though nobody may know it any
   more. */
static bool are_open_files(const struct hp_point *p) {
  return p->type && !p->leak_suppressed && are_spread(p) &&
         p->last_begun_ns - p->first_ns > p->window_ns / 4 &&
         (hp_is_same_text(p->type, "FILE") ||
          hp_is_same_text(p->type, "stdio buffer"));
}

/* What a process that was killed had not freed yet says nothing; nor does what
   one call of a library, such as setlocale, keeps for good. */
static bool is_never_freed(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shown = hp_shows(p, HP_INF_never_freed);
  const bool are_files = shown && are_open_files(p);
  if (!shown || !p->ended_by_exit || (is_checked(p) && !are_files) ||
      (s->origin.by_library && shown->chunks < NEVER_FREED_CHUNKS) ||
      !hp_is_mostly(p, HP_INF_never_freed))
    return false;
  const bool is_growth = are_files || grows_throughout(p);
  const uint64_t idle = is_idle(p) ? idle_bytes(p, shown, false) : 0;
  is_held(s, v, shown, is_growth ? shown->bytes : idle);
  if (!is_growth)
    limit_saved(v, hp_peak_above_held(p, shown, false));
  v->are_files = are_files;
  return true;
}

static void put_never_freed(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out, " %s still allocated at the end%s", hp_are(&v->finding),
          v->are_files ? ", as their files were not closed" : "");
}

static void put_never_freed_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->are_files)
    fputs("Close each file after its last use, by fclose.", out);
  else
    hp_put_free_remedy(out, v);
}

/* ---- still_reachable ----------------------------------------------------- */

static bool is_still_reachable(const struct hp_suspect *s,
                               struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shown = hp_shows(p, HP_INF_still_reachable);
  return shown && hp_is_mostly(p, HP_INF_still_reachable) &&
         !s->origin.by_library && is_idle(p) &&
         is_held_idle(s, v, shown, false);
}

static void put_still_reachable(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  hp_put_chunks(out, v);
  fprintf(out,
          " %s kept until the end, long after the last use; the program can "
          "still reach %s",
          hp_are(f), hp_them(f));
}

static void put_still_reachable_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Free what is no longer needed, or keep it on purpose.", out);
}

/* ---- low_coverage: a library's accesses are not seen, as below ----------- */

/* Pages that were never touched take no memory, so that only what lies on pages
   with other bytes is saved. */
static bool is_low_coverage(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_inference_value *shown = hp_shows(p, HP_INF_low_coverage);
  if (!shown || s->origin.by_library || p->size.mean < CACHE_LINE)
    return false;
  is_held(s, v, shown, 0);
  v->finding.saved_peak_bytes = hp_unused_at_peak(p);
  v->is_record = is_one_record(p);
  return true;
}

static void put_low_coverage(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out, " %s too large: %s%.0f %% of the bytes are ever touched",
          hp_are(&v->finding), v->finding.estimated ? "~" : "",
          v->whole.bytes
              ? 100 * (double)v->whole.accessed / (double)v->whole.bytes
              : 0);
}

static void put_low_coverage_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->use.is_adaptor || v->origin.is_deque_block) {
    fputs("A deque takes whole blocks, however few elements it holds: use a "
          "std::vector, which a std::stack can be based on, too.",
          out);
    return;
  }
  if (v->origin.by_header) {
    fputs("Give the library a size, if it takes one, or use what needs less.",
          out);
    return;
  }
  fprintf(out,
          v->is_record ? SMALLER_RECORD
                       : "Allocate less: %s per chunk were enough on average.",
          hp_told_bytes(&v->finding, v->whole.chunks
                                         ? v->whole.accessed / v->whole.chunks
                                         : 0)
              .s);
}

/* ---- freed_late, allocated_early ----------------------------------------- */

static bool is_freed_late(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_inference_value *shown =
      hp_shows(s->point, HP_INF_freed_late);
  const struct hp_teardown *t = &s->point->teardown;
  struct hp_inference_value torn;
  if (s->origin.by_library || !hp_point_lives_long(s->point))
    return false;
  if (shown)
    return is_held_idle(s, v, shown, false);
  if (!hp_suspect_is_torn(s, t->late, &torn) ||
      hp_suspect_is_torn(s, t->unread, &(struct hp_inference_value){0}))
    return false; /* which is write_only */
  is_held(s, v, &torn, torn.bytes);
  hp_verdict_by_teardown(v, s, t->late);
  return true;
}

static void put_freed_late(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out, " %s kept long after the last use", hp_are(&v->finding));
  hp_put_teardown(out, v);
}

static void put_freed_late_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->teardown.taker && hp_name_collects(v->teardown.taker->function)) {
    fputs("Collect more often, by the bytes that were allocated since and not "
          "by the number of chunks alone; or free it where the program knows "
          "that it was used for the last time.",
          out);
    return;
  }
  fputs(v->is_cxx ? "Drop it after the last use, or what it is in; clear alone "
                    "keeps the memory, which shrink_to_fit gives back."
                  : "Free it after the last use.",
        out);
}

static bool is_allocated_early(const struct hp_suspect *s,
                               struct hp_verdict *v) {
  const struct hp_inference_value *shown =
      hp_shows(s->point, HP_INF_allocated_early);
  return shown && !s->origin.by_library && hp_point_lives_long(s->point) &&
         is_held_idle(s, v, shown, true);
}

static void put_allocated_early(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  fprintf(out, " %s allocated long before the first use", hp_are(&v->finding));
}

static void put_allocated_early_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Allocate it where it is first used.", out);
}

const struct hp_finding_rule hp_rules_held_too_much[] = {
    {.name = "empty_buckets",
     .verb = "shrink",
     .least = 1,
     .judge = has_empty_buckets,
     .text = put_empty_buckets,
     .remedy = put_empty_buckets_remedy,
     .memory = hp_memory_of_smaller},
    {.name = "initialised_only",
     .verb = "shrink",
     .least = 1,
     .judge = is_initialised_only,
     .text = put_initialised_only,
     .remedy = put_initialised_only_remedy,
     .memory = hp_memory_of_smaller},
    {.name = "never_freed",
     .verb = "free",
     .least = NEVER_FREED_CHUNKS,
     .judge = is_never_freed,
     .text = put_never_freed,
     .remedy = put_never_freed_remedy},
    {.name = "still_reachable",
     .verb = "free earlier",
     .least = 1,
     .judge = is_still_reachable,
     .text = put_still_reachable,
     .remedy = put_still_reachable_remedy},
    {.name = "low_coverage",
     .verb = "shrink",
     .least = 1,
     .judge = is_low_coverage,
     .text = put_low_coverage,
     .remedy = put_low_coverage_remedy,
     .memory = hp_memory_of_smaller},
    {.name = "freed_late",
     .verb = "free earlier",
     .least = 1,
     .judge = is_freed_late,
     .text = put_freed_late,
     .remedy = put_freed_late_remedy,
     .joins_lines = true,
     .is_of_lives = true},
    {.name = "allocated_early",
     .verb = "allocate later",
     .least = 1,
     .judge = is_allocated_early,
     .text = put_allocated_early,
     .remedy = put_allocated_early_remedy,
     .is_of_lives = true},
    {0}};
