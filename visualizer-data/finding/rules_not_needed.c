/* rules_not_needed.c - findings of chunks that need not be allocated at all.
   See finding_rule.h for what a row is.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "base/saturate.h"
#include "finding/copies.h"
#include "finding/finding_rule.h"
#include "finding/finding_words.h"
#include "measure/malloc_memory.h"
#include "measure/paged_peak.h"
#include "resolve/frame_role.h"
#include "text/member_name.h"

/* ---- zero_size ----------------------------------------------------------- */

static bool is_zero_size(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_inference_value *zero = hp_shows(s->point, HP_INF_zero_size);
  if (!zero || s->origin.by_library)
    return false;
  *v = hp_verdict_of(s, true);
  v->finding.chunks = v->finding.saved_chunks = zero->chunks;
  return true;
}

static void put_zero_size(FILE *out, const struct hp_verdict *v) {
  hp_put_place(out, v->finding.place);
  fputs(" asks for 0 bytes again and again", out);
}

static void put_zero_size_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Return early when there is nothing to store.", out);
}

/* ---- shared_count -------------------------------------------------------- */

#define BOOST_POINTER "boost::shared_ptr"

/* What a type has between <> parts nothing. */
static bool is_one(struct hp_text_part parameters) {
  int depth = 0;
  for (size_t i = 0; i < parameters.length; i++) {
    const char c = parameters.begin[i];
    if (depth == 0 && c == ',')
      return false;
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
  }
  return parameters.length > 0;
}

/* FUNCTION makes a std::shared_ptr of a pointer and nothing else: who gives a
   deleter cannot do without. */
static bool takes_over(const char *function) {
  const struct hp_member_name name = hp_member_parse(function);
  const struct hp_text_part from = name.parameters;
  if ((!hp_part_begins(name.scope, "std::") &&
       !hp_part_begins(name.scope, BOOST_POINTER)) ||
      !hp_part_has(name.scope, "shared_ptr<") ||
      !hp_part_begins(name.member, "shared_ptr"))
    return false;
  if (hp_part_has(from, "unique_ptr<"))
    return hp_part_has(from, "default_delete<") && hp_part_has(from, "&&");
  return hp_part_ends(from, "*") && is_one(from);
}

/* Its own templates, or those of a header that is installed, as Boost's. */
static bool is_of_library(const struct hp_frame *frame) {
  return !hp_frame_is_of_program(frame) || hp_frame_is_included(frame);
}

/* What libc++'s count of a pointer is, whose constructor's name nobody can take apart:
   it has the object deleted as std::make_shared would. */
static bool deletes_as_usual(const char *type) {
  static const char count[] = "std::__shared_ptr_pointer<";
  return type && strncmp(type, count, sizeof count - 1) == 0 &&
         strstr(type, "default_delete<");
}

/* libstdc++'s and Boost's: with the pointer to its object, which it needs no more beside that. */
#define COUNT_BYTES 24u
#define COUNT_ALONE 16u

/* The count of a std::shared_ptr that the program makes of an object which was
   allocated before. */
static bool is_shared_count(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  size_t depth = 0;
  while (depth < p->stack_count && is_of_library(p->stack[depth]))
    depth++;
  if (depth == 0 || depth == p->stack_count || !p->stack[depth - 1]->function ||
      (!takes_over(p->stack[depth - 1]->function) &&
       !deletes_as_usual(p->type)))
    return false;
  *v = hp_verdict_of_all(s);
  v->finding.subject =
      hp_member_parse(p->stack[depth - 1]->function).scope.begin[0] == 'b'
          ? BOOST_POINTER
          : "std::shared_ptr";
  if (p->size.min == COUNT_BYTES && p->size.max == COUNT_BYTES)
    v->finding.saved_peak_bytes =
        hp_multiply(COUNT_BYTES - COUNT_ALONE, p->chunks_at_global_peak);
  return true;
}

/* The object takes no more than a step of 16 bytes for it. */
static uint64_t memory_of_counts(const struct hp_suspect *s,
                                 const struct hp_verdict *v) {
  return v->finding.saved_peak_bytes
             ? hp_multiply(hp_malloc_size(COUNT_BYTES) - COUNT_ALONE,
                           s->point->chunks_at_global_peak)
             : 0;
}

static void put_shared_count(FILE *out, const struct hp_verdict *v) {
  hp_put_place(out, v->finding.place);
  fprintf(out,
          " makes each %s of an object that was allocated before, so that its "
          "count takes an allocation of its own",
          v->finding.subject);
}

static void put_shared_count_remedy(FILE *out, const struct hp_verdict *v) {
  fprintf(out, "Call %smake_shared, which allocates object and count at once.",
          *v->finding.subject == 'b' ? "boost::" : "std::");
}

/* ---- unused, write_only -------------------------------------------------- */

#define PAGE 4096u

/* Of chunks that nobody touched the page that they begin on, at most. */
static uint64_t untouched_at_peak(const struct hp_point *p, uint64_t chunks,
                                  uint64_t bytes) {
  const uint64_t pages = hp_multiply(PAGE, chunks);
  const uint64_t all = hp_at_peak(p, bytes);
  const uint64_t begun = hp_paged_share(
      p->bytes_at_global_peak, pages < bytes ? pages : bytes, p->bytes);
  return begun < all ? begun : all;
}

/* CHUNKS and BYTES of the point are for nothing.  What a library does inside is
   not seen, nor what the program does to those that live where it goes on. */
static bool for_nothing(const struct hp_suspect *s, struct hp_verdict *v,
                        uint64_t chunks, uint64_t bytes, bool certain) {
  /* What the program does to a text that it had from libc is seen. */
  const bool is_seen = !s->origin.by_library ||
                       (s->origin.called_libc && s->point->accesses_known);
  if (!is_seen || chunks == 0 || bytes == 0)
    return false;
  const bool may_be_used = s->point->goes_on && s->point->live_chunks;
  *v = hp_verdict_of(s, certain && !may_be_used);
  v->finding.chunks = v->finding.saved_chunks = chunks;
  v->finding.bytes = v->finding.wasted_bytes = bytes;
  v->finding.saved_peak_bytes = hp_at_peak(s->point, bytes);
  return true;
}

/* For half of the chunks, as the inference is shown. */
static bool is_unused_by_pages(const struct hp_suspect *s, bool sampled,
                               struct hp_verdict *v) {
  struct hp_page_evidence by;
  if (!hp_suspect_pages(s, sampled, &by) ||
      by.pages.unused_chunks < s->point->chunks - by.pages.unused_chunks ||
      !for_nothing(s, v, by.pages.unused_chunks, by.pages.unused_bytes,
                   !sampled))
    return false;
  hp_verdict_by_pages(v, &by);
  v->finding.saved_peak_bytes =
      sampled ? untouched_at_peak(s->point, v->finding.chunks, v->finding.bytes)
              : 0; /* what is not touched takes none */
  return true;
}

static bool is_unused(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_inference_value unused = hp_untouched(s->point);
  if (is_unused_by_pages(s, false, v) || is_unused_by_pages(s, true, v))
    return true;
  const struct hp_point *p = s->point;
  const uint64_t empty = p->inferences[HP_INF_zero_size].chunks;
  if (!unused.flagged || unused.chunks <= empty ||
      !for_nothing(s, v, unused.chunks - empty, unused.bytes,
                   !p->accesses_shared))
    return false;
  v->finding.saved_peak_bytes =
      untouched_at_peak(p, v->finding.chunks, v->finding.bytes);
  return true;
}

static void put_unused(FILE *out, const struct hp_verdict *v) {
  hp_put_chunks(out, v);
  /* Code without hooks may have got a chunk, too. */
  fprintf(out, " %s %snever read nor written", hp_are(&v->finding),
          v->finding.certain ? "" : "as far as was seen ");
  hp_put_by_pages(out, v, ": none was touched");
}

static void put_unused_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Remove the allocation, or make it at the first use.", out);
}

static bool is_write_only(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_inference_value *shown =
      hp_shows(s->point, HP_INF_write_only);
  const uint64_t unread = s->point->teardown.unread;
  struct hp_inference_value torn;
  const bool by_teardown = !shown && hp_suspect_is_torn(s, unread, &torn);
  if (by_teardown)
    shown = &torn;
  if (!shown || !for_nothing(s, v, shown->chunks, shown->bytes,
                             !s->point->accesses_shared))
    return false;
  if (by_teardown)
    hp_verdict_by_teardown(v, s, unread);
  v->holds_unseen = s->point->accesses_shared;
  /* One that is kept, that a container has or a member of an object, was not made to be
     passed. */
  v->use.is_copy =
      v->use.is_copy && (s->origin.by_header || hp_place_copies(s->point)) &&
      !hp_origin_is_member(s->point) &&
      (hp_shows(s->point, HP_INF_short_lived) || hp_is_copied_each_time(s));
  v->use.is_result =
      v->use.is_copy && hp_is_copied_result(s, s->origin.place, v);
  if (hp_shows(s->point, HP_INF_short_lived))
    hp_verdict_of_pair(v, s);
  v->written_for_nobody = shown->bytes < s->point->bytes_accessed
                              ? shown->bytes
                              : s->point->bytes_accessed;
  return true;
}

#define FEW 8u /* one of so many chunks */

/* A container grows, which reads all that it leaves, and what it has become is never read:
   who only asks whether there is something, or how much, needs none of it. */
static bool is_filled_unread(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_chains *grown = &p->grown;
  const uint64_t unread = p->inferences[HP_INF_write_only].chunks;
  if (!hp_suspect_container(s) || s->origin.copied || !p->accesses_known ||
      !grown->chains || unread < grown->chains ||
      p->chunks - grown->chunks > p->chunks / FEW ||
      !for_nothing(s, v, p->chunks, p->bytes, false))
    return false;
  v->use.is_filled_unread = true;
  v->growing.chains = grown->chains;
  v->written_for_nobody = p->bytes_accessed;
  return true;
}

static bool is_unread(const struct hp_suspect *s, struct hp_verdict *v) {
  return is_write_only(s, v) || is_filled_unread(s, v);
}

static void put_write_only(FILE *out, const struct hp_verdict *v) {
  if (v->use.is_filled_unread) {
    hp_put_place(out, v->finding.place);
    fprintf(out, " fills %s %s, and what %s in the end nobody reads",
            hp_told_count(&v->finding, v->growing.chains).s,
            hp_thing(&v->finding, "containers"),
            v->growing.chains == 1 ? "it holds" : "each holds");
    return;
  }
  hp_put_chunks(out, v);
  fprintf(out, " %s written and%s never read", hp_are(&v->finding),
          v->finding.certain || v->teardown.watched ? ""
                                                    : ", as far as was seen,");
  hp_put_teardown(out, v);
}

static void put_write_only_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->use.is_filled_unread) {
    fputs("Do not fill it: a count does, or a bool, where it is only asked how "
          "much there is, or whether.",
          out);
    return;
  }
  if (v->copied.is_pair) {
    hp_put_class_copies_remedy(out, v);
    return;
  }
  if (v->use.in_vain) {
    fputs(HP_TRY_EMPLACE, out);
    return;
  }
  /* A node may be read though the text that it holds is not. */
  fputs(v->use.is_copy && v->is_cxx && v->origin.by_header
            ? "Nobody reads the library's copy: give it by std::move what it "
              "copies, or call what returns a reference, if it has such."
        : v->use.is_copy && v->is_cxx && v->use.is_result
            ? "Return it by const reference: nobody reads the copy."
        : v->use.is_copy && v->is_cxx
            ? "Pass or take it by const reference: nobody reads the copy."
        : v->holds_unseen
            ? "If none of those that a note names reads it, do not build it: "
              "make it when there is something to read, or switch it off "
              "where it is not needed."
            : "Do not build what nobody reads: make it when there is "
              "something to read, or switch it off where it is not "
              "needed.",
        out);
}

const struct hp_finding_rule hp_rules_not_needed[] = {
    {.name = "zero_size",
     .verb = "return early",
     .least = 100,
     .judge = is_zero_size,
     .text = put_zero_size,
     .remedy = put_zero_size_remedy,
     .turn = HP_TURN_ALWAYS},
    {.name = "shared_count",
     .verb = "join",
     .least = 100,
     .judge = is_shared_count,
     .text = put_shared_count,
     .remedy = put_shared_count_remedy,
     .memory = memory_of_counts},
    {.name = "unused",
     .verb = "delete",
     .least = 1,
     .judge = is_unused,
     .text = put_unused,
     .remedy = put_unused_remedy,
     .joins_lines = true},
    {.name = "write_only",
     .verb = "delete",
     .least = 1,
     .judge = is_unread,
     .text = put_write_only,
     .remedy = put_write_only_remedy,
     .joins_lines = true,
     .yields_to = "copied_to_read",
     .yields_copies = true},
    {0}};
