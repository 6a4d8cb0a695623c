// wrapper-sizes.cpp - a function of a namespace that says it allocates, and is told a size alone: who calls it is the place.
// Not where it always makes as much, as the blocks of a pool: it is the place, whoever asks the pool.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clangxx_heapprof -O2 -g %s -o %t && %run %t
// RUN: %heapprof_score --findings %dump/heapprof.* | tr -s '\n ' ' ' | FileCheck %s
// CHECK-DAG: chunks of 48 B (char) from sign (wrapper-sizes.cpp:[[#]]) are written and never read
// CHECK-DAG: chunks of 80 B (char) from seal (wrapper-sizes.cpp:[[#]]) are written and never read
// CHECK-DAG: chunks of 512 B (char) from crypto::blockAllocate (wrapper-sizes.cpp:[[#]]) are written and never read
#include <cstdlib>
#include <cstring>

namespace crypto {
__attribute__((noinline)) char *alignedAllocate(std::size_t size) {
  return static_cast<char *>(std::aligned_alloc(16, size));
}
__attribute__((noinline)) char *blockAllocate(std::size_t size) {
  return static_cast<char *>(std::malloc(size));
}
} // namespace crypto

static char *kept[200], *blocks[400];

__attribute__((noinline)) static void sign(int i) {
  kept[i] = crypto::alignedAllocate(48);
  std::memset(kept[i], i, 48);
}

__attribute__((noinline)) static void seal(int i) {
  kept[i] = crypto::alignedAllocate(80);
  std::memset(kept[i], i, 80);
}

__attribute__((noinline)) static void lease(int i) {
  blocks[i] = crypto::blockAllocate(512);
  std::memset(blocks[i], i, 512);
}

__attribute__((noinline)) static void rent(int i) {
  blocks[i] = crypto::blockAllocate(512);
  std::memset(blocks[i], i + 1, 512);
}

int main() {
  for (int i = 0; i < 200; i++)
    i % 2 ? sign(i) : seal(i);
  for (int i = 0; i < 400; i++)
    i % 2 ? lease(i) : rent(i);
  for (char *one : kept)
    std::free(one);
  for (char *block : blocks)
    std::free(block);
}
