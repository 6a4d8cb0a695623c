/* readers.cpp - readers THREADS LOOKUPS: all threads look up in a tree that the first one has built, and change nothing.
   Every chunk is touched by all of them.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <thread>
#include <vector>

static uint32_t next(uint32_t &state) {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static uint64_t look_up(const std::map<uint32_t, uint32_t> &tree,
                        uint32_t state, unsigned long lookups) {
  uint64_t sum = 0;
  while (lookups--) {
    auto found = tree.lower_bound(next(state) % 1000000);
    sum += found == tree.end() ? 1 : found->second;
  }
  return sum;
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  const unsigned long count = std::strtoul(argv[1], nullptr, 10);
  const unsigned long lookups = std::strtoul(argv[2], nullptr, 10);
  std::map<uint32_t, uint32_t> tree;
  uint32_t state = 1;
  for (uint32_t i = 0; i < 20000; i++)
    tree[next(state) % 1000000] = i;
  std::vector<uint64_t> sums(count);
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < count; i++)
    threads.emplace_back([&tree, &sums, i, lookups] {
      sums[i] = look_up(tree, 100 + i, lookups);
    });
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    threads[i].join();
    sum = sum * 31 + sums[i];
  }
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
  return 0;
}
