/* saturate.h - sums that stop at 2^64 - 1 instead of wrapping.
   Every sum of the library goes through here or through 128 bits.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_SATURATE_H
#define HP_SATURATE_H

#include <stdint.h>

typedef unsigned __int128 hp_u128;

static inline uint64_t hp_add(uint64_t a, uint64_t b) {
  return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static inline uint64_t hp_clamp128(hp_u128 value) {
  return value > UINT64_MAX ? UINT64_MAX : (uint64_t)value;
}

static inline uint64_t hp_multiply(uint64_t a, uint64_t b) {
  return hp_clamp128((hp_u128)a * b);
}

#endif
