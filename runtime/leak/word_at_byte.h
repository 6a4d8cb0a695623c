/* word_at_byte.h - the words at each byte of memory, not at each eighth: of eight in one go
   those that may be addresses of chunks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef HP_WORD_AT_BYTE_H
#define HP_WORD_AT_BYTE_H

#include "chunk/beside.h"
#include "heap/bare_range.h"

typedef uint64_t hp_loose_word __attribute__((aligned(1), may_alias));

/* Bit 7 of each byte of WORDS that may be the highest of an address of a chunk: from
   0x01 to 0x0f, or from 0x40 to 0x4f. */
_Static_assert(HP_HEAP_BASE >> 40 >= 1 &&
                   (HP_BARE_BASE + HP_BARE_DATA) >> 40 <= 0x0f &&
                   HP_PLAIN_BASE >> 40 >= 0x40 &&
                   (HP_PLAIN_BASE + HP_PLAIN_SIZE) >> 40 <= 0x4f,
               "as above");
HP_INLINE uint64_t hp_may_be_highest(uint64_t words) {
  const uint64_t each = UINT64_MAX / 0xff, low = each * 0x7f;
  const uint64_t other = words & each * 0xb0;
  const uint64_t has_other = ((other & low) + low) | other,
                 is_any = ((words & low) + low) | words;
  return is_any & ~has_other & each << 7;
}

#define HP_HIGHEST_BYTE 5u /* of an address */

/* Calls EACH for all of [BEGIN, END) that may be addresses; of the program's own allocator
   any word may. */
HP_INLINE void hp_each_word_at_byte(uintptr_t begin, uintptr_t end,
                                    void (*each)(uint64_t word,
                                                 const void *arg),
                                    const void *arg) {
  uintptr_t at = begin;
  for (; !hp_is_beside() && at + HP_HIGHEST_BYTE + 8 + 8 <= end; at += 8)
    for (uint64_t some =
             hp_may_be_highest(*(const hp_loose_word *)(at + HP_HIGHEST_BYTE));
         some; some &= some - 1)
      each(*(const hp_loose_word *)(at + (unsigned)__builtin_ctzll(some) / 8),
           arg);
  for (; at + 8 <= end; at++)
    each(*(const hp_loose_word *)at, arg);
}

#endif
