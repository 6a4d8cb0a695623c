/* summary.c - sums up the logged chunks of a point as the runtime would.
   One loop for each part; a weight stands for so many chunks alike.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/summary.h"

#include <string.h>

#include "base/failure.h"
#include "base/saturate.h"

#define HP_DIGITS_MAX 65u

static void add(uint64_t *sum, uint64_t value, uint64_t times) {
  *sum = hp_add(*sum, hp_multiply(value, times));
}

/* ---- classes ------------------------------------------------------------- */

static bool count_class(struct hp_summary *s, struct hp_store *store,
                        const struct hp_chunk_log *chunk,
                        const struct hp_chunk_measure *m) {
  size_t i = 0;
  while (i < s->class_count && s->classes[i].classes != m->classes)
    i++;
  if (i == s->class_count) {
    if (!hp_store_room_for_one(store, (void **)&s->classes, i,
                               sizeof *s->classes))
      return false;
    s->classes[s->class_count++] = (struct hp_class_sum){.classes = m->classes};
  }
  s->classes[i].chunks += chunk->weight;
  add(&s->classes[i].bytes, chunk->size, chunk->weight);
  add(&s->classes[i].span, m->span, chunk->weight);
  return true;
}

/* ---- useful lifetime ----------------------------------------------------- */

static void count_shares(struct hp_summary *s, const struct hp_chunk_log *chunk,
                         const struct hp_chunk_measure *m, uint64_t first_t0) {
  if (m->classes & HP_CLASS_UNKNOWN)
    return;
  s->active += (hp_wide)m->active * chunk->weight;
  s->active_error += (hp_wide)m->error * chunk->weight;
  if (!m->is_sample)
    return;
  struct hp_sample *sample = chunk->t0 > first_t0 ? &s->later : &s->first;
  sample->count += chunk->weight;
  sample->active += (hp_wide)m->active * chunk->weight;
  sample->square += (hp_wide)m->active * m->active * chunk->weight;
  sample->error += (hp_wide)m->error * chunk->weight;
}

/* The t0 of the last of the first chunks, which were no random choice.  Of a
   sample's, which are all logged, each is one, whatever it stands for. */
static uint64_t first_t0_of(const struct hp_chunks *chunks, bool sampled) {
  struct hp_chunk_reader reader = hp_chunks_read(chunks);
  struct hp_chunk_log chunk;
  uint64_t begun = 0;
  while (hp_chunks_next_life(&reader, &chunk)) {
    begun += sampled ? 1 : chunk.weight;
    if (begun >= HP_FIRST_CHUNKS)
      return chunk.t0;
  }
  return UINT64_MAX;
}

/* ---- lifetime groups ----------------------------------------------------- */

static bool join_group(struct hp_summary *s, struct hp_store *store,
                       const struct hp_chunk_log *chunk, uint64_t life) {
  struct hp_group_sum *last =
      s->group_count ? &s->groups[s->group_count - 1] : NULL;
  if (!last || chunk->t0 - last->last > s->tau) {
    if (!hp_store_room_for_one(store, (void **)&s->groups, s->group_count,
                               sizeof *s->groups))
      return false;
    last = &s->groups[s->group_count++];
    *last = (struct hp_group_sum){.first = chunk->t0, .end = chunk->t1};
  }
  last->last = chunk->t0;
  last->end = chunk->t1 > last->end ? chunk->t1 : last->end;
  last->chunks += chunk->weight;
  last->lives += (hp_wide)life * chunk->weight;
  return true;
}

/* ---- sizes and lives ----------------------------------------------------- */

static bool keep_counts(struct hp_digit_counts *kept, struct hp_store *store,
                        const uint64_t counts[HP_DIGITS_MAX]) {
  unsigned low = 0, high = HP_DIGITS_MAX;
  while (low < high && !counts[low])
    low++;
  while (high > low && !counts[high - 1])
    high--;
  if (low == high)
    return true; /* nothing to count */
  uint64_t *copy = hp_store_take(store, high - low, sizeof *copy);
  if (!copy)
    return false;
  memcpy(copy, counts + low, (high - low) * sizeof *copy);
  *kept = (struct hp_digit_counts){low, high - low, copy};
  return true;
}

static void widen(uint64_t *min, uint64_t *max, bool is_first, uint64_t value) {
  *min = is_first || value < *min ? value : *min;
  *max = is_first || value > *max ? value : *max;
}

/* ---- all of it ----------------------------------------------------------- */

hp_status hp_summary_of_chunks(struct hp_summary *s, struct hp_store *store,
                               struct hp_store *scratch,
                               const struct hp_chunks *chunks,
                               const struct hp_rules *rules,
                               uint64_t element_size, struct hp_error *error) {
  uint64_t sizes[HP_DIGITS_MAX] = {0}, lives[HP_DIGITS_MAX] = {0};
  uint64_t first_t0 = first_t0_of(chunks, rules->sampled);
  struct hp_chunk_reader reader = hp_chunks_read(chunks);
  struct hp_chunk_log chunk;
  *s = (struct hp_summary){.tau = rules->tau};
  bool good = true;
  while (good && hp_chunks_next(&reader, &chunk)) {
    const struct hp_chunk_log *c = &chunk;
    struct hp_chunk_measure m = hp_measure_chunk(c, rules->short_ticks);
    bool is_live = c->flags & HP_CHUNK_LIVE;
    widen(&s->size_min, &s->size_max, s->chunks == 0, c->size);
    hp_growth_add(s->growth, c);
    s->chunks += c->weight;
    add(&s->bytes, c->size, c->weight);
    add(&s->reads, c->reads, c->weight);
    add(&s->writes, c->writes, c->weight);
    add(&s->elements, element_size ? c->size / element_size : 0, c->weight);
    sizes[hp_digits(c->size)] += c->weight;
    if (c->flags & HP_CHUNK_CUT) { /* of it the log says no more */
      s->blocks.chunks += c->weight;
      add(&s->blocks.bytes, c->size, c->weight);
    }
    if (!is_live) {
      widen(&s->life_min, &s->life_max, s->life_max == 0, m.life);
      s->life_sum += (hp_wide)m.life * c->weight;
      lives[hp_digits(m.life)] += c->weight;
    }
    good = count_class(s, scratch, c, &m);
    if (rules->sampled) {
      s->samples++;
      hp_measure_sampling(&s->sampling, c, &m);
    }
    if (is_live && rules->exclude_live)
      continue;
    count_shares(s, c, &m, first_t0);
    good = good && join_group(s, scratch, c, m.life);
  }
  if (!good || !keep_counts(&s->sizes, store, sizes) ||
      !keep_counts(&s->lives, store, lives))
    return hp_fail_memory(error);
  return HP_OK;
}
