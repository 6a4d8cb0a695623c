/* inference.c - inferences of docs/metrics.md: chunks, bytes, and the flag.
   Each rule is one predicate over a class of chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/inference.h"

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

static void put_into(struct hp_inference_value *value, bool holds,
                     const struct hp_class_sum *class) {
  if (!holds)
    return;
  value->chunks += class->chunks;
  value->bytes = hp_add(value->bytes, class->bytes);
}

static void put(struct hp_tally *tally, enum hp_inference i, bool holds,
                const struct hp_class_sum *class) {
  put_into(&tally->inferences[i], holds, class);
}

void hp_infer_unseen(struct hp_tally *tally, const struct hp_class_sum *class) {
  put(tally, HP_INF_never_freed, true, class);
}

void hp_infer_class(struct hp_tally *tally, const struct hp_class_sum *class) {
  uint32_t is = class->classes;
  bool read = is & HP_CLASS_READ, written = is & HP_CLASS_WRITTEN;
  bool zeroed = is & HP_CLASS_ZEROED;
  put(tally, HP_INF_unused, !read && !written && !zeroed, class);
  put_into(&tally->zeroed, !read && !written && zeroed, class);
  put(tally, HP_INF_write_only, !read && written, class);
  put(tally, HP_INF_read_only, read && !written && !zeroed, class);
  put(tally, HP_INF_short_lived, is & HP_CLASS_SHORT, class);
  put(tally, HP_INF_allocated_early, is & HP_CLASS_EARLY, class);
  put(tally, HP_INF_freed_late, is & HP_CLASS_LATE, class);
  put(tally, HP_INF_low_coverage, is & HP_CLASS_SPARSE, class);
  put(tally, HP_INF_multithread, is & HP_CLASS_MULTITHREAD, class);
  put(tally, HP_INF_freed_elsewhere, is & HP_CLASS_ELSEWHERE, class);
  put(tally, HP_INF_never_freed, is & HP_CLASS_LIVE, class);
  put(tally, HP_INF_zero_size, is & HP_CLASS_EMPTY, class);
  put(tally, HP_INF_overrun, is & HP_CLASS_OVERRUN, class);
  bool lost = is & HP_CLASS_LOST, referred = is & HP_CLASS_REFERRED;
  put(tally, HP_INF_lost, lost && !referred, class);
  put(tally, HP_INF_lost_indirectly, lost && referred, class);
  put(tally, HP_INF_still_reachable, !lost && referred, class);
  if (!hp_is_accessed(class))
    return;
  tally->accessed += class->chunks;
  if (is & HP_CLASS_JUDGED)
    tally->late_judged += class->chunks;
  if (!(is & HP_CLASS_EMPTY))
    tally->coverage_judged += class->chunks;
}

bool hp_inference_is_of_accesses(enum hp_inference i) {
  switch (i) {
  case HP_INF_unused:
  case HP_INF_write_only:
  case HP_INF_read_only:
  case HP_INF_allocated_early:
  case HP_INF_freed_late:
  case HP_INF_low_coverage:
  case HP_INF_multithread:
    return true;
  default:
    return false;
  }
}

void hp_infer_no_accesses(struct hp_tally *tally) {
  for (int i = 0; i < HP_INF_COUNT; i++)
    if (hp_inference_is_of_accesses((enum hp_inference)i))
      tally->inferences[i] = (struct hp_inference_value){0};
  tally->zeroed = (struct hp_inference_value){0};
  tally->accessed = tally->late_judged = tally->coverage_judged = 0;
}

void hp_infer_add_growth(struct hp_growth_sum *sum,
                         const struct hp_growth_sum *more) {
  sum->chains = hp_add(sum->chains, more->chains);
  sum->chunks = hp_add(sum->chunks, more->chunks);
  sum->bytes = hp_add(sum->bytes, more->bytes);
  sum->copied = hp_add(sum->copied, more->copied);
  if (!hp_growth_is_longer(more->length, more->longest_copied, sum))
    return;
  sum->length = more->length;
  sum->first = more->first;
  sum->last = more->last;
  sum->longest_copied = more->longest_copied;
}

void hp_infer_name_growth(struct hp_tally *tally, enum hp_enlarging how) {
  struct hp_growth_sum *followed = &tally->growth[HP_CHAIN_FOLLOWED];
  if (how == HP_ENLARGES_BY_LINKS)
    followed->copied = followed->longest_copied = 0;
  if (how != HP_ENLARGES_NOTHING)
    hp_infer_add_growth(&tally->growth[HP_CHAIN_SEEN], followed);
  *followed = (struct hp_growth_sum){0};
}

/* What points with and without names of functions agree in. */
static void finish_growth(const struct hp_tally *tally,
                          struct hp_point *point) {
  const struct hp_growth_sum *seen = &tally->growth[HP_CHAIN_SEEN];
  const struct hp_growth_sum *alike = &tally->growth[HP_CHAIN_ALIKE];
  struct hp_growth_sum both = *seen;
  hp_infer_add_growth(&both, alike);
  /* Of a chain over several points one may have begun at another. */
  point->inferences[HP_INF_growing] = (struct hp_inference_value){
      .chunks = both.chunks < tally->chunks ? both.chunks : tally->chunks,
      .bytes = both.bytes < tally->bytes ? both.bytes : tally->bytes,
      .flagged = both.chunks > 0};
  point->growth = (struct hp_growth){both.length, both.first, both.last,
                                     both.longest_copied};
  point->grown =
      (struct hp_chains){both.chains, both.chunks, both.bytes, both.copied,
                         .likely_chunks = alike->chunks};
}

void hp_infer_add(struct hp_tally *sum, const struct hp_tally *tally) {
  for (int i = 0; i < HP_INF_COUNT; i++) {
    sum->inferences[i].chunks += tally->inferences[i].chunks;
    sum->inferences[i].bytes =
        hp_add(sum->inferences[i].bytes, tally->inferences[i].bytes);
  }
  sum->zeroed.chunks += tally->zeroed.chunks;
  sum->zeroed.bytes = hp_add(sum->zeroed.bytes, tally->zeroed.bytes);
  sum->accessed += tally->accessed;
  sum->late_judged += tally->late_judged;
  sum->coverage_judged += tally->coverage_judged;
  for (int kind = 0; kind < HP_CHAIN_COUNT; kind++)
    hp_infer_add_growth(&sum->growth[kind], &tally->growth[kind]);
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
      value->flagged = half_of(value, tally->chunks - tally->unknown_chunks);
      break;
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
  point->zeroed = tally->zeroed;
  finish_growth(tally, point);
  point->multithread_chunks = tally->inferences[HP_INF_multithread].chunks;
  point->freed_elsewhere = tally->inferences[HP_INF_freed_elsewhere].chunks;
}
