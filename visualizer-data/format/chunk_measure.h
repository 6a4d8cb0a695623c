/* chunk_measure.h - what the metrics take from one chunk, in whole numbers.
   The runtime's aggregates and the library's sums over the log both use it.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HEAPPROF_CHUNK_MEASURE_H
#define HEAPPROF_CHUNK_MEASURE_H

#include <stdbool.h>

#include "heapprof_format.h"

/* Formulas: docs/metrics.md.  Whole numbers, so that a sum does not depend on
   the order of its parts. */

#define HP_SHARE_ONE ((uint64_t)1 << 32) /* shares count in steps of 2^-32 */
#define HP_KNOWN_STEPS 20u /* a life of so many steps is known well enough */

typedef unsigned __int128 hp_wide;

struct hp_chunk_measure {
  uint64_t life;    /* ticks: dur(t0, t1) */
  uint64_t span;    /* bytes of [lo, hi) inside the requested size */
  uint64_t active;  /* share a; 0 if UNKNOWN */
  uint64_t error;   /* share e; 0 if UNKNOWN */
  uint32_t classes; /* enum hp_class */
  bool is_sample;   /* it may speak for unknown chunks */
};

/* Where not all chunks are profiled, each stands for WEIGHT; what the variance
   of the estimates follows from, by the rule of Horvitz and Thompson.  v is
   weight * (weight - 1), s bytes requested, y the bytes that the usage score
   counts as used, a the share of a known chunk in steps of 2^-16. */
struct hp_sampling {
  hp_wide v, vss, vsy,
      vyy; /* over all chunks: sums of v, v s s, v s y, v y y */
  hp_wide known_v, va, vaa; /* over those with a known: of v, v a, v a a */
};

/* dur(a, b) = max(1, b - a). */
static inline uint64_t hp_dur(uint64_t a, uint64_t b) {
  return b > a ? b - a : 1;
}

static inline uint64_t hp_chunk_span(const struct hp_chunk_log *chunk) {
  uint64_t hi = chunk->hi < chunk->size ? chunk->hi : chunk->size;
  return hi > chunk->lo ? hi - chunk->lo : 0;
}

/* min(1, part / whole) as a share, rounded down.  Division of 64 bits where it
   will do: that of 128 is several times slower. */
static inline uint64_t hp_share(uint64_t part, uint64_t whole) {
  if (part >= whole)
    return HP_SHARE_ONE;
  if (part < HP_SHARE_ONE)
    return (part << 32) / whole;
  return (uint64_t)(((hp_wide)part << 32) / whole);
}

/* The number of binary digits: the bucket of a histogram. */
static inline unsigned hp_digits(uint64_t value) {
  return value ? 64 - (unsigned)__builtin_clzll(value) : 0;
}

/* Those of a life whose HALF this is.  The coarse clock may have been STEP late at the
   last access. */
static inline uint32_t hp_late_classes(const struct hp_chunk_log *chunk,
                                       uint64_t half, bool last_is_known) {
  const uint64_t rest = chunk->t1 > chunk->last ? chunk->t1 - chunk->last : 0;
  if (rest <= half || chunk->flags & HP_CHUNK_LIVE)
    return HP_CLASS_JUDGED;
  if (!last_is_known &&
      (chunk->step == UINT32_MAX || rest - half <= chunk->step))
    return 0;
  return HP_CLASS_JUDGED | HP_CLASS_LATE;
}

/* What needs the times of the accesses, but not the shares. */
__attribute__((always_inline)) static inline void
hp_measure_accesses(struct hp_chunk_measure *measure,
                    const struct hp_chunk_log *chunk) {
  uint64_t life = measure->life;
  bool exact = chunk->flags & HP_CHUNK_EXACT;
  bool is_short = chunk->step == UINT32_MAX ||
                  life < (uint64_t)HP_KNOWN_STEPS * chunk->step;
  bool is_known = exact || !is_short;
  bool chosen = exact || chunk->flags & HP_CHUNK_AGED;

  const uint64_t half =
      life / 2; /* what is over it is over that of an odd one, too */
  if (chunk->first > chunk->t0 && chunk->first - chunk->t0 > half)
    measure->classes |= HP_CLASS_EARLY;
  measure->classes |= hp_late_classes(chunk, half, is_known);
  if (measure->span < chunk->size - measure->span)
    measure->classes |= HP_CLASS_SPARSE;

  /* One ended by realloc is exact whether chosen or not: realloc's own read
     makes all of those look used to the end. */
  measure->is_sample = is_short && chosen && !(chunk->flags & HP_CHUNK_REALLOC);
  if (!is_known && !measure->is_sample)
    measure->classes |= HP_CLASS_UNKNOWN;
}

/* The shares of CHUNK, which is accessed and not UNKNOWN. */
static inline void hp_measure_shares(struct hp_chunk_measure *measure,
                                     const struct hp_chunk_log *chunk) {
  uint64_t life = hp_dur(chunk->t0, chunk->t1);
  measure->active = hp_share(hp_dur(chunk->first, chunk->last), life);
  if (!(chunk->flags & HP_CHUNK_EXACT))
    measure->error =
        chunk->step == UINT32_MAX ? HP_SHARE_ONE : hp_share(chunk->step, life);
}

/* Whether CHUNK, of these CLASSES, has shares that are not 0. */
static inline bool hp_has_shares(uint32_t classes) {
  return classes & (HP_CLASS_READ | HP_CLASS_WRITTEN) &&
         !(classes & HP_CLASS_UNKNOWN);
}

static inline void hp_add_product(hp_wide *sum, hp_wide v, uint64_t a,
                                  uint64_t b) {
  hp_wide product = (hp_wide)a * b;
  if (product && v > ~(hp_wide)0 / product)
    *sum = ~(hp_wide)0;
  else
    *sum = *sum + v * product < *sum ? ~(hp_wide)0 : *sum + v * product;
}

static inline void hp_measure_sampling(struct hp_sampling *sums,
                                       const struct hp_chunk_log *chunk,
                                       const struct hp_chunk_measure *m) {
  hp_wide v = (hp_wide)chunk->weight * (chunk->weight - 1);
  bool is_used =
      m->classes & HP_CLASS_READ &&
      m->classes & ((uint32_t)HP_CLASS_WRITTEN | (uint32_t)HP_CLASS_ZEROED);
  uint64_t s = chunk->size, y = is_used ? m->span : 0, a = m->active >> 16;
  if (!v)
    return;
  hp_add_product(&sums->v, v, 1, 1);
  hp_add_product(&sums->vss, v, s, s);
  hp_add_product(&sums->vsy, v, s, y);
  hp_add_product(&sums->vyy, v, y, y);
  if (m->classes & HP_CLASS_UNKNOWN)
    return;
  hp_add_product(&sums->known_v, v, 1, 1);
  hp_add_product(&sums->va, v, a, 1);
  hp_add_product(&sums->vaa, v, a, a);
}

/* The classes that FLAGS alone say: of most chunks none. */
static inline uint32_t hp_flag_classes(uint32_t flags) {
  const uint32_t telling = HP_CHUNK_ZEROED | HP_CHUNK_LIVE | HP_CHUNK_REALLOC |
                           HP_CHUNK_MULTITHREAD | HP_CHUNK_OVERRUN |
                           HP_CHUNK_LOST | HP_CHUNK_REFERRED;
  uint32_t classes = 0;
  if (!(flags & telling))
    return classes;
  classes |= flags & HP_CHUNK_ZEROED ? HP_CLASS_ZEROED : 0u;
  classes |= flags & HP_CHUNK_LIVE ? HP_CLASS_LIVE : 0u;
  classes |= flags & HP_CHUNK_REALLOC ? HP_CLASS_REALLOC : 0u;
  classes |= flags & HP_CHUNK_MULTITHREAD ? HP_CLASS_MULTITHREAD : 0u;
  classes |= flags & HP_CHUNK_OVERRUN ? HP_CLASS_OVERRUN : 0u;
  classes |= flags & HP_CHUNK_LOST ? HP_CLASS_LOST : 0u;
  classes |= flags & HP_CHUNK_REFERRED ? HP_CLASS_REFERRED : 0u;
  return classes;
}

/* All but the shares.  SHORT_TICKS: the bound of HP_CLASS_SHORT.  Inline, since
   it is done for each chunk that ends. */
__attribute__((always_inline)) static inline struct hp_chunk_measure
hp_measure_classes(const struct hp_chunk_log *chunk, uint64_t short_ticks) {
  struct hp_chunk_measure measure = {.life = hp_dur(chunk->t0, chunk->t1),
                                     .span = hp_chunk_span(chunk)};
  uint32_t classes = hp_flag_classes(chunk->flags);
  classes |= chunk->reads ? HP_CLASS_READ : 0u;
  classes |= chunk->writes ? HP_CLASS_WRITTEN : 0u;
  classes |= chunk->size ? 0u : HP_CLASS_EMPTY;
  classes |= measure.life < short_ticks ? HP_CLASS_SHORT : 0u;
  if (__builtin_expect(chunk->free_thread != chunk->thread, 0) &&
      chunk->free_thread)
    classes |= HP_CLASS_ELSEWHERE;
  measure.classes = classes;
  if (chunk->reads || chunk->writes)
    hp_measure_accesses(&measure, chunk);
  return measure;
}

static inline struct hp_chunk_measure
hp_measure_chunk(const struct hp_chunk_log *chunk, uint64_t short_ticks) {
  struct hp_chunk_measure measure = hp_measure_classes(chunk, short_ticks);
  if (hp_has_shares(measure.classes))
    hp_measure_shares(&measure, chunk);
  return measure;
}

#endif
