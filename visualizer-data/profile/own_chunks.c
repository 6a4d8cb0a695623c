/* own_chunks.c - see own_chunks.h: by the calls that the stacks of allocation and free
   have in common, and the order of the two calls in the function they part in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/own_chunks.h"

#include "base/saturate.h"
#include "profile/freed.h"
#include "profile/wrapper_name.h"
#include "resolve/frame_role.h"
#include "text/member_name.h"

#define FEW 8u       /* one of so many chunks */
#define AT_A_TIME 4u /* chunks of a point in one call, at most */

/* Where FREED's stack leaves POINT's, if that is in one function, behind the line
   that allocates: one ahead of it frees what an earlier call has left. */
static size_t fork_of(const struct hp_point *point,
                      const struct hp_freed *freed) {
  size_t made, gone;
  hp_freed_fork(point, freed, &made, &gone);
  if (!made || !gone)
    return point->stack_count;
  const struct hp_frame *a = point->stack[made - 1],
                        *b = freed->stack[gone - 1];
  return hp_is_same_function(a, b) && a->line && a->line < b->line
             ? made - 1
             : point->stack_count;
}

static bool takes_over(const struct hp_point *point) {
  return point->grown.chunks > point->chunks / FEW ||
         point->generations < point->chunks / AT_A_TIME;
}

size_t hp_owner_depth(const struct hp_point *point) {
  uint64_t known = 0, owned = 0;
  size_t depth = 0;
  for (size_t i = 0; i < point->freed_count; i++) {
    const struct hp_freed *freed = &point->freed[i];
    if (freed->stack_count < 2)
      continue;
    known = hp_add(known, freed->chunks);
    const size_t fork =
        freed->reallocated ? point->stack_count : fork_of(point, freed);
    if (fork == point->stack_count)
      continue;
    owned = hp_add(owned, freed->chunks);
    depth = fork > depth ? fork : depth;
  }
  return !owned || known < point->freed_chunks - known ||
                 owned < known - known / FEW || takes_over(point)
             ? point->stack_count
             : depth;
}

/* Who freed, of the program; the stack's size if nobody did. */
static size_t freer_of(const struct hp_freed *freed) {
  size_t at = 0;
  while (at < freed->stack_count && !hp_frame_is_of_program(freed->stack[at]))
    at++;
  return at;
}

/* Of the frees whose stacks are known those by the function at DEPTH, all but 1/8; with
   PASSAGES, by calls that also allocate, at once or at another time. */
static bool frees_itself(const struct hp_point *point, size_t depth,
                         const struct hp_passages *passages) {
  uint64_t known = 0, own = 0;
  for (size_t i = 0; i < point->freed_count; i++) {
    const struct hp_freed *freed = &point->freed[i];
    const size_t at = freer_of(freed);
    if (at == freed->stack_count)
      continue;
    known = hp_add(known, freed->chunks);
    if (hp_is_same_function(freed->stack[at], point->stack[depth]) &&
        (!passages ||
         (!freed->reallocated && at + 1 < freed->stack_count &&
          hp_passages_calls(passages, freed->stack[at + 1], freed->stack[at]))))
      own = hp_add(own, freed->chunks);
  }
  return own && own >= known - known / FEW &&
         known >= point->freed_chunks - known;
}

bool hp_joins_for_itself(const struct hp_point *point, size_t depth) {
  return depth && depth < point->stack_count &&
         hp_joins_texts(point->stack[depth - 1]->function) &&
         frees_itself(point, depth, NULL);
}

/* A member may be called for each object of its class. */
static bool is_plain_function(const char *function) {
  return function && !hp_member_parse(function).scope.length &&
         !hp_says_it_makes_room(function) &&
         !hp_is_wrapper_name(hp_bare_name(function));
}

/* On average, from the first to the last. */
static bool are_few_at_a_time(const struct hp_point *point) {
  return point->lifetime_ns.defined && point->freed_chunks &&
         point->live_chunks <= AT_A_TIME &&
         point->lifetime_ns.mean * (double)(point->freed_chunks - 1) <=
             (double)(point->last_ns - point->first_ns) * AT_A_TIME;
}

bool hp_keeps_one_for_itself(const struct hp_passages *passages,
                             const struct hp_point *point, size_t depth) {
  return depth < point->stack_count &&
         is_plain_function(point->stack[depth]->function) &&
         point->grown.chunks <= point->chunks / FEW &&
         are_few_at_a_time(point) && frees_itself(point, depth, passages);
}

/* FRAME's function is among those whose code made the call that freed. */
static bool is_where_freed(const struct hp_freed *freed,
                           const struct hp_frame *frame) {
  for (size_t i = 0; i < freed->stack_count; i++)
    if (hp_is_same_function(freed->stack[i], frame))
      return true;
  return false;
}

const struct hp_frame *hp_owner_frame(const struct hp_point *point) {
  for (size_t i = hp_frame_depth(point, point->place); i < point->stack_count;
       i++) {
    size_t k = 0;
    while (k < point->freed_count &&
           is_where_freed(&point->freed[k], point->stack[i]))
      k++;
    if (k == point->freed_count)
      return point->stack[i];
    if (!point->stack[i]->inlined)
      break;
  }
  return point->place;
}

/* Whose destructor made the call that freed, the innermost if several did. */
static struct hp_text_part destroyed(const struct hp_freed *freed) {
  for (size_t i = 0; i < freed->stack_count; i++) {
    const char *function = freed->stack[i]->function;
    const struct hp_member_name name =
        function ? hp_member_parse(function) : (struct hp_member_name){0};
    if (name.member.length && name.member.begin[0] == '~')
      return name.scope;
    if (!freed->stack[i]->inlined)
      break;
  }
  return (struct hp_text_part){0};
}

/* As its file calls it. */
static struct hp_text_part own_name(struct hp_text_part class) {
  static const char unnamed[] = "(anonymous namespace)::";
  return hp_part_begins(class, unnamed)
             ? hp_part(class.begin + sizeof unnamed - 1,
                       class.begin + class.length)
             : class;
}

struct hp_text_part hp_owner_class(const struct hp_point *point,
                                   const struct hp_frame *owner) {
  const struct hp_text_part none = {0},
                            class = point->freed_count
                                        ? destroyed(&point->freed[0])
                                        : none;
  for (size_t i = 0; i < point->freed_count; i++)
    if (!hp_part_equals(destroyed(&point->freed[i]), class))
      return none;
  if (!class.length || hp_part_begins(class, "std::") ||
      hp_part_begins(class, "__gnu_cxx::"))
    return none;
  for (size_t i = 0; i < point->stack_count && point->stack[i] != owner; i++)
    if (point->stack[i]->function &&
        hp_part_equals(hp_member_parse(point->stack[i]->function).scope, class))
      return own_name(class);
  return none;
}
