/* copies.c - see copies.h: of what is copied, who copies it, and what it is called.
   Rows are those of rules_made_again.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/copies.h"

#include <string.h>

#include "base/saturate.h"
#include "finding/copy_peak.h"
#include "finding/finding_words.h"
#include "finding/generation.h"
#include "finding/suspect.h"
#include "profile/freed.h"

/* ---- sort_copies --------------------------------------------------------- */

bool hp_is_sort_copy(const struct hp_suspect *s, struct hp_verdict *v) {
  if (!s->sorter)
    return false;
  *v = hp_verdict_of_all(s);
  hp_verdict_put_at(v, s, s->sorter);
  v->finding.subject = s->sorted;
  v->copied.compared = s->compares ? v->finding.chunks : 0;
  v->peak_most = hp_dropped_behind(s->point);
  if (v->peak_most)
    v->finding.saved_peak_bytes = s->point->peak_touched_bytes;
  return true;
}

/* Whoever compares takes its arguments by value. */
static bool is_all_compared(const struct hp_verdict *v) {
  return v->copied.compared && v->copied.compared == v->finding.chunks;
}

void hp_put_sort_copies(FILE *out, const struct hp_verdict *v) {
  fputs("The sort in ", out);
  hp_put_place(out, v->finding.place);
  if (!v->finding.subject) {
    fputs(" copies what it compares by, with all that this holds", out);
    return;
  }
  fprintf(out, " copies %s deeply%s", hp_thing(&v->finding, "its elements"),
          is_all_compared(v) ? " to compare them" : "");
}

void hp_put_sort_copies_remedy(FILE *out, const struct hp_verdict *v) {
  const char *type = hp_thing(&v->finding, "the type");
  if (!v->finding.subject)
    fputs("Let it capture, or have, references or pointers; or give the sort "
          "std::ref of it, which is one.",
          out);
  else if (v->copied.compared)
    fprintf(out, "Let what compares take %s by const reference%s", type,
            is_all_compared(v) ? "." : "; and give it");
  else
    fprintf(out, "Give %s", type);
  if (v->finding.subject && !is_all_compared(v))
    fputs(" a move constructor and a move assignment, or sort pointers or "
          "indices instead.",
          out);
}

/* ---- copies by templates of a library ------------------------------------ */

static const char *library_that(const struct hp_verdict *v) {
  return v->origin.by_header ? " calls a library, which" : "";
}

#define MOVE_THERE                                                             \
  "Call it less often, or give it by std::move what it copies, if that is "    \
  "not used any more."

/* ---- deep_copy ----------------------------------------------------------- */

/* Few copies, each of which lives until shortly before the next, are a group of chunks
   each: no score tells that they follow each other, but that each is gone does. */
bool hp_is_copied_each_time(const struct hp_suspect *s) {
  return s->origin.container && (s->origin.copies || s->origin.pair) &&
         hp_turn_is_of_caller(s->point, s->origin.place);
}

/* By a constructor, or an assignment: what it copies is a part of the object, which its
   caller has. */
static bool is_taken_in(const struct hp_frame *place) {
  if (!place || !place->function)
    return false;
  const struct hp_member_name name = hp_member_parse(place->function);
  return hp_member_is_constructor(&name) || hp_member_is_assignment(&name);
}

/* Of a function that calls itself by others nobody knows which call of it frees. */
bool hp_may_be_result(const struct hp_finding *f) {
  if (is_taken_in(f->place) ||
      (f->freed_by && f->place && hp_is_same_function(f->freed_by, f->place)))
    return false;
  for (size_t i = 0; i < f->caller_count; i++)
    if (hp_is_same_function(f->callers[i], f->freed_by))
      return true;
  return false;
}

bool hp_is_copied_result(const struct hp_suspect *s,
                         const struct hp_frame *place,
                         const struct hp_verdict *v) {
  return !is_taken_in(place) && !hp_place_assigns(s->point) &&
         (hp_may_be_result(&v->finding) ||
          (hp_turn_is_of_caller(s->point, place) &&
           !hp_turn_is_within(s->point, place)));
}

/* Of a copy that nobody changes. */
#define RETURN_REFERENCE                                                       \
  "Return it by const reference, if the original is there for longer than "    \
  "the call; if the copy is changed, assign to one that is kept."

/* Of a container that is copied with its elements: that is told, with all it holds. */
static bool is_within_copied(const struct hp_suspect *s) {
  return s->origin.copies_held && hp_is_copied_each_time(s) &&
         hp_is_same_place(s->origin.place, s->copy.place);
}

static bool is_handed_over(const struct hp_suspect *s, struct hp_verdict *v) {
  if (!s->handed.taker || s->sorter)
    return false;
  *v = hp_verdict_of_all(s);
  hp_verdict_put_at(v, s, s->handed.taker);
  v->finding.subject = s->handed.subject;
  v->copied.is_handed = true;
  v->copied.is_by_reference = s->handed.by_reference;
  return true;
}

/* The copy or what it was made from is soon gone: one would have done. */
bool hp_is_deep_copy(const struct hp_suspect *s, struct hp_verdict *v) {
  if (is_handed_over(s, v))
    return true;
  const bool is_short =
      hp_suspect_follows_itself(s) ||
      (s->copy.place && hp_turn_is_of_caller(s->point, s->copy.place));
  const bool is_gone = s->original_is_gone || s->copy.by_growth;
  if (!s->copy.place || s->sorter || is_within_copied(s) ||
      (!is_short && !is_gone && !s->others_are_short))
    return false;
  *v = hp_verdict_of_all(s);
  v->copied.some_stay = !is_short && !is_gone;
  if (v->copied.some_stay) /* what is moved needs its memory */
    v->finding.saved_peak_bytes = 0;
  hp_verdict_put_at(v, s, s->copy.place);
  v->finding.subject = s->copy.subject;
  v->use.is_result = is_short && hp_is_copied_result(s, s->copy.place, v);
  v->origin.by_header = s->copy.by_header;
  v->copied.original_is_gone = !is_short && is_gone;
  v->copied.grown = s->copy.by_growth ? v->finding.chunks : 0;
  v->copied.by_operator = s->copy.by_operator ? v->finding.chunks : 0;
  return true;
}

void hp_put_deep_copy(FILE *out, const struct hp_verdict *v) {
  hp_put_place(out, v->finding.place);
  if (v->copied.is_handed) {
    fprintf(out,
            " takes %s %s and copies it, and its caller drops what it copied",
            hp_thing(&v->finding, "an object"),
            v->copied.is_by_reference ? "by &&" : "by value");
    return;
  }
  /* What it shares with the original nobody sees. */
  fprintf(out, "%s copies %s, which allocates, and ", library_that(v),
          hp_thing(&v->finding, "an object"));
  if (v->copied.grown == v->finding.chunks)
    fputs("drops what it copied, each time its std::vector grows", out);
  else if (v->copied.original_is_gone)
    fputs("what it copies is soon freed", out);
  else if (v->copied.some_stay)
    fputs("frees some of the copies soon", out);
  else
    fprintf(out, "frees the copy after %s on average", hp_told_life(v).s);
}

void hp_put_deep_copy_remedy(FILE *out, const struct hp_verdict *v) {
  fputs(v->copied.is_handed
            ? "Move it: std::move of the parameter, where it is copied."
        : v->origin.by_header ? MOVE_THERE
        : v->copied.grown
            ? "Give it a move constructor that is noexcept, and a move "
              "assignment: a std::vector that grows copies what could throw. "
              "Call reserve before it is filled."
        : v->copied.original_is_gone
            ? "Move it: std::move, a move constructor and a move assignment, "
              "or make it where it stays."
        : hp_is_by_operator(v)
            ? "Change one object in place, as += does, or let the operator "
              "take by value what it copies, so that a temporary is moved in."
        : v->use.is_result ? RETURN_REFERENCE
        : is_taken_in(v->finding.place)
            ? "Let the object refer to it, if the original is there for "
              "longer; or move it in, or keep the object and assign to it."
            : "Take it by const reference, or move it if the original is not "
              "used any more; if the copy is changed, assign to one that is "
              "kept.",
        out);
}

/* ---- concatenation ------------------------------------------------------- */

#define LONG_TEXT 1024u /* bytes, on average */
#define FEW_AT_ONCE 4u

/* Texts so long that to copy them is what it costs; the one before goes when the next one
   is made. */
bool hp_is_concatenation(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  if (!s->origin.joins_texts || p->bytes / LONG_TEXT < p->chunks ||
      p->peak_bytes > hp_multiply(FEW_AT_ONCE, p->size.max))
    return false;
  *v = hp_verdict_of_all(s);
  v->finding.saved_copied_bytes = p->bytes_accessed;
  v->finding.subject = "std::string";
  return true;
}

void hp_put_concatenation(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  hp_put_place(out, f->place);
  fprintf(out, " joins texts by +, which makes a new %s of up to %s each time",
          f->subject, hp_told_bytes(f, v->whole.size_max).s);
}

void hp_put_concatenation_remedy(FILE *out, const struct hp_verdict *v) {
  (void)v;
  fputs("Append by += or append to a text that is kept, with reserve if its "
        "length is known: s = s + t copies all of s each time.",
        out);
}

/* ---- copied_to_read ------------------------------------------------------ */

void hp_verdict_of_pair(struct hp_verdict *v, const struct hp_suspect *s) {
  if (!s->origin.pair || v->copied.what)
    return;
  v->copied.what = s->origin.pair;
  v->copied.is_pair = true;
  v->use.is_result = hp_is_copied_result(s, s->origin.place, v);
}

/* What a node has of a tree, to those below it: written anew when one is hung up. */
#define NODE_LINKS 2

/* The line that made them drops them, as an argument of a function that calls itself, and
   nobody changed one: each was written by one copy, a text by its end, too. */
static bool are_unchanged_arguments(const struct hp_suspect *s) {
  const struct hp_point *p = s->point;
  if (!p->place || !p->place->line || p->live_chunks ||
      p->freed_chunks != p->chunks ||
      p->writes > hp_multiply(s->origin.is_text ? 2 : 1, p->chunks))
    return false;
  for (size_t i = 0; i < p->freed_count; i++)
    if (p->freed[i].reallocated || !p->freed[i].place ||
        !hp_is_same_place(p->freed[i].place, p->place))
      return false;
  return true;
}

/* None of the copies stays while others come and go.  The nodes of one map are there
   together, and gone when the call that copied it ends: so often that no more were made
   from one time to the next than lived at once. */
static bool are_gone_by_the_next(const struct hp_suspect *s) {
  const struct hp_point *p = s->point;
  return !hp_point_overlaps(p) || hp_is_copied_each_time(s) ||
         are_unchanged_arguments(s) ||
         (hp_point_is_gone_with_its_calls(p) &&
          hp_multiply(p->generations, p->peak_bytes) >= p->bytes);
}

/* Copying writes each word once; who changes the copy writes more, but few writes are
   not told from those that several words take together.  What grows is changed. */
bool hp_is_copied_to_read(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  uint64_t copying = p->bytes / sizeof(uint64_t);
  if (s->origin.is_node)
    copying += hp_multiply(NODE_LINKS, p->chunks);
  if (!p->accesses_known || (!s->origin.copies && !s->origin.pair) ||
      (!s->origin.copied && hp_are_mostly_outgrown(p)) ||
      (!hp_suspect_follows_itself(s) && !hp_is_copied_each_time(s)) ||
      !are_gone_by_the_next(s) || (p->reads == 0 && !s->origin.by_library) ||
      (p->writes > hp_multiply(2, p->chunks) && p->writes > copying))
    return false;
  *v = hp_verdict_of_all(s);
  hp_verdict_of_pair(v, s);
  if (v->copied.is_pair) /* whatever it holds is one copy */
    v->finding.subject = v->copied.what;
  /* Buckets, nodes and what these hold are one copy. */
  if (v->use.is_copy)
    v->finding.subject = v->origin.container;
  v->use.is_result = hp_is_copied_result(s, s->origin.place, v);
  return true;
}

/* A class of the program is copied, and what it has with it. */
void hp_put_class_copies(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  hp_put_place(out, f->place);
  fprintf(out, "%s copies %s again and again, %s in %s allocations, ",
          library_that(v), v->copied.what, hp_told_bytes(f, f->bytes).s,
          hp_told_count(f, f->chunks).s);
  hp_put_lives(out, v);
}

void hp_put_class_copies_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->origin.by_header) {
    fputs(MOVE_THERE, out);
    return;
  }
  if (v->copied.is_pair) {
    fputs(v->use.is_result ? RETURN_REFERENCE
          : v->origin.pair_is_same
              ? "Take it by const reference: const auto &, where auto copies."
              : "Take it by const reference of the type that it has, as const "
                "auto & is: the key of a map's element is const.",
          out);
    return;
  }
  fprintf(out,
          "Take the %s by const reference, or move it where the original is "
          "not used any more.",
          v->copied.what);
}

void hp_put_copied_to_read(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  if (v->copied.what) {
    hp_put_class_copies(out, v);
    return;
  }
  hp_put_place(out, f->place);
  if (v->origin.is_argument && !v->origin.by_header) {
    fprintf(out,
            " has the C++ library call what takes %s by value, which "
            "copies %s in all, it seems only to read it",
            hp_thing(f, "a container"), hp_told_bytes(f, f->bytes).s);
    return;
  }
  fprintf(out,
          "%s copies %s%s again and again, %s in all, it seems only to read it",
          library_that(v), v->origin.by_header ? "a " : "its ",
          hp_thing(f, "container"), hp_told_bytes(f, f->bytes).s);
}

void hp_put_copied_to_read_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->copied.what) {
    hp_put_class_copies_remedy(out, v);
    return;
  }
  fputs(v->origin.by_header     ? MOVE_THERE
        : v->origin.is_argument ? HP_ARGUMENT_BY_REFERENCE
        : v->use.is_result      ? RETURN_REFERENCE
        : v->origin.is_text
            ? "Pass it as std::string_view or const reference, or move "
              "it where the original is not used any more."
            : "Read the original through a const reference, or move it "
              "where it is not used any more; where a queue or stack "
              "allows no iteration, use its container directly. If the "
              "copy is changed, assign to one that is kept.",
        out);
}
