/* hash_bytes.c - the hash functions of std::hash<std::string> and its kin.
   They read keys; the values are those of libstdc++.so, to the last bit.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <stddef.h>
#include <stdint.h>

#include "library_symbol.h"

static uint64_t mixed(uint64_t value) { return value ^ value >> 47; }

/* MurmurHash64A, but for its end, where libstdc++ mixes in the other order. */
HP_LIBRARY_SYMBOL(size_t, hash_murmur,
                  (const void *key, size_t size, size_t seed),
                  "_ZSt11_Hash_bytesPKvmm") {
  const uint64_t factor = 0xc6a4a7935bd1e995;
  const unsigned char *at = key;
  uint64_t hash = seed ^ size * factor, word;
  for (size_t left = size / 8; left > 0; left--, at += 8) {
    __builtin_memcpy(&word, at, 8);
    hash = (hash ^ mixed(word * factor) * factor) * factor;
  }
  if (size % 8) {
    word = 0;
    for (size_t i = size % 8; i-- > 0;)
      word = word << 8 | at[i];
    hash = (hash ^ word) * factor;
  }
  return mixed(mixed(hash) * factor);
}

/* FNV-1a, of bytes with a sign. */
HP_LIBRARY_SYMBOL(size_t, hash_fnv, (const void *key, size_t size, size_t seed),
                  "_ZSt15_Fnv_hash_bytesPKvmm") {
  const signed char *at = key;
  uint64_t hash = seed;
  for (; size > 0; size--, at++)
    hash = (hash ^ (uint64_t)*at) * 0x100000001b3;
  return hash;
}
