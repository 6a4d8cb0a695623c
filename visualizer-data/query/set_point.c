/* set_point.c - what a point says of a set by itself: its stack, type and flags.
   What only its chunks can say is left open.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <string.h>

#include "base/pattern.h"
#include "query/set.h"
#include "query/set_term.h"
#include "rank_list.h"

static bool frame_matches(const struct hp_set_node *term,
                          const struct hp_frame *frame) {
  switch (term->key) {
  case HP_KEY_FUNCTION:
    return hp_pattern_finds(term->pattern, frame->function);
  case HP_KEY_FILE:
    return hp_pattern_finds(term->pattern, frame->file);
  case HP_KEY_MODULE:
    return hp_pattern_finds(term->pattern, frame->module);
  case HP_KEY_ANY:
    return hp_pattern_finds(term->pattern, frame->function) ||
           hp_pattern_finds(term->pattern, frame->file) ||
           hp_pattern_finds(term->pattern, frame->module);
  default:
    return false;
  }
}

static bool stack_matches(const struct hp_set_node *term,
                          const struct hp_point *point) {
  if ((term->key == HP_KEY_TYPE || term->key == HP_KEY_ANY) &&
      hp_pattern_finds(term->pattern, point->type))
    return true;
  for (size_t i = 0; i < point->stack_count; i++)
    if (frame_matches(term, point->stack[i]))
      return true;
  return false;
}

static enum hp_set_accesses accesses_of(const struct hp_point *point) {
  return !point->accesses_known   ? HP_ACCESSES_UNKNOWN
         : point->accesses_shared ? HP_ACCESSES_SHARED
                                  : HP_ACCESSES_KNOWN;
}

static bool term_holds(const struct hp_set_node *term,
                       const struct hp_point *point) {
  switch (term->key) {
  case HP_KEY_FLAG:
    return point->inferences[term->flag].flagged;
  case HP_KEY_RANK:
    return point->process && hp_rank_is_in(term->pattern, point->process->rank);
  case HP_KEY_POINT:
    return hp_set_is_among(term->pattern, point->id);
  case HP_KEY_POOL:
    return hp_pattern_finds(term->pattern, point->pool);
  case HP_KEY_OLD:
  case HP_KEY_NEW:
  case HP_KEY_MEMBER_READ:
  case HP_KEY_MEMBER_WRITTEN:
  case HP_KEY_MEMBER_UNUSED:
    return term->in_side && term->in_side[point->id];
  case HP_KEY_ACCESSES:
    return accesses_of(point) == term->accesses;
  default:
    return stack_matches(term, point);
  }
}

static enum hp_set_answer not_so(enum hp_set_answer answer) {
  return answer == HP_SET_YES  ? HP_SET_NO
         : answer == HP_SET_NO ? HP_SET_YES
                               : HP_SET_DEPENDS;
}

/* One part of this answer decides; else one that depends leaves it open. */
static enum hp_set_answer of_parts(struct hp_set_node *node,
                                   const struct hp_point *point, uint64_t turn,
                                   enum hp_set_answer deciding) {
  enum hp_set_answer answer = not_so(deciding);
  for (struct hp_set_node *part = node->first; part; part = part->next) {
    hp_set_look_at(part, point, turn);
    if (part->of_point == deciding)
      answer = deciding;
    else if (part->of_point == HP_SET_DEPENDS && answer != deciding)
      answer = HP_SET_DEPENDS;
  }
  return answer;
}

static enum hp_set_answer of_term(const struct hp_set_node *term,
                                  const struct hp_point *point) {
  if (term->chunk_term)
    return HP_SET_DEPENDS;
  return term_holds(term, point) != term->is_negated ? HP_SET_YES : HP_SET_NO;
}

static enum hp_set_answer of_named(struct hp_named_set *set,
                                   const struct hp_point *point,
                                   uint64_t turn) {
  if (set->point_turn != turn)
    hp_set_look_at(set->root, point, turn);
  set->point_turn = turn;
  return set->root->of_point;
}

void hp_set_look_at(struct hp_set_node *node, const struct hp_point *point,
                    uint64_t turn) {
  switch (node->kind) {
  case HP_SET_ALL_OF:
    node->of_point = of_parts(node, point, turn, HP_SET_NO);
    break;
  case HP_SET_ANY_OF:
    node->of_point = of_parts(node, point, turn, HP_SET_YES);
    break;
  case HP_SET_NOT:
    hp_set_look_at(node->first, point, turn);
    node->of_point = not_so(node->first->of_point);
    break;
  case HP_SET_NAMED:
    node->of_point = of_named(node->named, point, turn);
    break;
  case HP_SET_TERM:
    node->of_point = of_term(node, point);
    break;
  }
}
