/* aggregate_entry.c - what an only chunk says, as the record that its point gets
   with the second one (aggregate_record.h).
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate_state.h"

struct hp_aggregates hp_all;

/* What began before anybody knew of accesses has none: all that has any is later. */
HP_NOINLINE struct shares *hp_aggregate_shares_of(struct record *r) {
  if (!r->shares) {
    r->shares = take_block(sizeof(struct shares));
    if (r->shares && samples_of(r) >= HP_FIRST_CHUNKS)
      ((struct shares *)block_at(r->shares))->later =
          take_block(sizeof(struct later));
  }
  return r->shares ? block_at(r->shares) : NULL;
}

/* Those of WEIGHT chunks that began at T0. */
static void sum_shares(struct shares *r, uint64_t t0, uint64_t weight,
                       uint64_t share, uint64_t error_share, bool is_sample) {
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

HP_NOINLINE void hp_aggregate_add_shares(struct shares *sums,
                                         const struct hp_chunk_log *chunk,
                                         bool is_sample) {
  struct hp_chunk_measure m = {0};
  hp_measure_shares(&m, chunk);
  sum_shares(sums, chunk->t0, chunk->weight, m.active, m.error, is_sample);
}

/* What it says of its chunk. */
static struct only only_of(const struct entry *entry) {
  const uint64_t more = entry->more;
  if (entry->form == FORM_APART)
    return *(const struct only *)block_at((uint32_t)more);
  if (entry->form == FORM_LIVE)
    return (struct only){.size = more};
  return (struct only){.size = more & (((uint64_t)1 << ENTRY_SIZE_BITS) - 1),
                       .life = more >> ENTRY_SIZE_BITS};
}

static void add_end(struct record *r, const struct entry *entry,
                    const struct only *only) {
  r->life_min = r->life_max = r->tail.lives = only->life;
  r->tail.end = t0_of(entry) + only->life;
  r->head = (struct class){.bits = entry->classes,
                           .chunks = 1,
                           .bytes = only->size,
                           .span = only->span};
  r->reads = only->reads;
  r->writes = only->writes;
}

struct record hp_aggregate_widened(const struct entry *entry,
                                   struct shares *shares) {
  const bool is_live = entry->form == FORM_LIVE;
  struct record r = {0};
  *shares = (struct shares){0};
  if (entry->form == FORM_FULL) {
    r = *record_of(entry);
    if (r.shares)
      *shares = *(const struct shares *)block_at(r.shares);
    return r;
  }
  if (entry->form == FORM_NONE)
    return r;
  r.chunks = 1;
  const struct only only = only_of(entry);
  const uint64_t t0 = t0_of(entry);
  const bool at_peak = t0 <= hp_all.peak_latest &&
                       (is_live || t0 + only.life > hp_all.peak_latest);
  r.peak_bytes = r.size = only.size;
  r.live_bytes = is_live ? only.size : 0;
  r.live_chunks = is_live;
  r.at_peak_bytes = at_peak ? only.size : 0;
  r.at_peak_chunks = at_peak;
  r.peak = hp_all.peak;
  r.tail = (struct group){.first = t0, .last = t0, .chunks = 1};
  if (!is_live)
    add_end(&r, entry, &only);
  if (only.has_shares)
    sum_shares(shares, t0, 1, only.active, only.error, only.is_sample);
  return r;
}

struct record *hp_aggregate_widen(struct entry *entry) {
  struct record *r = hp_arena_take(&hp_all.records, sizeof *r);
  if (!r) {
    hp_all.failed = true;
    return NULL;
  }
  struct shares shares;
  *r = hp_aggregate_widened(entry, &shares);
  if (entry->form == FORM_APART)
    give_block((uint32_t)entry->more, sizeof(struct only));
  if (shares.active || shares.error || shares.first_samples) {
    struct shares *kept = hp_aggregate_shares_of(r);
    if (kept)
      *kept = shares;
  }
  entry->form = FORM_FULL;
  entry->more =
      (uint64_t)(r - (const struct record *)(void *)hp_all.records.base) &
      (((uint64_t)1 << ENTRY_MORE_BITS) - 1);
  return r;
}
