/* aggregate_entry.c - what an only chunk says, as the record that its point gets
   with the second one (aggregate_record.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate_state.h"

struct hp_aggregates hp_all;

void hp_aggregate_sum_shares(struct record *r, uint64_t t0, uint64_t weight,
                             uint64_t share, uint64_t error_share,
                             bool is_sample) {
  uint64_t active = weight * share, error = weight * error_share;
  add_share(&r->active, &r->active_high, active);
  add_share(&r->error, &r->error_high, error);
  if (!is_sample)
    return;
  hp_wide square = (hp_wide)active * share;
  struct later *later = r->later ? block_at(r->later) : NULL;
  if (later && t0 > later->first_t0) {
    later->samples += weight;
    later->active += active;
    later->square += square;
    later->error += error;
    return;
  }
  r->first_samples += (uint32_t)weight;
  r->first_active += active;
  r->first_error += error;
  square += wide(r->first_square[0], r->first_square[1]);
  r->first_square[0] = (uint64_t)square;
  r->first_square[1] = (uint64_t)(square >> 64);
}

HP_NOINLINE void hp_aggregate_add_shares(struct record *r,
                                         const struct hp_chunk_log *chunk,
                                         bool is_sample) {
  struct hp_chunk_measure m = {0};
  hp_measure_shares(&m, chunk);
  hp_aggregate_sum_shares(r, chunk->t0, chunk->weight, m.active, m.error,
                          is_sample);
}

static void add_end(struct record *r, const struct entry *entry) {
  struct accesses accesses = {.life = entry->more};
  if (entry->form == FORM_ACCESSED)
    accesses = *(const struct accesses *)block_at((uint32_t)entry->more);
  r->life_min = r->life_max = r->tail.lives = accesses.life;
  r->tail.end = entry->t0 + accesses.life;
  r->head = (struct class){.bits = entry->classes,
                           .chunks = 1,
                           .bytes = entry->size,
                           .span = accesses.span};
  r->reads = accesses.reads;
  r->writes = accesses.writes;
  if (accesses.has_shares)
    hp_aggregate_sum_shares(r, entry->t0, 1, accesses.active, accesses.error,
                            accesses.is_sample);
}

struct record hp_aggregate_widened(const struct entry *entry) {
  const bool is_live = entry->form == FORM_LIVE;
  struct record r = {0};
  if (entry->form == FORM_FULL)
    return *record_of(entry);
  if (entry->form == FORM_NONE)
    return r;
  r.chunks = 1;
  r.bytes = r.peak_bytes = r.size = entry->size;
  r.live_bytes = is_live ? entry->size : 0;
  r.live_chunks = is_live;
  r.at_peak_bytes = entry->at_peak ? entry->size : 0;
  r.at_peak_chunks = entry->at_peak;
  r.peak = entry->peak;
  r.tail = (struct group){.first = entry->t0, .last = entry->t0, .chunks = 1};
  if (!is_live)
    add_end(&r, entry);
  return r;
}

struct record *hp_aggregate_widen(struct entry *entry) {
  struct record *r = hp_arena_take(&hp_all.records, sizeof *r);
  if (!r) {
    hp_all.failed = true;
    return NULL;
  }
  *r = hp_aggregate_widened(entry);
  if (entry->form == FORM_ACCESSED)
    give_block((uint32_t)entry->more, sizeof(struct accesses));
  entry->form = FORM_FULL;
  entry->more =
      (uint64_t)(r - (const struct record *)(void *)hp_all.records.base);
  return r;
}
