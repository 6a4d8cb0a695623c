/* malloc_memory.c - see malloc_memory.h: a word ahead of each chunk, steps of 16 bytes.
   Of several sizes the mean is told, by the digits of the small ones.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/malloc_memory.h"

#include "base/saturate.h"

#define WORD 8u
#define STEP 16u
#define PAGE 4096u
#define MAPPED (UINT64_C(128) << 10) /* has a mapping of its own from here on */
#define MAPPED_HEAD 16u              /* two words there */
#define SMALL_DIGITS 4u              /* up to 15 bytes: the least */
#define MEAN_OVER 12u                /* of others, in sizes by words */

static uint64_t rounded(uint64_t bytes, uint64_t step) {
  return bytes > UINT64_MAX - step ? bytes : (bytes + step - 1) / step * step;
}

static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

uint64_t hp_malloc_size(uint64_t size) {
  if (size >= MAPPED)
    return rounded(hp_add(size, MAPPED_HEAD), PAGE);
  return greater(HP_MALLOC_LEAST, rounded(size + WORD, STEP));
}

/* Beyond what was asked for, of one chunk on average. */
static double mean_over(const struct hp_histogram *sizes) {
  double small = 0, over = 0, all = 0;
  for (unsigned i = 0; i < sizes->count; i++) {
    const unsigned digits = sizes->lowest + i;
    const double chunks = (double)sizes->counts[i];
    all += chunks;
    if (digits > SMALL_DIGITS)
      continue;
    const double least = digits ? (double)(1u << (digits - 1)) : 0;
    const double most = (double)((1u << digits) - 1);
    small += chunks;
    over += chunks * (HP_MALLOC_LEAST - (least + most) / 2);
  }
  return all > 0 ? (over + (all - small) * MEAN_OVER) / all : MEAN_OVER;
}

uint64_t hp_malloc_memory(uint64_t chunks, uint64_t bytes,
                          const struct hp_min_mean_max *size,
                          const struct hp_histogram *sizes) {
  if (size->defined && size->min == size->max)
    return greater(bytes, hp_multiply(chunks, hp_malloc_size(size->max)));
  const double over = (double)chunks * mean_over(sizes);
  const uint64_t most = UINT64_MAX / 2;
  const uint64_t all =
      hp_add(bytes, over < (double)most ? (uint64_t)over : most);
  return greater(all, hp_multiply(chunks, HP_MALLOC_LEAST));
}
