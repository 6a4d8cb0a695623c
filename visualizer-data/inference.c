/* inference.c - inferences of docs/metrics.md: chunks, bytes, and the flag.
   Each rule is one predicate over a chunk; growth looks at their row.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "inference.h"

/* Sizes a growing run has at least. */
#define HP_GROWING_RUN 4u

const char *hp_inference_name(enum hp_inference i) {
  static const char *const names[HP_INF_COUNT] = {
#define X(name, text) #name,
      HP_INFERENCES(X)
#undef X
  };
  return i < HP_INF_COUNT ? names[i] : NULL;
}

const char *hp_inference_text(enum hp_inference i) {
  static const char *const texts[HP_INF_COUNT] = {
#define X(name, text) text,
      HP_INFERENCES(X)
#undef X
  };
  return i < HP_INF_COUNT ? texts[i] : NULL;
}

static void put(struct hp_tally *tally, enum hp_inference i, bool holds,
                const struct hp_chunk_log *chunk) {
  if (!holds)
    return;
  tally->inferences[i].chunks++;
  tally->inferences[i].bytes = hp_add(tally->inferences[i].bytes, chunk->size);
}

/* part > whole / 2, without losing the odd one. */
static bool over_half(uint64_t part, uint64_t whole) {
  return part > whole - part || part > whole;
}

static bool is_late(const struct hp_chunk_log *c, uint64_t last) {
  return c->t1 > last && over_half(c->t1 - last, hp_dur(c->t0, c->t1));
}

static void infer_times(struct hp_tally *tally, const struct hp_chunk_log *c,
                        const struct hp_rules *rules) {
  uint64_t life = hp_dur(c->t0, c->t1);
  bool early = c->first > c->t0 && over_half(c->first - c->t0, life);
  put(tally, HP_INF_allocated_early, early, c);

  bool live = c->flags & HP_CHUNK_LIVE;
  bool late = !live && is_late(c, c->last);
  /* The true last access lies up to tick_max later. */
  bool sure = live || !late || hp_last_is_known(c, rules) ||
              is_late(c, hp_add(c->last, rules->tick_max));
  if (sure) {
    tally->late_judged++;
    put(tally, HP_INF_freed_late, late, c);
  }
}

static void infer_chunk(struct hp_tally *tally, const struct hp_chunk_log *c,
                        const struct hp_rules *rules) {
  bool read = c->reads > 0, written = c->writes > 0;
  bool zeroed = c->flags & HP_CHUNK_ZEROED;
  put(tally, HP_INF_unused, !read && !written && !zeroed, c);
  put(tally, HP_INF_write_only, !read && written, c);
  put(tally, HP_INF_read_only, read && !written && !zeroed, c);
  hp_u128 life = hp_dur(c->t0, c->t1);
  put(tally, HP_INF_short_lived,
      life * 1000000000u < (hp_u128)rules->short_ns * rules->ticks_per_second,
      c);
  put(tally, HP_INF_multithread, c->flags & HP_CHUNK_MULTITHREAD, c);
  put(tally, HP_INF_freed_elsewhere,
      c->free_thread != 0 && c->free_thread != c->thread, c);
  put(tally, HP_INF_never_freed, c->flags & HP_CHUNK_LIVE, c);
  put(tally, HP_INF_zero_size, c->size == 0, c);
  if (!read && !written)
    return;
  tally->accessed++;
  infer_times(tally, c, rules);
  if (c->size == 0)
    return;
  uint64_t span = hp_chunk_span(c);
  tally->coverage_judged++;
  put(tally, HP_INF_low_coverage, span < c->size - span, c);
}

static bool grew_more(const struct hp_growth *a, const struct hp_growth *b) {
  return a->length > b->length ||
         (a->length == b->length && a->copied_bytes > b->copied_bytes);
}

static void end_run(struct hp_tally *tally, const struct hp_growth *run) {
  if (run->length < HP_GROWING_RUN)
    return;
  struct hp_inference_value *growing = &tally->inferences[HP_INF_growing];
  growing->chunks += run->length;
  growing->bytes =
      hp_add(growing->bytes, hp_add(run->copied_bytes, run->last_size));
  if (grew_more(run, &tally->growth))
    tally->growth = *run;
}

/* COPIED_BYTES is what a reserve of the last size would save: each size but
   the last is copied once into its successor. */
static void infer_growth(struct hp_tally *tally,
                         const struct hp_chunk_log *chunks, size_t count) {
  struct hp_growth run = {0};
  for (size_t i = 0; i < count; i++) {
    uint64_t size = chunks[i].size;
    if (size == 0)
      continue;
    if (run.length > 0 && size > run.last_size) {
      run.copied_bytes = hp_add(run.copied_bytes, run.last_size);
      run.last_size = size;
      run.length++;
    } else {
      end_run(tally, &run);
      run = (struct hp_growth){
          .length = 1, .first_size = size, .last_size = size};
    }
  }
  end_run(tally, &run);
}

void hp_infer_chunks(struct hp_tally *tally, const struct hp_chunk_log *chunks,
                     size_t count, const struct hp_rules *rules) {
  for (size_t i = 0; i < count; i++)
    infer_chunk(tally, &chunks[i], rules);
  infer_growth(tally, chunks, count);
}

void hp_infer_add(struct hp_tally *sum, const struct hp_tally *tally) {
  for (int i = 0; i < HP_INF_COUNT; i++) {
    sum->inferences[i].chunks += tally->inferences[i].chunks;
    sum->inferences[i].bytes =
        hp_add(sum->inferences[i].bytes, tally->inferences[i].bytes);
  }
  sum->accessed += tally->accessed;
  sum->late_judged += tally->late_judged;
  sum->coverage_judged += tally->coverage_judged;
  if (grew_more(&tally->growth, &sum->growth))
    sum->growth = tally->growth;
}

static bool half_of(const struct hp_inference_value *value, uint64_t whole) {
  return value->chunks > 0 && value->chunks >= whole - value->chunks;
}

void hp_infer_finish(const struct hp_tally *tally, struct hp_point *point) {
  for (int i = 0; i < HP_INF_COUNT; i++) {
    struct hp_inference_value *value = &point->inferences[i];
    *value = tally->inferences[i];
    switch ((enum hp_inference)i) {
    case HP_INF_unused:
    case HP_INF_write_only:
    case HP_INF_read_only:
    case HP_INF_short_lived:
      value->flagged = half_of(value, tally->chunks);
      break;
    case HP_INF_allocated_early:
      value->flagged = half_of(value, tally->accessed);
      break;
    case HP_INF_freed_late:
      value->flagged = half_of(value, tally->late_judged);
      break;
    case HP_INF_low_coverage:
      value->flagged = half_of(value, tally->coverage_judged);
      break;
    default:
      value->flagged = value->chunks > 0;
    }
  }
  point->growth = tally->growth;
  point->multithread_chunks = tally->inferences[HP_INF_multithread].chunks;
  point->freed_elsewhere = tally->inferences[HP_INF_freed_elsewhere].chunks;
}
