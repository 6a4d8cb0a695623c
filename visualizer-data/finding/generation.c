/* generation.c - see generation.h: by the calls that the stacks of allocation and
   free have in common, from the outermost frame inward.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "finding/generation.h"

#include <math.h>
#include <stdlib.h>

#include "base/growing_array.h"
#include "base/saturate.h"
#include "finding/life_span.h"
#include "finding/suspect.h"
#include "profile/freed.h"
#include "profile/place.h"
#include "resolve/frame_role.h"
#include "resolve/site.h"

#define TURNS_LEAST 8u      /* as often all chunks are gone, and as often as */
#define FEW 8u              /* one of so many chunks */
#define FAMILIES_MOST 1000u /* that are looked for in one another */
#define TURN_MOST 8u        /* many bytes as live at most are made */

/* ---- one point ----------------------------------------------------------- */

/* The frame of POINT's stack where FREED's leaves it; the stack's size if they have
   none in common. */
static size_t fork_of(const struct hp_point *point,
                      const struct hp_freed *freed) {
  size_t made, gone;
  hp_freed_fork(point, freed, &made, &gone);
  return made && gone &&
                 hp_is_same_function(point->stack[made - 1],
                                     freed->stack[gone - 1])
             ? made - 1
             : made;
}

/* Where the stacks of frees leave POINT's DEPTH frames from the leaf or further inward:
   chunks; all whose stacks are known, of SIZE_MAX. */
static uint64_t freed_within(const struct hp_point *point, size_t depth) {
  uint64_t chunks = 0;
  for (size_t i = 0; i < point->freed_count; i++) {
    const struct hp_freed *freed = &point->freed[i];
    if (!freed->reallocated && freed->has_stack &&
        fork_of(point, freed) <= depth)
      chunks = hp_add(chunks, freed->chunks);
  }
  return chunks;
}

/* Below which all but 1/8 are both made and freed: a few may go when the program
   ends.  The stack's size if there is none, or half of the frees have no stack. */
static size_t turn_depth(const struct hp_point *point) {
  const uint64_t known = freed_within(point, SIZE_MAX);
  size_t depth = 0;
  if (known < point->freed_chunks - known)
    return point->stack_count;
  while (depth < point->stack_count &&
         freed_within(point, depth) < known - known / FEW)
    depth++;
  return depth;
}

static bool has_generations(const struct hp_point *point) {
  return point->generations >= TURNS_LEAST &&
         point->peak_bytes <= point->bytes / TURN_MOST && point->freed_count &&
         point->live_chunks <= point->chunks / TURN_MOST &&
         point->grown.chunks <= point->chunks / 2 &&
         !hp_untouched(point).flagged &&
         !hp_is_mostly(point, HP_INF_write_only);
}

static bool is_turn(const struct hp_point *point, size_t depth) {
  const uint64_t known = freed_within(point, SIZE_MAX);
  return point->generations >= TURNS_LEAST &&
         point->peak_bytes <= point->bytes / TURN_MOST &&
         hp_multiply(point->generations, point->peak_bytes) >= point->bytes &&
         point->live_chunks <= point->chunks / TURN_MOST && known &&
         known >= point->freed_chunks - known && depth < point->stack_count &&
         freed_within(point, depth) >= known - known / FEW;
}

bool hp_turn_is_within(const struct hp_point *point,
                       const struct hp_frame *frame) {
  return is_turn(point, hp_frame_depth(point, frame));
}

/* Of the function of the program that called the one at DEPTH; the stack's size if
   none did. */
static size_t caller_of(const struct hp_point *point, size_t depth) {
  size_t caller = depth;
  while (caller < point->stack_count &&
         (hp_is_same_function(point->stack[caller], point->stack[depth]) ||
          !hp_frame_is_of_program(point->stack[caller]) ||
          hp_frame_is_included(point->stack[caller])))
    caller++;
  return caller;
}

bool hp_turn_is_of_caller(const struct hp_point *point,
                          const struct hp_frame *frame) {
  const size_t depth = hp_frame_depth(point, frame);
  return is_turn(point, depth) || is_turn(point, caller_of(point, depth));
}

/* What realloc ended goes on as another chunk. */
static uint64_t freed_for_good(const struct hp_point *point) {
  uint64_t moved = 0;
  for (size_t i = 0; i < point->freed_count; i++)
    if (point->freed[i].reallocated)
      moved = hp_add(moved, point->freed[i].chunks);
  return moved < point->freed_chunks ? point->freed_chunks - moved : 0;
}

/* How often a turn of DEPTH came round to POINT's line.  A generation that is made and
   freed further inward ends no turn: no more than chunks that went at DEPTH. */
static uint64_t turns_of(const struct hp_point *point, size_t depth) {
  const uint64_t known = freed_within(point, SIZE_MAX);
  const uint64_t there = known - (depth ? freed_within(point, depth - 1) : 0);
  const uint64_t all =
      known ? hp_clamp128((hp_u128)there * freed_for_good(point) / known) : 0;
  return all < point->generations ? all : point->generations;
}

/* The frame that makes the chunks: the place's, or one of an installed header, which the
   place calls as it calls a library. */
static size_t maker_of(const struct hp_point *point) {
  const size_t innermost = hp_place_innermost(point);
  return innermost < point->stack_count &&
                 hp_frame_is_included(point->stack[innermost])
             ? innermost
             : hp_place_depth(point);
}

const struct hp_frame *hp_turn_find(const struct hp_point *point,
                                    uint64_t *turns, bool *inside) {
  if (!point->place || !has_generations(point))
    return NULL;
  const size_t place = maker_of(point);
  size_t depth = turn_depth(point);
  *turns = turns_of(point, depth);
  *inside = false;
  for (; depth < point->stack_count; depth++)
    if (hp_frame_is_included(point->stack[depth]))
      *inside = true;
    else if (hp_frame_is_of_program(point->stack[depth]))
      break;
  if (depth < point->stack_count)
    depth = hp_site_past_nameless(point->stack, point->stack_count, depth);
  return depth < point->stack_count && depth > place &&
                 !hp_is_same_function(point->stack[depth], point->stack[place])
             ? point->stack[depth]
             : NULL;
}

/* Each call of the place drops what the one before it made: all frees whose stacks are known
   lie in it ahead of the line that allocates, and in another function. */
static bool is_renewed(const struct hp_point *point, size_t place) {
  bool any = false;
  for (size_t i = 0; i < point->freed_count; i++) {
    const struct hp_freed *freed = &point->freed[i];
    size_t made, gone;
    if (!freed->has_stack)
      continue;
    hp_freed_fork(point, freed, &made, &gone);
    if (freed->reallocated || made != place + 1 || gone < 2 ||
        !hp_is_same_function(point->stack[place], freed->stack[gone - 1]) ||
        freed->stack[gone - 1]->line >= point->stack[place]->line)
      return any && freed->chunks <= point->freed_chunks / FEW;
    any = true;
  }
  return any;
}

/* Where a point that is renewed may belong to turns of the place's caller; NULL: it is none,
   or is called by nobody. */
static const struct hp_frame *guest_turn(const struct hp_point *point,
                                         uint64_t *turns) {
  if (!point->place || !has_generations(point))
    return NULL;
  const size_t place = hp_place_depth(point);
  if (place + 1 >= point->stack_count || !is_renewed(point, place) ||
      !hp_frame_is_of_program(point->stack[place + 1]))
    return NULL;
  *turns = point->generations;
  return point->stack[place + 1];
}

/* ---- families ------------------------------------------------------------ */

static bool is_outermost(const struct hp_point *point,
                         const struct hp_frame *turn) {
  size_t i = point->stack_count;
  while (i && point->stack[i - 1] != turn &&
         !hp_frame_is_of_program(point->stack[i - 1]))
    i--;
  return i && point->stack[i - 1] == turn;
}

bool hp_families_add(struct hp_families *all, const struct hp_point *point) {
  uint64_t turns = 0;
  bool inside = false;
  const struct hp_frame *turn = hp_turn_find(point, &turns, &inside);
  const bool is_guest = !turn;
  if (is_guest && !(turn = guest_turn(point, &turns)))
    return true;
  if (!hp_room_for_one((void **)&all->members, all->count, &all->room,
                       sizeof *all->members))
    return false;
  all->members[all->count++] =
      (struct hp_family_member){.point = point,
                                .turn = turn,
                                .is_outermost = is_outermost(point, turn),
                                .is_guest = is_guest,
                                .is_inside = !is_guest && inside,
                                .turns.own = turns};
  return true;
}

/* The call in what starts the program, of which one may share a line that is only
   near; 0: in another function. */
static uint64_t line_of(const struct hp_family_member *m) {
  const struct hp_frame *turn = m->turn;
  if (!m->is_outermost)
    return 0;
  return turn->line && !turn->line_is_near ? turn->line : turn->address;
}

/* Turns of a library that a function calls are none of the function's own. */
static int compare(const void *left, const void *right) {
  const struct hp_family_member *a = left, *b = right;
  if (a->turn->function != b->turn->function)
    return a->turn->function < b->turn->function ? -1 : 1;
  if (line_of(a) != line_of(b))
    return line_of(a) < line_of(b) ? -1 : 1;
  if (a->is_inside != b->is_inside)
    return a->is_inside < b->is_inside ? -1 : 1;
  if (a->point->process != b->point->process)
    return a->point->process < b->point->process ? -1 : 1;
  if (a->point->first_ns != b->point->first_ns)
    return a->point->first_ns < b->point->first_ns ? -1 : 1;
  return a->point->id < b->point->id ? -1 : a->point->id > b->point->id;
}

/* One point that has a finding of its own is no family, and guests alone are none. */
static bool is_worth_it(const struct hp_family_member *members, size_t count) {
  const struct hp_frame *first = NULL;
  for (size_t i = 0; i < count; i++) {
    const struct hp_point *p = members[i].point;
    if (members[i].is_guest)
      continue;
    const struct hp_frame *maker = p->stack[maker_of(p)];
    first = first ? first : maker;
    if (!hp_is_same_place(maker, first) ||
        (!hp_point_follows_itself(p) && p->chunks / 2 >= p->generations))
      return true;
  }
  return false;
}

/* M comes behind members of its function, the last of which ended UNTIL then. */
static bool goes_on(const struct hp_family_member *m, uint64_t until) {
  const struct hp_family_member *before = m - 1;
  return m->turn->function == before->turn->function &&
         line_of(m) == line_of(before) && m->is_inside == before->is_inside &&
         m->point->process == before->point->process &&
         m->point->first_ns < until;
}

static int compare_points(const void *left, const void *right) {
  const struct hp_family_member *a = left, *b = right;
  return a->point < b->point ? -1 : a->point > b->point;
}

/* ---- families in families ------------------------------------------------ */

/* Members [begin, end), in the order of functions; most: the one with most chunks. */
struct family {
  const struct hp_family_member *most;
  size_t begin, end;
  uint64_t first_ns, last_ns;
  uint64_t turns;              /* at least */
  const struct family *within; /* whose turn one arena would do for */
};

#define TURNS_WITHIN 2u /* in one of those around it, at most */

/* The call of FAMILY's turn in POINT's stack, outward of FROM; its size: none. */
static size_t depth_of(const struct hp_point *point, size_t from,
                       const struct hp_family_member *of) {
  while (from < point->stack_count &&
         !(of->is_outermost
               ? hp_is_same_call(point->stack[from], of->turn)
               : hp_is_same_function(point->stack[from], of->turn)))
    from++;
  return from;
}

static size_t own_depth(const struct hp_family_member *m) {
  return hp_frame_depth(m->point, m->turn);
}

/* Whether OUTER's turns are around all those of INNER, and hardly fewer. */
static bool is_within(const struct family *inner, const struct family *outer,
                      const struct hp_family_member *members) {
  const struct hp_point *most = outer->most->point;
  if (inner == outer || !outer->most->place ||
      inner->most->point->process != most->process ||
      inner->first_ns > outer->last_ns || outer->first_ns > inner->last_ns ||
      inner->turns / TURNS_WITHIN > outer->turns)
    return false;
  for (size_t i = inner->begin; i < inner->end; i++) {
    const struct hp_family_member *m = &members[i];
    if (depth_of(m->point, own_depth(m) + 1, outer->most) ==
        m->point->stack_count)
      return false;
  }
  return true;
}

/* The outermost family that INNER's most frequent stack passes through, or INNER. */
static const struct family *
find_around(const struct family *inner, const struct family *families,
            size_t count, const struct hp_family_member *members) {
  const struct hp_family_member *most = inner->most;
  size_t outermost = own_depth(most);
  const struct family *around = inner;
  for (size_t i = 0; most->place && i < count; i++) {
    const size_t depth = depth_of(most->point, outermost + 1, families[i].most);
    if (depth < most->point->stack_count &&
        is_within(inner, &families[i], members)) {
      outermost = depth;
      around = &families[i];
    }
  }
  return around;
}

/* Each is placed where the outermost one around it is. */
static void put_into_others(struct hp_family_member *members,
                            struct family *families, size_t count) {
  for (size_t i = 0; count <= FAMILIES_MOST && i < count; i++)
    families[i].within = find_around(&families[i], families, count, members);
  for (size_t i = 0; count <= FAMILIES_MOST && i < count; i++)
    for (size_t k = families[i].begin;
         families[i].within != &families[i] && k < families[i].end; k++) {
      members[k].place = families[i].within->most->turn;
      members[k].is_inside = false;
      members[k].turns = (struct hp_turns){0};
    }
}

/* A call that was inlined with what it calls has several addresses, so that they
   tell only what has no line. */
static int compare_calls(const struct hp_frame *a, const struct hp_frame *b) {
  if (hp_is_same_call(a, b))
    return 0;
  if (a->function != b->function)
    return a->function < b->function ? -1 : 1;
  if (a->module != b->module)
    return a->module < b->module ? -1 : 1;
  if (a->line != b->line)
    return a->line < b->line ? -1 : 1;
  if (a->column != b->column)
    return a->column < b->column ? -1 : 1;
  return a < b ? -1 : 1;
}

static int compare_callers(const struct hp_family_member *a,
                           const struct hp_family_member *b) {
  size_t i = own_depth(a) + 1, k = own_depth(b) + 1;
  const size_t a_count = a->point->stack_count - i,
               b_count = b->point->stack_count - k;
  if (a_count != b_count)
    return a_count < b_count ? -1 : 1;
  for (; i < a->point->stack_count; i++, k++) {
    const int order = compare_calls(a->point->stack[i], b->point->stack[k]);
    if (order)
      return order;
  }
  return 0;
}

/* By the callers of the turn; of the same ones, more turns first. */
static int compare_turns(const void *left, const void *right) {
  const struct hp_family_member *a = left, *b = right;
  const int order = compare_callers(a, b);
  if (order)
    return order;
  if (a->turns.own != b->turns.own)
    return a->turns.own > b->turns.own ? -1 : 1;
  return a->point->id < b->point->id ? -1 : a->point->id > b->point->id;
}

/* So many ns half of the chunks of M lived for, or less. */
static double life_of(const struct hp_family_member *m) {
  struct hp_life_spans lives;
  hp_life_spans_of(&lives, m->point);
  return hp_life_spans_half(&lives);
}

/* The same of those of MEMBERS that had TURNS turns, the longest. */
static double life_of_turn(const struct hp_family_member *members, size_t count,
                           uint64_t turns) {
  double longest = 0;
  for (size_t i = 0; i < count; i++)
    if (members[i].turns.own == turns)
      longest = fmax(longest, life_of(&members[i]));
  return longest;
}

/* M lives longer than LIFE, as long as each of TURNS turns takes, and is not gone as often:
   these may be the rounds of a loop inside a turn, at the end of which M goes.  If each is
   a turn, of which some make M, there are more of them than are told. */
static bool outlasts(const struct hp_family_member *m, uint64_t turns,
                     double life) {
  return m->point->generations < turns && life_of(m) > life;
}

/* How many turns MEMBERS speak for, all of the same callers, those of more turns first:
   no more than at the end of which all but 1/8 of the chunks go. */
static uint64_t turns_of_all(const struct hp_family_member *members,
                             size_t count) {
  uint64_t turns = members->turns.own, all = 0;
  for (size_t i = 0; i < count; i++)
    all = hp_add(all, members[i].point->chunks);
  for (;;) {
    const double life = life_of_turn(members, count, turns);
    uint64_t chunks = 0, most = 0;
    for (size_t i = 0; i < count; i++) {
      const struct hp_family_member *m = &members[i];
      if (!outlasts(m, turns, life))
        continue;
      chunks = hp_add(chunks, m->point->chunks);
      most = m->turns.own > most ? m->turns.own : most;
    }
    if (chunks <= all / FEW || most == 0)
      return turns;
    turns = most;
  }
}

/* Calls of one function from elsewhere are other turns, whose points are others,
   too.  Puts MEMBERS into the order of their callers. */
static uint64_t count_turns(struct hp_family_member *members, size_t count) {
  uint64_t all = 0;
  size_t end;
  qsort(members, count, sizeof *members, compare_turns);
  for (size_t begin = 0; begin < count; begin = end) {
    end = begin + 1;
    while (end < count && compare_callers(&members[end], &members[begin]) == 0)
      end++;
    const uint64_t turns = turns_of_all(&members[begin], end - begin);
    all = hp_add(all, members[begin].turns.adds = turns);
    for (size_t i = begin; i < end; i++)
      if (members[i].turns.own > turns)
        members[i].turns.own = turns;
  }
  return all;
}

static struct family family_of(struct hp_family_member *members, size_t begin,
                               size_t end) {
  struct family family = {.turns = count_turns(&members[begin], end - begin),
                          .most = &members[begin],
                          .begin = begin,
                          .end = end,
                          .first_ns = members[begin].point->first_ns};
  for (size_t i = begin; i < end; i++) {
    const struct hp_point *p = members[i].point;
    if (p->chunks > family.most->point->chunks)
      family.most = &members[i];
    if (p->first_ns < family.first_ns)
      family.first_ns = p->first_ns;
    if (p->last_ns > family.last_ns)
      family.last_ns = p->last_ns;
  }
  const struct hp_frame *place =
      is_worth_it(&members[begin], end - begin) ? family.most->turn : NULL;
  for (size_t i = begin; i < end; i++)
    members[i].place = place;
  return family;
}

/* Loops one after the other in one function are two families. */
bool hp_families_sort(struct hp_families *all) {
  size_t begin = 0, count = 0;
  uint64_t until = 0;
  if (!all->count)
    return true;
  struct family *families = calloc(all->count, sizeof *families);
  if (!families)
    return false;
  qsort(all->members, all->count, sizeof *all->members, compare);
  for (size_t i = 0; i < all->count; i++) {
    const struct hp_family_member *m = &all->members[i];
    if (i && !goes_on(m, until)) {
      families[count++] = family_of(all->members, begin, i);
      begin = i;
      until = 0;
    }
    until = m->point->last_ns > until ? m->point->last_ns : until;
  }
  families[count++] = family_of(all->members, begin, all->count);
  put_into_others(all->members, families, count);
  free(families);
  qsort(all->members, all->count, sizeof *all->members, compare_points);
  return true;
}

static const struct hp_family_member *find(const struct hp_families *all,
                                           const struct hp_point *point) {
  const struct hp_family_member key = {.point = point};
  return all->count ? bsearch(&key, all->members, all->count, sizeof key,
                              compare_points)
                    : NULL;
}

const struct hp_frame *hp_families_place(const struct hp_families *all,
                                         const struct hp_point *point) {
  const struct hp_family_member *found = find(all, point);
  return found ? found->place : NULL;
}

struct hp_turns hp_families_turns(const struct hp_families *all,
                                  const struct hp_point *point) {
  const struct hp_family_member *found = find(all, point);
  return found ? found->turns : (struct hp_turns){0};
}

bool hp_families_are_inside(const struct hp_families *all,
                            const struct hp_point *point) {
  const struct hp_family_member *found = find(all, point);
  return found && found->is_inside;
}

void hp_families_free(struct hp_families *all) {
  free(all->members);
  *all = (struct hp_families){0};
}
