/* set_chunk.c - see set_chunk.h: each key by the columns of the chunk log.
   Times are compared in ticks, as the log has them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "query/set_chunk.h"

#include <stdio.h>
#include <string.h>

#include "base/failure.h"
#include "base/saturate.h"
#include "chunk_measure.h"
#include "measure/peak.h"
#include "query/set_span.h"

/* ---- instants ------------------------------------------------------------ */

/* The first tick that is no earlier than NS. */
static uint64_t ticks_of(uint64_t ns, uint64_t rate) {
  const hp_u128 ticks = ((hp_u128)ns * rate + 999999999u) / 1000000000u;
  return ticks > INT64_MAX ? INT64_MAX : (uint64_t)ticks;
}

static hp_status fail_mark(const struct hp_set_asker *asker,
                           const struct hp_set_place *place,
                           const struct hp_set_node *term, const char *mark) {
  const struct hp_dump_end *end = &asker->process->of->end;
  char names[160] = "";
  size_t used = 0;
  for (size_t i = 0; i < end->mark_count && used + 40 < sizeof names; i++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%.30s",
                             i ? ", " : "; it set ", end->marks[i].name);
  return hp_set_fail(asker->error, place, term->column,
                     "the program set no mark \"%.60s\"%s", mark, names);
}

static hp_status find_instant(const struct hp_set_asker *asker,
                              const struct hp_set_place *place,
                              const struct hp_set_node *term,
                              struct hp_set_instant *instant) {
  const struct hp_dump_end *end = &asker->process->of->end;
  const uint64_t rate = asker->process->rules.ticks_per_second;
  switch (instant->kind) {
  case HP_INSTANT_NONE:
    return HP_OK;
  case HP_INSTANT_TIME:
    instant->ticks = ticks_of(instant->ns, rate);
    return HP_OK;
  case HP_INSTANT_END:
    instant->ticks = end->end;
    return HP_OK;
  case HP_INSTANT_PEAK:
    instant->ticks = end->peak_time;
    return HP_OK;
  case HP_INSTANT_MARK:
    break;
  }
  for (size_t i = 0; i < end->mark_count; i++)
    if (strcmp(end->marks[i].name, instant->mark) == 0) {
      instant->ticks = end->marks[i].ticks;
      return HP_OK;
    }
  return fail_mark(asker, place, term, instant->mark);
}

static hp_status ask_node(struct hp_set_asker *asker,
                          const struct hp_set_place *place,
                          struct hp_set_node *node) {
  if (node->kind == HP_SET_NAMED) {
    struct hp_named_set *set = node->named;
    const struct hp_set_place there = {set->file, set->line, set->column};
    if (set->process_turn == asker->process_turn)
      return HP_OK;
    set->process_turn = asker->process_turn;
    return ask_node(asker, &there, set->root);
  }
  for (struct hp_set_node *part = node->first; part; part = part->next)
    HP_TRY(ask_node(asker, place, part));
  if (node->kind != HP_SET_TERM || !node->chunk_term)
    return HP_OK;
  HP_TRY(find_instant(asker, place, node, &node->from));
  HP_TRY(find_instant(asker, place, node, &node->to));
  return node->key == HP_KEY_PEAK
             ? hp_set_find_spans(asker->profile, asker->process, node,
                                 &asker->store, asker->error)
             : HP_OK;
}

hp_status hp_set_ask_process(struct hp_set_asker *asker,
                             const struct hp_profile_process *process) {
  asker->process = process;
  asker->process_turn++;
  hp_set_forget_frees(&asker->frees);
  return ask_node(asker, &asker->place, asker->root);
}

void hp_set_asker_end(struct hp_set_asker *asker) {
  hp_set_forget_frees(&asker->frees);
  hp_store_free(&asker->store);
}

/* ---- a condition --------------------------------------------------------- */

static bool compares(const struct hp_set_node *term, long double value,
                     long double with) {
  switch (term->compare) {
  case HP_IS_LESS:
    return value < with;
  case HP_IS_AT_MOST:
    return value <= with;
  case HP_IS_MORE:
    return value > with;
  case HP_IS_AT_LEAST:
    return value >= with;
  default:
    return value >= with && value <= with;
  }
}

static bool number_holds(const struct hp_set_node *term, uint64_t value) {
  return compares(term, (long double)value, term->number);
}

static bool life_holds(const struct hp_set_asker *asker,
                       const struct hp_set_node *term,
                       const struct hp_chunk_log *chunk) {
  const uint64_t rate = asker->process->rules.ticks_per_second;
  const long double ticks = (long double)hp_dur(chunk->t0, chunk->t1);
  return compares(term, ticks * 1e9L / (long double)rate, term->number);
}

static bool interval_holds(const struct hp_set_node *term,
                           const struct hp_chunk_log *chunk) {
  const uint64_t span = hp_chunk_span(chunk);
  if (!term->is_percent)
    return number_holds(term, span);
  const long double size = chunk->size ? (long double)chunk->size : 1;
  return compares(term, 100 * (long double)span, term->number * size);
}

/* In [from, to), of which the end of the window is the last. */
static bool time_holds(const struct hp_set_node *term, uint64_t ticks) {
  if (!term->is_range)
    return compares(term, (long double)ticks, (long double)term->from.ticks);
  return (term->from.kind == HP_INSTANT_NONE || ticks >= term->from.ticks) &&
         (term->to.kind == HP_INSTANT_NONE || ticks < term->to.ticks ||
          term->to.kind == HP_INSTANT_END);
}

static bool is_live_at(const struct hp_set_asker *asker,
                       const struct hp_set_node *term,
                       const struct hp_chunk_log *chunk) {
  const uint64_t window = asker->process->rules.window;
  if (term->from.kind == HP_INSTANT_END || term->from.ticks >= window)
    return chunk->flags & HP_CHUNK_LIVE;
  const struct hp_life life = hp_chunk_life(chunk, window);
  return hp_life_covers(&life, term->from.ticks);
}

static bool is_at_peak(const struct hp_set_asker *asker,
                       const struct hp_set_node *term,
                       const struct hp_chunk_log *chunk) {
  const struct hp_life life =
      hp_chunk_life(chunk, asker->process->rules.window);
  size_t low = 0, high = term->span_count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (term->spans[middle].end <= life.begin)
      low = middle + 1;
    else
      high = middle;
  }
  return low < term->span_count && term->spans[low].begin < life.end;
}

static bool term_holds(struct hp_set_asker *asker,
                       const struct hp_set_node *term,
                       const struct hp_chunk_log *chunk) {
  const bool is_live = chunk->flags & HP_CHUNK_LIVE;
  switch (term->key) {
  case HP_KEY_SIZE:
    return number_holds(term, chunk->size);
  case HP_KEY_LIFETIME:
    return life_holds(asker, term, chunk);
  case HP_KEY_THREAD:
    return number_holds(term, chunk->thread);
  case HP_KEY_FREE_THREAD:
    return !is_live && number_holds(term, chunk->free_thread);
  case HP_KEY_READS:
    return number_holds(term, chunk->reads);
  case HP_KEY_WRITES:
    return number_holds(term, chunk->writes);
  case HP_KEY_INTERVAL:
    return interval_holds(term, chunk);
  case HP_KEY_BORN:
    return time_holds(term, chunk->t0);
  case HP_KEY_DIED:
    return !is_live && (term->is_done || time_holds(term, chunk->t1));
  case HP_KEY_LIVE_AT:
    return is_live_at(asker, term, chunk);
  case HP_KEY_PEAK:
    return is_at_peak(asker, term, chunk);
  default:
    return !is_live && chunk->free_pc &&
           hp_set_free_holds(&asker->frees, asker->profile,
                             asker->process->dump, asker->raw, term, chunk);
  }
}

/* ---- all of them --------------------------------------------------------- */

static bool has(struct hp_set_asker *asker, const struct hp_set_node *node,
                const struct hp_chunk_log *chunk);

static bool named_has(struct hp_set_asker *asker, struct hp_named_set *set,
                      const struct hp_chunk_log *chunk) {
  if (set->chunk_turn != asker->chunk_turn)
    set->has_chunk = has(asker, set->root, chunk);
  set->chunk_turn = asker->chunk_turn;
  return set->has_chunk;
}

/* One part of which IS holds decides. */
static bool part_is(struct hp_set_asker *asker, const struct hp_set_node *node,
                    const struct hp_chunk_log *chunk, bool is) {
  for (const struct hp_set_node *part = node->first; part; part = part->next)
    if (has(asker, part, chunk) == is)
      return true;
  return false;
}

static bool has(struct hp_set_asker *asker, const struct hp_set_node *node,
                const struct hp_chunk_log *chunk) {
  if (node->of_point != HP_SET_DEPENDS)
    return node->of_point == HP_SET_YES;
  switch (node->kind) {
  case HP_SET_ALL_OF:
    return !part_is(asker, node, chunk, false);
  case HP_SET_ANY_OF:
    return part_is(asker, node, chunk, true);
  case HP_SET_NOT:
    return !has(asker, node->first, chunk);
  case HP_SET_NAMED:
    return named_has(asker, node->named, chunk);
  default:
    return term_holds(asker, node, chunk) != node->is_negated;
  }
}

bool hp_set_has_chunk(struct hp_set_asker *asker,
                      const struct hp_dump_point *raw,
                      const struct hp_chunk_log *chunk) {
  asker->raw = raw;
  asker->chunk_turn++;
  return has(asker, asker->root, chunk);
}
