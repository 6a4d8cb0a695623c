/* growing.c - see growing.h: chains of chunks, and containers that grow by too few steps
   to make one.
   Rows are those of rules_made_again.c.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/growing.h"

#include <string.h>

#include "base/saturate.h"
#include "finding/copy_peak.h"
#include "finding/finding_words.h"
#include "finding/relay.h"
#include "measure/paged_peak.h"
#include "resolve/enlarging.h"

static bool is_mostly_growing(const struct hp_suspect *s) {
  const uint64_t growing = s->point->grown.chunks;
  return growing >= s->chunks || growing >= s->chunks - growing;
}

#define OUTGROWN_PART                                                          \
  4u /* of the chunks: not a few that are larger than usual */

/* Three steps are no chain, but as many allocations as were made for nothing, in each of
   many containers. */
bool hp_is_outgrown_often(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const uint64_t outgrown =
      hp_suspect_container(s) && !s->origin.copied ? hp_outgrown_of(p) : 0;
  if (!outgrown || outgrown < p->chunks / OUTGROWN_PART)
    return false;
  *v = hp_verdict_of(s, false);
  v->use.is_outgrown = true;
  v->growing.element = p->element_size;
  v->finding.chunks = v->finding.saved_chunks = outgrown;
  v->finding.bytes = hp_paged_share(p->bytes, outgrown, p->chunks);
  return true;
}

#define SHORTER_LEAST                                                          \
  100u /* chunks: a few are of a chain whose others are elsewhere */

/* Containers that grow by fewer steps than a chain has leave chunks behind, too. */
static void take_shorter(const struct hp_suspect *s, struct hp_verdict *v) {
  const uint64_t outgrown =
      hp_suspect_container(s) && !s->relay ? hp_outgrown_of(s->point) : 0;
  v->growing.has_shorter =
      outgrown >= hp_add(v->finding.saved_chunks, SHORTER_LEAST);
  if (v->growing.has_shorter)
    v->finding.saved_chunks = outgrown;
}

/* What a chain of P ends as at most, or LONGEST does. */
static uint64_t largest_end(const struct hp_point *p,
                            const struct hp_growth *longest) {
  const uint64_t own =
      p->grown.chunks >= p->chunks ? p->size.max : p->growth.last_size;
  return own > longest->last_size ? own : longest->last_size;
}

#define ANEW_LEAST 8u /* times; of so many one may have been beside another */

/* Each is gone before the next begins: one that is kept has the room. */
static bool is_made_anew(const struct hp_suspect *s) {
  const struct hp_point *p = s->point;
  const uint64_t chains = p->grown.chains;
  return hp_suspect_container(s) && !s->relay && chains >= ANEW_LEAST &&
         p->generations >= chains - chains / ANEW_LEAST;
}

/* What grows only a little is not worth a reserve, but if there are many. */
bool hp_is_growing(const struct hp_suspect *s, struct hp_verdict *v) {
  const struct hp_point *p = s->point;
  const struct hp_chains *grown = &p->grown;
  const struct hp_relay *relay = s->relay;
  const uint64_t last = relay ? relay->last_size : p->growth.last_size;
  if (!hp_shows(p, HP_INF_growing) || s->takes_over ||
      last / 4 < p->growth.first_size ||
      (!is_mostly_growing(s) && hp_suspect_follows_itself(s)))
    return false;
  *v = hp_verdict_of(s, grown->likely_chunks == 0);
  v->growing.longest = p->growth;
  /* What they end as may be a matter of another rule. */
  if (s->longest && s->longest->growth.length > p->growth.length)
    v->growing.longest = s->longest->growth;
  else if (grown->chunks >= p->chunks &&
           p->size.max > v->growing.longest.last_size)
    v->growing.longest.last_size =
        p->size.max; /* of chains of one length the largest */
  v->growing.largest = largest_end(p, &v->growing.longest);
  v->growing.chains = grown->chains;
  v->growing.is_made_anew = is_made_anew(s);
  v->use.by_reserve = hp_is_by_member(p->stack, p->stack_count, "reserve");
  v->finding.chunks = grown->chunks;
  v->finding.bytes = grown->bytes;
  v->finding.saved_chunks = grown->chunks - grown->chains;
  take_shorter(s, v);
  v->finding.saved_copied_bytes = grown->copied_bytes;
  v->finding.at_least = p->chunks > grown->chunks; /* chains of three */
  if (s->has_sisters) /* told as one, whatever their types */
    v->finding.subject = NULL;
  v->finding.saved_peak_bytes = hp_growth_at_peak(s->point);
  v->growing.by_realloc =
      p->resizes.calls && p->resizes.calls >= grown->chunks / 2;
  if (relay) { /* with whose chains it goes on follows from sizes and types */
    v->finding.certain = false;
    hp_verdict_put_at(v, s, relay->most->place);
    v->growing.begun = relay->begun->place;
    v->growing.places = relay->places;
  }
  return true;
}

/* More than one can have, though not that many began here. */
static bool are_several(const struct hp_verdict *v) {
  return v->growing.chains <= 1 && v->growing.longest.length &&
         v->finding.saved_chunks >= v->growing.longest.length;
}

static void put_adaptor(FILE *out, const struct hp_verdict *v) {
  if (v->origin.flat)
    fprintf(out, " of a %s", v->origin.flat);
}

/* The place has them, or calls a library that has. */
static void put_growing_ones(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  const bool inside = v->origin.by_library || v->origin.by_header;
  if (inside) {
    hp_put_place(out, f->place);
    fputs(" calls a library, in which ", out);
  }
  if (v->growing.chains > 1)
    fprintf(out, "%s %s", hp_told_count(f, v->growing.chains).s,
            v->is_cxx ? hp_thing(f, "containers") : "buffers");
  else if (are_several(v))
    fprintf(out, "%s %s", inside ? "several" : "Several",
            v->is_cxx ? hp_thing(f, "containers") : "buffers");
  else
    fputs(v->is_cxx ? hp_thing(f, inside ? "a container" : "A container")
          : inside  ? "a buffer"
                    : "A buffer",
          out);
  put_adaptor(out, v);
  if (!inside) {
    fputs(" in ", out);
    hp_put_place(out, f->place);
  }
}

/* Fewer copies than the longest chain has were made here, at places that are not known
   to belong together (relay.h). */
static bool is_also_elsewhere(const struct hp_verdict *v) {
  return !v->growing.begun &&
         hp_add(v->finding.chunks, 1) < v->growing.longest.length;
}

/* Another chain took fewer steps, to more bytes. */
static bool have_larger(const struct hp_verdict *v) {
  return v->growing.largest > v->growing.longest.last_size;
}

static bool are_many(const struct hp_verdict *v) {
  return v->growing.chains > 1 || are_several(v);
}

/* All take as many steps, as far as their number tells. */
static bool are_alike(const struct hp_verdict *v) {
  return v->growing.chains > 1 &&
         v->finding.chunks ==
             hp_multiply(v->growing.chains, v->growing.longest.length);
}

/* A chain over several places counts where it began to be one. */
void hp_put_growing(FILE *out, const struct hp_verdict *v) {
  const struct hp_finding *f = &v->finding;
  const struct hp_growth *longest = &v->growing.longest;
  const bool many = are_many(v);
  if (v->use.is_outgrown) {
    hp_put_place(out, f->place);
    fprintf(out,
            v->origin.by_header ? " calls a library, which lets %s"
                                : " lets its %s",
            hp_thing(f, "container"));
    put_adaptor(out, v);
    fputs(" grow by few steps, and copies it at each", out);
    return;
  }
  const bool alike = are_alike(v);
  put_growing_ones(out, v);
  fprintf(out, " %s%s %s times%s, from %s to %s", many ? "grow" : "grows",
          many && !alike ? " up to" : "",
          hp_told_count(f, longest->length - 1).s,
          alike                  ? " each"
          : is_also_elsewhere(v) ? ", here and elsewhere"
                                 : "",
          hp_told_bytes(f, longest->first_size).s,
          hp_told_bytes(f, longest->last_size).s);
  if (have_larger(v))
    fprintf(out, ", others to %s", hp_told_bytes(f, v->growing.largest).s);
  if (v->growing.has_shorter)
    fputs(", others by fewer steps", out);
  if (v->growing.begun) {
    fprintf(out, ", at %zu places or more", v->growing.places);
    if (!hp_is_same_place(v->growing.begun, f->place)) {
      fputs(", ", out);
      hp_put_place(out, v->growing.begun);
      fputs(" among the first", out);
    }
  }
  if (f->saved_copied_bytes)
    fprintf(out, ", and %s copied each time%s%s", many ? "are" : "is",
            !v->growing.by_realloc ? "" : " that realloc finds no room behind ",
            !v->growing.by_realloc ? ""
            : many                 ? "them"
                                   : "it");
}

/* How often a buffer that doubles enlarges on the way from FIRST to LAST bytes. */
static uint64_t doublings(uint64_t first, uint64_t last) {
  uint64_t times = 0;
  for (uint64_t size = first ? first : 1; size < last; times++)
    size = hp_multiply(2, size);
  return times;
}

#define STEPS_LEAST 16u /* that tell how a buffer grows, */
#define STEPS_SMALL 4u  /* if they are so many for each doubling */

/* By a step that stays small beside what is there, and is copied each time. */
static bool is_by_small_steps(const struct hp_verdict *v) {
  const struct hp_growth *g = &v->growing.longest;
  return v->finding.saved_copied_bytes && g->length > STEPS_LEAST &&
         g->length >
             hp_multiply(STEPS_SMALL, doublings(g->first_size, g->last_size));
}

/* In words. */
struct hp_final_size {
  char s[64];
};

/* Of many that differ most may be much smaller than the largest. */
static struct hp_final_size final_size(const struct hp_verdict *v) {
  const bool differ = have_larger(v) || (are_many(v) && !are_alike(v));
  struct hp_final_size size;
  snprintf(size.s, sizeof size.s, "%s%s", differ ? "up to " : "",
           hp_told_bytes(&v->finding, v->growing.largest).s);
  return size;
}

#define SAME_MEMORY 24u /* bytes: the least that malloc gives */

/* One element more than it was left for takes no more memory than one byte. */
static bool is_room_for_free(const struct hp_verdict *v) {
  return hp_add(v->whole.size_max, v->growing.element) <= SAME_MEMORY;
}

#define GROWS_ONCE                                                             \
  "Keep it from call to call and clear it, so that it grows once; if it is "   \
  "the result, let the caller give one to fill. Or call reserve before it is " \
  "filled; the last size was %s."

/* NAME<...> is the container of V. */
static bool is_a(const struct hp_verdict *v, const char *name) {
  const size_t length = strlen(name);
  const char *container = v->origin.container;
  return container && strncmp(container, name, length) == 0 &&
         container[length] == '<';
}

/* What has the container, or is it, if that has no reserve; NULL: it has. */
static const char *without_reserve(const struct hp_verdict *v) {
  static const char *const names[] = {"std::priority_queue", "std::stack",
                                      "std::queue", "std::deque"};
  if (v->origin.flat)
    return v->origin.flat;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is_a(v, names[i]))
      return names[i];
  return NULL;
}

/* The list of its blocks grows, which nobody but itself has. */
static bool is_by_deque(const struct hp_verdict *v) {
  return !v->origin.flat &&
         (is_a(v, "std::deque") ||
          ((is_a(v, "std::stack") || is_a(v, "std::queue")) &&
           !strstr(v->origin.container, ", std::vector<")));
}

static void put_without_reserve_remedy(FILE *out, const struct hp_verdict *v) {
  const char *name = without_reserve(v);
  const bool is_deque = is_by_deque(v);
  const bool anew = v->growing.is_made_anew;
  if (anew)
    fprintf(out, "Keep it from call to call and %s it, so that it grows once. ",
            v->origin.flat || is_a(v, "std::deque") ? "clear" : "empty");
  fprintf(out, "%s %s: a %s has no reserve%s",
          anew       ? is_deque ? "Or use" : "Or give it"
          : is_deque ? "Use"
                     : "Give it",
          is_deque ? "a std::vector that was reserved, or a ring buffer"
          : strstr(name, "map") ? "vectors that were reserved, by std::move"
                                : "a vector that was reserved, by std::move",
          name,
          is_deque ? " for the list of its blocks, which is what grows."
                   : " of its own");
  if (!is_deque)
    fprintf(out, "; the last size was %s.",
            v->use.is_outgrown ? hp_told_bytes(&v->finding, v->whole.size_max).s
                               : final_size(v).s);
}

void hp_put_growing_remedy(FILE *out, const struct hp_verdict *v) {
  if (v->use.is_stream) {
    fputs("Append to a std::string that was reserved: a stream cannot "
          "reserve.",
          out);
    return;
  }
  if (v->origin.by_header && !v->is_cxx) {
    fprintf(out,
            "Let it reserve what it needs before it is filled, if it can; the "
            "last size was %s.",
            final_size(v).s);
    return;
  }
  if (v->origin.by_library || v->origin.by_header ||
      hp_verdict_is_of_system(v)) {
    fputs("Call it less often, or give it a buffer that is large enough, if it "
          "takes one.",
          out);
    return;
  }
  if (v->use.is_outgrown && v->origin.joins_texts) {
    fputs(HP_JOIN_BY_APPEND, out);
    return;
  }
  if (v->is_cxx && without_reserve(v)) {
    put_without_reserve_remedy(out, v);
    return;
  }
  if (v->use.is_outgrown) {
    fprintf(out,
            is_room_for_free(v)
                ? "Call reserve before it is filled: up to %s take no more "
                  "memory than one byte does."
                : "Call reserve before it is filled; what it left for more "
                  "had up to %s.",
            is_room_for_free(v)
                ? hp_told_bytes(&v->finding, SAME_MEMORY).s
                : hp_told_bytes(&v->finding, v->whole.size_max).s);
    return;
  }
  if (v->is_cxx && v->use.by_reserve && is_by_small_steps(v)) {
    fprintf(out,
            "Reserve the final size once, here %s, or not at all: push_back "
            "alone doubles it, and reserve for a little more copies all of it.",
            final_size(v).s);
    return;
  }
  if (!v->is_cxx && is_by_small_steps(v)) {
    fprintf(out,
            "Double the size each time, which takes %s steps, or allocate the "
            "final size at once, here %s.",
            hp_told_count(&v->finding, doublings(v->growing.longest.first_size,
                                                 v->growing.longest.last_size))
                .s,
            final_size(v).s);
    return;
  }
  fprintf(out,
          v->is_cxx && v->growing.is_made_anew ? GROWS_ONCE
          : v->is_cxx
              ? "Call reserve before it is filled; the last size was %s."
              : "Allocate the final size at once, here %s, or grow in larger "
                "steps.",
          final_size(v).s);
}
