/* aggregate_state.c - see aggregate_state.h: classes, lives and shares of a record.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "profile/aggregate_state.h"

#include "system/real_libc.h"

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

void hp_aggregate_sum_shares(struct shares *r, uint64_t t0, uint64_t weight,
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

HP_NOINLINE void hp_aggregate_add_shares(struct shares *sums,
                                         const struct hp_chunk_log *chunk,
                                         bool is_sample) {
  struct hp_chunk_measure m = {0};
  hp_measure_shares(&m, chunk);
  hp_aggregate_sum_shares(sums, chunk->t0, chunk->weight, m.active, m.error,
                          is_sample);
}

static struct class *new_class(struct record *r, uint32_t bits) {
  struct classes *old = r->classes ? block_at(r->classes) : NULL;
  if (!old || old->count == old->capacity) {
    uint32_t capacity = capacity_for(sizeof *old, sizeof old->items[0],
                                     old ? old->count + 1u : 1);
    uint32_t made = take_block(classes_size(capacity));
    if (!made)
      return NULL;
    struct classes *new = block_at(made);
    if (old) {
      hp_real_memcpy(new, old, classes_size(old->count));
      give_block(r->classes, classes_size(old->capacity));
    }
    new->capacity = capacity;
    r->classes = made;
    old = new;
  }
  struct class *added = &old->items[old->count++];
  *added = (struct class){.bits = bits & CLASS_BITS};
  return added;
}

HP_NOINLINE struct class *hp_aggregate_other_class(struct record *r,
                                                   uint32_t bits) {
  if (r->head.chunks == 0) {
    r->head.bits = bits & CLASS_BITS;
    return &r->head;
  }
  struct classes *classes = r->classes ? block_at(r->classes) : NULL;
  struct class *found =
      classes ? find_class(classes->items, classes->count, bits) : NULL;
  if (!found)
    return new_class(r, bits);
  if (found->chunks <= r->head.chunks)
    return found;
  struct class rarer = r->head; /* the most frequent one is at hand */
  r->head = *found;
  *found = rarer;
  return &r->head;
}

/* Until now all lives had as many digits. */
HP_NOINLINE void hp_aggregate_begin_lives(struct record *r, uint64_t life,
                                          uint32_t weight) {
  uint64_t ended = r->chunks - r->live_chunks;
  if (!ended)
    return;
  count_value(&r->lives, r->life_max, ended);
  if (r->lives)
    count_value(&r->lives, life, weight);
}
