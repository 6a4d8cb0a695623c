/* own_chunks.c - see own_chunks.h: by the calls that the stacks of allocation and free
   have in common, and the order of the two calls in the function they part in.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/own_chunks.h"

#include "base/saturate.h"
#include "profile/freed.h"
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

/* Who freed, of the program. */
static const struct hp_frame *freer_of(const struct hp_freed *freed) {
  for (size_t i = 0; i < freed->stack_count; i++)
    if (hp_frame_is_of_program(freed->stack[i]))
      return freed->stack[i];
  return NULL;
}

bool hp_joins_for_itself(const struct hp_point *point, size_t depth) {
  uint64_t known = 0, own = 0;
  if (!depth || depth >= point->stack_count ||
      !hp_joins_texts(point->stack[depth - 1]->function))
    return false;
  for (size_t i = 0; i < point->freed_count; i++) {
    const struct hp_frame *freer = freer_of(&point->freed[i]);
    if (!freer)
      continue;
    known = hp_add(known, point->freed[i].chunks);
    if (hp_is_same_function(freer, point->stack[depth]))
      own = hp_add(own, point->freed[i].chunks);
  }
  return own && own >= known - known / FEW &&
         known >= point->freed_chunks - known;
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
