/* sample.c - see sample.h: a generator for each thread, and the two functions
   of analysis that chance needs, of which the runtime has no library.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "chunk/sample.h"

#include "options/options.h"
#include "system/message.h"

/* Read wherever a function is entered: its cache line is its own. */
_Alignas(HP_CACHE_LINE) bool hp_sampling;
_Alignas(HP_CACHE_LINE) uint64_t hp_sample_mask;

_Static_assert(sizeof hp_sampling == 1, "as code reads it");

void hp_sample_start(void) {
  if (hp_options.sample_every && hp_options.sample_bytes)
    hp_sys_die("sample_every=%llu and sample_bytes=%llu cannot both be; leave "
               "out one of them",
               (unsigned long long)hp_options.sample_every,
               (unsigned long long)hp_options.sample_bytes);
  hp_sampling = hp_options.sample_every || hp_options.sample_bytes;
  hp_sample_mask = hp_options.sample_bytes ? HP_SIZE_MAX : 0;
}

/* ---- chance -------------------------------------------------------------- */

/* The finaliser of splitmix64: numbers that follow each other become states
   that have nothing to do with each other. */
static uint64_t scatter(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* In (0, 1). */
static double next_chance(struct hp_thread *self) {
  uint64_t x = scatter(self->sample_random += 0x9e3779b97f4a7c15u);
  return ((double)(x >> 12) + 0.5) * 0x1p-52;
}

/* ---- logarithm and exponential ------------------------------------------- */

/* -ln X for X in (0, 1]: X = m * 2^-e with m in [1/2, 1], and ln m from the
   series of the inverse hyperbolic tangent. */
static double minus_log(double x) {
  double e = 0;
  while (x < 0x1p-32)
    x *= 0x1p32, e += 32;
  while (x < 0.5)
    x *= 2, e += 1;
  double t = (1 - x) / (1 + x), square = t * t, power = t, sum = 0;
  for (int n = 1; n < 40; n += 2, power *= square)
    sum += power / n;
  return 2 * sum + e * 0.69314718055994530942;
}

/* 1 - e^-X for X >= 0: by its series for small X, doubled from there. */
static double hit_chance(double x) {
  if (x > 40)
    return 1;
  int doublings = 0;
  while (x > 0x1p-8) {
    x /= 2;
    doublings++;
  }
  double p = x * (1 - x / 2 * (1 - x / 3 * (1 - x / 4 * (1 - x / 5))));
  while (doublings-- > 0)
    p *= 2 - p;
  return p;
}

/* ---- samples ------------------------------------------------------------- */

/* Of every N: a trial of chance 1/N each; the last failed trial is where the
   exponential distance of rate -ln(1 - 1/N) ends. */
void hp_sample_next(struct hp_thread *self) {
  uint64_t every = hp_options.sample_every;
  double distance = minus_log(next_chance(self));
  if (every)
    distance = every == 1 ? 0 : distance / minus_log(1 - 1 / (double)every);
  else
    distance *= (double)hp_options.sample_bytes;
  self->until_sample = 1 + (int64_t)distance;
}

void hp_sample_begin_thread(struct hp_thread *self, uint32_t number) {
  if (!hp_sampling)
    return;
  self->sample_random = scatter(hp_options.sample_seed ^ scatter(number));
  hp_sample_next(self);
}

static double weight_of(uint64_t size) {
  double bytes = size ? (double)size : 1;
  return 1 / hit_chance(bytes / (double)hp_options.sample_bytes);
}

uint64_t hp_sample_rounding(struct hp_thread *self, size_t size) {
  if (!hp_options.sample_bytes)
    return 0;
  double weight = weight_of(size);
  return next_chance(self) < weight - (double)(uint64_t)weight
             ? HP_RECORD_HEAVIER
             : 0;
}

uint32_t hp_sample_weigh(uint64_t word) {
  if (hp_options.sample_every)
    return (uint32_t)hp_options.sample_every;
  return (uint32_t)weight_of(word & HP_SIZE_MAX) +
         ((word & HP_RECORD_HEAVIER) != 0);
}
